/**
 * The work of a ledger that is in flight in this process. It continues if its caller stops waiting, and is waited for
 * when the ledger closes.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { type StoreError, unavailable } from "../store/Database.js"

/** The longest wait for work in flight when the ledger closes: longer than the client's time-out for a change. */
const drainTime = "150 seconds"

export type InFlight = Effect.Success<typeof make>

export type Places = ReturnType<typeof placesIn>

/**
 * Places for steps: `count` of them run concurrently, and each that ends makes room for the next one. The scope's end
 * interrupts them.
 */
const placesIn = (count: number, scope: Scope.Scope) => {
  const free = Semaphore.makeUnsafe(count)
  const inPlace = <A, E>(step: Effect.Effect<A, E>) =>
    Effect.forkIn(Effect.ensuring(Effect.interruptible(step), free.release(1)), scope)
  return {
    /** Waits for a free place and begins the step. Does not wait for its end. */
    begin: <A, E>(step: Effect.Effect<A, E>): Effect.Effect<Fiber.Fiber<A, E>> =>
      Effect.uninterruptibleMask((restore) => Effect.andThen(restore(free.take(1)), inPlace(step))),

    beginIfFree: <A, E>(step: Effect.Effect<A, E>): Effect.Effect<Fiber.Fiber<A, E> | undefined> =>
      Effect.uninterruptible(
        Effect.flatMap(free.takeIfAvailable(1), (isFree) => (isFree ? inPlace(step) : Effect.undefined))
      )
  }
}

/** Starts with nothing in flight. When the scope closes, nothing more begins, and what is in flight is awaited. */
export const make = Effect.gen(function* () {
  const scope = yield* Scope.make()
  const fibers = new Map<string, Fiber.Fiber<unknown, unknown>>()
  let isClosing = false

  // What follows from a program begins when that ends, also while the ledger closes.
  const awaitAll: Effect.Effect<void> = Effect.suspend(() =>
    fibers.size === 0 ? Effect.void : Effect.andThen(Fiber.awaitAll([...fibers.values()]), awaitAll)
  )
  const drain = Effect.suspend(() => {
    isClosing = true
    return Effect.timeoutOption(awaitAll, drainTime)
  })
  yield* Effect.addFinalizer(() => Effect.andThen(drain, Scope.close(scope, Exit.void)))

  const begin = <A, E>(name: string, program: Effect.Effect<A, E>): Effect.Effect<Fiber.Fiber<A, E>> =>
    Effect.uninterruptible(
      Effect.map(Effect.forkIn(program, scope), (fiber) => {
        fibers.set(name, fiber)
        fiber.addObserver(() => {
          if (fibers.get(name) === fiber) fibers.delete(name)
        })
        return fiber
      })
    )

  const detached = <A, E>(name: string, program: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.flatMap(begin(name, program), Fiber.join)

  return {
    /** Closes with the ledger. */
    scope,
    places: (count: number) => placesIn(count, scope),
    isClosing: () => isClosing,
    has: (name: string) => fibers.has(name),
    /** The fibers in flight, except those with these names. */
    fibers: (except: ReadonlySet<string>): ReadonlyArray<Fiber.Fiber<unknown, unknown>> =>
      [...fibers].flatMap(([name, fiber]) => (except.has(name) ? [] : [fiber])),

    /** Runs a program to its end, whether or not its caller waits. */
    run: <A, E>(name: string, program: Effect.Effect<A, E>): Effect.Effect<A, E | StoreError> =>
      Effect.suspend((): Effect.Effect<A, E | StoreError> =>
        isClosing ? Effect.fail(unavailable("The ledger is closing. Nothing was sent.")) : detached(name, program)
      ),

    /**
     * Runs a program. If one of the same name is in flight, waits for that instead and returns `undefined`. What follows
     * from its result begins in its place, whether or not its caller waits, and no caller waits for that.
     */
    runOnce: <A, E>(
      name: string,
      program: Effect.Effect<A, E>,
      follow?: (result: A) => Effect.Effect<unknown, unknown>
    ): Effect.Effect<A | undefined, E> =>
      Effect.suspend((): Effect.Effect<A | undefined, E> => {
        const known = fibers.get(name)
        if (known !== undefined) return Effect.as(Fiber.await(known), undefined)
        // A program begun now would be interrupted, and its row would wait until its lease has expired.
        if (isClosing) return Effect.succeed(undefined)
        return detached(
          name,
          follow === undefined ? program : Effect.tap(program, (result) => begin(name, Effect.ignore(follow(result))))
        )
      })
  }
})
