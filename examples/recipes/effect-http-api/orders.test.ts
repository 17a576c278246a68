import { assert, it } from "@effect/vitest"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Fiber, Layer } from "effect"
import { HttpApiTest } from "effect/http-api"
import { getPaymentRefunds } from "effect-gopay"
import { Ledger } from "effect-gopay/ledger"
import { LocalGateway } from "effect-gopay/local-gateway"
import { TestShop } from "effect-gopay/testing"
import { Shop } from "./api.ts"
import { checkout as checkoutOrder, Orders } from "./orders.ts"

const LedgerTest = Layer.effect(
  Ledger,
  Effect.map(TestShop, ({ ledger }) => ledger)
)
const ShopTest = Layer.mergeAll(Orders.pipe(Layer.provide(LedgerTest)), NodeHttpServer.layerHttpServices).pipe(
  Layer.provideMerge(TestShop.layer())
)

/** An order that is paid. */
const paid = Effect.gen(function* () {
  const { checkout } = yield* HttpApiTest.groups(Shop, ["orders"])
  const click = Effect.map(
    checkout({ payload: { number: "f9168c5e-ceb2-4faa-b6bf-329bf39fa1e4" } }),
    ({ headers }) => headers
  )
  const clicking = yield* Effect.forkChild(Effect.all([click, click], { concurrency: 2 }))
  yield* (yield* TestShop).advance("1 minute") // one click waits for the other
  const clicks = yield* Fiber.join(clicking)
  const [payment, ...others] = yield* (yield* LocalGateway).listPayments
  assert.deepStrictEqual([others, clicks], [[], [{ location: payment?.gw_url }, { location: payment?.gw_url }]])
  if (payment?.order_number === undefined) return yield* Effect.die("The payer was sent to no payment of an order.")
  yield* (yield* TestShop).pay(payment.id)
  return { id: payment.id, number: payment.order_number }
})

it.effect("makes one payment of two clicks, and says that it is paid", () =>
  Effect.gen(function* () {
    const { ledger } = yield* TestShop
    const { number } = yield* paid
    const error = yield* Effect.flip(checkoutOrder(ledger, number, 139_950, "https://shop.example"))
    assert.deepStrictEqual([error._tag, error.message], ["Refused", "Thank you, we have received your payment."])
  }).pipe(Effect.provide(ShopTest))
)

it.effect("refunds a complaint once, though the response is lost", () =>
  Effect.gen(function* () {
    const shop = yield* TestShop
    const { refund } = yield* HttpApiTest.groups(Shop, ["orders"])
    const payment = yield* paid
    yield* shop.advance("1 day") // GoPay refunds a part 24 hours after the payment at the earliest
    const payload = { key: "complaint-1", amount: 20_000 }
    const complaint = refund({ params: { number: payment.number }, payload })
    yield* shop.loseNextResponse
    const first = yield* Effect.forkChild(complaint)
    yield* shop.advance("1 hour")
    assert.strictEqual((yield* Fiber.join(first))._tag, "InDoubt")
    assert.strictEqual((yield* complaint)._tag, "Done")
    assert.lengthOf(yield* getPaymentRefunds(payment.id), 1)
  }).pipe(Effect.provide(ShopTest))
)

it.effect("says what is wrong with a refund that cannot be asked for", () =>
  Effect.gen(function* () {
    const shop = yield* TestShop
    const { refund } = yield* HttpApiTest.groups(Shop, ["orders"])
    const payment = yield* paid
    yield* shop.advance("1 day")
    const ask = (key: string, amount: number) =>
      refund({ params: { number: payment.number }, payload: { key, amount } })
    assert.strictEqual((yield* ask("complaint-1", 20_000))._tag, "Done")
    // The key belongs to another refund.
    assert.strictEqual((yield* Effect.flip(ask("complaint-1", 30_000)))._tag, "Refused")
    for (const error of [yield* Effect.flip(ask("", 20_000)), yield* Effect.flip(ask("complaint-2", 0))]) {
      assert.strictEqual(error._tag, "Invalid")
      assert.match(error.message, /^\w.* .*\.$/)
    }
    assert.lengthOf(yield* getPaymentRefunds(payment.id), 1)
  }).pipe(Effect.provide(ShopTest))
)
