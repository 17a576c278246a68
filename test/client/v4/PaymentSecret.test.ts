/**
 * The secret of a payment is in the payment, which the caller has asked for, and in nothing that is reported of it.
 */
import { assert, it } from "@effect/vitest"
import { inspect } from "node:util"
import * as Effect from "effect/Effect"
import * as V4 from "../../../src/client/v4/index.js"
import { RetryPolicy } from "../../../src/index.js"
import { gatewayV4Over, orderV4, paymentId } from "../../support/GatewayV4.js"
import { record } from "../../support/Recorder.js"
import { json, scripted } from "../../support/ScriptedTransport.js"

const payment_secret = "ps_0123456789abcdef0123456789abcdef"
const { amount, currency, order_number } = orderV4
const payment = { id: paymentId, state: "CREATED", amount, currency, order_number, payment_secret }
const created = { ...payment, gw_url: "https://gw.example/1" }

const reported = (value: unknown): string =>
  `${inspect(value, { depth: null, showHidden: true })} ${String(value)} ${JSON.stringify(value)}`

it.effect.each([
  ["what succeeds", () => json(created)],
  ["another shape", () => json({ ...created, state: [payment_secret] })],
  ["another payment", () => json({ ...created, id: "7310000002", amount: 1 })],
  ["a refusal", () => json({ code: 409, error: "CONFLICT", message: "no", detail: "", payment }, 409)],
  ["a failure", () => json(created, 500)]
] as const)("%s is reported without it: in spans, their ends, messages and errors", ([, response]) => {
  const recorder = record()
  const transport = scripted(response)
  return Effect.gen(function* () {
    const calls = [V4.createPayment(orderV4), V4.getPayment(paymentId), V4.cancelPayment(paymentId)] as const
    for (const call of calls) {
      const exit = yield* Effect.exit(call)
      if (exit._tag === "Failure") assert.notInclude(reported(exit), payment_secret)
    }
    const ends = recorder.spans.map(({ attributes, events, status }) => [Array.from(attributes), events, status])
    assert.isAbove(ends.length, 3)
    assert.isAbove(recorder.logs.length, 3)
    assert.notInclude(inspect([ends, recorder.logs], { depth: null, showHidden: true }), payment_secret)
  }).pipe(
    Effect.provideService(RetryPolicy, RetryPolicy.none),
    Effect.provide(gatewayV4Over(transport)),
    Effect.provide(recorder.layer)
  )
})
