/**
 * What this process has begun for a ledger and not ended. It goes on when its caller does not wait for it, and is waited
 * for when the ledger closes.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { type StoreError, unavailable } from "../store/Database.js"

/** The longest time to wait for what is in flight at the end: above the client's time-out for a change. */
const drainTime = "150 seconds"

export type InFlight = Effect.Success<typeof make>

export type Places = ReturnType<typeof placesIn>

/** Places for steps: so many run at once, and whichever ends makes room for the next one. What runs ends with the scope. */
const placesIn = (count: number, scope: Scope.Scope) => {
  const free = Semaphore.makeUnsafe(count)
  const inPlace = <A, E>(step: Effect.Effect<A, E>) =>
    Effect.forkIn(Effect.ensuring(Effect.interruptible(step), free.release(1)), scope)
  return {
    /** Waits for a free place and begins. Does not wait for the end. */
    begin: <A, E>(step: Effect.Effect<A, E>): Effect.Effect<Fiber.Fiber<A, E>> =>
      Effect.uninterruptibleMask((restore) => Effect.andThen(restore(free.take(1)), inPlace(step))),

    beginIfFree: <A, E>(step: Effect.Effect<A, E>): Effect.Effect<Fiber.Fiber<A, E> | undefined> =>
      Effect.uninterruptible(
        Effect.flatMap(free.takeIfAvailable(1), (isFree) => (isFree ? inPlace(step) : Effect.undefined))
      )
  }
}

/** Begins with nothing in flight. When the scope closes, nothing more begins, and what is in flight is waited for. */
export const make = Effect.gen(function* () {
  const scope = yield* Scope.make()
  const fibers = new Map<string, Fiber.Fiber<unknown, unknown>>()
  let isClosing = false

  const drain = Effect.suspend(() => {
    isClosing = true
    return Effect.timeoutOption(Fiber.awaitAll([...fibers.values()]), drainTime)
  })
  yield* Effect.addFinalizer(() => Effect.andThen(drain, Scope.close(scope, Exit.void)))

  const detached = <A, E>(name: string, program: Effect.Effect<A, E>): Effect.Effect<A, E> => {
    const whenItEnds = Effect.sync(() => fibers.delete(name))
    return Effect.flatMap(Effect.forkIn(Effect.ensuring(program, whenItEnds), scope), (fiber) => {
      // It may have ended before this goes on.
      if (fiber.pollUnsafe() === undefined) fibers.set(name, fiber)
      return Fiber.join(fiber)
    })
  }

  return {
    /** Ends with the ledger. */
    scope,
    places: (count: number) => placesIn(count, scope),
    isClosing: () => isClosing,
    has: (name: string) => fibers.has(name),
    /** What is in flight, but for what has one of these names. */
    fibers: (except: ReadonlySet<string>): ReadonlyArray<Fiber.Fiber<unknown, unknown>> =>
      [...fibers].flatMap(([name, fiber]) => (except.has(name) ? [] : [fiber])),

    /** Runs a program to its end, whether or not its caller waits. */
    run: <A, E>(name: string, program: Effect.Effect<A, E>): Effect.Effect<A, E | StoreError> =>
      Effect.suspend((): Effect.Effect<A, E | StoreError> =>
        isClosing ? Effect.fail(unavailable("The ledger is closing. Nothing was sent.")) : detached(name, program)
      ),

    /** Runs a program unless one of its name is in flight; then it waits for that one, and gives nothing. */
    runOnce: <A, E>(name: string, program: Effect.Effect<A, E>): Effect.Effect<A | undefined, E> =>
      Effect.suspend((): Effect.Effect<A | undefined, E> => {
        const known = fibers.get(name)
        if (known !== undefined) return Effect.as(Fiber.await(known), undefined)
        // What begins now would be cut off, and its row would wait until its lease has expired.
        return isClosing ? Effect.succeed(undefined) : detached(name, program)
      })
  }
})
