/**
 * A backend in Effect 4, tested against the local gateway: in-process, and behind its server.
 */
import type * as Config from "effect/Config"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import {
  captureAuthorization,
  createPayment,
  deleteCard,
  Gateway,
  getPayment,
  refundPayment,
  voidAuthorization,
  type GatewayError
} from "effect-gopay"
import { NodeHttpClient } from "effect-gopay/node"
import { LocalGateway, type PayerActionRefused } from "effect-gopay/local-gateway"
import { startGateway } from "../loopback-gateway.cjs"

const expect = (what: string, actual: unknown, expected: unknown): Effect.Effect<void> =>
  actual === expected
    ? Effect.void
    : Effect.die(new Error(`${what}: expected ${String(expected)}, got ${String(actual)}`))

const checkout: Effect.Effect<string, GatewayError | PayerActionRefused, Gateway | LocalGateway> = Effect.gen(
  function* () {
    const payment = yield* createPayment({
      amount: 139_950,
      currency: "CZK",
      order_number: "2026-0042",
      callback: { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }
    })
    const early = yield* refundPayment(payment.id, { amount: 5_000 }).pipe(
      Effect.as("refunded"),
      Effect.catchReason("GatewayError", "OperationRefused", ({ code }) => Effect.succeed(`refused with ${code}`))
    )
    yield* expect("a refund before the payment", early.startsWith("refused with 3"), true)
    yield* LocalGateway.payByCard(payment.id)
    return (yield* getPayment(payment.id)).state
  }
)

const inProcess = checkout.pipe(
  Effect.provide(Gateway.layer(LocalGateway.merchant)),
  Effect.provide(LocalGateway.layer)
)

const overHttp = checkout.pipe(
  Effect.provide(Layer.unwrap(LocalGateway.use(({ merchant }) => Effect.succeed(Gateway.layer(merchant))))),
  Effect.provide(LocalGateway.layerServer()),
  Effect.provide(FetchHttpClient.layer)
)

/** Runtimes may repeat a request by themselves. Money must not move twice. */
const lostChanges = Effect.fn(function* (
  transport: Layer.Layer<HttpClient.HttpClient, Config.ConfigError>,
  sender: string
) {
  const { changes, sentOver, stop, url } = yield* Effect.promise(startGateway)
  const merchant = { goid: 8_123_456_781, clientId: "1234567884", clientSecret: Redacted.make("a-secret") }
  const unlucky: ReadonlyArray<Effect.Effect<unknown, GatewayError, Gateway>> = [
    refundPayment(3_000_006_542, { amount: 5_000 }),
    captureAuthorization(3_000_006_542),
    deleteCard(3_000_006_542),
    refundPayment(3_000_006_543, { amount: 1_000 }),
    voidAuthorization(3_000_006_543)
  ]
  yield* Effect.forEach(unlucky, (change) =>
    Effect.andThen(getPayment(3_000_006_529), Effect.flip(change)).pipe(
      Effect.flatMap(({ reason }) => expect("what is lost", reason._tag, "OutcomeUnknown"))
    )
  ).pipe(
    Effect.provide(Gateway.layer({ ...merchant, environment: url })),
    Effect.provide(transport),
    Effect.provide(Logger.layer([])) // The warnings that such changes are logged with.
  )
  yield* Effect.promise(stop)
  const sent = "refund amount=5000, capture, 3000006542, refund amount=1000, void-authorization"
  yield* expect("what the gateway read of it", changes.join(", "), sent)
  yield* expect("what sends them", [...sentOver].join(), sender)
})

await Effect.runPromise(lostChanges(FetchHttpClient.layer, "fetch"))
if ("Deno" in globalThis || "Bun" in globalThis) {
  const exit = await Effect.runPromiseExit(Effect.scoped(Layer.build(NodeHttpClient.layer)))
  const refusal = Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : "it was built"
  await Effect.runPromise(
    expect(
      "NodeHttpClient elsewhere",
      refusal,
      "ConfigError(SchemaError(NodeHttpClient is for Node.js: use FetchHttpClient.))"
    )
  )
} else {
  await Effect.runPromise(lostChanges(NodeHttpClient.layer, "sockets"))
}
await Effect.runPromise(Effect.flatMap(inProcess, (state) => expect("the state in-process", state, "PAID")))
await Effect.runPromise(Effect.flatMap(overHttp, (state) => expect("the state over HTTP", state, "PAID")))

console.log(
  "effect-4: a payment created and paid at the local gateway, in-process and over HTTP; lost changes sent once"
)
