/**
 * What the caller of API v4 is told for each status of HTTP, by method, with the gateway's own body and without: a row
 * for each status whose meaning is known, and one rule for all others.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as V4 from "../../../src/client/v4/index.js"
import { gatewayV4Over, paymentId } from "../../support/GatewayV4.js"
import { json, scripted } from "../../support/ScriptedTransport.js"

type Told = V4.GatewayErrorReasonV4["_tag"]

type Method = "POST" | "DELETE" | "GET"

const calls: { readonly [method in Method]: Effect.Effect<unknown, V4.GatewayErrorV4, V4.GatewayV4> } = {
  POST: V4.refundPayment(paymentId, { amount: 400 }),
  DELETE: V4.cancelPayment(paymentId),
  GET: V4.getPaymentRefunds(paymentId)
}

const paths: { readonly [method in Method]: string } = {
  POST: "/payments/7310000001/refunds",
  DELETE: "/payments/7310000001",
  GET: "/payments/7310000001/refunds"
}

/** What a response is answered with: the gateway's own body, a page, or nothing. */
const bodies = {
  "the gateway's body": (status: number, method: Method) =>
    json({ code: status, error: "NAME", message: "m", detail: "", path: paths[method] }, status),
  "a page": (status: number) =>
    new Response("<html>Sorry</html>", { status, headers: { "content-type": "text/html" } }),
  "no body": (status: number) => new Response(null, { status })
} as const

const told = (method: Method, answer: () => Response): Effect.Effect<Told, unknown> => {
  const transport = scripted(answer)
  return calls[method].pipe(
    Effect.flip,
    Effect.provideService(V4.RetryPolicy, V4.RetryPolicy.none),
    Effect.provide(gatewayV4Over(transport)),
    Effect.map(({ reason }) => {
      assert.lengthOf(transport.sent, 1)
      return reason._tag
    })
  )
}

/** For each status: what a change and a read are told with the gateway's body, then without it. */
const known: ReadonlyArray<
  readonly [status: number, change: Told, read: Told, changeWithout: Told, readWithout: Told]
> = [
  [400, "InvalidRequest", "InvalidRequest", "OutcomeUnknown", "UnexpectedResponse"],
  [401, "AuthenticationFailed", "AuthenticationFailed", "AuthenticationFailed", "AuthenticationFailed"],
  [403, "PermissionDenied", "PermissionDenied", "PermissionDenied", "PermissionDenied"],
  [404, "PaymentNotFound", "PaymentNotFound", "OutcomeUnknown", "UnexpectedResponse"],
  [405, "OperationRefused", "OperationRefused", "OperationRefused", "OperationRefused"],
  [409, "OperationRefused", "OperationRefused", "OutcomeUnknown", "UnexpectedResponse"],
  [413, "InvalidRequest", "InvalidRequest", "InvalidRequest", "InvalidRequest"],
  [414, "InvalidRequest", "InvalidRequest", "InvalidRequest", "InvalidRequest"],
  [415, "InvalidRequest", "InvalidRequest", "InvalidRequest", "InvalidRequest"],
  [422, "InvalidRequest", "InvalidRequest", "OutcomeUnknown", "UnexpectedResponse"],
  [429, "RateLimited", "RateLimited", "RateLimited", "RateLimited"],
  [431, "InvalidRequest", "InvalidRequest", "InvalidRequest", "InvalidRequest"]
]

describe.each(["POST", "DELETE", "GET"] as const)("a %s", (method) => {
  it.effect.each([...known])(
    "is told by status %i what that status says",
    ([status, change, read, noBody, readNoBody]) =>
      Effect.gen(function* () {
        const [withBody, without] = method === "GET" ? [read, readNoBody] : [change, noBody]
        for (const [body, answer] of Object.entries(bodies)) {
          const expected = body === "the gateway's body" ? withBody : without
          assert.strictEqual(yield* told(method, () => answer(status, method)), expected, `${status} with ${body}`)
        }
      })
  )

  it.effect("is told nothing certain by any other status, whatever the body", () =>
    Effect.gen(function* () {
      // A response of fetch with 304 cannot have a body.
      const statuses = [300, 302, 303, 307, 308, 500, 501, 502, 503, 504, 507, 511, 520, 599]
      const refusals = Array.from({ length: 100 }, (_, index) => 400 + index)
      const unknown = [...statuses, ...refusals].filter((status) => !known.some(([one]) => one === status))
      for (const status of unknown) {
        const asRead: Told = status === 408 || status >= 500 ? "GatewayUnavailable" : "UnexpectedResponse"
        for (const [body, answer] of Object.entries(bodies)) {
          const expected = method === "GET" ? asRead : "OutcomeUnknown"
          assert.strictEqual(yield* told(method, () => answer(status, method)), expected, `${status} with ${body}`)
        }
      }
    })
  )

  it.effect.each([
    [400, { code: 500, error: "INTERNAL_SERVER_ERROR" }],
    [409, { code: 418, error: "NAME" }],
    [400, { code: 0, error: "NAME" }],
    [422, { error_code: 100, message: [{ message: "System error" }] }],
    [422, { error_code: 500, message: [{ message: "System error" }] }],
    [422, { error_code: 330, message: [{ message: "m" }] }]
  ] as const)("is told nothing certain by status %i with the body %j", ([status, body]) =>
    Effect.map(
      told(method, () => json(body, status)),
      (tag) => (method === "GET" ? undefined : assert.strictEqual(tag, "OutcomeUnknown"))
    )
  )
})
