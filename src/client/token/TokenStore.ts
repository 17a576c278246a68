/**
 * Where processes find each other's access tokens: two entries in a store, for each merchant, scope and gateway.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Persistable from "effect/persistence/Persistable"
import type * as Persistence from "effect/persistence/Persistence"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { TokenEncryption } from "./TokenEncryption.js"
import { token, type Token } from "./TokenCache.js"
import { brokenOff } from "../transport/Transport.js"
import type { GatewaySettings } from "../config/GatewayOptions.js"

/** How long one step may take: payments do not wait for a slow store. */
const stepLimit = Duration.seconds(1)

/** How long it is believed of a process that it asks for a token. */
export const claimTime = Duration.seconds(3)

/** What lies in the store. The times are milliseconds since 1970, by the clock of the process that obtained the token. */
const StoredToken = Schema.Struct({
  sealed: Schema.String,
  obtainedAt: Schema.Finite,
  expiresAt: Schema.Finite
})

const isStoredToken = Schema.is(StoredToken)

class TokenKey extends Persistable.Class<{ payload: { readonly id: string } }>()("AccessToken", {
  primaryKey: ({ id }) => id,
  success: StoredToken
}) {}

/** Who is asking for a token. */
class ClaimKey extends Persistable.Class<{ payload: { readonly id: string } }>()("AccessTokenClaim", {
  primaryKey: ({ id }) => id,
  success: Schema.String
}) {}

/** The store did not do what it is there for. */
export class StoreFailure extends Data.TaggedError("StoreFailure")<{ readonly step: string; readonly why: string }> {}

/** The token that is shared, and the claim of the process that asks for another. */
export interface TokenStore {
  /** Whatever token lies there, expired or not. */
  readonly read: Effect.Effect<Token | undefined, StoreFailure>
  readonly write: (token: Token) => Effect.Effect<void, StoreFailure>
  readonly remove: Effect.Effect<void, StoreFailure>
  readonly claimant: Effect.Effect<string | undefined, StoreFailure>
  readonly claim: (claimant: string) => Effect.Effect<void, StoreFailure>
  readonly release: Effect.Effect<void, StoreFailure>
}

/**
 * Opens it. That is done for each use, since a store may be down when the program starts. What fails, throws or takes too
 * long is a `StoreFailure`.
 */
export const opening = (
  settings: GatewaySettings,
  persistence: Persistence.Persistence["Service"]
): Effect.Effect<Effect.Effect<TokenStore, StoreFailure, Scope.Scope>> => {
  const id = JSON.stringify([settings.baseUrl, settings.clientId, settings.scope])
  const tokenKey = new TokenKey({ id })
  const claimKey = new ClaimKey({ id })
  const purpose = (...times: ReadonlyArray<number>) => JSON.stringify([id, ...times])
  const encryption = Effect.flatMap(TokenEncryption, ({ make }) => make(settings.clientSecret, id))
  return Effect.map(encryption, (seal) =>
    Effect.gen(function* () {
      const tokens = yield* inTime("open", () =>
        persistence.make({
          storeId: "gopay_access_tokens",
          timeToLive: (exit) =>
            Exit.isSuccess(exit) && isStoredToken(exit.value) ? exit.value.expiresAt - exit.value.obtainedAt : 0
        })
      )
      const claims = yield* inTime("open", () =>
        persistence.make({ storeId: "gopay_access_token_claims", timeToLive: () => claimTime })
      )
      return {
        read: Effect.gen(function* () {
          const exit = yield* inTime("read", () => tokens.get(tokenKey))
          if (exit === undefined) return undefined
          if (Exit.isFailure(exit)) return yield* new StoreFailure({ step: "read", why: "not a token" })
          const { expiresAt, obtainedAt, sealed } = exit.value
          const text = yield* failing("decrypt", () => seal.open(sealed, purpose(obtainedAt, expiresAt)))
          const now = yield* Clock.currentTimeMillis
          return token(text, {
            // The clock of another machine may be ahead of this one's.
            obtainedAt: Math.min(obtainedAt, now),
            lifetime: expiresAt - obtainedAt,
            isFromStore: true
          })
        }),
        write: ({ expiresAt, obtainedAt, value }) =>
          Effect.flatMap(
            failing("encrypt", () => seal.close(Redacted.value(value), purpose(obtainedAt, expiresAt))),
            (sealed) => inTime("write", () => tokens.set(tokenKey, Exit.succeed({ sealed, obtainedAt, expiresAt })))
          ),
        remove: inTime("remove", () => tokens.remove(tokenKey)),
        claimant: Effect.map(
          inTime("read the claim", () => claims.get(claimKey)),
          (exit) => (exit !== undefined && Exit.isSuccess(exit) ? exit.value : undefined)
        ),
        claim: (claimant) => inTime("claim", () => claims.set(claimKey, Exit.succeed(claimant))),
        release: inTime("release the claim", () => claims.remove(claimKey))
      }
    })
  )
}

/** A store is somebody else's: it may throw where it is called, and interrupt itself. */
const failing = <A, R>(step: string, work: () => Effect.Effect<A, unknown, R>): Effect.Effect<A, StoreFailure, R> =>
  Effect.catchCause(Effect.suspend(work), (cause) => {
    // Nothing else of it: it may hold addresses and passwords.
    const { code, name } = brokenOff(Cause.squash(cause))
    return Effect.fail(new StoreFailure({ step, why: code ?? name ?? "no reason given" }))
  })

/** What cannot be interrupted is left behind: nobody waits for it. */
const inTime = <A, R>(step: string, work: () => Effect.Effect<A, unknown, R>): Effect.Effect<A, StoreFailure, R> =>
  Effect.flatMap(Effect.forkDetach(failing(step, work), { startImmediately: true }), (fiber) =>
    Effect.onInterrupt(
      Effect.timeoutOrElse(Fiber.join(fiber), {
        duration: stepLimit,
        orElse: () => {
          fiber.interruptUnsafe()
          return Effect.fail(new StoreFailure({ step, why: `nothing within ${Duration.format(stepLimit)}` }))
        }
      }),
      () => Effect.sync(() => fiber.interruptUnsafe())
    )
  )
