import { assert, it } from "@effect/vitest"
import { Effect, Layer, ManagedRuntime } from "effect"
import { FetchHttpClient, HttpRouter } from "effect/http"
import { createPayment, Gateway, refundPayment } from "effect-gopay"
import { LocalGateway } from "effect-gopay/local-gateway"
import { createGatewayClient } from "effect-gopay/promise"
import * as InEffect from "./notifications-effect.js"
import { createShop, type Order, returnPage, statusAfter, sweep, waitForPayer } from "./notifications.js"

const request = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }
}

const stored = (paymentId: number, order_number = request.order_number): Order => ({
  paymentId,
  order_number,
  amount: request.amount,
  currency: request.currency,
  status: "open"
})

/** An in-memory database: code that runs to its end without waiting needs no lock. */
const table = () => {
  const rows = new Map<number, Order>()
  return {
    rows,
    byPaymentId: (paymentId: number) => rows.get(paymentId),
    unpaid: () => [...rows.values()].filter(({ status }) => status === "open" || status === "closed"),
    change: (paymentId: number, change: (order: Order) => Order) => {
      const order = rows.get(paymentId)
      if (order === undefined) throw new Error(`no order has payment ${paymentId}`)
      rows.set(paymentId, change(order))
    }
  }
}

it("an order's status only goes forward, and money that comes late is seen", () => {
  const after = (status: Order["status"], state: string) =>
    statusAfter({ ...stored(1), status }, { id: 1, state, amount: 1, currency: "CZK" })
  assert.deepStrictEqual(
    ["CREATED", "PAID", "TIMEOUTED", "REFUNDED", "SOMETHING_NEW"].map((state) => after("open", state)),
    ["open", "paid", "closed", "refunded", "open"]
  )
  assert.deepStrictEqual([after("closed", "PAID"), after("closed", "CREATED")], ["paid", "closed"])
  assert.deepStrictEqual([after("paid", "CANCELED"), after("paid", "PARTIALLY_REFUNDED")], ["paid", "paid"])
  assert.deepStrictEqual([after("refunded", "PAID"), after("refunded", "CREATED")], ["refunded", "refunded"])
})

it("the shop with promises hears of its payments", async () => {
  const runtime = ManagedRuntime.make(LocalGateway.layerServer())
  const local = await runtime.runPromise(LocalGateway)
  const { merchant } = local
  const gateway = createGatewayClient(merchant)
  const { rows, ...database } = table()
  const orders = {
    byPaymentId: async (id: number) => database.byPaymentId(id),
    unpaid: async () => database.unpaid(),
    change: async (id: number, change: (order: Order) => Order) => database.change(id, change)
  }
  const server = createShop(gateway, orders)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined

  const first = await gateway.createPayment(request)
  rows.set(first.id, stored(first.id))
  const returned = async (id: number) => {
    const { nextStep, title } = await returnPage(gateway, orders, `https://shop.example/return?id=${id}`, "en")
    return `${title}: ${nextStep}`
  }
  assert.strictEqual(await returned(first.id), "Not paid yet: continue")
  await runtime.runPromise(local.payByCard(first.id))
  const response = await fetch(`http://127.0.0.1:${port}/notify?id=${first.id}`)
  assert.deepStrictEqual([response.status, rows.get(first.id)?.status], [200, "paid"])
  assert.strictEqual(await returned(first.id), "Paid: nothing")
  assert.strictEqual(await waitForPayer(gateway, first.id, AbortSignal.timeout(5_000)), "PAID")

  const second = await gateway.createPayment({ ...request, order_number: "2026-0043" })
  rows.set(second.id, stored(second.id, "2026-0043"))
  await runtime.runPromise(local.declinePayment(second.id))
  await sweep(gateway, orders)
  assert.strictEqual(rows.get(second.id)?.status, "closed")
  assert.strictEqual(await returned(second.id), "The payment did not go through: payAgain")
  assert.strictEqual(await returned(1), "We could not find the payment: contactShop")

  // The classic fraud: a payment that is paid, for another order.
  rows.set(first.id, stored(first.id, "2026-0044"))
  assert.strictEqual(await returned(first.id), "We could not find the payment: contactShop")
  assert.strictEqual(rows.get(first.id)?.status, "open")

  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
  await gateway.close()
  await runtime.dispose()
})

it.live("the shop with Effect hears of its payments", () => {
  const { rows, ...database } = table()
  const orders = Layer.succeed(InEffect.Orders, {
    byPaymentId: (id) => Effect.sync(() => database.byPaymentId(id)),
    unpaid: Effect.sync(() => database.unpaid()),
    change: (id, change) => Effect.sync(() => database.change(id, change))
  })
  const gateway = Layer.unwrap(Effect.map(LocalGateway, ({ merchant }) => Gateway.layer(merchant))).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provideMerge(LocalGateway.layerServer()),
    Layer.provideMerge(orders)
  )
  return Effect.gen(function* () {
    const services = yield* Effect.context<Gateway | InEffect.Orders>()
    const shop = HttpRouter.toWebHandler(Layer.provide(InEffect.Shop, Layer.succeedContext(services)), {
      disableLogger: true
    })
    const ask = (path: string) =>
      Effect.promise(async () => {
        const response = await shop.handler(new Request(`https://shop.example${path}`), services)
        return `${response.status} ${await response.text()}`
      })

    const first = yield* createPayment(request)
    rows.set(first.id, stored(first.id))
    yield* LocalGateway.payByCard(first.id)
    assert.strictEqual(yield* ask(`/notify?id=${first.id}`), "200 ")
    assert.strictEqual(rows.get(first.id)?.status, "paid")
    assert.strictEqual(yield* ask(`/return?id=${first.id}`), "200 Thank you, your order is paid.")
    assert.strictEqual(yield* ask("/return?id=1"), "200 We know of no such payment.")
    assert.strictEqual(yield* InEffect.waitForPayer(first.id), "PAID")
    yield* InEffect.reportStates(first.id)
    yield* refundPayment(first.id, { amount: request.amount })
    assert.strictEqual(yield* ask(`/notify?id=${first.id}`), "200 ")
    assert.strictEqual(rows.get(first.id)?.status, "refunded")

    const second = yield* createPayment({ ...request, order_number: "2026-0043" })
    rows.set(second.id, stored(second.id, "2026-0043"))
    yield* LocalGateway.payByBankTransfer(second.id)
    yield* InEffect.sweep
    assert.strictEqual(rows.get(second.id)?.status, "paid")
    yield* Effect.promise(shop.dispose)
  }).pipe(Effect.provide(gateway))
})
