/**
 * Writes the state of a gateway after each change.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Engine, StateChange } from "./Engine.js"
import { type InvalidSeed, readSeedText, type Seed } from "../books/Seed.js"

/** A writer of changes. */
export interface StateWriter<E> {
  /** Notes a change for the next writing. */
  readonly add: (change: StateChange) => void
  /** Writes what was noted, or everything. */
  readonly write: Effect.Effect<void, E>
  /** The last writing. */
  readonly finish: Effect.Effect<void, E>
  /** What went wrong, for the log. */
  readonly describe: (error: E) => string
}

/**
 * Keeps the state of a gateway from now on, until the scope ends. Gives an effect that ends when all that has changed by
 * then is written, or could not be, which is logged.
 *
 * Changes that come during a writing are written together, by the next one.
 */
export const keepState = <E>(
  engine: Engine,
  { add, describe, finish, write }: StateWriter<E>
): Effect.Effect<Effect.Effect<void>, E, Scope.Scope> =>
  Effect.gen(function* () {
    const turn = yield* Semaphore.make(1)
    const inTurn = turn.withPermits(1)
    const logged = Effect.catch((error: E) =>
      Effect.logError(`The state of the local gateway is not kept. ${describe(error)}`)
    )
    const saved = inTurn(write).pipe(logged, Effect.uninterruptible)
    yield* inTurn(write)

    const changes = Latch.makeUnsafe()
    yield* Effect.acquireRelease(
      Effect.sync(() =>
        engine.onChange((change) => {
          add(change)
          changes.openUnsafe()
        })
      ),
      (stop) => Effect.andThen(inTurn(finish).pipe(logged), Effect.sync(stop))
    )
    const keep = changes.await.pipe(
      // The latch opens in the middle of a change, which must be complete before it is written.
      Effect.andThen(Effect.yieldNow),
      Effect.andThen(Effect.sync(() => changes.closeUnsafe())),
      Effect.andThen(saved),
      Effect.forever
    )
    yield* Effect.forkScoped(keep)
    return saved
  })

/** The caller's functions. An error of theirs is passed on as it is. */
export interface StateFunctions {
  readonly load?: (() => Promise<string | undefined>) | undefined
  readonly save?: ((state: string) => Promise<void>) | undefined
}

/** A state that was handed over. */
interface HandedState {
  readonly seed: Seed | undefined
  readonly keep: (engine: Engine) => Effect.Effect<Effect.Effect<void>, unknown, Scope.Scope>
}

const asked = <A>(ask: () => Promise<A>): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: ask, catch: (error) => error })

const keeping =
  (save: NonNullable<StateFunctions["save"]>): HandedState["keep"] =>
  (engine) => {
    let isSaved = false
    const write = Effect.suspend(() => {
      if (isSaved) return Effect.void
      isSaved = true
      return Effect.tapError(
        asked(() => save(JSON.stringify(engine.exportSeed()))),
        () => Effect.sync(() => (isSaved = false))
      )
    })
    return keepState(engine, {
      add: () => (isSaved = false),
      write,
      finish: write,
      describe: (error) => `It could not be saved: ${String(error)}`
    })
  }

/** Loads the state of the last run. */
export const openHandedState = ({ load, save }: StateFunctions): Effect.Effect<HandedState, unknown> =>
  Effect.gen(function* () {
    const text = load === undefined ? undefined : yield* asked(load)
    const seed: Seed | undefined =
      text === undefined ? undefined : yield* Effect.fromResult<Seed, InvalidSeed>(readSeedText(text))
    return { seed, keep: save === undefined ? () => Effect.succeed(Effect.void) : keeping(save) }
  })
