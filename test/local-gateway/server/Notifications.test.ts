import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { LocalGateway, type LocalGatewayOptions } from "../../../src/local-gateway/index.js"
import { onDemand, openShop, order, paymentIn } from "../../support/GatewayRequests.js"
import { partsAtOnce } from "../../support/partsAtOnce.js"

/** A receiver that answers with these statuses one after another, then 200, and remembers the requests. */
const receiver = (...statuses: ReadonlyArray<number>) => {
  const told: Array<string> = []
  return {
    told,
    notificationReceiver: (url: string) => Effect.sync(() => statuses[told.push(url) - 1] ?? 200)
  }
}

const withGateway = <A, E>(
  options: LocalGatewayOptions,
  test: Effect.Effect<A, E, LocalGateway | Layer.Success<typeof LocalGateway.layer>>
) => Effect.provide(test, LocalGateway.layerWith(options))

const notify = (query: string) => `http://localhost/notify?${query}`

/** What the journal says of notifications: attempt, status and problem. */
const attempts = Effect.map(LocalGateway.listEvents, (events) =>
  events.flatMap((event) => (event.type === "notification" ? [[event.attempt, event.status, event.problem ?? ""]] : []))
)

/** Lets what runs beside the test run. */
const settle = TestClock.adjust(0)

describe("Notifications", () => {
  it.effect("leave in the log what the shop has responded, how soon, without its secrets", () =>
    withGateway(
      {
        settings: { notificationAttempts: 1 },
        notificationReceiver: () =>
          Effect.succeed({
            status: 500,
            headers: { "content-type": "application/json", "set-cookie": "session=s3cret" },
            body: JSON.stringify({ error: "locked", client_secret: "s3cret", long: "x".repeat(5000) })
          }).pipe(Effect.delay(250))
      },
      Effect.gen(function* () {
        const shop = yield* openShop
        const { id } = yield* shop.create()
        yield* LocalGateway.payByCard(id)
        yield* TestClock.adjust(250)
        const [event] = (yield* LocalGateway.listEvents).filter(({ type }) => type === "notification")
        assert.deepInclude(event, {
          status: 500,
          durationMillis: 250,
          headers: { "content-type": "application/json", "set-cookie": "<withheld>" }
        })
        const body = event?.type === "notification" ? (event.responseBody ?? "") : ""
        assert.match(body, /^\{"error":"locked","client_secret":"<withheld>"/)
        assert.lengthOf(body, 4097)
      })
    )
  )

  it.effect("tell of every state but the first two, and of what else changes nothing", () => {
    const { told, ...options } = receiver()
    return withGateway(
      { settings: partsAtOnce, ...options },
      Effect.gen(function* () {
        const shop = yield* openShop
        const { id } = yield* shop.create()
        yield* LocalGateway.choosePaymentMethod(id, "PAYMENT_CARD")
        yield* settle
        assert.deepStrictEqual(told, [])
        yield* LocalGateway.payByCard(id)
        yield* shop.refund(id, 1)
        yield* shop.refund(id, 1)
        yield* shop.refund(id, 9_998)
        yield* settle
        assert.deepStrictEqual(
          told,
          Array.from({ length: 3 }, () => notify(`id=${id}`))
        )
        const held = yield* shop.create({ preauthorization: true })
        yield* LocalGateway.payByCard(held.id)
        yield* shop.voidAuthorization(held.id)
        const late = yield* shop.create()
        yield* LocalGateway.timeOutPayment(late.id)
        yield* settle
        assert.deepStrictEqual(
          told.slice(3),
          [held.id, held.id, late.id].map((other) => notify(`id=${other}`))
        )
      })
    )
  })

  it.effect("are not held up by what a gateway that was reset has still under way, and say nothing of it", () => {
    const told: Array<string> = []
    return withGateway(
      {
        notificationReceiver: (url) => (told.push(url) === 1 ? Effect.never : Effect.succeed(200))
      },
      Effect.gen(function* () {
        const { id } = yield* (yield* openShop).create()
        yield* LocalGateway.payByCard(id)
        yield* settle
        yield* LocalGateway.reset
        const again = yield* (yield* openShop).create()
        assert.strictEqual(again.id, id)
        yield* LocalGateway.payByCard(id)
        yield* settle
        assert.lengthOf(told, 2)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(yield* attempts, [[1, 200, ""]])
      })
    )
  })

  it.effect("that are under way arrive before time is moved", () =>
    withGateway(
      { notificationReceiver: () => Effect.delay(Effect.succeed(503), 250) },
      Effect.gen(function* () {
        const { id } = yield* (yield* openShop).create()
        const begun = yield* Clock.currentTimeMillis
        yield* LocalGateway.payByCard(id)
        const moving = yield* Effect.forkChild(LocalGateway.advanceTime(Duration.days(31)))
        for (let attempt = 0; attempt < 30; attempt++) yield* TestClock.adjust(250)
        yield* Fiber.join(moving)
        const [first] = (yield* LocalGateway.listEvents).filter(({ type }) => type === "notification")
        assert.strictEqual((first?.at ?? 0) - begun, 250)
      })
    )
  )

  it.effect("keep the query of the address, and name the recurrence of a further payment", () => {
    const { told, ...options } = receiver()
    return withGateway(
      options,
      Effect.gen(function* () {
        const shop = yield* openShop
        const callback = { ...order.callback, notification_url: "http://localhost/notify?shop=1" }
        const parent = yield* shop.create({ ...onDemand, callback })
        yield* LocalGateway.payByCard(parent.id)
        const child = paymentIn(yield* shop.charge(parent.id))
        yield* LocalGateway.changeSettings({ notificationParentId: "omitted" })
        const other = paymentIn(yield* shop.charge(parent.id))
        yield* settle
        assert.deepStrictEqual(told, [
          notify(`shop=1&id=${parent.id}`),
          notify(`shop=1&id=${child.id}&parent_id=${parent.id}`),
          notify(`shop=1&id=${other.id}`)
        ])
      })
    )
  })

  it.effect("are repeated with growing pauses until they are answered with 200", () => {
    const { told, ...options } = receiver(500, 404, 302, 201)
    return withGateway(
      { ...options, settings: { notificationRetryDelaySeconds: 10, notificationMaxRetryDelaySeconds: 25 } },
      Effect.gen(function* () {
        const shop = yield* openShop
        const { id } = yield* shop.create()
        yield* LocalGateway.payByCard(id)
        const counts: Array<number> = []
        for (const seconds of [0, 9, 1, 19, 1, 24, 1, 25, 3600]) {
          yield* TestClock.adjust(Duration.seconds(seconds))
          counts.push(told.length)
        }
        assert.deepStrictEqual(counts, [1, 1, 2, 2, 3, 3, 4, 5, 5])
        assert.deepStrictEqual(yield* attempts, [
          [1, 500, ""],
          [2, 404, ""],
          [3, 302, ""],
          [4, 201, ""],
          [5, 200, ""]
        ])
      })
    )
  })

  it.effect("are given up after twenty attempts, and deliverNotifications does not wait for the pauses", () => {
    const { told, ...options } = receiver(...Array.from({ length: 100 }, () => 503))
    return withGateway(
      options,
      Effect.gen(function* () {
        const shop = yield* openShop
        const { id } = yield* shop.create()
        yield* LocalGateway.payByCard(id)
        yield* LocalGateway.deliverNotifications
        assert.strictEqual(told.length, 20)
        yield* LocalGateway.advanceTime(Duration.days(30))
        assert.strictEqual(told.length, 20)
      })
    )
  })

  it.effect("end when the receiver takes too long, and hold up no one", () =>
    withGateway(
      {
        notificationReceiver: () => Effect.never,
        settings: { notificationTimeoutSeconds: 5, notificationAttempts: 1 }
      },
      Effect.gen(function* () {
        const shop = yield* openShop
        const { id } = yield* shop.create()
        yield* LocalGateway.payByCard(id)
        assert.strictEqual((yield* shop.read(id)).state, "PAID")
        assert.deepStrictEqual(yield* attempts, [])
        yield* TestClock.adjust("5 seconds")
        const [first] = yield* attempts
        assert.deepStrictEqual(first?.slice(0, 2), [1, 0])
        assert.match(String(first?.[2]), /^the shop did not respond within 5 s$/)
      })
    )
  )

  it.effect("can be delayed, duplicated, dropped and reversed", () => {
    const { told, ...options } = receiver()
    return withGateway(
      { ...options, settings: { notificationDelaySeconds: 10, notificationCopies: 2, notificationOrder: "reversed" } },
      Effect.gen(function* () {
        const shop = yield* openShop
        const first = yield* shop.create()
        const second = yield* shop.create()
        yield* LocalGateway.payByCard(first.id)
        yield* TestClock.adjust("9 seconds")
        yield* LocalGateway.payByCard(second.id)
        assert.deepStrictEqual(told, [])
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(
          told,
          [second.id, second.id, first.id, first.id].map((id) => notify(`id=${id}`))
        )
        yield* LocalGateway.changeSettings({ notificationCopies: 0 })
        yield* shop.refund(first.id, 10_000)
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(told.length, 4)
        assert.deepStrictEqual((yield* attempts).at(-1), [0, 0, "dropped by notificationCopies"])
      })
    )
  })

  it.effect("go to loopback, and elsewhere only by name", () => {
    const { told, ...options } = receiver()
    return withGateway(
      { ...options, settings: { notificationHosts: ["shop.test:8080", "other.test"] } },
      Effect.gen(function* () {
        const shop = yield* openShop
        const addresses = {
          "http://127.0.0.1:3000/n": true,
          "http://127.8.9.1/n": true,
          "http://[::1]:3000/n": true,
          "http://my.localhost/n": true,
          "https://shop.test:8080/n": true,
          "https://other.test:1/n": true,
          "http://shop.test/n": false,
          "http://localhost.shop.test/n": false,
          "http://10.0.0.1/n": false,
          "http://127.0.0.1.shop.test/n": false,
          "http://0x7f000001.test/n": false,
          "ftp://localhost/n": false
        }
        for (const notification_url of Object.keys(addresses)) {
          const { id } = yield* shop.create({ callback: { ...order.callback, notification_url } })
          yield* LocalGateway.cancelPayment(id)
        }
        const { id } = yield* shop.create({ callback: { return_url: "http://localhost/" } })
        yield* LocalGateway.cancelPayment(id)
        yield* settle
        assert.deepStrictEqual(
          told.map((url) => url.split("?")[0]),
          Object.entries(addresses).flatMap(([address, isAllowed]) => (isAllowed ? [address] : []))
        )
        assert.include(JSON.stringify(yield* attempts), "allow it by name in notificationHosts")
      })
    )
  })

  it.effect("in-process are only noted when there is no receiver", () =>
    withGateway(
      {},
      Effect.gen(function* () {
        const shop = yield* openShop
        const { id } = yield* shop.create()
        yield* LocalGateway.cancelPayment(id)
        yield* LocalGateway.deliverNotifications
        assert.deepStrictEqual(yield* attempts, [[0, 0, "not sent: this gateway has no receiver"]])
      })
    )
  )
})
