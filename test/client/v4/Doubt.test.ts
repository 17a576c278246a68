/**
 * Each change of API v4 under responses that prove nothing: it is sent once, and its outcome is unknown.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import * as V4 from "../../../src/client/v4/index.js"
import { gatewayV4Over, orderV4, paymentId, recurrenceId, recurrenceV4 } from "../../support/GatewayV4.js"
import { json, scripted, type SentRequest } from "../../support/ScriptedTransport.js"

const changes: {
  readonly [Name in V4.ChangeOperationV4]: Effect.Effect<unknown, V4.GatewayErrorV4, V4.GatewayV4>
} = {
  createPayment: V4.createPayment(orderV4),
  cancelPayment: V4.cancelPayment(paymentId),
  refundPayment: V4.refundPayment(paymentId, { amount: 400 }),
  createRecurrence: V4.createRecurrence(recurrenceV4),
  startRecurrence: V4.startRecurrence(recurrenceId),
  nextPayment: V4.nextPayment(recurrenceId, { order_number: "march" }),
  stopRecurrence: V4.stopRecurrence(recurrenceId)
}

const refusedPath = "/gp-gw/api/4.0/payments/7310000002/refunds"

const broken = (text: string): Response => {
  const half = new TextEncoder().encode(text)
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(half),
    pull: (controller) => controller.error(new TypeError("terminated"))
  })
  return new Response(body, { status: 201, headers: { "content-type": "application/json" } })
}

const responses: ReadonlyArray<readonly [string, (request: SentRequest) => Response]> = [
  ["a redirect by 302", () => new Response(null, { status: 302, headers: { location: "https://example.com/" } })],
  ["a redirect by 307", ({ url }) => new Response(null, { status: 307, headers: { location: url } })],
  ["a redirect by 308", ({ url }) => new Response(null, { status: 308, headers: { location: url } })],
  ["502 with a proxy's page", () => new Response("<html>Bad Gateway</html>", { status: 502 })],
  ["200 with a page", () => new Response("<html>Log in</html>", { headers: { "content-type": "text/html" } })],
  ["a body that breaks off", () => broken('{"id":"7310000')],
  ["201 with JSON cut in half", () => new Response('{"id":"7310000', { status: 201 })],
  ["201 without a body", () => new Response(null, { status: 201 })],
  ["202", () => json({ id: "7310000001" }, 202)],
  ["409 for another payment", () => json({ code: 409, error: "CONFLICT", path: refusedPath }, 409)],
  ["404 with a page", () => new Response("<html>Not found</html>", { status: 404 })],
  ["400 that no one explains", () => new Response("", { status: 400 })],
  ["504", () => new Response("", { status: 504 })]
]

describe.each(Struct.keys(changes))("%s", (name) => {
  it.effect.each([...responses])("is sent once, and in doubt, after %s", ([, answer]) => {
    const transport = scripted((request) => answer(request))
    const reported: Array<string> = []
    return Effect.gen(function* () {
      const { reason } = yield* Effect.flip(changes[name])
      assert.strictEqual(reason._tag, "OutcomeUnknown")
      assert.strictEqual(reason._tag === "OutcomeUnknown" && reason.change.operation, `v4.${name}`)
      assert.isFalse(reason.isRetryable)
      assert.lengthOf(transport.sent, 1)
      assert.deepStrictEqual(reported, [`v4.${name}`])
    }).pipe(
      Effect.provide(gatewayV4Over(transport)),
      Effect.provideService(V4.OnUnknownOutcomeV4, ({ operation }) => Effect.sync(() => reported.push(operation)))
    )
  })
})
