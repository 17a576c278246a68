/**
 * The store's entries for each merchant, scope and gateway: the encrypted token, and the claim to request a new one.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import { brokenOff } from "../transport/TransportFailure.js"
import type { TextStore } from "./TextStore.js"
import { token, type CachedToken } from "./TokenCache.js"
import type { TokenEncryption } from "./TokenEncryption.js"

/** The time limit of one step: payments do not wait for a slow store. */
const stepLimit = Duration.seconds(1)

/** The lifetime of a claim. */
export const claimTime = Duration.seconds(3)

/** The store did not do what it is there for. */
export interface StoreFailure {
  readonly step: string
  readonly why: string
  readonly isTimeout: boolean
}

/**
 * The token that is shared, and the claim of the process that asks for another. What fails, throws or takes too long is a `StoreFailure`.
 *
 * A token's entry is words with a blank between: when it was obtained and when it ends, in milliseconds since 1970 by
 * the clock of the process that obtained it, and the token, encrypted. A claim's entry is the claimant's name.
 */
export const make = (settings: GatewaySettings, store: TextStore, encryption: TokenEncryption) => {
  const id = [settings.baseUrl, settings.clientId, settings.scope].map(encodeURIComponent).join(",")
  const tokenKey = `gopay-access-token,${id}`
  const claimKey = `gopay-access-token-claim,${id}`
  const cipher = encryption.cipher(settings.clientSecret, id)
  return {
    /** Whatever token lies there, expired or not. */
    read: Effect.gen(function* () {
      const entry = yield* entryOf("read", store, tokenKey)
      if (entry === undefined) return undefined
      const [obtained, expires, encrypted = ""] = entry.split(" ")
      const [obtainedAt, expiresAt] = [Number(obtained), Number(expires)]
      if (!(expiresAt > obtainedAt)) return yield* Effect.fail(failure("read", "not a token"))
      const text = yield* failing("decrypt", () => cipher.decrypt(encrypted, `${obtainedAt} ${expiresAt}`))
      const now = yield* Clock.currentTimeMillis
      return token(text, {
        // Another machine's clock may be ahead of this one.
        obtainedAt: Math.min(obtainedAt, now),
        lifetime: expiresAt - obtainedAt,
        isFromStore: true
      })
    }),
    write: ({ expiresAt, obtainedAt, value }: CachedToken) => {
      const times = `${obtainedAt} ${expiresAt}`
      return Effect.flatMap(
        failing("encrypt", () => cipher.encrypt(Redacted.value(value), times)),
        (encrypted) =>
          inTime("write", () => store.set(tokenKey, `${times} ${encrypted}`, Duration.millis(expiresAt - obtainedAt)))
      )
    },
    remove: inTime("remove", () => store.remove(tokenKey)),
    /** Its claim may be older than `claimTime`: not every store lets entries expire. */
    claimant: entryOf("read the claim", store, claimKey),
    claim: (claimant: string) => inTime("claim", () => store.set(claimKey, claimant, claimTime)),
    release: inTime("release the claim", () => store.remove(claimKey))
  }
}

const failure = (step: string, why: string, isTimeout = false): StoreFailure => ({ step, why, isTimeout })

/** A store without removal has an empty text in place of a removed entry. */
const entryOf = (step: string, store: TextStore, key: string): Effect.Effect<string | undefined, StoreFailure> =>
  Effect.flatMap(
    inTime(step, () => store.get(key)),
    (text) =>
      text === undefined || text === null || text === ""
        ? Effect.undefined
        : typeof text === "string"
          ? Effect.succeed(text)
          : Effect.fail(failure(step, "not a text"))
  )

/** The store is foreign code: calling it may throw, and its effect may interrupt itself. */
const failing = <A>(step: string, work: () => Effect.Effect<A, unknown>): Effect.Effect<A, StoreFailure> =>
  Effect.catchCause(Effect.suspend(work), (cause) => {
    // Nothing else from the error: it may contain addresses and passwords.
    const { code, name } = brokenOff(Cause.squash(cause))
    return Effect.fail(failure(step, code ?? name ?? "no reason given"))
  })

/**
 * Abandons work that cannot be interrupted. It runs in a fiber of its own, which also contains values that are no
 * effects.
 */
const inTime = <A>(step: string, work: () => Effect.Effect<A, unknown>): Effect.Effect<A, StoreFailure> =>
  Effect.flatMap(Effect.forkDetach(Effect.suspend(work), { startImmediately: true }), (fiber) =>
    Effect.onInterrupt(
      Effect.timeoutOrElse(
        failing(step, () => Effect.flatten(Fiber.await(fiber))),
        {
          duration: stepLimit,
          orElse: () => {
            fiber.interruptUnsafe()
            return Effect.fail(failure(step, `nothing within ${Duration.toSeconds(stepLimit)} s`, true))
          }
        }
      ),
      () => Effect.sync(() => fiber.interruptUnsafe())
    )
  )
