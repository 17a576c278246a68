import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createPayment, getPaymentRefunds, GatewayV4, paymentIdV4 } from "effect-gopay/v4"
import { LocalGateway } from "effect-gopay/local-gateway"
import { HttpServer } from "effect/http"
import { HttpApiTest } from "effect/http-api"
import { PaymentsV4Live, ShopV4 } from "./http-api-v4-effect.js"

const ShopTest = Layer.mergeAll(PaymentsV4Live, HttpServer.layerServices).pipe(
  Layer.provideMerge(GatewayV4.layer(LocalGateway.merchant)),
  Layer.provideMerge(LocalGateway.layer)
)

const paid = Effect.gen(function* () {
  const { id } = yield* createPayment({
    amount: 50_000,
    currency: "CZK",
    order_number: "1",
    customer: { email: "payer@example.com" },
    callback: { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }
  })
  yield* LocalGateway.payByCard(Number(id))
  return id
})

it.effect("gives a payment without its secret, and tells one that there is not by its type", () =>
  Effect.gen(function* () {
    const { payments } = yield* HttpApiTest.groups(ShopV4, ["payments"])
    const id = yield* paid
    assert.deepStrictEqual<unknown>(
      { ...(yield* payments.read({ params: { id } })) },
      { id, state: "PAID", amount: 50_000 }
    )
    const reason = yield* Effect.flip(payments.read({ params: { id: paymentIdV4("7310000099") } }))
    assert.strictEqual(reason._tag, "PaymentNotFound")
  }).pipe(Effect.provide(ShopTest))
)

it.effect("fails with the record of a refund whose response is lost, and sends one", () =>
  Effect.gen(function* () {
    const { payments } = yield* HttpApiTest.groups(ShopV4, ["payments"])
    const id = yield* paid
    yield* LocalGateway.armFault({ type: "connectionReset", effect: "committed" }, { operation: "v4.refundPayment" })
    const reason = yield* Effect.flip(payments.refund({ params: { id }, payload: { amount: 20_000 } }))
    if (reason._tag !== "OutcomeUnknown") return assert.fail(reason._tag)
    assert.deepInclude(reason.change, { operation: "v4.refundPayment", paymentId: id, amount: 20_000 })
    assert.lengthOf(yield* getPaymentRefunds(id), 1)
  }).pipe(Effect.provide(ShopTest))
)
