import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createPayment, Gateway, getPayment } from "effect-gopay"
import { LocalGateway } from "effect-gopay/local-gateway"
import { FetchHttpClient } from "effect/http"

/** A local gateway behind HTTP, and a client of it. */
const overHttp = Layer.unwrap(Effect.map(LocalGateway, ({ merchant }) => Gateway.layer(merchant))).pipe(
  Layer.provide(FetchHttpClient.layer),
  Layer.provideMerge(LocalGateway.layerServer())
)

it.live("a payment is paid, over HTTP", () =>
  Effect.gen(function* () {
    const { id } = yield* createPayment({
      amount: 139_950,
      currency: "CZK",
      order_number: "2026-0042",
      callback: { return_url: "https://shop.example/return" }
    })
    yield* LocalGateway.payByCard(id)
    assert.strictEqual((yield* getPayment(id)).state, "PAID")
  }).pipe(Effect.provide(overHttp))
)
