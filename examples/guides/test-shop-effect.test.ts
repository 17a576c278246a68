/**
 * The test of a shop that uses Effect, as the guide shows it.
 */
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { getPaymentRefunds } from "effect-gopay"
import { TestShop } from "effect-gopay/testing"
import Database from "libsql"

it.effect("refunds once, though the response is lost", () =>
  Effect.gen(function* () {
    const shop = yield* TestShop
    const order = yield* shop.ledger.checkout("1", { amount: 50_000, currency: "CZK", callback: shop.callback })
    if (order.status !== "open") return assert.fail(`The order is ${order.status}.`)
    yield* shop.pay(order.paymentId)
    yield* shop.loseNextResponse
    const refund = yield* Effect.forkChild(
      shop.ledger.refund("complaint-77", order.paymentId, { amount: 20_000 }, { waitAtMost: "1 hour" })
    )
    yield* shop.advance("1 hour")
    assert.strictEqual((yield* Fiber.join(refund))._tag, "Done")
    assert.lengthOf(yield* getPaymentRefunds(order.paymentId), 1)
  }).pipe(Effect.provide(TestShop.layer({ driver: Database, onAttention: () => Effect.void })))
)
