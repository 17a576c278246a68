import { Console, Effect, Layer, References } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp } from "effect/observability"
import { createPayment, Gateway, getPayment, refundPayment } from "effect-gopay"

const checkout = Effect.gen(function* () {
  const { id } = yield* createPayment({
    amount: 139_950,
    currency: "CZK",
    order_number: "2026-0042",
    callback: { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }
  })
  const { state } = yield* getPayment(id)
  yield* Console.log(`payment ${id} is ${state}`)
  yield* refundPayment(id, { amount: 139_950 }) // refused: nothing is paid yet
}).pipe(
  Effect.catchReason("GatewayError", "OperationRefused", ({ message }) => Console.log(message)),
  Effect.withSpan("checkout") // the gateway's calls are its children
)

const telemetry = Otlp.layerJson({
  baseUrl: process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "http://localhost:4318",
  resource: { serviceName: "my-shop" }
})

await Effect.runPromise(
  checkout.pipe(
    Effect.provide(Gateway.layerConfig()), // GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET, GOPAY_ENVIRONMENT
    Effect.provide(Layer.succeed(References.MinimumLogLevel, "Debug")), // a message for each attempt
    Effect.provide(telemetry),
    Effect.provide(FetchHttpClient.layer)
  )
)
