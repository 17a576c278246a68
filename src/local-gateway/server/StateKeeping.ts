/**
 * Keeps the state of a gateway between runs. Tokens and the log are not kept.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Engine } from "./Engine.js"
import { readSeedText, type Seed } from "../books/Seed.js"
import type { SeedContent } from "../books/SeedSchema.js"

/** A store for the state between runs. */
export interface StateStore<E> {
  /** The state of the last run; `undefined` at the first run. */
  readonly seed: Seed | undefined
  /**
   * Stores the state from now on, until the scope ends. Returns an effect that ends once all changes so far are stored,
   * or could not be, which is logged.
   */
  readonly keep: (engine: Engine) => Effect.Effect<Effect.Effect<void>, E, Scope.Scope>
}

/** Keeps nothing. */
export const noStore: StateStore<never> = { seed: undefined, keep: () => Effect.succeed(Effect.void) }

/**
 * Stores the whole state with one function that writes it and one that reports failures. Changes that arrive during a
 * write are written together by the next one.
 */
export const keeping =
  <E>(write: (state: SeedContent) => Effect.Effect<void, E>, describe: (error: E) => string): StateStore<E>["keep"] =>
  (engine) =>
    Effect.gen(function* () {
      let isWritten = false
      const turn = yield* Semaphore.make(1)
      const written = Effect.suspend(() => {
        if (isWritten) return Effect.void
        isWritten = true
        return Effect.tapError(write(engine.exportSeed()), () => Effect.sync(() => (isWritten = false)))
      }).pipe(turn.withPermits(1))
      const saved = written.pipe(
        Effect.catch((error) => Effect.logError(`The state of the local gateway is not kept. ${describe(error)}`)),
        Effect.uninterruptible
      )
      yield* written

      const changes = Latch.makeUnsafe()
      yield* Effect.acquireRelease(
        Effect.sync(() =>
          engine.onChange(() => {
            isWritten = false
            changes.openUnsafe()
          })
        ),
        (stop) => Effect.andThen(saved, Effect.sync(stop))
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

/** The caller's functions. Their errors are passed on unchanged. */
export interface StateFunctions {
  readonly load?: (() => Promise<string | undefined>) | undefined
  readonly save?: ((state: string) => Promise<void>) | undefined
}

const asked = <A>(ask: () => Promise<A>): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: ask, catch: (error) => error })

/** Loads the state of the last run. */
export const openHandedState = ({ load, save }: StateFunctions): Effect.Effect<StateStore<unknown>, unknown> =>
  Effect.gen(function* () {
    const text = load === undefined ? undefined : yield* asked(load)
    const seed = text === undefined ? undefined : yield* Effect.fromResult(readSeedText(text))
    if (save === undefined) return { ...noStore, seed }
    const write = (state: SeedContent) => asked(() => save(JSON.stringify(state)))
    return { seed, keep: keeping(write, (error) => `It could not be saved: ${String(error)}`) }
  })
