import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import {
  ErrorCodes,
  type Gateway,
  type GatewayError,
  GatewayError as GatewayErrorClass,
  RetryPolicy
} from "../../../src/index.js"
import * as Client from "../../../src/index.js"
import * as Endpoint from "../../../src/contract/Endpoint.js"
import { type FailedCall, failed, unanswered, unusable } from "../../../src/client/call/FailureReason.js"
import { isRefusalOfAnother, refused } from "../../../src/client/call/RefusalReason.js"
import { changes, id, payment, reads, statement } from "../../support/OperationPrograms.js"
import {
  errorBody,
  fetchFailure,
  finished,
  gatewayOver,
  json,
  paid,
  refusal,
  scripted,
  type SentRequest
} from "../../support/ScriptedTransport.js"

/** Runs a program against a gateway that always gives the same response, without retries. */
const failureOf = (
  program: Effect.Effect<unknown, GatewayError, Gateway>,
  answer: (request: SentRequest) => Response | Effect.Effect<Response, unknown>
) => {
  const transport = scripted(answer)
  return program.pipe(
    Effect.flip,
    Effect.provideService(RetryPolicy, RetryPolicy.none),
    Effect.provide(gatewayOver(transport)),
    Effect.map((error) => ({ error, reason: error.reason, sent: transport.sent.length }))
  )
}

const each = (
  programs: { readonly [name: string]: () => Effect.Effect<unknown, GatewayError, Gateway> },
  answer: () => Response | Effect.Effect<Response, unknown>,
  expected: GatewayError["reason"]["_tag"],
  isRetryable: boolean
) =>
  Effect.forEach(Object.entries(programs), ([name, program]) =>
    Effect.map(failureOf(program(), answer), ({ error, reason, sent }) => {
      assert.strictEqual(reason._tag, expected, name)
      assert.strictEqual(reason.isRetryable, isRetryable, name)
      assert.strictEqual(error.operation, name)
      assert.strictEqual(sent, 1, name)
      assert.isAbove(error.message.length, name.length + 10)
    })
  )

const html = (status: number) =>
  new Response("<!doctype html><h1>Sorry</h1>", { status, headers: { "content-type": "text/html" } })

describe("a response that tells nothing about the request", () => {
  it.effect.each([408, 500, 502, 503, 504])("with status %i: a read may be repeated, a change is in doubt", (status) =>
    Effect.all([
      each(reads, () => html(status), "GatewayUnavailable", true),
      each(changes, () => html(status), "OutcomeUnknown", false)
    ])
  )

  it.effect.each([302, 307, 400, 404, 405, 409, 415, 418])(
    "with status %i: a read is unusable, a change is in doubt",
    (status) =>
      Effect.all([
        each(reads, () => html(status), "UnexpectedResponse", false),
        each(changes, () => html(status), "OutcomeUnknown", false)
      ])
  )

  it.effect.each([100, 500])("with code %i: a read may be repeated, a change is in doubt", (code) =>
    Effect.all([
      each(reads, () => refusal(409, code), "GatewayUnavailable", true),
      each(changes, () => refusal(409, code), "OutcomeUnknown", false)
    ])
  )

  it.effect.each([302, 408, 500])("with status %i and a business code: a change is in doubt all the same", (status) =>
    each(changes, () => refusal(status, 303), "OutcomeUnknown", false)
  )

  it.effect.each([
    ["an HTML page", () => html(200)],
    ["nothing", () => new Response(null, { status: 200 })],
    ["malformed JSON", () => new Response(`{"id":30900`)],
    ["a wrong shape", () => json({ id: "abc" })],
    ["errors that cannot be read", () => json({ ...paid, errors: [] })],
    ["JSON that is nothing", () => json(null)]
  ] as const)("with status 200 and %s: a read is unusable, a change is in doubt", ([, answer]) =>
    Effect.all([each(reads, answer, "UnexpectedResponse", false), each(changes, answer, "OutcomeUnknown", false)])
  )

  it.effect("with status 200 and an error beside the result is no success", () => {
    const both = () => json({ ...paid, result: "FINISHED", error_code: 303 })
    return Effect.all([
      each({ getPayment: reads.getPayment }, both, "OperationRefused", false),
      each(changes, both, "OutcomeUnknown", false)
    ])
  })

  it.effect("with status 204 where a body was due", () => {
    const { deleteCard: _, ...others } = changes
    const nothing = () => new Response(null, { status: 204 })
    return Effect.all([
      each(reads, nothing, "UnexpectedResponse", false),
      each(others, nothing, "OutcomeUnknown", false)
    ])
  })

  it.effect("about another payment or card is no answer to this one", () => {
    const { createPayment: _create, deleteCard: _delete, ...others } = changes
    const { getCardDetails, getPayment } = reads
    const another = { ...paid, id: 3090067123, card_id: 1, parent_id: 3090067123, result: "FINISHED" }
    return Effect.all([
      each({ getPayment, getCardDetails }, () => json(another), "UnexpectedResponse", false),
      each(others, () => json(another), "OutcomeUnknown", false)
    ])
  })
})

describe("a response that repeats the order number", () => {
  it.effect.each([
    ["A&B", "A&B", true],
    ["A&B", "A&amp;B", true],
    ["O'Neill", "O&#39;Neill", true],
    ['6"', "6&#34;", true],
    // Text of the shop's own may look encoded.
    ["A&amp;B", "A&amp;B", true],
    ["A&amp;B", "A&B", false],
    ["A&B", "A&amp;amp;B", false]
  ] as const)("%s as %s: it is about this very payment: %s", ([orderNumber, echoed, isSame]) => {
    const answer = {
      ...paid,
      amount: payment.amount,
      currency: payment.currency,
      order_number: echoed,
      gw_url: "https://gw.example/pay"
    }
    const over = gatewayOver(scripted(() => json(answer)))
    const outcome = (call: Effect.Effect<unknown, GatewayError, Gateway>) =>
      call.pipe(
        Effect.match({ onFailure: ({ reason }) => reason._tag, onSuccess: () => "created" as const }),
        Effect.provide(over)
      )
    return Effect.gen(function* () {
      const expected = isSame ? "created" : "OutcomeUnknown"
      assert.strictEqual(yield* outcome(Client.createPayment({ ...payment, order_number: orderNumber })), expected)
      const charge = { amount: payment.amount, currency: payment.currency, order_number: orderNumber }
      assert.strictEqual(yield* outcome(Client.createRecurrence(7, charge)), expected)
    })
  })
})

describe("a response that is no statement", () => {
  const typed = (type: string, body: string) => () => new Response(body, { headers: { "content-type": type } })
  it.effect.each([
    ["an HTML page", typed("text/html", "Sorry")],
    ["an HTML page behind a comment", typed("application/octet-stream", "<!-- x -->\n<html>")],
    ["an HTML page behind an XML declaration", typed("text/csv", `<?xml version="1.0"?><!DOCTYPE html>`)],
    ["an XHTML page", typed("application/xhtml+xml", "<p>")],
    ["the head of a page", typed("application/octet-stream", "<head><title>Maintenance")],
    ["a JSON array", typed("application/octet-stream", "[1]")],
    ["JSON text", typed("application/json", `"no"`)]
  ] as const)("%s is unusable", ([, answer]) =>
    each({ getAccountStatement: reads.getAccountStatement }, answer, "UnexpectedResponse", false)
  )
})

describe("a response of success", () => {
  it.effect.each(["a;<html>", "123", "[a];b"])("is a statement, whatever it resembles: %s", (text) => {
    const file = scripted(() => new Response(text, { headers: { "content-type": "text/csv" } }))
    return Effect.gen(function* () {
      const { data } = yield* Client.getAccountStatement(statement)
      assert.strictEqual(new TextDecoder().decode(data), text)
    }).pipe(Effect.provide(gatewayOver(file)))
  })

  it.effect("has any status from 200 to 299", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Client.getPayment(id)).state, "PAID")
    }).pipe(Effect.provide(gatewayOver(scripted(() => json(paid, 299)))))
  )

  it.effect("that is none says what was wrong with it", () =>
    Effect.gen(function* () {
      const deleted = yield* failureOf(Client.deleteCard(3003000011), () => json({}))
      assert.include(deleted.reason.message, "204 was expected")
      const garbled = yield* failureOf(Client.getPayment(id), () => json({ ...paid, errors: "many" }))
      assert.include(garbled.reason.message, "it carries errors that cannot be read")
    })
  )
})

describe("a lost or missing connection", () => {
  it.effect.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"])(
    "(%s) that was never made leaves everything undone and may be tried again",
    (code) =>
      Effect.all([
        each(reads, () => fetchFailure(code), "GatewayUnavailable", true),
        each(changes, () => fetchFailure(code), "GatewayUnavailable", true)
      ])
  )

  it.effect("to every address of the gateway leaves everything undone", () =>
    each(changes, () => fetchFailure("ECONNREFUSED", "ECONNREFUSED"), "GatewayUnavailable", true)
  )

  it.effect("to one address while another one failed otherwise counts as sent", () =>
    each(changes, () => fetchFailure("ECONNREFUSED", "ETIMEDOUT"), "OutcomeUnknown", false)
  )

  it.effect.each(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "ETIMEDOUT", "SOMETHING_NEW"])(
    "(%s) of an unknown kind counts as sent",
    (code) =>
      Effect.all([
        each(reads, () => fetchFailure(code), "GatewayUnavailable", true),
        each(changes, () => fetchFailure(code), "OutcomeUnknown", false)
      ])
  )

  it.effect("that the transport reports by throwing counts as sent", () =>
    each(changes, () => Effect.die(new Error("boom")), "OutcomeUnknown", false)
  )

  it.effect.each(["ECONNRESET", "ECONNREFUSED"])("in the middle of the body (%s) counts as sent", (code) => {
    const cut = () =>
      new Response(
        new ReadableStream({
          start: (controller) => {
            controller.enqueue(new TextEncoder().encode(`{"id":`))
            controller.error(Object.assign(new Error("reset"), { code }))
          }
        })
      )
    return Effect.all([each(reads, cut, "GatewayUnavailable", true), each(changes, cut, "OutcomeUnknown", false)])
  })
})

describe("no response in time", () => {
  it.effect("a read gives up after 30 seconds, a change after 120", () =>
    Effect.gen(function* () {
      const read = yield* Effect.forkChild(failureOf(Client.getPayment(id), () => Effect.never))
      const change = yield* Effect.forkChild(failureOf(Client.refundPayment(id, { amount: 1 }), () => Effect.never))
      yield* TestClock.adjust("29 seconds")
      assert.isUndefined(read.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(read)).reason._tag, "GatewayUnavailable")
      yield* TestClock.adjust("89 seconds")
      assert.isUndefined(change.pollUnsafe())
      yield* TestClock.adjust("1 second")
      const { reason } = yield* Fiber.join(change)
      assert.strictEqual(reason._tag, "OutcomeUnknown")
      assert.include(reason.message, "120 s")
    })
  )

  it.effect("the limit holds for a body that never ends", () =>
    Effect.gen(function* () {
      const call = yield* Effect.forkChild(
        failureOf(
          Client.getPayment(id),
          () => new Response(new ReadableStream({ start: (c) => c.enqueue(new Uint8Array(1)) }))
        )
      )
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* Fiber.join(call)).reason._tag, "GatewayUnavailable")
    })
  )

  it.effect("the limit of a client, and of a part of a program, can be set", () => {
    const transport = scripted(() => Effect.never)
    return Effect.gen(function* () {
      const configured = yield* Effect.forkChild(Effect.flip(Client.refundPayment(id, { amount: 1 })))
      const provided = yield* Effect.forkChild(
        Effect.flip(Client.refundPayment(id, { amount: 1 })).pipe(
          Effect.provideService(Client.AttemptTimeout, "1 second")
        )
      )
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(provided)).reason._tag, "OutcomeUnknown")
      assert.isUndefined(configured.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(configured)).reason._tag, "OutcomeUnknown")
    }).pipe(Effect.provide(gatewayOver(transport, { timeout: "2 seconds" })))
  })
})

describe("a refusal", () => {
  it.effect("has a hundred errors at most", () =>
    Effect.gen(function* () {
      const { errors } = errorBody(303)
      const many = { errors: Array.from({ length: 150 }, () => errors).flat() }
      const { reason } = yield* failureOf(Client.getPayment(id), () => json(many, 409))
      assert.strictEqual("errors" in reason ? reason.errors?.length : 0, 100)
    })
  )

  it.effect.each([413, 414, 431])("with status %i means too large a request, whatever the body", (status) =>
    Effect.all([
      each(reads, () => html(status), "InvalidRequest", false),
      each(changes, () => html(status), "InvalidRequest", false)
    ])
  )

  it.effect("with status 429 means nothing was done, and says when to come back", () =>
    Effect.gen(function* () {
      const limited = (retryAfter: string) => () =>
        new Response("", { status: 429, headers: { "retry-after": retryAfter } })
      yield* each(reads, limited("5"), "RateLimited", true)
      yield* each(changes, () => new Response("", { status: 429 }), "RateLimited", true)
      const { reason } = yield* failureOf(Client.getPayment(id), limited("5"))
      assert.deepInclude(reason, { retryAfterMillis: 5_000, status: 429 })
      yield* TestClock.setTime(Date.parse("2026-01-01T00:00:00Z"))
      const dated = yield* failureOf(Client.getPayment(id), limited("Thu, 01 Jan 2026 00:01:00 GMT"))
      assert.deepInclude(dated.reason, { retryAfterMillis: 60_000 })
      for (const never of ["9".repeat(400), "31536000000", "Thu, 01 Jan 9999 00:00:00 GMT"]) {
        const endless = yield* failureOf(Client.getPayment(id), limited(never))
        // No timer waits for longer.
        assert.deepInclude(endless.reason, { retryAfterMillis: 2_147_483_647 })
      }
      const past = yield* failureOf(Client.getPayment(id), limited("Wed, 31 Dec 2025 00:00:00 GMT"))
      assert.deepInclude(past.reason, { retryAfterMillis: 0 })
      for (const text of ["soon", "-5", "5s", "2026-01-02", ""]) {
        const unclear = yield* failureOf(Client.getPayment(id), limited(text))
        assert.notProperty(unclear.reason, "retryAfterMillis", text)
      }
    })
  )

  it.effect("with status 401 of a fresh token means the credentials, with 403 the permission", () =>
    Effect.all([
      each({ ...reads, ...changes }, () => new Response(null, { status: 401 }), "AuthenticationFailed", false),
      each({ ...reads, ...changes }, () => refusal(403, 200), "PermissionDenied", false),
      each({ ...reads, ...changes }, () => html(403), "PermissionDenied", false),
      each(reads, () => refusal(403, 100), "PermissionDenied", false),
      each({ ...reads, ...changes }, () => refusal(403, 202), "AuthenticationFailed", false)
    ])
  )

  const expected = (code: number): GatewayError["reason"]["_tag"] => {
    if (code === 200) return "PermissionDenied"
    if (code >= 201 && code <= 203) return "AuthenticationFailed"
    if ((code >= 110 && code <= 116) || code === 360) return "InvalidRequest"
    return "OperationRefused"
  }
  const codes = Object.keys(ErrorCodes)
    .map(Number)
    .filter((code) => ![100, 304, 500].includes(code))

  const captures = ["captureAuthorization", "captureAuthorizationPartial"]
  const recurrences = ["createRecurrence", "voidRecurrence"]
  /** The operations that alone can be refused with a code. */
  const only: { readonly [code: number]: ReadonlyArray<string> } = {
    340: recurrences,
    342: recurrences,
    343: recurrences,
    350: captures,
    351: captures,
    352: ["voidAuthorization"],
    353: ["voidAuthorization"]
  }
  const changesWith = (code: number, isPossible: boolean) =>
    Object.fromEntries(Object.entries(changes).filter(([name]) => (only[code]?.includes(name) ?? true) === isPossible))

  it.effect.each(Object.keys(only).map(Number))(
    "with code %i proves nothing to an operation that cannot be refused so: its response was another's",
    (code) => {
      const others = changesWith(code, false)
      assert.isAbove(Object.keys(others).length, 5)
      return each(others, () => refusal(409, code), "OutcomeUnknown", false)
    }
  )

  it.each([
    ["refundPayment", 409, [350], true],
    ["refundPayment", 404, [303, 350], true],
    ["captureAuthorization", 409, [352], true],
    ["captureAuthorization", 409, [350], false],
    ["refundPayment", 409, [303], false],
    // In doubt for another reason as well: the gateway failed, or no one knows what it says.
    ["refundPayment", 500, [350], false],
    ["refundPayment", 408, [350], false],
    ["refundPayment", 302, [350], false],
    ["refundPayment", 409, [350, 100], false],
    ["refundPayment", 409, [350, 500], false],
    ["refundPayment", 409, [350, 999], false],
    ["refundPayment", 409, [], false]
  ] as const)(
    "of %s with status %i and the codes %j is only that of another operation: %s",
    (operation, status, codes, is) => {
      const change = Client.ChangeRecord.refundPayment(id, { amount: 1 }, { sentAt: new Date(0) })
      const errors = codes.map((error_code) => ({ scope: "G", error_code }))
      const call = { operation, subject: { paymentId: id }, change }
      const reason = refused(call, { status, errors, codes: new Set<number>(codes), retryAfter: undefined })
      assert.strictEqual(isRefusalOfAnother(operation, reason), is)
    }
  )

  it.effect("with the code of another operation among others proves nothing", () => {
    const { refundPayment } = changes
    const both = () => json({ errors: [303, 350].map((error_code) => ({ scope: "G", error_code })) }, 409)
    return each({ refundPayment }, both, "OutcomeUnknown", false)
  })

  it.effect.each(codes)("with code %i is told by its code, for every operation that can be refused so", (code) =>
    Effect.gen(function* () {
      yield* each({ ...reads, ...changesWith(code, true) }, () => refusal(409, code), expected(code), false)
      yield* each(reads, () => refusal(200, code), expected(code), false)
      yield* each(changes, () => refusal(200, code), "OutcomeUnknown", false)
    })
  )

  it.effect.each([0, -1, 1, 99, 101, 109, 117, 199, 204, 300, 399, 501, 999, 2 ** 53 - 1])(
    "with code %i, which is in no list, refuses a read, and leaves a change in doubt",
    (code) =>
      Effect.all([
        each(reads, () => refusal(409, code), "OperationRefused", false),
        each(changes, () => refusal(409, code), "OutcomeUnknown", false),
        each(changes, () => refusal(404, code), "OutcomeUnknown", false),
        each(changes, () => json({ error_code: code }, 409), "OutcomeUnknown", false)
      ])
  )

  const listed = (count: number) => Array.from({ length: count }, () => errorBody(303).errors[0])

  it.effect.each([
    ["a listed code beside one that is not", 409, [303, 999]],
    ["one that is not beside a listed code", 409, [999, 303]],
    ["a failure of the gateway beside a refusal", 409, [303, 500]],
    ["a failure of the gateway, though unauthorized", 401, [100]],
    ["a failure of the gateway, though forbidden", 403, [500]],
    ["a failure of the gateway, though forbidden for a reason", 403, [200, 500]],
    ["a code that is not listed, though forbidden", 403, [999]],
    ["a code that is not listed, though too large", 413, [999]],
    ["a failure of the gateway, though too large", 413, [100]],
    ["a failure of the gateway, though too early", 429, [500]]
  ] as const)("with %s leaves a change in doubt", ([, status, codes]) =>
    each(
      changes,
      () => json({ errors: codes.map((error_code) => ({ scope: "G", error_code })) }, status),
      "OutcomeUnknown",
      false
    )
  )

  it.effect.each([100, 500, 999])("is read to its end: a change is in doubt by the code %i after thousands", (code) =>
    Effect.all([
      each(changes, () => json({ errors: [...listed(5_000), { error_code: code }] }, 409), "OutcomeUnknown", false),
      each(changes, () => json({ errors: listed(5_000) }, 409), "OperationRefused", false)
    ])
  )

  it.effect("with code 304 is about the payment or the card that was asked for", () =>
    Effect.gen(function* () {
      const notFound = () => refusal(404, 304)
      const endpoints: { readonly [name: string]: { readonly path: string } | undefined } = Endpoint
      for (const [name, program] of Object.entries({ ...reads, ...changes })) {
        const path = endpoints[name]?.path ?? assert.fail(`${name} has no endpoint`)
        const subject = path.includes("{id}")
          ? "PaymentNotFound"
          : path.includes("{card_id}")
            ? "CardNotFound"
            : undefined
        yield* each({ [name]: program }, notFound, subject ?? "OperationRefused", false)
      }
      assert.deepInclude((yield* failureOf(Client.getPayment(id), notFound)).reason, { paymentId: id, status: 404 })
      assert.deepInclude((yield* failureOf(Client.getCardDetails("77"), notFound)).reason, { cardId: 77 })
    })
  )

  it.effect("of an unknown id reads as the gateway words it for each operation", () =>
    Effect.gen(function* () {
      const refund = yield* failureOf(Client.refundPayment(100, { amount: 1 }), () =>
        json(
          { errors: [{ scope: "F", field: "id", error_code: 111, error_name: "INVALID", message: "Wrong value." }] },
          409
        )
      )
      assert.strictEqual(refund.reason._tag, "InvalidRequest")
      if (refund.reason._tag === "InvalidRequest") {
        assert.strictEqual(refund.reason.refusedBy, "gateway")
        assert.deepStrictEqual(refund.reason.errors, [
          { scope: "F", field: "id", error_code: 111, error_name: "INVALID", message: "Wrong value." }
        ])
      }
      assert.strictEqual(
        refund.error.message,
        "refundPayment: The gateway refused the request: id: INVALID (111), Wrong value."
      )
      const voided = yield* failureOf(Client.voidRecurrence(100), () => refusal(409, 340))
      assert.deepInclude(voided.reason, { _tag: "OperationRefused", code: 340, goalReached: false })
    })
  )

  it.effect.each([
    ["captureAuthorization", 351, true],
    ["captureAuthorizationPartial", 351, true],
    ["voidAuthorization", 353, true],
    ["voidRecurrence", 342, true],
    ["createRecurrence", 342, false],
    ["captureAuthorization", 350, false],
    ["voidAuthorization", 352, false]
  ] as const)("of %s with code %i: goalReached is %s", ([name, code, goalReached]) =>
    Effect.gen(function* () {
      const program = changes[name]
      if (program === undefined) return assert.fail(name)
      const { reason } = yield* failureOf(program(), () => refusal(409, code))
      assert.deepInclude(reason, { _tag: "OperationRefused", code, goalReached })
    })
  )

  it.effect("can come as a success whose result is FAILED", () =>
    Effect.gen(function* () {
      const { reason } = yield* failureOf(Client.refundPayment(id, { amount: 1 }), () =>
        json({ id, result: "FAILED", description: "No." })
      )
      assert.deepInclude(reason, { _tag: "OperationRefused", isRetryable: false, goalReached: false })
      assert.notProperty(reason, "code")
    })
  )

  it.effect("of a token call is told as the failure of the operation that needed it", () => {
    const transport = scripted(
      () => json(paid),
      () => refusal(403, 202)
    )
    return Effect.gen(function* () {
      const error = yield* Effect.flip(Client.getPayment(id))
      assert.strictEqual(error.operation, "getPayment")
      assert.deepInclude(error.reason, { _tag: "AuthenticationFailed", status: 403 })
    }).pipe(Effect.provide(gatewayOver(transport)))
  })
})

describe("a change in doubt", () => {
  it.effect("carries what is needed to find out, and nothing personal", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-01-01T12:00:00Z"))
      const lost = () => fetchFailure("ECONNRESET")
      const created = yield* failureOf(
        Client.createPayment({ ...payment, payer: { contact: { email: "payer@example.com" } } }),
        lost
      )
      assert.deepInclude(created.reason, {
        change: {
          operation: "createPayment",
          goid: 8123456781,
          amount: 139_950,
          currency: "CZK",
          orderNumber: "2026-0042",
          sentAt: "2026-01-01T12:00:00.000Z"
        },
        code: "ECONNRESET"
      })
      const refunded = yield* failureOf(Client.refundPayment(id, { amount: 5 }), lost)
      assert.deepInclude(refunded.reason, {
        change: {
          operation: "refundPayment",
          goid: 8123456781,
          paymentId: id,
          amount: 5,
          sentAt: "2026-01-01T12:00:00.000Z"
        }
      })
      const deleted = yield* failureOf(Client.deleteCard(7), lost)
      assert.deepInclude(deleted.reason, {
        change: { operation: "deleteCard", goid: 8123456781, cardId: 7, sentAt: "2026-01-01T12:00:00.000Z" }
      })
      assert.notInclude(JSON.stringify(created.error), "payer@example.com")
    })
  )
})

describe("retries", () => {
  it.effect("a read is tried again when that may help, four times at most", () => {
    const transport = scripted(() => html(503))
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(Effect.flip(Client.getPayment(id)))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(call)).reason._tag, "GatewayUnavailable")
      assert.strictEqual(transport.sent.length, 4)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("a read waits as long as the gateway asks, if that is not too long", () => {
    const limited = (seconds: string) => new Response("", { status: 429, headers: { "retry-after": seconds } })
    const patient = scripted((_, index) => (index === 0 ? limited("20") : json(paid)))
    const impatient = scripted(() => limited("3600"))
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(Client.getPayment(id).pipe(Effect.provide(gatewayOver(patient))))
      yield* TestClock.adjust("19 seconds")
      assert.strictEqual(patient.sent.length, 1)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(call)).id, id)
      const error = yield* Effect.flip(Client.getPayment(id)).pipe(Effect.provide(gatewayOver(impatient)))
      assert.strictEqual(error.reason._tag, "RateLimited")
      assert.strictEqual(impatient.sent.length, 1)
    })
  })

  it.effect("a change is sent once, even where repeating it would be safe", () =>
    Effect.forEach(
      [() => html(503), () => fetchFailure("ECONNREFUSED"), () => new Response("", { status: 429 })],
      (answer) => {
        const transport = scripted(answer)
        return Effect.gen(function* () {
          yield* Effect.flip(Client.refundPayment(id, { amount: 1 }))
          assert.strictEqual(transport.sent.length, 1)
        }).pipe(Effect.provide(gatewayOver(transport)))
      }
    )
  )

  it.effect("a policy of one's own takes effect, given to the layer or to the call", () => {
    const transport = scripted(() => html(503))
    return Effect.gen(function* () {
      yield* Effect.flip(Client.getPayment(id)).pipe(
        Effect.provide(gatewayOver(transport)),
        Effect.provideService(RetryPolicy, RetryPolicy.none)
      )
      assert.strictEqual(transport.sent.length, 1)
    })
  })

  it.effect("a success after a retry is a success", () => {
    const transport = scripted((_, index) => (index === 0 ? html(502) : json(paid)))
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(Client.getPayment(id))
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(call)).state, "PAID")
    }).pipe(Effect.provide(gatewayOver(transport)))
  })
})

describe("an error as it is shown", () => {
  it.effect("hides credentials, addresses and card numbers that the gateway repeats", () =>
    Effect.gen(function* () {
      const { error } = yield* failureOf(Client.refundPayment(id, { amount: 1 }), ({ headers }) =>
        json(
          errorBody(303, "PAYMENT_WRONG_STATE", {
            message: `s3cr3tXY ${headers["authorization"]} payer@example.com 4444444444444448 4444 4444 4444 4448`,
            description: `token ${headers["authorization"]}`
          }),
          409
        )
      )
      const shown = [error.message, String(error), error.stack, JSON.stringify(error)].join("\n")
      for (const secret of ["s3cr3tXY", "token-1", "payer@example.com", "4444444444444448", "4444 4444"]) {
        assert.notInclude(shown, secret)
      }
      assert.include(shown, "PAYMENT_WRONG_STATE (303)")
    })
  )

  it.effect("takes no longer for a gateway that goes on and on", () =>
    Effect.gen(function* () {
      const { error } = yield* failureOf(Client.getPayment(id), () =>
        json(errorBody(303, "PAYMENT_WRONG_STATE", { message: "ž".repeat(1_000_000) }), 409)
      )
      assert.isBelow(error.message.length, 1_000)
    })
  )

  it.effect("has a stable JSON form, and is recognised by its reason", () =>
    Effect.gen(function* () {
      const recovered = yield* Client.getPayment(id).pipe(
        Effect.catchReason("GatewayError", "PaymentNotFound", ({ paymentId }) => Effect.succeed({ paymentId })),
        Effect.provide(gatewayOver(scripted(() => refusal(404, 304))))
      )
      assert.deepStrictEqual(recovered, { paymentId: id })
      const { error } = yield* failureOf(Client.getPayment(id), () => html(404))
      assert.isTrue(error instanceof GatewayErrorClass)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(error)), {
        _tag: "GatewayError",
        operation: "getPayment",
        message: error.message,
        help: error.help,
        reason: { ...error.reason }
      })
    })
  )

  it.effect("tells a success from a refusal for results it does not know", () => {
    const transport = scripted(() => json({ ...finished, result: "ACCEPTED" }))
    return Effect.gen(function* () {
      assert.strictEqual((yield* Client.refundPayment(id, { amount: 1 })).result, "ACCEPTED")
    }).pipe(Effect.provide(gatewayOver(transport)))
  })
})

describe("what is told of a failure", () => {
  const reading: FailedCall = { operation: "getPayment", subject: { paymentId: id }, change: undefined }
  const change = Client.ChangeRecord.captureAuthorization(id, { sentAt: new Date(0) })
  const capturing: FailedCall = { operation: "captureAuthorization", subject: { paymentId: id }, change }
  const error = { scope: "G", error_code: 303, error_name: "PAYMENT_WRONG_STATE" }
  const said = `PAYMENT_WRONG_STATE (303), ${ErrorCodes[303].meaning.replace(/\.$/, "")}`
  const find = "Do not repeat it, find out."

  const refusal = (status: number, errors?: ReadonlyArray<Client.ErrorItem>, call = reading, retryAfter?: number) =>
    refused(call, { status, errors, codes: new Set(errors?.map(({ error_code }) => error_code)), retryAfter })

  const creating = (payer?: Client.Payer): FailedCall => ({
    operation: "createPayment",
    subject: undefined,
    change: Client.ChangeRecord.createPayment(
      { amount: 100, currency: "CZK", order_number: "1", callback: { return_url: "https://shop.example/" }, payer },
      { sentAt: new Date(0) }
    )
  })

  it("says to create a payment again whose response tells nothing, as the documents do", () => {
    const { message } = refusal(500, undefined, creating())
    assert.strictEqual(
      message,
      "It was sent, and whether the gateway took it is unknown: the response has status 500. Create it again, and send the payer only to the newest address."
    )
  })

  it("says not to create a payment again that a stored card may have paid", () => {
    const { message } = refusal(500, undefined, creating({ allowed_card_token: "token" }))
    assert.isTrue(message.endsWith(`: the response has status 500. ${find}`), message)
  })

  it("is a sentence for each way to refuse", () => {
    const messages = [
      refusal(429),
      refusal(429, [error], reading, 3_000),
      refusal(401, [error]),
      refusal(403),
      refusal(409, [{ ...error, error_code: 200, error_name: "UNAUTHORIZED", message: "No." }]),
      refusal(413),
      refusal(500, undefined, capturing),
      refusal(503),
      refusal(404),
      refusal(409, [{ ...error, error_code: 351, error_name: "DONE", message: "Captured." }], capturing),
      refusal(409, [error], capturing)
    ].map(({ message }) => message)
    assert.deepStrictEqual(messages, [
      "Too many requests.",
      `Too many requests, the gateway asks to wait 3000 ms: ${said}.`,
      `The gateway refused the credentials (status 401): ${said}.`,
      "Status 403 without the gateway's reason: something before it, such as a firewall or a proxy, refused the request.",
      "The access token does not allow it: UNAUTHORIZED (200), No. Does the configured scope cover getPayment?",
      "The request is too large (status 413).",
      `It was sent, and whether the gateway took it is unknown: the response has status 500. ${find}`,
      "The gateway failed (status 503).",
      "Status 404 without the gateway's reason. Is the configured address the gateway's?",
      "Already so: DONE (351), Captured.",
      `The gateway refused it: ${said}.`
    ])
  })

  it("names the first five errors with their fields, and how many there are more", () => {
    const bare = { scope: "F", error_code: 99_999 }
    const named = { ...bare, field: "amount", message: "1.5 is wrong.", description: "an integer" }
    const unknown = "error (99999), The gateway gave no message"
    assert.strictEqual(
      refusal(409, [named, bare]).message,
      `The gateway refused it: amount: error (99999), 1.5 is wrong (an integer); ${unknown}.`
    )
    const five = Array.from({ length: 5 }, () => unknown).join("; ")
    assert.strictEqual(
      refusal(
        409,
        Array.from({ length: 5 }, () => bare)
      ).message,
      `The gateway refused it: ${five}.`
    )
    assert.strictEqual(
      refusal(
        409,
        Array.from({ length: 7 }, () => bare)
      ).message,
      `The gateway refused it: ${five}; and 2 more.`
    )
  })

  it("of a connection names its limit or what the system says", () => {
    const failure = { _tag: "TransportFailure", isTimeout: false, code: undefined, name: undefined } as const
    const told = (part: object, wasSent: "perhaps" | "certainly not", call = reading) =>
      unanswered(call, { ...failure, wasSent, ...part }, "30 s").message
    assert.deepStrictEqual(
      [
        told({ isTimeout: true }, "certainly not"),
        told({ code: "ECONNREFUSED", name: "TypeError" }, "certainly not"),
        told({ name: "TypeError" }, "certainly not"),
        told({}, "certainly not"),
        told({ isTimeout: true, name: "TimeoutError" }, "perhaps"),
        told({ code: "ECONNRESET" }, "perhaps"),
        told({}, "perhaps", capturing)
      ],
      [
        "No connection to the gateway within 30 s: nothing was sent.",
        "No connection to the gateway (ECONNREFUSED): nothing was sent.",
        "No connection to the gateway (TypeError): nothing was sent.",
        "No connection to the gateway: nothing was sent.",
        "The gateway is not available: no complete response within 30 s.",
        "The gateway is not available: the connection broke before the response was complete (ECONNRESET).",
        `It was sent, and whether the gateway took it is unknown: the connection broke before the response was complete. ${find}`
      ]
    )
    assert.deepInclude(unanswered(reading, { ...failure, wasSent: "perhaps", code: "EPIPE" }, "30s"), { code: "EPIPE" })
    assert.notProperty(unanswered(reading, { ...failure, wasSent: "perhaps" }, "30s"), "code")
  })

  it("of an operation that failed repeats the gateway's description", () => {
    assert.strictEqual(failed(200, "").message, "The gateway answered that it failed.")
    assert.strictEqual(failed(200, "No. Not 1.5.").message, "The gateway answered that it failed: No. Not 1.5.")
    assert.strictEqual(
      unusable(reading, 200, "it is no JSON").message,
      "The response (status 200) cannot be used: it is no JSON."
    )
  })

  it("is a refused request exactly for the codes that say so, with what each means", () => {
    const tagOf = (code: number) => refusal(409, [{ scope: "F", error_code: code }])._tag
    assert.deepStrictEqual(
      [110, 113, 116, 360].map(tagOf),
      Array.from({ length: 4 }, () => "InvalidRequest")
    )
    assert.deepStrictEqual(
      [109, 117, 359, 361].map(tagOf),
      Array.from({ length: 4 }, () => "OperationRefused")
    )
    const errors = [
      { scope: "F", error_code: 110 },
      { scope: "F", error_code: 111, message: "so it is" }
    ]
    const reason = refusal(409, errors)
    assert.deepInclude(reason, { refusedBy: "gateway" })
    assert.deepStrictEqual(reason._tag === "InvalidRequest" ? reason.errors.map(({ message }) => message) : [], [
      ErrorCodes[110].meaning,
      "so it is"
    ])
    const tooLarge = refusal(414)
    assert.deepInclude(tooLarge, {
      refusedBy: "gateway",
      errors: [{ message: "The request is too large (status 414)" }]
    })
  })

  it("refuses credentials by status 401, and by the gateway's own 403 where the token was asked for", () => {
    assert.strictEqual(refusal(401)._tag, "AuthenticationFailed")
    assert.strictEqual(refusal(403)._tag, "PermissionDenied")
    const asking: FailedCall = { operation: "getAccessToken", subject: undefined, change: undefined }
    assert.strictEqual(refusal(403, [{ scope: "G", error_code: 202 }], asking)._tag, "AuthenticationFailed")
    // A proxy or a firewall knows nothing of credentials.
    assert.strictEqual(refusal(403, undefined, asking)._tag, "PermissionDenied")
    assert.strictEqual(refusal(402, [{ scope: "G", error_code: 500 }], asking)._tag, "GatewayUnavailable")
  })

  it("leaves a change in doubt while any of the codes is a failure of the gateway itself", () => {
    assert.strictEqual(refusal(409, [error, { ...error, error_code: 500 }], capturing)._tag, "OutcomeUnknown")
    assert.strictEqual(refusal(400, [error], capturing)._tag, "OperationRefused")
  })
})
