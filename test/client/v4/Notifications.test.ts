/**
 * The programs of API v4 that verify payments and answer notifications: what they are made of is tested with the promise client.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import * as V4 from "../../../src/client/v4/index.js"
import * as Promises from "../../../src/promise/v4/index.js"
import { gatewayV4Over, paymentId } from "../../support/GatewayV4.js"
import { json, scripted } from "../../support/ScriptedTransport.js"

const terms = { order_number: "1", amount: 1_000, currency: "CZK" }

const prepare = () => {
  const transport = scripted(() => json({ id: paymentId, state: "PAID", ...terms }))
  return { layer: gatewayV4Over(transport), transport }
}

class Orders extends Context.Service<Orders, { readonly find: (id: string) => typeof terms | undefined }>()("Orders") {}

const orders = Layer.succeed(Orders, { find: (asked) => (asked === paymentId ? terms : undefined) })

class DatabaseAway extends Data.TaggedError("DatabaseAway") {}

const expected = (asked: V4.PaymentIdV4) => Orders.use(({ find }) => Effect.succeed(find(asked)))

describe("verifyPayment", () => {
  it.effect("asks a program of the shop, and reads what it knows", () => {
    const { layer, transport } = prepare()
    return Effect.gen(function* () {
      const { order, payment } = yield* V4.verifyPayment(`/return?id=${paymentId}`, expected)
      assert.deepStrictEqual([order, payment.state], [terms, "PAID"])
      const error = yield* Effect.flip(V4.verifyPayment("/return?id=5", expected))
      assert.isTrue(error instanceof V4.NotificationErrorV4 && error.reason._tag === "UnknownPayment")
      assert.lengthOf(transport.sent, 1)
    }).pipe(Effect.provide(Layer.merge(layer, orders)))
  })

  it.effect("fails with what the shop's program fails with", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(V4.verifyPayment(paymentId, () => Effect.fail(new DatabaseAway())))
      assert.strictEqual(error._tag, "DatabaseAway")
    }).pipe(Effect.provide(prepare().layer))
  )

  it.effect("fails with an error that can be yielded, and recovered from by the reason's name", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(V4.verifyPayment("/return?id=5", expected))
      const again = Effect.gen(function* () {
        if (error instanceof V4.NotificationErrorV4) return yield* error
        return yield* Effect.die(error)
      })
      const asked = yield* Effect.catchReason(again, "NotificationErrorV4", "UnknownPayment", ({ paymentId }) =>
        Effect.succeed(paymentId)
      )
      assert.strictEqual(asked, "5")
    }).pipe(Effect.provide(Layer.merge(prepare().layer, orders)))
  )

  it.effect("fails with an error that the promise entry recognises", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(V4.verifyPayment("/return", expected))
      assert.instanceOf(error, Promises.NotificationErrorV4)
      assert.strictEqual(error.name, "NotificationErrorV4")
      const { help, ...json } = JSON.parse(JSON.stringify(error))
      assert.deepInclude(json, { _tag: "NotificationErrorV4", message: error.message })
      assert.match(help, /errors\.md#invalidnotification$/)
    }).pipe(Effect.provide(Layer.merge(prepare().layer, orders)))
  )

  it.live("shares a read with all who ask meanwhile", () => {
    const { layer, transport } = prepare()
    return Effect.gen(function* () {
      yield* Effect.all(
        Array.from({ length: 10 }, () => V4.verifyPayment(paymentId, expected)),
        { concurrency: "unbounded" }
      )
      assert.isAtMost(transport.sent.length, 2)
    }).pipe(Effect.provide(Layer.merge(layer, orders)))
  })
})

describe("makeNotificationHandler", () => {
  it.effect("waits for a body for ten seconds", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const handle = yield* V4.makeNotificationHandler({ expected, handler: () => Effect.void })
        const text = () => new Promise<string>(() => {})
        const fiber = yield* Effect.forkChild(handle({ method: "POST", url: `/?id=${paymentId}`, text }))
        yield* TestClock.adjust("9 seconds")
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("1 second")
        assert.isDefined(fiber.pollUnsafe())
        // The address names it.
        assert.strictEqual(yield* Fiber.join(fiber), 200)
      })
    ).pipe(Effect.provide(Layer.merge(prepare().layer, orders)))
  )
})

describe("notificationRoute", () => {
  it.live.each([
    ["GET", `?payment_id=${paymentId}`, undefined, 200],
    ["POST", "", JSON.stringify({ id: paymentId }), 200],
    ["POST", "", `id=${paymentId}`, 200],
    ["POST", "", "", 400],
    ["DELETE", `?id=${paymentId}`, undefined, 405],
    ["GET", "?id=5", undefined, 503]
  ] as const)("answers %s %s %s with %i", ([method, query, body, status]) =>
    Effect.promise(async () => {
      const { layer } = prepare()
      const paid: Array<string> = []
      const route = V4.notificationRoute("/notify", {
        expected,
        handler: ({ payment }) => Effect.sync(() => paid.push(payment.id))
      }).pipe(Layer.provide(Layer.merge(layer, orders)))
      const { dispose, handler } = HttpRouter.toWebHandler(route, { disableLogger: true })
      const response = await handler(
        new Request(`https://shop.example/notify${query}`, { method, ...(body === undefined ? undefined : { body }) })
      )
      assert.strictEqual(response.status, status)
      assert.deepStrictEqual(paid, status === 200 ? [paymentId] : [])
      await dispose()
    })
  )

  it.live("reads no more of a body than names a payment", () =>
    Effect.promise(async () => {
      let given = 0
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          given += 1_000
          controller.enqueue(new Uint8Array(1_000).fill(0x20))
        }
      })
      const route = V4.notificationRoute("/notify", { expected, handler: () => Effect.void }).pipe(
        Layer.provide(Layer.merge(prepare().layer, orders))
      )
      const { dispose, handler } = HttpRouter.toWebHandler(route, { disableLogger: true })
      const streamed = { method: "POST", body, duplex: "half" }
      const response = await handler(new Request("https://shop.example/notify", streamed))
      assert.strictEqual(response.status, 400)
      assert.isBelow(given, 100_000)
      await dispose()
    })
  )
})
