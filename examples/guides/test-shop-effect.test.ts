/**
 * The tests of a shop that uses Effect, as the guide shows them.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { getPaymentRefunds } from "effect-gopay"
import { simulateShop, TestShop } from "effect-gopay/testing"
import Database from "libsql"

it.effect("refunds once, though the response is lost", () =>
  Effect.gen(function* () {
    const shop = yield* TestShop
    const order = yield* shop.ledger.checkout("1", { amount: 50_000, currency: "CZK", callback: shop.callback })
    if (order.status !== "open") return assert.fail(`The order is ${order.status}.`)
    yield* shop.pay(order.paymentId)
    yield* shop.advance("1 day") // GoPay refunds a part 24 hours after the payment at the earliest
    yield* shop.loseNextResponse
    const refund = yield* Effect.forkChild(
      shop.ledger.refund("complaint-77", order.paymentId, { amount: 20_000 }, { waitAtMost: "1 hour" })
    )
    yield* shop.advance("1 hour")
    assert.strictEqual((yield* Fiber.join(refund))._tag, "Done")
    assert.lengthOf(yield* getPaymentRefunds(order.paymentId), 1)
  }).pipe(Effect.provide(TestShop.layer({ driver: Database, onAttention: () => Effect.void })))
)

const shop = TestShop.layer({
  driver: Database, // not needed from Node.js 22.13 on
  onAttention: () => Effect.void,
  prepare: (store) => Effect.promise(() => store.query("CREATE TABLE shipment (order_number TEXT PRIMARY KEY)", [])),
  onPayment: ({ order, status, tx }) =>
    status === "paid"
      ? Effect.promise(() => tx.query("INSERT OR IGNORE INTO shipment VALUES (?)", [order.orderNumber]))
      : Effect.void
})

const shippedOnce = Effect.gen(function* () {
  const { store } = yield* TestShop
  const rows = yield* Effect.promise(() => store.query("SELECT order_number FROM shipment", []))
  assert.lengthOf(new Set(rows.map((row) => row["order_number"])), rows.length)
})

for (const seed of [1, 2]) {
  it.effect(`ships at most once whatever happens, with seed ${seed}`, () =>
    simulateShop({ seed, shop, steps: 10, invariants: { "no order is shipped twice": shippedOnce } })
  )
}
