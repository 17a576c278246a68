/**
 * Each operation of API v4, as GoPay documents where it is and what it carries: a row each, or the table does not compile.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Struct from "effect/Struct"
import * as V4 from "../../../src/client/v4/index.js"
import { scripted } from "../../support/ScriptedTransport.js"

const order: V4.CreatePaymentRequestV4 = {
  amount: 1_000,
  currency: "CZK",
  order_number: "2026-0042",
  customer: { email: "payer@example.com" },
  callback: { return_url: "https://example.com/return", notification_url: "https://example.com/notify" }
}
const subscription: V4.CreateRecurrenceRequestV4 = {
  type: "ON_DEMAND",
  recurrence_date_to: "2099-12-31",
  payment: order
}
const paymentId = V4.paymentIdV4("7")
const recurrenceId = V4.recurrenceIdV4("55")

type Row = readonly [request: string, body: unknown, Effect.Effect<unknown, unknown, V4.GatewayV4>]

const rows: { readonly [Name in keyof V4.GatewayOperationsV4]: Row } = {
  createPayment: ["POST /eshops/8123456781/payments", order, V4.createPayment(order)],
  getPayment: ["GET /payments/7", undefined, V4.getPayment(paymentId)],
  cancelPayment: ["DELETE /payments/7", undefined, V4.cancelPayment(paymentId)],
  getCharge: ["GET /payments/7/charge", undefined, V4.getCharge(paymentId)],
  getPaymentQr: [
    "GET /payments/7/qr-payment/info?format=svg",
    undefined,
    V4.getPaymentQr(paymentId, { format: "svg" })
  ],
  refundPayment: ["POST /payments/7/refunds", { amount: 400 }, V4.refundPayment(paymentId, { amount: 400 })],
  getPaymentRefunds: ["GET /payments/7/refunds", undefined, V4.getPaymentRefunds(paymentId)],
  getRefund: ["GET /refunds/9", undefined, V4.getRefund(V4.refundIdV4("9"))],
  createRecurrence: ["POST /eshops/8123456781/recurrences", subscription, V4.createRecurrence(subscription)],
  getRecurrence: ["GET /recurrences/55", undefined, V4.getRecurrence(recurrenceId)],
  startRecurrence: ["POST /recurrences/55/start", { amount: 1 }, V4.startRecurrence(recurrenceId, { amount: 1 })],
  nextPayment: ["POST /recurrences/55/next", undefined, V4.nextPayment(recurrenceId)],
  stopRecurrence: ["DELETE /recurrences/55", undefined, V4.stopRecurrence(recurrenceId)]
}

describe("is sent where GoPay documents it", () => {
  it.effect.each([...Struct.keys(rows)])("%s", (name) => {
    const [request, body, program] = rows[name]
    const transport = scripted(() => new Response("", { status: 405 }))
    const layer = V4.GatewayV4.layer({
      goid: 8_123_456_781,
      clientId: "1234567884",
      clientSecret: Redacted.make("L0calGtw"),
      environment: "https://gateway.example"
    }).pipe(Layer.provide(transport.layer))
    return Effect.gen(function* () {
      yield* Effect.flip(program)
      const [sent, ...others] = transport.sent
      assert.lengthOf(others, 0)
      const path = sent?.url.replace("https://gateway.example/gp-gw/api/4.0", "")
      assert.strictEqual(`${sent?.method} ${path}`, request)
      assert.deepStrictEqual(sent?.body === "" ? undefined : JSON.parse(sent?.body ?? ""), body)
    }).pipe(Effect.provide(layer))
  })
})
