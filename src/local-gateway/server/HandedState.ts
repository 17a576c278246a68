/**
 * Keeps the state of a local gateway with functions of the caller's, as the text of a seed. Tokens and the log are not
 * kept.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Engine } from "./Engine.js"
import { keepState } from "./StateKeeping.js"
import { type InvalidSeed, readSeedText, type Seed } from "../books/Seed.js"

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
