import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as HttpClient from "effect/http/HttpClient"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Persistence from "effect/persistence/Persistence"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { beforeEach, expectTypeOf } from "vitest"
import {
  AccessToken,
  Gateway,
  GatewayConfig,
  type GatewayOptions,
  getPayment,
  refundPayment
} from "../../../src/index.js"
import { checkOptions } from "../../../src/client/config/GatewayOptions.js"
import { persistedStore } from "../../../src/client/call/TokenService.js"
import {
  fromPromises,
  shared,
  storedToken,
  type StoreFailure,
  type TextStore
} from "../../../src/client/call/SharedTokenCache.js"
import { token } from "../../../src/client/call/CachedToken.js"
import type { TokenSource } from "../../../src/client/call/TokenSource.js"
import { TokenEncryption } from "../../../src/client/call/TokenEncryption.js"
import {
  finished,
  json,
  merchant,
  paid,
  refusal,
  scripted,
  type ScriptedTransport,
  tokenResponse
} from "../../support/ScriptedTransport.js"
import { captureLog } from "../../support/LogGuard.js"
import { connectionRefused, settled, sharedStore, type SharedStore } from "../../support/SharedStore.js"

const id = 3090066980

const key = "https://gateway.example/api,1234567890,payment-all"

/** A client in a process of its own, as far as tokens go. */
const process = (transport: ScriptedTransport, store: SharedStore, options: Partial<GatewayOptions> = {}) =>
  Effect.map(
    Layer.build(
      Layer.fresh(Gateway.layerNoDeps).pipe(
        Layer.provide(Layer.fresh(AccessToken.layerPersisted)),
        Layer.provide(GatewayConfig.layer({ ...merchant, ...options })),
        Layer.provide(store.layer),
        Layer.provide(transport.layer)
      )
    ),
    (context) =>
      <A, E>(program: Effect.Effect<A, E, Gateway>): Effect.Effect<A, E> =>
        Effect.provideContext(program, context)
  )

/** Runs a call that finds no token in the store: it puts a claim there and checks it again after a while. */
const claiming = <A, E>(store: SharedStore, call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const running = yield* Effect.forkChild(call)
    yield* store.reached("set claim")
    yield* settled
    yield* TestClock.adjust("100 millis")
    return yield* Fiber.join(running)
  })

/** Lets time pass until what was begun has ended. */
const ended = <A, E>(begun: Fiber.Fiber<A, E>) =>
  Effect.repeat(Effect.andThen(settled, TestClock.adjust("50 millis")), {
    until: () => begun.pollUnsafe() !== undefined
  }).pipe(Effect.andThen(Fiber.join(begun)))

/** Without WebCrypto, whose promises no test clock waits for. */
const promptly = Effect.map((store: SharedStore) => ({
  ...store,
  layer: Layer.merge(
    store.layer,
    Layer.succeed(TokenEncryption, {
      cipher: () => ({
        encrypt: (text, purpose) => Effect.succeed(btoa(`${purpose} ${text}`)),
        decrypt: (encrypted, purpose) => Effect.succeed(atob(encrypted).slice(purpose.length + 1))
      })
    })
  )
}))

const bearers = (transport: ScriptedTransport) => transport.sent.map(({ headers }) => headers["authorization"])

const answering = (revoked: ReadonlyArray<string> = []) =>
  scripted(({ headers, method }) =>
    revoked.includes(headers["authorization"] ?? "")
      ? new Response(null, { status: 401 })
      : json(method === "GET" ? paid : finished)
  )

const warningsOfStore = () => captureLog(/^The store of access tokens fails/)

describe("a token in a store", () => {
  it("shows in the layer's type that it needs the store", () => {
    expectTypeOf(AccessToken.layerPersisted).toEqualTypeOf<
      Layer.Layer<AccessToken, never, GatewayConfig | HttpClient.HttpClient | Persistence.Persistence>
    >()
  })

  it.effect("serves a second process, which asks for none, and lies there as long as it lives", () =>
    Effect.gen(function* () {
      const transport = answering()
      const store = yield* sharedStore
      const first = yield* process(transport, store)
      yield* claiming(store, first(getPayment(id)))
      const second = yield* process(transport, store)
      yield* second(getPayment(id))
      assert.deepStrictEqual(bearers(transport), ["Bearer token-1", "Bearer token-1"])
      assert.strictEqual(transport.tokenRequests.length, 1)
      assert.deepStrictEqual([...store.entries.keys()], [`token ${key}`])
      assert.strictEqual(store.entries.get(`token ${key}`)?.timeToLive, 1_800_000)
    })
  )

  it.effect("is asked for once by processes that start at the same time", () =>
    Effect.gen(function* () {
      const transport = answering()
      const store = yield* sharedStore
      const allHaveLooked = yield* Latch.make(false)
      store.fail((step) => (step === "set claim" ? allHaveLooked.await : Effect.void))
      const calls = yield* Effect.forEach(Array.from({ length: 8 }), () =>
        Effect.flatMap(process(transport, store), (process) => Effect.forkChild(process(getPayment(id))))
      )
      for (const _ of calls) yield* store.reached("set claim")
      yield* allHaveLooked.open
      yield* settled
      yield* TestClock.adjust("100 millis")
      yield* store.reached("remove claim")
      yield* settled
      yield* TestClock.adjust("200 millis")
      for (const call of calls) yield* Fiber.join(call)
      assert.strictEqual(transport.tokenRequests.length, 1)
      assert.deepStrictEqual(
        bearers(transport),
        Array.from({ length: 8 }, () => "Bearer token-1")
      )
    })
  )

  it.effect("is refreshed by one process ahead of its end, and the others find the new one", () =>
    Effect.gen(function* () {
      const transport = answering()
      const store = yield* sharedStore
      const first = yield* process(transport, store)
      const second = yield* process(transport, store)
      yield* claiming(store, first(getPayment(id)))
      yield* second(getPayment(id))
      yield* TestClock.adjust("1750 seconds")
      yield* claiming(store, first(getPayment(id)))
      yield* store.reached("remove claim")
      yield* settled
      // It keeps using the old token until it has read the new one, which takes a while that no test clock measures.
      yield* Effect.repeat(Effect.andThen(settled, second(getPayment(id))), {
        until: () => bearers(transport).at(-1) === "Bearer token-2"
      })
      assert.strictEqual(transport.tokenRequests.length, 2)
    })
  )

  it.effect("is not shared with another ClientID, scope or gateway", () =>
    Effect.gen(function* () {
      const transport = answering()
      const store = yield* sharedStore
      const others = [{}, { clientId: "1234567801" }, { scope: "payment-create" }, { environment: "https://b.example" }]
      for (const options of others) {
        const other = yield* process(transport, store, options)
        yield* claiming(store, other(getPayment(id)))
      }
      assert.strictEqual(transport.tokenRequests.length, 4)
      assert.strictEqual(store.entries.size, 4)
    })
  )

  it.effect("is encrypted, differently each time, and the store holds no credentials", () =>
    Effect.gen(function* () {
      const store = yield* sharedStore
      const sealed: Array<unknown> = []
      for (let time = 0; time < 2; time++) {
        store.entries.clear()
        const transport = scripted(
          () => json(paid),
          () => tokenResponse("the-very-token")
        )
        const client = yield* process(transport, store)
        yield* claiming(store, client(getPayment(id)))
        const text = JSON.stringify([...store.entries])
        for (const secret of ["the-very-token", "s3cr3tXY"]) {
          for (const form of [secret, btoa(secret), btoa(`1234567890:${secret}`), encodeURIComponent(secret)]) {
            assert.notInclude(text, form)
          }
        }
        sealed.push(store.entries.get(`token ${key}`)?.value)
      }
      assert.notDeepEqual(sealed[0], sealed[1])
    })
  )

  it.effect("that has expired is not used, even if the store still has it", () =>
    Effect.gen(function* () {
      const transport = answering()
      const store = yield* sharedStore
      const first = yield* process(transport, store)
      yield* claiming(store, first(getPayment(id)))
      yield* TestClock.adjust("30 minutes")
      const second = yield* process(transport, store)
      yield* claiming(store, second(getPayment(id)))
      assert.deepStrictEqual(bearers(transport), ["Bearer token-1", "Bearer token-2"])
    })
  )

  it.effect("from a machine whose clock is ahead is used for its lifetime, and no longer", () =>
    Effect.gen(function* () {
      const transport = answering()
      const store = yield* sharedStore
      yield* TestClock.setTime(600_000)
      const ahead = yield* process(transport, store)
      yield* claiming(store, ahead(getPayment(id)))
      yield* TestClock.setTime(0)
      const second = yield* process(transport, store)
      yield* second(getPayment(id))
      assert.deepStrictEqual(bearers(transport), ["Bearer token-1", "Bearer token-1"])
      store.entries.clear()
      yield* TestClock.adjust("30 minutes")
      yield* claiming(store, second(getPayment(id)))
      assert.strictEqual(bearers(transport).at(-1), "Bearer token-2")
    })
  )
})

describe("a token in a store that the gateway refuses", () => {
  it.effect("is replaced within the call, by a process that has just read it as by one that has it in hand", () =>
    Effect.gen(function* () {
      const revoked: Array<string> = []
      const transport = answering(revoked)
      const store = yield* sharedStore
      const first = yield* process(transport, store)
      yield* claiming(store, first(getPayment(id)))
      const starting = yield* process(transport, store)
      revoked.push("Bearer token-1")
      assert.strictEqual((yield* claiming(store, starting(refundPayment(id, { amount: 1 })))).result, "FINISHED")
      assert.strictEqual((yield* first(getPayment(id))).id, id)
      assert.deepStrictEqual(bearers(transport), [
        "Bearer token-1",
        "Bearer token-1",
        "Bearer token-2",
        "Bearer token-1",
        "Bearer token-2"
      ])
      assert.strictEqual(transport.tokenRequests.length, 2)
    })
  )

  it.effect("is removed from it, also when the call does not need another", () =>
    Effect.gen(function* () {
      const revoked: Array<string> = []
      const store = yield* sharedStore
      const transport = scripted(({ headers }) =>
        revoked.includes(headers["authorization"] ?? "") ? new Response("<html>", { status: 403 }) : json(paid)
      )
      const first = yield* process(transport, store)
      yield* claiming(store, first(getPayment(id)))
      revoked.push("Bearer token-1")
      yield* Effect.flip(first(refundPayment(id, { amount: 1 })))
      assert.strictEqual(store.entries.size, 0)
    })
  )

  it.effect("is not read back when it could not be removed, and the new one takes its place", () =>
    Effect.gen(function* () {
      const revoked: Array<string> = []
      const transport = answering(revoked)
      const warnings = warningsOfStore()
      const store = yield* sharedStore
      const first = yield* process(transport, store)
      yield* claiming(store, first(getPayment(id)))
      store.fail((step) => (step === "remove token" ? Effect.fail(connectionRefused) : Effect.void))
      revoked.push("Bearer token-1")
      yield* claiming(store, first(getPayment(id)))
      const second = yield* process(transport, store)
      yield* second(getPayment(id))
      assert.deepStrictEqual(bearers(transport).slice(1), ["Bearer token-1", "Bearer token-2", "Bearer token-2"])
      assert.lengthOf(warnings, 1)
      assert.include(warnings[0], "(remove: ECONNREFUSED)")
    })
  )

  it.effect("stays in it when it has been replaced there meanwhile", () =>
    Effect.gen(function* () {
      const revoked: Array<string> = []
      const transport = answering(revoked)
      const store = yield* sharedStore
      const first = yield* process(transport, store)
      const second = yield* process(transport, store)
      yield* claiming(store, first(getPayment(id)))
      yield* second(getPayment(id))
      revoked.push("Bearer token-1")
      yield* claiming(store, first(getPayment(id)))
      const kept = store.entries.get(`token ${key}`)
      yield* second(getPayment(id))
      assert.isDefined(kept)
      assert.strictEqual(store.entries.get(`token ${key}`), kept)
      assert.strictEqual(transport.tokenRequests.length, 2)
    })
  )

  it.effect("for lack of permission (403) costs one new token, and not one for each call", () =>
    Effect.gen(function* () {
      const transport = scripted(({ method }) => (method === "GET" ? refusal(403, 200) : json(finished)))
      const store = yield* sharedStore
      const first = yield* process(transport, store)
      yield* claiming(store, first(refundPayment(id, { amount: 1 })))
      yield* claiming(store, Effect.flip(first(getPayment(id))))
      for (let call = 0; call < 5; call++) yield* Effect.flip(first(getPayment(id)))
      assert.strictEqual(transport.tokenRequests.length, 2)
    })
  )
})

describe("a store that does not work", () => {
  let warnings: ReadonlyArray<string> = []
  beforeEach(() => {
    warnings = warningsOfStore()
  })

  const faults = [
    ["cannot be reached", () => Effect.fail(connectionRefused), "ECONNREFUSED"],
    ["throws", () => Effect.die(new Error("passw0rd")), "Error"]
  ] as const

  it.effect.each(faults)(
    "(%s) leaves each process with a token of its own, and is warned of once",
    ([, fault, why]) => {
      return Effect.gen(function* () {
        const transport = answering()
        const store = yield* sharedStore
        store.fail(fault)
        const first = yield* process(transport, store)
        for (let call = 0; call < 3; call++) yield* first(getPayment(id))
        yield* TestClock.adjust("30 minutes")
        yield* first(getPayment(id))
        assert.strictEqual(transport.tokenRequests.length, 2)
        assert.lengthOf(warnings, 1)
        assert.include(warnings[0], `(read: ${why})`)
        assert.notInclude(JSON.stringify(warnings), "passw0rd")
      })
    }
  )

  it.effect("works again when it is back, and its next failure is warned of again", () => {
    return Effect.gen(function* () {
      const transport = answering()
      const store = yield* sharedStore
      const first = yield* process(transport, store)
      const fails = (step: string) => (step === "get token" ? Effect.fail(connectionRefused) : Effect.void)
      store.fail(fails)
      yield* first(getPayment(id))
      yield* TestClock.adjust("30 minutes")
      store.fail(() => Effect.void)
      yield* claiming(store, first(getPayment(id)))
      assert.lengthOf(warnings, 1)
      yield* TestClock.adjust("30 minutes")
      store.fail(fails)
      yield* first(getPayment(id))
      assert.lengthOf(warnings, 2)
      assert.strictEqual(transport.tokenRequests.length, 3)
    })
  })

  it.effect.each([
    ["make", false],
    ["get token", false],
    ["get claim", false],
    ["set claim", false],
    ["set token", true],
    ["remove claim", true]
  ] as const)("(never ends %j) holds a payment for a second and no longer", ([stuck, isAfterClaim]) =>
    Effect.gen(function* () {
      const transport = answering()
      const store = yield* sharedStore
      store.fail((step) => (step === stuck ? Effect.never : Effect.void))
      const first = yield* process(transport, store)
      const call = yield* Effect.forkChild(first(getPayment(id)))
      if (isAfterClaim) {
        yield* store.reached("set claim")
        yield* settled
        yield* TestClock.adjust("100 millis")
      }
      yield* store.reached(stuck)
      yield* settled
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(call)
      assert.strictEqual(transport.tokenRequests.length, 1)
    })
  )

  it.effect.each(
    (["make", "get token", "get claim"] as const).flatMap((step) =>
      (["throws", "interrupts itself", "dies", "never ends, uninterruptibly"] as const).map(
        (how) => [step, how] as const
      )
    )
  )("(%j) does not take a payment down", ([step, how]) =>
    Effect.gen(function* () {
      const transport = answering()
      const store = yield* sharedStore
      const misbehaves = {
        throws: (): never => {
          throw new Error("a driver's own")
        },
        "interrupts itself": () => Effect.interrupt,
        dies: () => Effect.die("a driver's own"),
        "never ends, uninterruptibly": () => Effect.uninterruptible(Effect.never)
      }
      store.fail((next) => (next === step ? misbehaves[how]() : Effect.void))
      const first = yield* process(transport, store)
      const call = yield* Effect.forkChild(first(getPayment(id)))
      if (how === "never ends, uninterruptibly") {
        yield* store.reached(step)
        yield* settled
        yield* TestClock.adjust("1 second")
      }
      assert.strictEqual((yield* Fiber.join(call)).id, id)
      assert.strictEqual(transport.tokenRequests.length, 1)
    })
  )

  const garbage: ReadonlyArray<readonly [string, object]> = [
    ["a number", [7]],
    ["another value", { some: "thing" }],
    ["a failure", { _tag: "Failure", cause: [] }],
    ["no text", { _tag: "Success", value: { encrypted: "dG9rZW4=", obtainedAt: 0, expiresAt: 1_800_000 } }],
    ["another text", { _tag: "Success", value: "<html>" }],
    ["a text of the right form", { _tag: "Success", value: "0 1800000 !" }],
    ["a token in clear", { _tag: "Success", value: "0 1800000 dG9rZW4=" }],
    ["a token without times", { _tag: "Success", value: "- - dG9rZW4=" }]
  ]

  it.effect.each(garbage)("(holds %s) is not used, and what it holds is replaced", ([, value]) => {
    return Effect.gen(function* () {
      const transport = answering()
      const store = yield* sharedStore
      store.entries.set(`token ${key}`, { value, timeToLive: undefined })
      const first = yield* process(transport, store)
      yield* first(getPayment(id))
      assert.strictEqual(transport.tokenRequests.length, 1)
      assert.hasAllKeys(store.entries.get(`token ${key}`)?.value, ["_tag", "value"])
      assert.notStrictEqual(store.entries.get(`token ${key}`)?.value, value)
      assert.lengthOf(warnings, 1)
    })
  })

  it.effect("(holds a text that is longer than any token's) is not decrypted, and costs the sharing only", () =>
    Effect.gen(function* () {
      const transport = answering()
      const store = yield* sharedStore
      const value = `0 1800000 ${"A".repeat(65_536)}`
      store.entries.set(`token ${key}`, { value: { _tag: "Success", value }, timeToLive: undefined })
      const first = yield* process(transport, store)
      yield* first(getPayment(id))
      assert.strictEqual(transport.tokenRequests.length, 1)
      assert.lengthOf(warnings, 1)
      assert.include(warnings[0], "(read: more than 65536 characters)")
    })
  )

  it.effect("(holds a token that was encrypted with another secret) is not used", () =>
    Effect.gen(function* () {
      const transport = answering()
      const store = yield* sharedStore
      const first = yield* process(transport, store, { clientSecret: Redacted.make("0th3rSec") })
      yield* claiming(store, first(getPayment(id)))
      const second = yield* process(transport, store)
      yield* second(getPayment(id))
      assert.deepStrictEqual(bearers(transport), ["Bearer token-1", "Bearer token-2"])
    })
  )

  it.effect("(holds a token in the place of another, or with other times) is not used", () =>
    Effect.gen(function* () {
      const transport = answering()
      const store = yield* sharedStore
      const first = yield* process(transport, store)
      yield* claiming(store, first(getPayment(id)))
      const stored = store.entries.get(`token ${key}`)
      assert.isDefined(stored)
      const otherKey = key.replace("payment-all", "payment-create")
      store.entries.set(`token ${otherKey}`, stored)
      const other = yield* process(transport, store, { scope: "payment-create" })
      yield* other(getPayment(id))
      const prolonged = JSON.parse(JSON.stringify(stored.value).replace(/ \d+ /, " 86400000 "))
      assert.notDeepEqual(prolonged, stored.value)
      store.entries.set(`token ${key}`, { value: prolonged, timeToLive: undefined })
      const third = yield* process(transport, store)
      yield* third(getPayment(id))
      assert.deepStrictEqual(bearers(transport), ["Bearer token-1", "Bearer token-2", "Bearer token-3"])
    })
  )

  it.effect("(holds the claim of a process that died, for ever) costs three seconds, once", () =>
    Effect.gen(function* () {
      const transport = answering()
      const store = yield* promptly(sharedStore)
      store.entries.set(`claim ${key}`, { value: { _tag: "Success", value: "someone" }, timeToLive: 3_000 })
      const first = yield* process(transport, store)
      const call = yield* Effect.forkChild(first(getPayment(id)))
      yield* ended(call)
      assert.isAtMost(yield* Effect.clockWith((clock) => clock.currentTimeMillis), 3_300)
      assert.deepStrictEqual([...store.entries.keys()], [`token ${key}`])
    })
  )

  it.effect("(takes almost a second for each step) costs six seconds at most, with a token that is refused", () =>
    Effect.gen(function* () {
      const revoked: Array<string> = []
      const transport = answering(revoked)
      const store = yield* promptly(sharedStore)
      const first = yield* process(transport, store)
      const warmUp = yield* Effect.forkChild(first(getPayment(id)))
      yield* ended(warmUp)
      revoked.push("Bearer token-1")
      // Each is two of the store's: it is opened first.
      store.fail(() => Effect.sleep("450 millis"))
      const startedAt = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      const call = yield* Effect.forkChild(first(refundPayment(id, { amount: 1 })))
      yield* ended(call)
      assert.isAtMost((yield* Effect.clockWith((clock) => clock.currentTimeMillis)) - startedAt, 6_000)
      assert.strictEqual(transport.tokenRequests.length, 2)
    })
  )

  const shapes: ReadonlyArray<readonly [string, unknown]> = [
    ["nothing", undefined],
    ["an empty object", {}],
    ["a store that is made by a promise", { make: () => Promise.resolve({}) }],
    ["a store of another shape", { make: () => Effect.succeed({}) }],
    ["nothing for a store", { make: () => Effect.undefined }],
    ["a store of promises", { make: () => Effect.succeed({ get: () => Promise.resolve(undefined) }) }],
    ["texts for entries", { make: () => Effect.succeed({ get: () => Effect.succeed("text") }) }],
    [
      "an effect that needs what is not there",
      { make: () => Effect.flatMap(Persistence.Persistence, () => Effect.void) }
    ]
  ]

  it.effect.each(shapes)("(is %s) costs the sharing, and no payment", ([, shape]) => {
    return Effect.gen(function* () {
      const transport = answering()
      const store = yield* sharedStore
      // @ts-expect-error -- as in plain JavaScript
      const layer = Layer.succeed(Persistence.Persistence, shape)
      const first = yield* process(transport, { ...store, layer })
      assert.strictEqual((yield* first(refundPayment(id, { amount: 1 }))).id, id)
      assert.strictEqual(transport.tokenRequests.length, 1)
      assert.lengthOf(warnings, 1)
    })
  })

  it.effect("is no reason to hide that the gateway gives no token, and lets the next one ask", () =>
    Effect.gen(function* () {
      let isDown = true
      const transport = scripted(
        () => json(paid),
        () => (isDown ? refusal(409, 321) : tokenResponse("token"))
      )
      const store = yield* sharedStore
      const first = yield* process(transport, store)
      yield* claiming(store, Effect.flip(first(getPayment(id))))
      assert.strictEqual(store.entries.size, 0)
      isDown = false
      const second = yield* process(transport, store)
      yield* claiming(store, second(getPayment(id)))
    })
  )
})

const settings = Result.getOrThrow(checkOptions(merchant))

/** Does not encrypt. */
const clear: TokenEncryption = {
  cipher: () => ({
    encrypt: (text) => Effect.succeed(text),
    decrypt: (encrypted) => Effect.succeed(encrypted)
  })
}

/** A store in memory, with a source of numbered tokens behind it. */
const fleet = Effect.gen(function* () {
  const texts = new Map<string, string>()
  let fault: (step: string) => Effect.Effect<void, unknown> = () => Effect.void
  let asked = 0
  const taking = <A>(step: string, key: string, work: () => A) =>
    Effect.map(fault(`${step} ${key.includes("claim") ? "claim" : "token"}`), work)
  const store: TextStore = {
    get: (key) => taking("get", key, () => texts.get(key)),
    set: (key, text) => taking("set", key, () => texts.set(key, text)),
    remove: (key) => taking("remove", key, () => texts.delete(key))
  }
  const fresh = (text: string, lifetime = 1_800_000) =>
    Effect.map(Clock.currentTimeMillis, (obtainedAt) => token(text, { obtainedAt, lifetime, isFromStore: false }))
  const source: TokenSource = {
    fetch: Effect.suspend(() => fresh(`token-${++asked}`)),
    discard: () => Effect.void
  }
  const cache = yield* Effect.provideService(shared(source, settings, store), TokenEncryption, clear)
  const claims = () => [...texts.keys()].filter((key) => key.includes("claim")).length
  return {
    cache,
    stored: storedToken(settings, store, clear),
    fresh,
    claims,
    asked: () => asked,
    fail: (next: typeof fault) => {
      fault = next
    },
    /** The text of the token that the process gets if it asks for one now. */
    fetched: Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(cache.fetch)
      return Redacted.value((yield* ended(fiber)).value)
    })
  }
})

describe("a process of a fleet", () => {
  it.effect("takes the token that another one stored while it claimed its turn, and leaves no claim", () =>
    Effect.gen(function* () {
      const { asked, cache, claims, fresh, stored } = yield* fleet
      const fiber = yield* Effect.forkChild(cache.fetch)
      yield* settled
      assert.strictEqual(claims(), 1)
      yield* stored.write(yield* fresh("another"))
      yield* TestClock.adjust("100 millis")
      assert.strictEqual(Redacted.value((yield* Fiber.join(fiber)).value), "another")
      assert.deepStrictEqual([asked(), claims()], [0, 0])
    })
  )

  it.effect("asks after a tenth of a second, also when the store does not show its claim yet", () =>
    Effect.gen(function* () {
      const { cache, stored } = yield* fleet
      const fiber = yield* Effect.forkChild(cache.fetch)
      yield* settled
      yield* stored.release
      yield* TestClock.adjust("100 millis")
      assert.strictEqual(Redacted.value((yield* Fiber.join(fiber)).value), "token-1")
    })
  )

  it.effect("asks for a token of its own from the time on at which the stored one is due", () =>
    Effect.gen(function* () {
      const { fetched, fresh, stored } = yield* fleet
      const old = yield* fresh("old")
      yield* stored.write(old)
      yield* TestClock.setTime(old.refreshAt - 1)
      assert.strictEqual(yield* fetched, "old")
      yield* TestClock.setTime(old.refreshAt)
      assert.strictEqual(yield* fetched, "token-1")
    })
  )

  it.effect("remembers a refused token for as long as it lives", () =>
    Effect.gen(function* () {
      const { cache, fetched, fresh, stored } = yield* fleet
      const [short, long] = [yield* fresh("short", 10_000), yield* fresh("long", 1_000_000)]
      yield* cache.discard(short)
      yield* cache.discard(long)
      yield* TestClock.setTime(10_000)
      yield* cache.discard(yield* fresh("any"))
      // The same texts, as nothing real would have them.
      yield* stored.write(yield* fresh("short"))
      assert.strictEqual(yield* fetched, "short")
      yield* stored.write(yield* fresh("long"))
      assert.strictEqual(yield* fetched, "token-1")
    })
  )

  it.effect("gives up a refused token also when none is stored, and removes the stored one only if it is refused", () =>
    Effect.gen(function* () {
      const { cache, fresh, stored } = yield* fleet
      const refused = yield* fresh("refused")
      yield* cache.discard(refused)
      yield* stored.write(yield* fresh("other"))
      yield* cache.discard(refused)
      assert.strictEqual(Redacted.value((yield* stored.read)?.value ?? Redacted.make("")), "other")
      yield* stored.write(refused)
      yield* cache.discard(refused)
      assert.isUndefined(yield* stored.read)
    })
  )

  it.effect("leaves a claim to another one for three seconds, then asks itself", () =>
    Effect.gen(function* () {
      const { asked, cache, stored } = yield* fleet
      yield* stored.claim("another")
      const fiber = yield* Effect.forkChild(cache.fetch)
      yield* settled
      yield* Effect.repeat(Effect.andThen(settled, TestClock.adjust("50 millis")), { times: 58 })
      assert.strictEqual(asked(), 0)
      assert.strictEqual(Redacted.value((yield* ended(fiber)).value), "token-1")
    })
  )

  it.effect("leaves the claim of another one alone when the store fails it", () =>
    Effect.gen(function* () {
      const { claims, fail, fetched, stored } = yield* fleet
      warningsOfStore()
      yield* stored.claim("another")
      fail((step) => (step === "get token" ? Effect.fail(connectionRefused) : Effect.void))
      assert.strictEqual(yield* fetched, "token-1")
      assert.strictEqual(claims(), 1)
    })
  )

  it.effect("tells that the store fails once, and once more after it has worked", () =>
    Effect.gen(function* () {
      const { fail, fetched } = yield* fleet
      const warnings = warningsOfStore()
      const isDown = (step: string) => (step === "get token" ? Effect.fail(connectionRefused) : Effect.void)
      fail(isDown)
      yield* fetched
      yield* fetched
      assert.lengthOf(warnings, 1)
      fail(() => Effect.void)
      assert.strictEqual(yield* fetched, "token-2")
      fail(isDown)
      yield* fetched
      yield* fetched
      assert.lengthOf(warnings, 2)
    })
  )
})

describe("what is stored of a token", () => {
  const refused = () => Effect.fail(Object.assign(new Error("secret address"), { code: "ECONNREFUSED" }))
  const any = token("text", { obtainedAt: 0, lifetime: 1_000, isFromStore: false })

  it.effect("fails with the name of the step, and nothing but the code of the error", () =>
    Effect.gen(function* () {
      const down: TextStore = { get: refused, set: refused, remove: refused }
      const { claim, claimant, read, release, remove, write } = storedToken(settings, down, clear)
      const steps = [read, write(any), remove, claimant, claim("me"), release]
      const failures = yield* Effect.forEach(steps, (step) => Effect.flip<unknown, StoreFailure, never>(step))
      assert.deepStrictEqual(
        failures,
        ["read", "write", "remove", "read the claim", "claim", "release the claim"].map((step) => ({
          step,
          why: "ECONNREFUSED",
          isTimeout: false
        }))
      )
    })
  )

  it.effect("fails with the name of the step where it cannot be encrypted or decrypted", () =>
    Effect.gen(function* () {
      const store: TextStore = { get: () => Effect.succeed("0 1 x"), set: () => Effect.void, remove: () => Effect.void }
      const stored = storedToken(settings, store, { cipher: () => ({ encrypt: refused, decrypt: refused }) })
      assert.strictEqual((yield* Effect.flip(stored.write(any))).step, "encrypt")
      assert.strictEqual((yield* Effect.flip(stored.read)).step, "decrypt")
    })
  )

  it.effect.each<[unknown, string | undefined]>([
    ["5 5 text", "not a token"],
    ["6 5 text", "not a token"],
    ["text", "not a token"],
    [5, "not a text"],
    [{}, "not a text"],
    [`5 6 ${"x".repeat(8 * 1024 * 1024)}`, "more than 65536 characters"],
    ["", undefined],
    [null, undefined],
    [undefined, undefined]
  ])("is %.20j: no token", ([value, why]) =>
    Effect.gen(function* () {
      const store: TextStore = { get: () => Effect.succeed(value), set: () => Effect.void, remove: () => Effect.void }
      const found = yield* Effect.result(storedToken(settings, store, clear).read)
      assert.deepStrictEqual(
        Result.isFailure(found) ? found.failure : found.success,
        why === undefined ? undefined : { step: "read", why, isTimeout: false }
      )
    })
  )

  it.effect("and why it failed may not be known", () =>
    Effect.gen(function* () {
      const silent = () => Effect.fail("passw0rd")
      const { remove } = storedToken(settings, { get: silent, set: silent, remove: silent }, clear)
      assert.strictEqual((yield* Effect.flip(remove)).why, "no reason given")
    })
  )

  it.effect("lies in a store of promises for whole seconds, and an empty text for one when it is removed", () =>
    Effect.gen(function* () {
      const sets: Array<unknown> = []
      const store = fromPromises({
        get: () => Promise.resolve(undefined),
        set: (...args) => Promise.resolve(void sets.push(args))
      })
      yield* store.set("key", "text", Duration.millis(1_500))
      yield* store.remove("key")
      assert.deepStrictEqual(sets, [
        ["key", "text", 2],
        ["key", "", 1]
      ])
    })
  )

  it.effect("is given up after a second, or with its caller, and the store's work is interrupted", () =>
    Effect.gen(function* () {
      let interrupted = 0
      const never = () => Effect.onInterrupt(Effect.never, () => Effect.sync(() => interrupted++))
      const stuck: TextStore = { get: never, set: never, remove: never }
      const { read } = storedToken(settings, stuck, clear)
      const late = yield* Effect.forkChild(Effect.flip(read))
      yield* settled
      yield* TestClock.adjust("999 millis")
      assert.isUndefined(late.pollUnsafe())
      yield* TestClock.adjust("1 milli")
      assert.deepStrictEqual(yield* Fiber.join(late), { step: "read", why: "nothing within 1 s", isTimeout: true })
      const dropped = yield* Effect.forkChild(read)
      yield* settled
      yield* Fiber.interrupt(dropped)
      yield* settled
      assert.strictEqual(interrupted, 2)
    })
  )
})

it.effect("a store behind `Persistence` is opened under its own name, and closed after each use", () =>
  Effect.gen(function* () {
    const names: Array<string> = []
    let closed = 0
    const texts = yield* Effect.provide(Persistence.Persistence, Persistence.layerMemory)
    const store = persistedStore({
      ...texts,
      make: (options) => {
        names.push(options.storeId)
        return Effect.andThen(
          Effect.addFinalizer(() => Effect.sync(() => closed++)),
          texts.make(options)
        )
      }
    })
    // Whatever scope the caller is in, and although its own stays open.
    const scope = yield* Scope.make()
    yield* Effect.provideService(store.get("key"), Scope.Scope, scope)
    yield* settled
    assert.deepStrictEqual(names, ["gopay_access_tokens"])
    assert.strictEqual(closed, 1)
    yield* Scope.close(scope, Exit.void)
  })
)
