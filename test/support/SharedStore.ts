/**
 * A store that several clients share, for tests: what lies in it can be seen and changed, and it can fail.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Persistence from "effect/persistence/Persistence"
import * as Queue from "effect/Queue"
import { TokenEncryption, webCrypto } from "../../src/client/call/TokenEncryption.js"

/** The steps of the store, as they begin. */
type Step = `${"get" | "set" | "remove"} ${"token" | "claim"}` | "make"

/** Does to a step what the test wants; nothing, unless it fails or never ends. */
type Fault = (step: Step) => Effect.Effect<void, Persistence.PersistenceError>

/** Real keys, made quickly. It counts what other threads have not finished. */
const encryption: TokenEncryption = {
  cipher: (secret, salt) => {
    const { encrypt, decrypt } = webCrypto({ rounds: 1 }).cipher(secret, salt)
    return {
      encrypt: (text, purpose) => unfinished(encrypt(text, purpose)),
      decrypt: (encrypted, purpose) => unfinished(decrypt(encrypted, purpose))
    }
  }
}

let encryptions = 0

const unfinished = <A, E>(work: Effect.Effect<A, E>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => encryptions++),
    () => work,
    () => Effect.sync(() => encryptions--)
  )

/** Lets everything happen that waits for the event loop or for the threads that encrypt: a test clock waits for neither. */
export const settled = Effect.promise(async () => {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise(setImmediate)
    if (encryptions > 0) turn = 0
  }
})

export const sharedStore = Effect.gen(function* () {
  const entries = new Map<string, { readonly value: object; readonly timeToLive: number | undefined }>()
  const steps = yield* Queue.unbounded<Step>()
  let fault: Fault = () => Effect.void

  /** A fault may also throw, at the call itself. */
  const taking = <A>(step: Step, work: () => A): Effect.Effect<A, Persistence.PersistenceError> => {
    const failed = fault(step)
    return Effect.suspend(() => {
      Queue.offerUnsafe(steps, step)
      return Effect.map(failed, work)
    })
  }

  const backing = Persistence.BackingPersistence.of({
    make: () => {
      const what = (key: string) => (key.startsWith("gopay-access-token-claim,") ? "claim" : "token")
      const place = (key: string) => `${what(key)} ${decodeURIComponent(key.slice(key.indexOf(",") + 1))}`
      const get = (key: string) => taking(`get ${what(key)}`, () => entries.get(place(key))?.value)
      const set = (key: string, value: object, ttl: Duration.Duration | undefined) =>
        taking(`set ${what(key)}`, () => {
          // As text, like any store outside of the process.
          const timeToLive = ttl === undefined ? undefined : Duration.toMillis(ttl)
          entries.set(place(key), { value: JSON.parse(JSON.stringify(value)), timeToLive })
        })
      return Effect.as(Effect.orDie(taking("make", () => undefined)), {
        get,
        set,
        remove: (key: string) => taking(`remove ${what(key)}`, () => void entries.delete(place(key))),
        getMany: () => Effect.die("not used"),
        setMany: () => Effect.die("not used"),
        clear: Effect.die("not used")
      })
    }
  })

  return {
    layer: Layer.merge(
      Layer.provide(Persistence.layer, Layer.succeed(Persistence.BackingPersistence, backing)),
      Layer.succeed(TokenEncryption, encryption)
    ),
    /** What lies in it. The key starts with `token` or `claim`. Nothing expires by itself. */
    entries,
    /** Waits until a step begins; those before it are forgotten. */
    reached: (step: Step): Effect.Effect<unknown> =>
      Effect.repeat(Queue.take(steps), { until: (next) => next === step }),
    fail: (next: Fault) => {
      fault = next
    }
  }
})

export type SharedStore = Effect.Success<typeof sharedStore>

/** As the clients of a store that cannot be reached report it. */
export const connectionRefused = new Persistence.PersistenceError({
  message: "Failed to get a key",
  cause: Object.assign(new Error("connect redis://user:passw0rd@redis.example"), { code: "ECONNREFUSED" })
})
