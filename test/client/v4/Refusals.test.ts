/**
 * What the client of API v4 makes of responses: which prove that a change was not taken, and which leave it in doubt.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { readFileSync } from "node:fs"
import { TestClock } from "effect/testing"
import * as V4 from "../../../src/client/v4/index.js"
import { GatewayError } from "../../../src/index.js"
import { gatewayV4Over, orderV4, paymentId, recurrenceId, recurrenceV4 } from "../../support/GatewayV4.js"
import { fetchFailure, json, scripted, type SentRequest } from "../../support/ScriptedTransport.js"

const order: V4.CreatePaymentRequestV4 = {
  ...orderV4,
  customer: { email: "payer@example.com", first_name: "Bohumila" }
}

const refund = V4.refundPayment(paymentId, { amount: 400 })
const refundPath = "/payments/7310000001/refunds"

const payment = {
  id: paymentId,
  state: "CREATED",
  order_number: order.order_number,
  amount: order.amount,
  currency: "CZK",
  gw_url: "https://gateway.example/gw/1",
  payment_secret: "ps_0123456789abcdef0123456789abcdef"
}

/** The gateway's body of a refusal. */
const refused = (code: number, error: string, more: object = {}): Response =>
  json(
    {
      code,
      error,
      message: "Resource state",
      detail: "",
      path: refundPath,
      timestamp: "2026-11-29T10:00:00Z",
      ...more
    },
    code
  )

const over = <A, E>(
  program: Effect.Effect<A, E, V4.GatewayV4>,
  answer: (request: SentRequest, index: number) => Response | Effect.Effect<Response, unknown>
) => {
  const transport = scripted(answer)
  return Effect.map(Effect.exit(Effect.provide(program, gatewayV4Over(transport))), (exit) => ({
    exit,
    sent: transport.sent,
    tokens: transport.tokenRequests
  }))
}

const reasonOf = (
  program: Effect.Effect<unknown, unknown, V4.GatewayV4>,
  answer: () => Response | Effect.Effect<Response, unknown>
) =>
  Effect.map(over(Effect.flip(program), answer), ({ exit, sent }) => {
    const error = Exit.isSuccess(exit) ? exit.value : assert.fail("it succeeded")
    return error instanceof V4.GatewayErrorV4 ? { error, reason: error.reason, sent } : assert.fail(String(error))
  })

describe("a refund is certainly not taken", () => {
  it.effect.each([
    ["400 with the gateway's body", () => refused(400, "BAD_REQUEST"), "InvalidRequest"],
    ["403 with the gateway's body", () => refused(403, "FORBIDDEN"), "PermissionDenied"],
    ["403 of a server before it", () => new Response("<html>", { status: 403 }), "PermissionDenied"],
    ["401 without a body", () => new Response("", { status: 401 }), "AuthenticationFailed"],
    ["404 with the gateway's body", () => refused(404, "NOT_FOUND"), "PaymentNotFound"],
    ["404 of the router", () => refused(404, "NOT_FOUND", { detail: "RESTEASY003210: no" }), "OperationRefused"],
    ["405 without a body", () => new Response("", { status: 405 }), "OperationRefused"],
    ["409 with the gateway's body", () => refused(409, "REFUND_NOT_ALLOWED"), "OperationRefused"],
    ["413 of a server before it", () => new Response("", { status: 413 }), "InvalidRequest"],
    ["415 without a body", () => new Response("", { status: 415 }), "InvalidRequest"],
    [
      "422 in the form of v3",
      () => json({ error_code: 110, message: [{ field: "amount", message: "no" }] }, 422),
      "InvalidRequest"
    ],
    ["429 without a body", () => new Response("", { status: 429 }), "RateLimited"],
    ["no connection", () => fetchFailure("ECONNREFUSED"), "GatewayUnavailable"]
  ] as const)("by %s", ([, answer, tag]) =>
    Effect.map(reasonOf(refund, answer), ({ reason, sent }) => {
      assert.strictEqual(reason._tag, tag)
      assert.lengthOf(sent, 1)
    })
  )
})

describe("a refund is in doubt, and not sent again", () => {
  it.effect.each([
    ["a lost connection", () => fetchFailure("ECONNRESET")],
    ["500 with the gateway's body", () => refused(500, "INTERNAL_SERVER_ERROR")],
    ["502 without it", () => new Response("<html>", { status: 502 })],
    ["408", () => refused(408, "TIMEOUT")],
    ["404 without the gateway's body", () => new Response("", { status: 404 })],
    ["409 without the gateway's body", () => new Response("", { status: 409 })],
    ["400 whose body says 500", () => json({ code: 500, error: "INTERNAL_SERVER_ERROR" }, 400)],
    ["the refusal of another payment", () => refused(409, "CONFLICT", { path: "/payments/7310000002/refunds" })],
    [
      "the refusal of another request, with a refused token",
      () => refused(401, "UNAUTHORIZED", { path: "/refunds/5" })
    ],
    ["a success with another status", () => json({ id: "5", state: "REQUESTED", amount: 400 }, 200)],
    ["a refund of another amount", () => json({ id: "5", state: "REQUESTED", amount: 401 }, 201)],
    ["no JSON", () => new Response("done", { status: 201 })],
    ["JSON with an error", () => json({ code: 409, error: "CONFLICT", path: "/payments/7310000001" }, 500)],
    ["another form", () => json({ refund: "5" }, 201)]
  ] as const)("by %s", ([, answer]) =>
    Effect.map(reasonOf(refund, answer), ({ reason, sent }) => {
      assert.strictEqual(reason._tag, "OutcomeUnknown")
      assert.lengthOf(sent, 1)
      assert.deepInclude(reason._tag === "OutcomeUnknown" && reason.change, {
        operation: "v4.refundPayment",
        paymentId,
        amount: 400,
        goid: 8_123_456_781
      })
    })
  )

  it.effect("whose path is not known here: then it is this one's refusal", () =>
    Effect.map(
      reasonOf(refund, () => refused(409, "CONFLICT", { path: "/gp-gw/somewhere" })),
      ({ reason }) => assert.strictEqual(reason._tag, "OperationRefused")
    )
  )
})

describe("a new payment is proven by what was sent only", () => {
  it.effect.each([
    ["another order number", { order_number: "e2e-order-2" }],
    ["another amount", { amount: 999 }],
    ["another currency", { currency: "EUR" }],
    ["no address", { gw_url: undefined }],
    ["an id that is a number", { id: 7_310_000_001 }]
  ] as const)("not by one with %s", ([, difference]) =>
    Effect.map(
      reasonOf(V4.createPayment(order), () => json({ ...payment, ...difference }, 201)),
      ({ error, reason }) => {
        assert.strictEqual(reason._tag, "OutcomeUnknown")
        assert.include(reason.message, "Create it again, and send the payer only to the newest address.")
        assert.notInclude(`${error.message} ${JSON.stringify(error)}`, payment.payment_secret)
      }
    )
  )

  it.effect("by one that has it all, whose id and secret are given as they came", () =>
    Effect.map(
      over(V4.createPayment(order), () => json(payment, 201)),
      ({ exit, sent }) => {
        assert.deepStrictEqual(Exit.isSuccess(exit) && { ...exit.value }, payment)
        assert.deepInclude(sent[0], {
          method: "POST",
          url: "https://gateway.example/gp-gw/api/4.0/eshops/8123456781/payments"
        })
      }
    )
  )
})

const override = { amount: 250, order_number: "march" }

describe.each([
  ["startRecurrence", V4.startRecurrence(recurrenceId, override), V4.startRecurrence(recurrenceId)],
  ["nextPayment", V4.nextPayment(recurrenceId, override), V4.nextPayment(recurrenceId)]
] as const)("the payment of %s", (_, withOverride, without) => {
  it.effect.each([
    ["another amount", { amount: 249 }],
    ["another order number", { order_number: "april" }]
  ] as const)("is in doubt if it has %s than its override", ([, difference]) =>
    Effect.map(
      reasonOf(withOverride, () => json({ ...payment, ...override, ...difference }, 201)),
      ({ reason }) => assert.strictEqual(reason._tag, "OutcomeUnknown")
    )
  )

  it.effect.each([
    ["what its override says", withOverride, { ...payment, ...override }],
    ["what the template says", without, { ...payment, order_number: "template" }]
  ] as const)("is given with %s", ([, program, response]) =>
    Effect.map(
      over(program, () => json(response, 201)),
      ({ exit }) => assert.deepStrictEqual(Exit.isSuccess(exit) && { ...exit.value }, response)
    )
  )
})

describe("a new recurrence", () => {
  const template = { amount: order.amount, currency: "CZK", order_number: order.order_number }

  it.effect.each([
    ["another amount", { amount: 999 }],
    ["another order number", { order_number: "e2e-order-2" }]
  ] as const)("is in doubt if its template has %s", ([, difference]) =>
    Effect.map(
      reasonOf(V4.createRecurrence({ ...recurrenceV4, payment: order }), () =>
        json({ id: recurrenceId, type: "ON_DEMAND", state: "NEW", payment: { ...template, ...difference } }, 201)
      ),
      ({ reason }) => assert.strictEqual(reason._tag, "OutcomeUnknown")
    )
  )
})

it.effect("a refused token is replaced once, and the change sent again: 401 proves that it was not taken", () =>
  Effect.gen(function* () {
    const program = Effect.andThen(V4.getPaymentRefunds(paymentId), refund)
    const answer = (request: SentRequest, index: number) => {
      if (request.method === "GET") return json([])
      return index === 1 ? refused(401, "UNAUTHORIZED") : json({ id: "5", state: "REQUESTED", amount: 400 }, 201)
    }
    const { exit, sent, tokens } = yield* over(program, answer)
    assert.isTrue(Exit.isSuccess(exit))
    assert.lengthOf(sent, 3)
    assert.lengthOf(tokens, 2)
    assert.deepStrictEqual(
      tokens.map(({ body }) => new URLSearchParams(body).get("scope")),
      ["payment:write payment:read", "payment:write payment:read"]
    )
  })
)

describe("a token is refused", () => {
  const failureOf = (status: number, error: string) => {
    const transport = scripted(
      () => json([]),
      () => refused(status, error, { path: "/oauth2/token" })
    )
    return Effect.provide(Effect.flip(V4.getPaymentRefunds(paymentId)), gatewayV4Over(transport))
  }

  it.effect("with 403: the message asks for the scope of the credentials, not of a token that there is not", () =>
    Effect.map(failureOf(403, "FORBIDDEN"), ({ message, reason }) => {
      assert.strictEqual(reason._tag, "PermissionDenied")
      assert.include(message, "May these credentials have the configured scope?")
    })
  )

  it.effect("with 404: nothing is said of the GoID, which its request does not have", () =>
    Effect.map(failureOf(404, "NOT_FOUND"), ({ reason }) => assert.strictEqual(reason._tag, "UnexpectedResponse"))
  )
})

it.effect("a read is repeated, with a policy that sees it as one of v3", () =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(
      over(V4.getRecurrence(recurrenceId), (_, index) =>
        index < 2 ? refused(500, "INTERNAL_SERVER_ERROR") : json({ id: recurrenceId, state: "NEW" })
      )
    )
    yield* TestClock.adjust("5 seconds")
    const { exit, sent } = yield* Fiber.join(fiber)
    assert.isTrue(Exit.isSuccess(exit))
    assert.lengthOf(sent, 3)
  })
)

it.effect(
  "waiting for a payment ends with the payment as last seen, and with an error of v4 when it was never read",
  () =>
    Effect.gen(function* () {
      const waited = over(V4.awaitPayment(paymentId, { waitAtMost: "1 minute" }), () => json(payment))
      const unread = over(Effect.flip(V4.awaitPayment(paymentId, { waitAtMost: "1 second" })), () => Effect.never)
      const fiber = yield* Effect.forkChild(Effect.all([waited, unread], { concurrency: "unbounded" }))
      yield* TestClock.adjust("2 minutes")
      const [pending, never] = yield* Fiber.join(fiber)
      assert.deepInclude(Exit.isSuccess(pending.exit) && pending.exit.value, { _tag: "StillPending" })
      const error = Exit.isSuccess(never.exit) ? never.exit.value : assert.fail("it was read")
      assert.deepInclude(error.toJSON(), { operation: "v4.getPayment", _tag: "GatewayErrorV4" })
      assert.strictEqual(error.reason._tag, "GatewayUnavailable")
    })
)

it.effect("a payment is followed through its states by a schedule, and a failure to read it is one of v4", () =>
  Effect.gen(function* () {
    const states = ["CREATED", "CREATED", "PAID"]
    const watched = V4.watchPaymentStates(paymentId, { schedule: Schedule.spaced("5 seconds") }).pipe(
      Stream.map(({ state }) => state),
      Stream.runCollect
    )
    const fiber = yield* Effect.forkChild(over(watched, (_, index) => json({ ...payment, state: states[index] })))
    yield* TestClock.adjust("10 seconds")
    const { exit, sent } = yield* Fiber.join(fiber)
    assert.deepStrictEqual(exit, Exit.succeed(["CREATED", "PAID"]))
    assert.lengthOf(sent, 3)
    const refused = yield* over(Effect.flip(watched), () => json({ code: 404, error: "NOT_FOUND" }, 404))
    const error = Exit.isSuccess(refused.exit) ? refused.exit.value : assert.fail("it was read")
    assert.instanceOf(error, V4.GatewayErrorV4)
    assert.deepInclude(error.toJSON(), { operation: "v4.getPayment" })
    assert.strictEqual(error.reason._tag, "PaymentNotFound")
  })
)

it.effect("start and next without an override have no body, and the content type without which GoPay says 415", () =>
  Effect.map(
    over(V4.startRecurrence(recurrenceId), () => json(payment, 201)),
    ({ sent }) => {
      assert.deepInclude(sent[0], { method: "POST", body: "" })
      assert.strictEqual(sent[0]?.headers["content-type"], "application/json")
    }
  )
)

it.effect("a change that is interrupted is told with its record, one of v4's own hook", () =>
  Effect.gen(function* () {
    const told: Array<V4.ChangeRecordV4> = []
    const fiber = yield* Effect.forkChild(
      over(
        Effect.provideService(refund, V4.OnUnknownOutcomeV4, (change) => Effect.sync(() => told.push(change))),
        () => Effect.never
      )
    )
    yield* TestClock.adjust("1 second")
    yield* Fiber.interrupt(fiber)
    assert.deepStrictEqual(
      told.map(({ operation, paymentId }) => ({ operation, paymentId })),
      [{ operation: "v4.refundPayment", paymentId }]
    )
  })
)

it.effect("a change can be held back, with its record", () =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const { reason, sent } = yield* reasonOf(
      Effect.provideService(refund, V4.BeforeSendV4, ({ operation }) => {
        asked.push(operation)
        return Effect.succeed(false)
      }),
      () => json({}, 201)
    )
    assert.strictEqual(reason._tag, "GatewayUnavailable")
    assert.deepStrictEqual([asked, sent.length], [["v4.refundPayment"], 0])
  })
)

it.effect("what the gateway repeats of a request is in no error", () =>
  Effect.map(
    reasonOf(V4.createPayment(order), () =>
      refused(400, "BAD_REQUEST", {
        path: "/eshops/8123456781/payments",
        detail: "customer Bohumila, payer@example.com"
      })
    ),
    ({ error }) => {
      assert.notMatch(`${error.message} ${JSON.stringify(error)}`, /Bohumila|payer@example/)
      assert.include(error.message, "BAD_REQUEST (400)")
    }
  )
)

it("names a section of the documents that there is, for each reason of its own", () => {
  const page = readFileSync("docs/errors.md", "utf8").toLowerCase()
  const reasons = [
    { _tag: "ChargeNotFound", paymentId },
    { _tag: "RefundNotFound", refundId: V4.refundIdV4("5") },
    { _tag: "RecurrenceNotFound", recurrenceId: recurrenceId },
    { _tag: "PaymentNotFound", paymentId }
  ] as const
  for (const reason of reasons) {
    const { help } = new V4.GatewayErrorV4({
      operation: "v4.getPayment",
      reason: { ...reason, isRetryable: false, message: "m" }
    })
    assert.include(page, `\n## ${help.split("#")[1]}\n`)
  }
})

it("is no error of v3, nor is one of v3 one of it", () => {
  const reason = { _tag: "GatewayUnavailable", isRetryable: true, message: "m" } as const
  const ofV4 = new V4.GatewayErrorV4({ operation: "v4.getPayment", reason })
  assert.isFalse(ofV4 instanceof GatewayError)
  assert.isFalse(new GatewayError({ operation: "getPayment", reason }) instanceof V4.GatewayErrorV4)
  assert.deepInclude(ofV4.toJSON(), { _tag: "GatewayErrorV4", operation: "v4.getPayment" })
})
