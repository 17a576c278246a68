/**
 * One access token for several processes, through a store that they share.
 */
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Persistable from "effect/persistence/Persistable"
import type * as Persistence from "effect/persistence/Persistence"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Seal from "./AccessTokenSeal.js"
import { token, type Token, type TokenSource } from "./AccessTokens.js"
import { brokenOff } from "./Exchange.js"
import type { GatewaySettings } from "./GatewayOptions.js"

/** How long one step in the store may take: payments do not wait for a slow one. */
const stepLimit = Duration.seconds(1)

/** How long a process that asks for a token is waited for. */
const claimTime = Duration.seconds(3)

/** How long processes wait for each other's tokens, one after the other, before they help themselves: 6 seconds. */
const patience = 2 * Duration.toMillis(claimTime)

/** Longer than a store takes to show what another process has written. */
const settlingTime = Duration.millis(100)

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
class StoreFailure extends Data.TaggedError("StoreFailure")<{ readonly step: string; readonly why: string }> {}

/** The entries of one merchant, scope and gateway. */
interface Store {
  readonly read: Effect.Effect<Token | undefined, StoreFailure>
  readonly write: (token: Token) => Effect.Effect<void, StoreFailure>
  readonly remove: Effect.Effect<void, StoreFailure>
  readonly claimant: Effect.Effect<string | undefined, StoreFailure>
  readonly claim: (claimant: string) => Effect.Effect<void, StoreFailure>
  readonly release: Effect.Effect<void, StoreFailure>
}

/**
 * Shares the tokens of a source with other processes that have the same credentials, scope and gateway.
 *
 * Before it asks for a token, it looks into the store, and then puts its claim there, so that processes that find none at
 * the same time do not all ask: the one whose claim is still there after `settlingTime` asks, the others wait for what it
 * gets. (Fischer's algorithm: it needs reads and writes only, which is all that `Persistence` has. A store that is slower
 * than `settlingTime` may let two of them ask.) Whatever the store does, a token is had: in the end from the source alone.
 */
export const shared = (
  source: TokenSource,
  settings: GatewaySettings,
  persistence: Persistence.Persistence["Service"]
): Effect.Effect<TokenSource> =>
  Effect.gen(function* () {
    const open = yield* storeOf(settings, persistence)
    const refused = new Map<string, Token>()
    let isTold = false

    const tell = ({ step, why }: StoreFailure): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (isTold) return Effect.void
        isTold = true
        return Effect.logWarning(
          `The store of access tokens fails (${step}: ${why}): this process uses a token of its own. ` +
            "It is not said again before the store has worked."
        )
      })

    const worked = Effect.sync(() => {
      isTold = false
    })

    const usable = (store: Store): Effect.Effect<Token | undefined, StoreFailure> =>
      Effect.flatMap(store.read, (token) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          token !== undefined && now < token.refreshAt && !refused.has(Redacted.value(token.value)) ? token : undefined
        )
      )

    /** The token that another process obtained, or nothing: then it is for this one to ask. */
    const awaitTurn = (store: Store, self: string, until: number): Effect.Effect<Token | undefined, StoreFailure> =>
      Effect.gen(function* () {
        const found = yield* usable(store)
        if (found !== undefined) return found
        if ((yield* store.claimant) === undefined) {
          yield* store.claim(self)
          yield* Effect.sleep(settlingTime)
          // One that claimed earlier may have obtained a token since the look above.
          if ((yield* store.claimant) === self) return yield* usable(store)
        }
        if ((yield* Clock.currentTimeMillis) >= until) return undefined
        yield* Effect.sleep(Duration.millis(yield* Random.nextBetween(100, 200)))
        return yield* awaitTurn(store, self, until)
      })

    const fetch = Effect.gen(function* () {
      const opened = yield* Effect.result(open)
      if (Result.isFailure(opened)) return yield* Effect.andThen(tell(opened.failure), source.fetch)
      const store = opened.success
      const until = (yield* Clock.currentTimeMillis) + patience
      const turn = yield* Effect.result(awaitTurn(store, crypto.randomUUID(), until))
      if (Result.isSuccess(turn) && turn.success !== undefined) {
        yield* worked
        return turn.success
      }
      if (Result.isFailure(turn)) {
        yield* tell(turn.failure)
        // What could not be read is replaced.
        return yield* Effect.tap(source.fetch, (token) => Effect.catch(store.write(token), tell))
      }
      const obtained = yield* Effect.exit(source.fetch)
      const kept = Exit.isSuccess(obtained) ? Effect.andThen(store.write(obtained.value), worked) : Effect.void
      yield* Effect.catch(Effect.andThen(kept, store.release), tell)
      return yield* obtained
    })

    return {
      fetch: Effect.scoped(fetch),
      discard: (token) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          for (const [text, { expiresAt }] of refused) if (expiresAt <= now) refused.delete(text)
          refused.set(Redacted.value(token.value), token)
          const store = yield* open
          const stored = yield* store.read
          if (stored !== undefined && refused.has(Redacted.value(stored.value))) yield* store.remove
        }).pipe(Effect.scoped, Effect.catch(tell))
    }
  })

/** Opens the store. That is done for each use: it may be down when the program starts. */
const storeOf = (
  settings: GatewaySettings,
  persistence: Persistence.Persistence["Service"]
): Effect.Effect<Effect.Effect<Store, StoreFailure, Scope.Scope>> => {
  const id = JSON.stringify([settings.baseUrl, settings.clientId, settings.scope])
  const tokenKey = new TokenKey({ id })
  const claimKey = new ClaimKey({ id })
  const purpose = (...times: ReadonlyArray<number>) => JSON.stringify([id, ...times])
  return Effect.map(Seal.make(settings.clientSecret, id), (seal) =>
    Effect.gen(function* () {
      const tokens = yield* inTime(
        "open",
        persistence.make({
          storeId: "gopay_access_tokens",
          timeToLive: (exit) =>
            Exit.isSuccess(exit) && isStoredToken(exit.value) ? exit.value.expiresAt - exit.value.obtainedAt : 0
        })
      )
      const claims = yield* inTime(
        "open",
        persistence.make({ storeId: "gopay_access_token_claims", timeToLive: () => claimTime })
      )
      return {
        read: Effect.gen(function* () {
          const exit = yield* inTime("read", tokens.get(tokenKey))
          if (exit === undefined) return undefined
          if (Exit.isFailure(exit)) return yield* new StoreFailure({ step: "read", why: "not a token" })
          const { expiresAt, obtainedAt, sealed } = exit.value
          const text = yield* failing("decrypt", seal.open(sealed, purpose(obtainedAt, expiresAt)))
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
            failing("encrypt", seal.close(Redacted.value(value), purpose(obtainedAt, expiresAt))),
            (sealed) => inTime("write", tokens.set(tokenKey, Exit.succeed({ sealed, obtainedAt, expiresAt })))
          ),
        remove: inTime("remove", tokens.remove(tokenKey)),
        claimant: Effect.map(inTime("read the claim", claims.get(claimKey)), (exit) =>
          exit !== undefined && Exit.isSuccess(exit) ? exit.value : undefined
        ),
        claim: (claimant) => inTime("claim", claims.set(claimKey, Exit.succeed(claimant))),
        release: inTime("release the claim", claims.remove(claimKey))
      }
    })
  )
}

const failing = <A, R>(step: string, work: Effect.Effect<A, unknown, R>): Effect.Effect<A, StoreFailure, R> => {
  const failure = (cause: unknown) => {
    // Nothing else of it: it may hold addresses and passwords.
    const { code, name } = brokenOff(cause)
    return new StoreFailure({ step, why: code ?? name ?? "no reason given" })
  }
  return work.pipe(
    Effect.mapError(failure),
    Effect.catchDefect((defect) => Effect.fail(failure(defect)))
  )
}

const inTime = <A, R>(step: string, work: Effect.Effect<A, unknown, R>): Effect.Effect<A, StoreFailure, R> =>
  Effect.timeoutOrElse(failing(step, work), {
    duration: stepLimit,
    orElse: () => Effect.fail(new StoreFailure({ step, why: `nothing within ${Duration.format(stepLimit)}` }))
  })
