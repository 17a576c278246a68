import { Console, Effect } from "effect"
import { createPayment, Gateway } from "effect-gopay"
import { NodeHttpClient } from "effect-gopay/node"

const checkout = Effect.gen(function* () {
  const payment = yield* createPayment({
    amount: 139_950, // haléře: 1,399.50 CZK
    currency: "CZK",
    order_number: "2026-0042",
    callback: { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }
  })
  yield* Console.log(`send the payer to ${payment.gw_url}`)
}).pipe(
  Effect.catchReason("GatewayError", "InvalidRequest", ({ errors }) => Console.error("correct these fields", errors)),
  Effect.provide(Gateway.layerConfig()), // GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET, GOPAY_ENVIRONMENT
  Effect.provide(NodeHttpClient.layer) // elsewhere than on Node.js: FetchHttpClient.layer of effect/http
)

await Effect.runPromise(checkout)
