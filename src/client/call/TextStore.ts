/**
 * The store that sharing a token needs: texts under keys, each with a time to live.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { TokenStore } from "./TokenStore.js"

/** A store is someone else's: any of it may fail, throw, never end, or come to anything. */
export interface TextStore {
  /** The text, or something that is none. */
  readonly get: (key: string) => Effect.Effect<unknown, unknown>
  readonly set: (key: string, text: string, timeToLive: Duration.Duration) => Effect.Effect<unknown, unknown>
  readonly remove: (key: string) => Effect.Effect<unknown, unknown>
}

/** Over a store of promises. */
export const fromPromises = (store: TokenStore): TextStore => {
  const set: TextStore["set"] = (key, text, timeToLive) =>
    promised(async () => store.set(key, text, Math.max(1, Math.ceil(Duration.toSeconds(timeToLive)))))
  return {
    get: (key) => promised(async () => store.get(key)),
    set,
    remove: (key) => set(key, "", Duration.zero)
  }
}

const promised = (promise: () => Promise<unknown>): Effect.Effect<unknown, unknown> =>
  Effect.tryPromise({ try: promise, catch: (cause) => cause })
