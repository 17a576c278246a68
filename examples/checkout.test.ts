import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { createPayment, Gateway, getPayment, refundPayment } from "effect-gopay"
import { LocalGateway } from "effect-gopay/local-gateway"

it.effect("a paid order can be refunded", () =>
  Effect.gen(function* () {
    const { id } = yield* createPayment({
      amount: 139_950,
      currency: "CZK",
      order_number: "2026-0042",
      callback: { return_url: "https://shop.example/return" }
    })
    yield* LocalGateway.payByCard(id) // what the payer does
    yield* refundPayment(id, { amount: 139_950 })
    assert.strictEqual((yield* getPayment(id)).state, "REFUNDED")
  }).pipe(Effect.provide(Gateway.layer(LocalGateway.merchant)), Effect.provide(LocalGateway.layer))
)
