/**
 * Each operation of API v4, as GoPay documents where it is and what it carries: a row each, or the table does not compile.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import * as V4 from "../../../src/client/v4/index.js"
import { gatewayV4Over, orderV4, paymentId, recurrenceId, recurrenceV4 } from "../../support/GatewayV4.js"
import { scripted } from "../../support/ScriptedTransport.js"

type Row = readonly [request: string, body: unknown, Effect.Effect<unknown, unknown, V4.GatewayV4>]

const rows: { readonly [Name in keyof V4.GatewayOperationsV4]: Row } = {
  createPayment: ["POST /eshops/8123456781/payments", orderV4, V4.createPayment(orderV4)],
  getPayment: ["GET /payments/7310000001", undefined, V4.getPayment(paymentId)],
  cancelPayment: ["DELETE /payments/7310000001", undefined, V4.cancelPayment(paymentId)],
  getCharge: ["GET /payments/7310000001/charge", undefined, V4.getCharge(paymentId)],
  getPaymentQr: [
    "GET /payments/7310000001/qr-payment/info?format=svg",
    undefined,
    V4.getPaymentQr(paymentId, { format: "svg" })
  ],
  refundPayment: ["POST /payments/7310000001/refunds", { amount: 400 }, V4.refundPayment(paymentId, { amount: 400 })],
  getPaymentRefunds: ["GET /payments/7310000001/refunds", undefined, V4.getPaymentRefunds(paymentId)],
  getRefund: ["GET /refunds/9", undefined, V4.getRefund(V4.refundIdV4("9"))],
  createRecurrence: ["POST /eshops/8123456781/recurrences", recurrenceV4, V4.createRecurrence(recurrenceV4)],
  getRecurrence: ["GET /recurrences/55", undefined, V4.getRecurrence(recurrenceId)],
  startRecurrence: ["POST /recurrences/55/start", { amount: 1 }, V4.startRecurrence(recurrenceId, { amount: 1 })],
  nextPayment: ["POST /recurrences/55/next", undefined, V4.nextPayment(recurrenceId)],
  stopRecurrence: ["DELETE /recurrences/55", undefined, V4.stopRecurrence(recurrenceId)]
}

describe("is sent where GoPay documents it", () => {
  it.effect.each([...Struct.keys(rows)])("%s", (name) => {
    const [request, body, program] = rows[name]
    const transport = scripted(() => new Response("", { status: 405 }))
    return Effect.gen(function* () {
      yield* Effect.flip(program)
      const [sent, ...others] = transport.sent
      assert.lengthOf(others, 0)
      const path = sent?.url.replace("https://gateway.example/gp-gw/api/4.0", "")
      assert.strictEqual(`${sent?.method} ${path}`, request)
      assert.deepStrictEqual(sent?.body === "" ? undefined : JSON.parse(sent?.body ?? ""), body)
    }).pipe(Effect.provide(gatewayV4Over(transport)))
  })
})
