import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import {
  createPayment,
  createRecurrence,
  type ExpectedPayment,
  Gateway,
  notificationRoute,
  type VerifiedPayment
} from "../../../src/index.js"
import { LocalGateway } from "../../../src/local-gateway/index.js"

/** Where the shop keeps its orders, by the payment's id. */
class Orders extends Context.Service<Orders, Map<number, ExpectedPayment>>()("test/Orders") {
  static readonly layer = Layer.sync(Orders, () => new Map())
}

const callback = { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }

const order = { amount: 139_950, currency: "CZK", order_number: "2026-0042" }

/** A shop with a route, against a local gateway in process. */
const withShop = <A, E>(
  test: (shop: {
    readonly ask: (query: string, method?: string) => Effect.Effect<Response>
    readonly handled: ReadonlyArray<VerifiedPayment>
  }) => Effect.Effect<A, E, Gateway | Orders | LocalGateway>
) => {
  const handled: Array<VerifiedPayment> = []
  const route = notificationRoute("/notify", {
    expected: (id) => Effect.map(Orders, (orders) => orders.get(id)),
    handler: (verified) => Effect.sync(() => handled.push(verified)),
    onError: () => Effect.void
  })
  const services = Gateway.layer(LocalGateway.merchant).pipe(
    Layer.provideMerge(LocalGateway.layer),
    Layer.provideMerge(Orders.layer)
  )
  return Effect.gen(function* () {
    const context = yield* Layer.build(services)
    const { dispose, handler } = HttpRouter.toWebHandler(Layer.provide(route, Layer.succeedContext(context)), {
      disableLogger: true
    })
    yield* Effect.addFinalizer(() => Effect.promise(dispose))
    const ask = (query: string, method = "GET") =>
      Effect.promise(() => handler(new Request(`https://shop.example/notify${query}`, { method })))
    return yield* Effect.provideContext(test({ ask, handled }), context)
  })
}

describe("the route", () => {
  it.effect("tells the shop of a payment that is paid", () =>
    withShop(({ ask, handled }) =>
      Effect.gen(function* () {
        const { id } = yield* createPayment({ ...order, callback })
        ;(yield* Orders).set(id, order)
        const paid = yield* LocalGateway.payByCard(id)
        const response = yield* ask(`?id=${id}`)
        assert.deepStrictEqual([response.status, yield* Effect.promise(() => response.text())], [200, ""])
        assert.strictEqual(response.headers.get("cache-control"), "no-store")
        assert.deepStrictEqual(handled, [{ payment: paid, order, orderOf: "payment" }])
      })
    )
  )

  it.effect("tells the shop of a charge whose parent it knows", () =>
    withShop(({ ask, handled }) =>
      Effect.gen(function* () {
        const parent = yield* createPayment({
          ...order,
          callback,
          recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-30" }
        })
        ;(yield* Orders).set(parent.id, order)
        yield* LocalGateway.payByCard(parent.id)
        const charge = { amount: 29_900, currency: "CZK", order_number: "2026-0043", order_description: "Second month" }
        const { id } = yield* createRecurrence(parent.id, charge)
        assert.strictEqual((yield* ask(`?id=${id}&parent_id=${parent.id}`)).status, 200)
        assert.deepStrictEqual(
          handled.map(({ order, orderOf, payment }) => [payment.id, payment.amount, payment.state, order, orderOf]),
          [[id, 29_900, "PAID", order, "parent"]]
        )
      })
    )
  )

  it.effect("asks the gateway to repeat what the shop does not know, and refuses what is no notification", () =>
    withShop(({ ask, handled }) =>
      Effect.gen(function* () {
        const { id } = yield* createPayment({ ...order, callback })
        const answers = yield* Effect.all([
          ask(`?id=${id}`),
          ask("?id=x"),
          ask(`?id=${id}`, "POST"),
          ask(`?id=${id}`, "HEAD")
        ])
        assert.deepStrictEqual(
          answers.map(({ headers, status }) => [status, headers.get("allow")]),
          [
            [503, null],
            [400, null],
            [405, "GET"],
            [405, "GET"]
          ]
        )
        assert.deepStrictEqual(handled, [])
      })
    )
  )
})
