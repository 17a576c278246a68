/**
 * One access token for several processes, through a store that they share.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Persistence from "effect/persistence/Persistence"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import type { Token, TokenSource } from "./TokenCache.js"
import * as TokenStore from "./TokenStore.js"
import type { GatewaySettings } from "../config/GatewayOptions.js"

/** How long a process waits for others before it helps itself: for one that died while it asked, and for the next. */
const patience = Duration.times(TokenStore.claimTime, 2)

/** Longer than a store takes to show what another process has written. */
const settlingTime = Duration.millis(100)

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
    const open = yield* TokenStore.opening(settings, persistence)
    const refused = new Map<string, Token>()
    let isTold = false

    const tell = ({ step, why }: TokenStore.StoreFailure): Effect.Effect<void> =>
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

    const isUsable = (token: Token, now: number): boolean =>
      now < token.refreshAt && !refused.has(Redacted.value(token.value))

    const fetch = Effect.gen(function* () {
      const opened = yield* Effect.result(open)
      if (Result.isFailure(opened)) return yield* Effect.andThen(tell(opened.failure), source.fetch)
      const store = opened.success
      const turn = yield* Effect.result(awaitTurn(store, isUsable))
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
      fetch: withStore(fetch),
      discard: (token) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          for (const [text, { expiresAt }] of refused) if (expiresAt <= now) refused.delete(text)
          refused.set(Redacted.value(token.value), token)
          const store = yield* open
          const stored = yield* store.read
          if (stored !== undefined && refused.has(Redacted.value(stored.value))) yield* store.remove
        }).pipe(withStore, Effect.catch(tell))
    }
  })

/** Lends a scope to the store; nobody waits until it is closed, or hears of it when that fails. */
const withStore = <A, E>(work: Effect.Effect<A, E, Scope.Scope>): Effect.Effect<A, E> =>
  Effect.flatMap(Scope.make(), (scope) =>
    Effect.onExit(Effect.provideService(work, Scope.Scope, scope), (exit) =>
      Effect.forkDetach(
        Effect.catchCause(
          Effect.suspend(() => Scope.close(scope, exit)),
          () => Effect.void
        )
      )
    )
  )

/** The token that another process obtained, or nothing: then it is for this one to ask. */
const awaitTurn = (
  store: TokenStore.TokenStore,
  isUsable: (token: Token, now: number) => boolean
): Effect.Effect<Token | undefined, TokenStore.StoreFailure> => {
  const self = crypto.randomUUID()
  const find = Effect.gen(function* () {
    const token = yield* store.read
    return token !== undefined && isUsable(token, yield* Clock.currentTimeMillis) ? token : undefined
  })
  const turn = Effect.gen(function* () {
    for (;;) {
      const found = yield* find
      if (found !== undefined) return found
      if ((yield* store.claimant) === undefined) {
        yield* store.claim(self)
        yield* Effect.sleep(settlingTime)
        if ((yield* store.claimant) === self) {
          // One that claimed earlier may have obtained a token since the look above.
          const foundLate = yield* find
          if (foundLate !== undefined) yield* store.release
          return foundLate
        }
      }
      yield* Effect.sleep(Duration.millis(yield* Random.nextBetween(100, 200)))
    }
  })
  return Effect.timeoutOrElse(turn, { duration: patience, orElse: () => Effect.undefined })
}
