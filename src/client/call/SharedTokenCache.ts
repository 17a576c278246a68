/**
 * One access token for several processes, through a store that they share.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import * as StoredToken from "./StoredToken.js"
import type { TextStore } from "./TextStore.js"
import type { CachedToken, TokenSource } from "./TokenCache.js"
import { TokenEncryption } from "./TokenEncryption.js"
import { stopwatch } from "../transport/MonotonicTime.js"

/** Longer than a store takes to show another process's write. */
const settlingTime = Duration.millis(100)

/**
 * In milliseconds: the longest that a call waits for the store and for other processes, 6 seconds in all. `toRemove` is
 * for removing a refused token. After `toFind` this process requests a token itself, since another one may have died
 * while it was requesting; sharing the new token gets the rest of `toFindAndShare`.
 */
const patience = { toRemove: 1_000, toFind: 4_000, toFindAndShare: 5_000 }

/** Succeeds with `undefined` if the work takes longer. */
const within = <A, E>(milliseconds: number, work: Effect.Effect<A, E>): Effect.Effect<A | undefined, E> =>
  Effect.timeoutOrElse(work, { duration: milliseconds, orElse: () => Effect.undefined })

/**
 * Shares the tokens of a source with other processes that have the same credentials, scope and gateway.
 *
 * Before it asks for a token, it looks into the store, and then puts its claim there, so that processes that find none
 * at the same time do not all ask: the one whose claim is still there after `settlingTime` asks, the others wait for
 * what it gets. (Fischer's algorithm: it needs reads and writes only, which is all that stores have in common. One that
 * is slower than `settlingTime` may let two of them ask.) A claim that a process has seen for `claimTime` is a dead
 * process's: each goes by how long it has waited itself, since clocks differ. Whatever the store does, a token is had:
 * in the end from the source alone.
 */
export const shared = (source: TokenSource, settings: GatewaySettings, store: TextStore): Effect.Effect<TokenSource> =>
  Effect.map(TokenEncryption, (encryption) => {
    const stored = StoredToken.make(settings, store, encryption)
    const refused = new Map<string, CachedToken>()
    let isReported = false

    const report = ({ step, why }: StoredToken.StoreFailure): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (isReported) return Effect.void
        isReported = true
        return Effect.logWarning(
          `The store of access tokens fails (${step}: ${why}): this process uses a token of its own. ` +
            "It is not logged again until the store has worked."
        )
      })

    /** A claim that cannot be released expires by itself, only later. */
    const release = Effect.catch(stored.release, () => Effect.void)

    const find = Effect.gen(function* () {
      const token = yield* stored.read
      if (token === undefined || refused.has(Redacted.value(token.value))) return undefined
      return (yield* Clock.currentTimeMillis) < token.refreshAt ? token : undefined
    })

    /** The token that another process obtained, or nothing: then this process has to request one. */
    const awaitTurn = Effect.fnUntraced(function* (elapsed: () => number) {
      const self = String(yield* Random.next)
      let seen: string | undefined
      let seenAt = 0
      for (;;) {
        const found = yield* find
        if (found !== undefined) return found
        const claimant = yield* stored.claimant
        if (claimant !== undefined && claimant !== seen) [seen, seenAt] = [claimant, elapsed()]
        if (claimant === undefined || elapsed() - seenAt >= Duration.toMillis(StoredToken.claimTime)) {
          yield* stored.claim(self)
          yield* Effect.sleep(settlingTime)
          // No claim at all is no reason to wait: a store may be slow to show the write.
          if (((yield* stored.claimant) ?? self) === self) {
            // An earlier claimant may have obtained a token in the meantime.
            const foundLate = yield* find
            if (foundLate !== undefined) yield* release
            return foundLate
          }
        }
        yield* Effect.sleep(100 + 100 * (yield* Random.next))
      }
    })

    return {
      fetch: Effect.gen(function* () {
        const elapsed = yield* Effect.withFiber((fiber) => Effect.succeed(stopwatch(fiber)))
        let failed: StoredToken.StoreFailure | undefined
        const found = yield* Effect.catch(within(patience.toFind, awaitTurn(elapsed)), (failure) => {
          failed = failure
          return Effect.as(report(failure), undefined)
        })
        if (failed === undefined && found !== undefined) {
          isReported = false
          return found
        }
        const left = patience.toFindAndShare - elapsed()
        const obtained = yield* Effect.exit(source.fetch)
        const write = Exit.isSuccess(obtained) ? stored.write(obtained.value) : Effect.void
        const worked = Effect.map(write, () => {
          isReported = failed !== undefined
        })
        // Replaces an unreadable entry, but skips a store that has already kept this call waiting.
        if (failed?.isTimeout !== true) {
          const shared = Effect.catch(worked, report)
          yield* within(left, failed === undefined ? Effect.andThen(shared, release) : shared)
        }
        return yield* obtained
      }),
      discard: (token) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          for (const [text, { expiresAt }] of refused) if (expiresAt <= now) refused.delete(text)
          refused.set(Redacted.value(token.value), token)
          const found = yield* stored.read
          if (found !== undefined && refused.has(Redacted.value(found.value))) yield* stored.remove
        }).pipe(Effect.catch(report), (removing) => Effect.asVoid(within(patience.toRemove, removing)))
    }
  })
