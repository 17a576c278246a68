import { assert, it } from "@effect/vitest"
import { Duration, Effect, Result } from "effect"
import {
  captureAuthorization,
  createPayment,
  Gateway,
  getPayment,
  getPaymentRefunds,
  refundPayment,
  RetryPolicy
} from "effect-gopay"
import { LocalGateway, readSeed } from "effect-gopay/local-gateway"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { FakeTransport } from "effect-gopay/testing"

const order = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: "https://shop.example/return" }
}

it.effect("a hold that no one captures is released after four days", () =>
  Effect.gen(function* () {
    const { id } = yield* createPayment({ ...order, preauthorization: true })
    yield* LocalGateway.payByCard(id)
    yield* LocalGateway.advanceTime(Duration.days(4))
    assert.strictEqual((yield* getPayment(id)).state, "CANCELED")
    const refused = yield* Effect.flip(captureAuthorization(id))
    assert.strictEqual(refused.reason._tag, "OperationRefused")
  }).pipe(Effect.provide(Gateway.layer(LocalGateway.merchant)), Effect.provide(LocalGateway.layer))
)

it.effect("a refund whose response is lost is an unknown outcome, though it was done", () =>
  Effect.gen(function* () {
    const { id } = yield* createPayment(order)
    yield* LocalGateway.payByCard(id)
    yield* LocalGateway.armFault({ type: "connectionReset", effect: "committed" }, { operation: "refundPayment" })
    const { reason } = yield* Effect.flip(refundPayment(id, { amount: 139_950 }))
    assert.strictEqual(reason._tag, "OutcomeUnknown")
    assert.strictEqual((yield* getPaymentRefunds(id)).length, 1)
  }).pipe(Effect.provide(Gateway.layer(LocalGateway.merchant)), Effect.provide(LocalGateway.layer))
)

it.effect("a shop that was seeded is notified of a bank transfer", () => {
  const notified: Array<string> = []
  const gateway = LocalGateway.layerWith({
    notificationReceiver: (url) =>
      Effect.sync(() => {
        notified.push(url)
        return 200
      }),
    seed: Result.getOrThrow(
      readSeed({
        payments: [
          {
            id: 3_000_000_003,
            amount: 139_950,
            currency: "CZK",
            state: "PAYMENT_METHOD_CHOSEN",
            payment_instrument: "BANK_ACCOUNT",
            callback: { return_url: "http://localhost:3000/return", notification_url: "http://localhost:3000/notify" }
          }
        ]
      })
    )
  })
  return Effect.gen(function* () {
    yield* LocalGateway.payByBankTransfer(3_000_000_003)
    yield* LocalGateway.deliverNotifications
    assert.deepStrictEqual(notified, ["http://localhost:3000/notify?id=3000000003"])
  }).pipe(Effect.provide(gateway))
})

it.effect("a scripted response and the request that got it", () =>
  Effect.gen(function* () {
    const { reason } = yield* Effect.flip(getPayment(3_000_000_003))
    assert.strictEqual(reason._tag, "GatewayUnavailable")
    assert.deepStrictEqual(
      (yield* FakeTransport.requests).map(({ method, path }) => `${method} ${path}`),
      ["GET /payments/payment/3000000003"]
    )
  }).pipe(
    Effect.provideService(RetryPolicy, RetryPolicy.none),
    Effect.provide(Gateway.layer(LocalGateway.merchant)),
    Effect.provide(FakeTransport.layer({ text: "<html></html>", status: 502 }))
  )
)

it("a month passes for a subscription, without Effect", async () => {
  await using local = await startLocalGateway()
  await using gateway = createGatewayClient(local.merchant)

  const recurrence = { recurrence_cycle: "MONTH", recurrence_period: 1, recurrence_date_to: "2099-12-31" } as const
  const { id } = await gateway.createPayment({ ...order, recurrence })
  await local.payByCard(id)
  await local.advanceTime("31 days")
  const charge = (await local.listPayments()).find(({ parent_id }) => parent_id === id)
  assert.strictEqual(charge?.state, "PAID")
})
