/**
 * One access token for several processes, through a store that they share.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import { stopwatch } from "../transport/MonotonicTime.js"
import { brokenOff } from "../transport/TransportFailure.js"
import { type CachedToken, token } from "./CachedToken.js"
import type { TokenSource } from "./TokenSource.js"
import { TokenEncryption } from "./TokenEncryption.js"
import type { TokenStore } from "./TokenStore.js"

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
 * Before it requests a token, it checks the store, and then writes its claim there, so that processes that find no
 * token at the same time do not all request one: the process whose claim is still there after `settlingTime` requests
 * it, and the others wait for the result. (This is Fischer's algorithm. It needs only reads and writes, which all
 * stores have. If a store is slower than `settlingTime`, two processes may request a token.) A claim that a process has
 * seen for `claimTime` counts as a dead process's. Each process measures its own wait, since clocks differ. Whatever
 * the store does, every caller gets a token, if necessary directly from the source.
 */
export const shared = (source: TokenSource, settings: GatewaySettings, store: TextStore): Effect.Effect<TokenSource> =>
  Effect.map(TokenEncryption, (encryption) => {
    const stored = storedToken(settings, store, encryption)
    const refused = new Map<string, CachedToken>()
    let isReported = false

    const report = ({ step, why }: StoreFailure): Effect.Effect<void> =>
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

    /** The token that another process obtained; nothing if this process has to request one. */
    const awaitTurn = Effect.fnUntraced(function* (elapsed: () => number) {
      const self = String(yield* Random.next)
      let seen: string | undefined
      let seenAt = 0
      for (;;) {
        const found = yield* find
        if (found !== undefined) return found
        const claimant = yield* stored.claimant
        if (claimant !== undefined && claimant !== seen) [seen, seenAt] = [claimant, elapsed()]
        if (claimant === undefined || elapsed() - seenAt >= Duration.toMillis(claimTime)) {
          yield* stored.claim(self)
          yield* Effect.sleep(settlingTime)
          // A missing claim is no reason to wait: the store may be slow to show the write.
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
        let failed: StoreFailure | undefined
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

// ---------------------------------------------------------------------------------------------------------------------
// The store
// ---------------------------------------------------------------------------------------------------------------------

/** A store belongs to the caller: any of its functions may fail, throw, never end, or return anything. */
export interface TextStore {
  /** Should be the text, but may be anything. */
  readonly get: (key: string) => Effect.Effect<unknown, unknown>
  readonly set: (key: string, text: string, timeToLive: Duration.Duration) => Effect.Effect<unknown, unknown>
  readonly remove: (key: string) => Effect.Effect<unknown, unknown>
}

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

/** The time limit of one step: payments must not wait for a slow store. */
const stepLimit = Duration.seconds(1)

const claimTime = Duration.seconds(3)

/** The step that failed at the shared token store, and why. */
export interface StoreFailure {
  readonly step: string
  readonly why: string
  readonly isTimeout: boolean
}

/**
 * The store's entries for a merchant, scope and gateway: the token, and the claim of the process that asks for another.
 * A step that fails, throws or takes too long is a `StoreFailure`.
 *
 * A token's entry is three words separated by spaces: when it was obtained and when it expires, in milliseconds since
 * 1970 by the clock of the process that obtained it, and the token, encrypted. A claim's entry is the claimant's name.
 */
export const storedToken = (settings: GatewaySettings, store: TextStore, encryption: TokenEncryption) => {
  const id = [settings.baseUrl, settings.clientId, settings.scope].map(encodeURIComponent).join(",")
  const tokenKey = `gopay-access-token,${id}`
  const claimKey = `gopay-access-token-claim,${id}`
  const cipher = encryption.cipher(settings.clientSecret, id)
  return {
    /** Any token in the store, whether expired or not. */
    read: Effect.gen(function* () {
      const entry = yield* entryOf("read", store, tokenKey)
      if (entry === undefined) return undefined
      const [obtained, expires, encrypted = ""] = entry.split(" ")
      const [obtainedAt, expiresAt] = [Number(obtained), Number(expires)]
      if (!(expiresAt > obtainedAt)) return yield* Effect.fail(failure("read", "not a token"))
      const text = yield* failing("decrypt", () => cipher.decrypt(encrypted, `${obtainedAt} ${expiresAt}`))
      const now = yield* Clock.currentTimeMillis
      return token(text, {
        // The clock of another machine may be ahead of this one's.
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
    /** The claim may be older than `claimTime`: not every store lets entries expire. */
    claimant: entryOf("read the claim", store, claimKey),
    claim: (claimant: string) => inTime("claim", () => store.set(claimKey, claimant, claimTime)),
    release: inTime("release the claim", () => store.remove(claimKey))
  }
}

const failure = (step: string, why: string, isTimeout = false): StoreFailure => ({ step, why, isTimeout })

/** Longer than any entry: a longer text is not read, so that it does not keep a process busy. */
const maxEntryLength = 65_536

/** For a store that cannot remove entries, an empty text stands for a removed one. */
const entryOf = (step: string, store: TextStore, key: string): Effect.Effect<string | undefined, StoreFailure> =>
  Effect.flatMap(
    inTime(step, () => store.get(key)),
    (text) =>
      text === undefined || text === null || text === ""
        ? Effect.undefined
        : typeof text !== "string"
          ? Effect.fail(failure(step, "not a text"))
          : text.length > maxEntryLength
            ? Effect.fail(failure(step, `more than ${maxEntryLength} characters`))
            : Effect.succeed(text)
  )

/** The store is foreign code: calling it may throw, and its effect may interrupt itself. */
const failing = <A>(step: string, work: () => Effect.Effect<A, unknown>): Effect.Effect<A, StoreFailure> =>
  Effect.catchCause(Effect.suspend(work), (cause) => {
    // Nothing else of the error, which may contain addresses and passwords.
    const { code, name } = brokenOff(Cause.squash(cause))
    return Effect.fail(failure(step, code ?? name ?? "no reason given"))
  })

/**
 * Gives up on work that ignores interruption. It runs in a fiber of its own, which also contains a store that returns
 * something other than an effect.
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
