import { assert, describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { leased, limited, queued } from "../../../src/client/transport/RequestLimit.js"
import type { Transport } from "../../../src/client/transport/Transport.js"
import type { TransportFailure } from "../../../src/client/transport/TransportFailure.js"
import type { TransportRequest } from "../../../src/client/transport/Sender.js"
import { styles } from "../../support/ClientStyles.js"
import { credentials } from "../../support/Credentials.js"
import { payment, paymentId } from "../../support/OperationCases.js"
import { gatewayErrorOf } from "../../support/Rejection.js"
import { deferred, urlOf } from "../../support/ScriptedGateway.js"

const response = { status: 200, data: new ArrayBuffer(0), header: () => undefined }

const request = (url: string): TransportRequest => ({
  method: "GET",
  url,
  headers: {},
  body: undefined,
  isChange: false
})

const limits = { bytes: 1_000, time: Duration.seconds(30) }

/** A transport whose responses take so long; it keeps what it was given and how many requests it had at once. */
const slow = (answerTime: Duration.Input) => {
  const seen = { urls: Array<string>(), times: Array<number>(), underWay: 0, most: 0 }
  const transport: Transport = ({ url }, { time }) =>
    Effect.suspend(() => {
      seen.urls.push(url)
      seen.times.push(Duration.toMillis(time))
      seen.most = Math.max(seen.most, ++seen.underWay)
      return Effect.as(Effect.sleep(answerTime), response)
    }).pipe(Effect.ensuring(Effect.sync(() => seen.underWay--)))
  return { seen, transport }
}

const numbered = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, index) => String(index))

const unsent: Partial<TransportFailure> = {
  _tag: "TransportFailure",
  wasSent: "certainly not",
  isTimeout: true,
  name: "TooManyRequests"
}

describe.each([
  ["where requests may wake each other", queued],
  ["in a Cloudflare Worker", leased]
])("a limit on requests %s", (_, limit) => {
  it.effect("lets a lone request through at once, with all of its time", () =>
    Effect.gen(function* () {
      const { seen, transport } = slow(0)
      yield* Effect.forkChild(limit(transport, 1)(request("a"), limits), { startImmediately: true })
      assert.deepStrictEqual(seen.times, [30_000])
    })
  )

  it.effect("lets the others wait: all are sent, and never more at once", () =>
    Effect.gen(function* () {
      const { seen, transport } = slow("10 millis")
      const send = limit(transport, 10)
      const all = yield* Effect.forkChild(
        Effect.forEach(numbered(200), (url) => send(request(url), limits), { concurrency: "unbounded" })
      )
      for (let step = 0; step < 200; step++) yield* TestClock.adjust("10 millis")
      assert.lengthOf(yield* Fiber.join(all), 200)
      assert.strictEqual(seen.most, 10)
      assert.lengthOf(new Set(seen.urls), 200)
    })
  )

  it.effect("gives a request that waited the rest of its time", () =>
    Effect.gen(function* () {
      const { seen, transport } = slow("5 seconds")
      const send = limit(transport, 1)
      yield* TestClock.adjust("1 hour")
      yield* Effect.forkChild(send(request("first"), limits))
      const second = yield* Effect.forkChild(send(request("second"), limits))
      yield* TestClock.adjust("5 seconds")
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(second)
      assert.deepStrictEqual(seen.times, [30_000, 25_000])
    })
  )

  it.effect("fails a request whose turn does not come within its time: it certainly was not sent", () =>
    Effect.gen(function* () {
      const { seen, transport } = slow("1 minute")
      const send = limit(transport, 1)
      yield* Effect.forkChild(send(request("first"), limits))
      const second = yield* Effect.forkChild(Effect.flip(send(request("second"), limits)))
      for (let step = 0; step < 31; step++) yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* Fiber.join(second), unsent)
      assert.deepStrictEqual(seen.urls, ["first"])
    })
  )

  it.effect("fails a request whose turn comes as its time ends", () =>
    Effect.gen(function* () {
      const { seen, transport } = slow("30 seconds")
      const send = limit(transport, 1)
      yield* Effect.forkChild(send(request("first"), limits), { startImmediately: true })
      const second = yield* Effect.forkChild(Effect.flip(send(request("second"), limits)), { startImmediately: true })
      yield* TestClock.adjust("30 seconds")
      assert.deepInclude(yield* Fiber.join(second), unsent)
      assert.deepStrictEqual(seen.urls, ["first"])
    })
  )

  it.effect("fails a request whose turn comes when its time is over, as in a process that was held up", () =>
    Effect.gen(function* () {
      const { seen, transport } = slow("5 seconds")
      const send = limit(transport, 1)
      const clock = yield* Clock.Clock
      let heldUp = 0n
      // Timers are late in such a process: those of the first request, and of the limit.
      const late: Clock.Clock = Object.create(clock, {
        monotonicTimeNanosUnsafe: { value: () => clock.monotonicTimeNanosUnsafe() + heldUp }
      })
      yield* Effect.forkChild(send(request("first"), limits), { startImmediately: true })
      const second = yield* Effect.forkChild(
        Effect.flip(send(request("second"), limits)).pipe(Effect.provideService(Clock.Clock, late)),
        { startImmediately: true }
      )
      heldUp = 60_000_000_000n
      yield* TestClock.adjust("5 seconds")
      assert.deepInclude(yield* Fiber.join(second), unsent)
      assert.deepStrictEqual(seen.urls, ["first"])
    })
  )

  it.effect("gives the turns of those that were interrupted or failed to others", () =>
    Effect.gen(function* () {
      const { seen, transport } = slow("5 seconds")
      const send = limit((asked, limits) => Effect.andThen(transport(asked, limits), Effect.die("broken")), 1)
      const [first, second, third] = yield* Effect.forEach(["first", "second", "third"], (url) =>
        Effect.forkChild(send(request(url), limits), { startImmediately: true })
      )
      const last = yield* Effect.forkChild(send(request("last"), limits), { startImmediately: true })
      yield* Fiber.interrupt(last)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(seen.urls, ["first"])
      yield* Fiber.interrupt(second ?? assert.fail())
      yield* Fiber.interrupt(first ?? assert.fail())
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(seen.urls, ["first", "third"])
      yield* TestClock.adjust("6 seconds")
      assert.isTrue(Exit.isFailure(yield* Fiber.await(third ?? assert.fail())))
      yield* Effect.forkChild(send(request("fourth"), limits), { startImmediately: true })
      assert.deepStrictEqual(seen.urls, ["first", "third", "fourth"])
    })
  )
})

describe("a limit on requests that may wake each other", () => {
  it.effect("keeps their order", () =>
    Effect.gen(function* () {
      const { seen, transport } = slow("10 millis")
      const send = queued(transport, 2)
      const all = yield* Effect.forkChild(
        Effect.forEach(numbered(50), (url) => send(request(url), limits), { concurrency: "unbounded" })
      )
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(all)
      assert.deepStrictEqual(seen.urls, numbered(50))
    })
  )

  it.effect("lets 2,000 wait for one", () =>
    Effect.gen(function* () {
      // The others have their responses at once.
      const send = queued(
        ({ url }) => (url === "0" ? Effect.as(Effect.yieldNow, response) : Effect.succeed(response)),
        1
      )
      const all = Effect.forEach(numbered(2_000), (url) => send(request(url), limits), { concurrency: "unbounded" })
      assert.lengthOf(yield* all, 2_000)
    })
  )
})

describe("a limit on requests in a Cloudflare Worker", () => {
  it.effect("wakes no one: each looks by itself", () =>
    Effect.gen(function* () {
      const { seen, transport } = slow(Duration.infinity)
      const send = leased(transport, 1)
      const first = yield* Effect.forkChild(send(request("first"), limits), { startImmediately: true })
      yield* Effect.forkChild(send(request("second"), limits), { startImmediately: true })
      yield* Fiber.interrupt(first)
      yield* Effect.yieldNow
      assert.deepStrictEqual(seen.urls, ["first"])
      yield* TestClock.adjust("50 millis")
      assert.deepStrictEqual(seen.urls, ["first", "second"])
    })
  )

  it.effect("does not count requests that ended with their Worker", () =>
    Effect.gen(function* () {
      const { seen, transport } = slow(Duration.infinity)
      const send = leased(transport, 2)
      const clock = yield* Clock.Clock
      // None of its timers rings any more.
      const dead = Object.assign(Object.create(clock), { sleep: () => Effect.never })
      yield* Effect.forkChild(Effect.provideService(send(request("dead"), limits), Clock.Clock, dead))
      yield* Effect.forkChild(send(request("alive"), limits))
      yield* Effect.forkChild(send(request("third"), limits))
      yield* Effect.forkChild(send(request("fourth"), limits))
      for (let step = 0; step < 5; step++) yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(seen.urls, ["dead", "alive"])
      for (let step = 0; step < 15; step++) {
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(seen.urls, ["dead", "alive", "third"])
      }
    })
  )

  it.effect("leaves nothing behind that goes on", () =>
    Effect.gen(function* () {
      const { transport } = slow("2 seconds")
      const clock = yield* Clock.Clock
      let sleeps = 0
      const counting = Object.assign(Object.create(clock), {
        sleep: (duration: Duration.Duration) => {
          sleeps++
          return clock.sleep(duration)
        }
      })
      const call = yield* Effect.forkChild(
        Effect.provideService(leased(transport, 1)(request("one"), limits), Clock.Clock, counting)
      )
      for (let step = 0; step < 3; step++) yield* TestClock.adjust("1 second")
      yield* Fiber.join(call)
      const before = sleeps
      for (let step = 0; step < 10; step++) yield* TestClock.adjust("1 second")
      assert.strictEqual(sleeps, before)
    })
  )

  it.effect("is the one that a Worker gets", () =>
    Effect.gen(function* () {
      const { seen, transport } = slow(Duration.infinity)
      const navigator = Object.getOwnPropertyDescriptor(globalThis, "navigator")
      Object.defineProperty(globalThis, "navigator", { value: { userAgent: "Cloudflare-Workers" }, configurable: true })
      const send = limited(transport, 1)
      if (navigator === undefined) Reflect.deleteProperty(globalThis, "navigator")
      else Object.defineProperty(globalThis, "navigator", navigator)
      const first = yield* Effect.forkChild(send(request("first"), limits), { startImmediately: true })
      yield* Effect.forkChild(send(request("second"), limits), { startImmediately: true })
      yield* Fiber.interrupt(first)
      yield* Effect.yieldNow
      assert.deepStrictEqual(seen.urls, ["first"])
    })
  )
})

describe.each(Object.entries(styles))("the option maxConcurrentRequests in the %s style", (_, make) => {
  /** A `fetch` whose responses wait for the test. */
  const held = () => {
    const open = deferred<void>()
    const seen = { underWay: 0, most: 0, sent: 0 }
    const fetch: typeof globalThis.fetch = async (input) => {
      if (urlOf(input).endsWith("/oauth2/token")) return Response.json({ access_token: "a-token", expires_in: 1800 })
      seen.sent++
      seen.most = Math.max(seen.most, ++seen.underWay)
      await open.promise
      seen.underWay--
      return Response.json(payment)
    }
    return { fetch, open: () => open.resolve(), seen }
  }
  const merchant = { ...credentials, environment: "https://gateway.example" }

  it.each([
    [3, 3],
    [undefined, 100]
  ])("%s lets so many requests be under way at once: %i", async (maxConcurrentRequests, most) => {
    const { fetch, open, seen } = held()
    await using client = make({ ...merchant, fetch, maxConcurrentRequests })
    const calls = Array.from({ length: 150 }, () => client.getPayment(paymentId))
    await expect.poll(() => seen.sent).toBe(most)
    open()
    assert.lengthOf(await Promise.all(calls), 150)
    assert.strictEqual(seen.most, most)
  })

  it("fails a change whose turn does not come with a reason that says that it was not sent", async () => {
    const { fetch, open, seen } = held()
    await using client = make({ ...merchant, fetch, maxConcurrentRequests: 1 })
    const first = client.getPayment(paymentId)
    await expect.poll(() => seen.sent).toBe(1)
    const { reason } = await gatewayErrorOf(client.refundPayment(paymentId, { amount: 1 }, { timeout: 5 }))
    assert.deepInclude(reason, { _tag: "GatewayUnavailable", isRetryable: true })
    assert.include(reason.message, "nothing was sent")
    open()
    await first
    assert.strictEqual(seen.sent, 1)
  })
})
