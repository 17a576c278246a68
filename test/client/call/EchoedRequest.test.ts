/**
 * What a careless gateway repeats of a request, and what is recorded of it: of the caller's texts nothing is shown.
 */
import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as Client from "../../../src/index.js"
import type { CustomRequest } from "../../../src/index.js"
import { createGatewayClient } from "../../../src/promise/index.js"
import { gatewayErrorOf } from "../../support/Rejection.js"
import { record } from "../../support/Recorder.js"
import { refusal, type ReceivedRequest, startScriptedGateway } from "../../support/ScriptedGateway.js"
import { errorBody, fetchFailure, gatewayOver, json, scripted } from "../../support/ScriptedTransport.js"

/** Nothing that looks like a secret by itself. */
const secrets = ["Dvoržáková", "tok_4aB9", "777 456 123", "Dlouhá 1, Brno"] as const
const [name, token, phone, street] = secrets

const texts = { holder: name, nested: [{ token }, { contact: { phone } }], street }

const order = {
  amount: 100,
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: "https://shop.example.com/return" }
}

const custom = (request: Partial<CustomRequest>) =>
  Client.sendRequest({ kind: "change", method: "POST", path: "/odd", ...request })

const id = 3090066980
const form = { holder: name, token, phone, street }
const query = new URLSearchParams(form).toString()

const calls = {
  "a new payment with extra fields": Client.createPayment({ ...order, extraFields: texts }),
  "a new payment": Client.createPayment({
    ...order,
    order_description: street,
    items: [{ name, amount: 100 }],
    additional_params: [{ name: token, value: phone }]
  }),
  "a refund with extra fields": Client.refundPayment(id, { amount: 1, extraFields: form }),
  "a QR code with extra fields": Client.getPaymentQr(id, { extraFields: form }),
  "a charge with extra fields": Client.createRecurrence(id, {
    amount: 1,
    currency: "CZK",
    order_number: "1",
    extraFields: texts
  }),
  "a request of one's own with a body": custom({ body: texts }),
  "a request of one's own with a list": custom({ body: [texts] }),
  "a request of one's own with members named so": custom({
    body: Object.fromEntries(secrets.map((text) => [text, 1]))
  }),
  "a request of one's own with a form": custom({ form }),
  "a request of one's own with a query": custom({ path: `/odd?${query}` }),
  "a request of one's own with a path": custom({ path: `/odd/${secrets.map(encodeURIComponent).join("/")}` })
}

const shown = (error: unknown): string => `${String(error)} ${JSON.stringify(error)} ${inspect(error, { depth: null })}`

const leaks = (text: string): ReadonlyArray<string> =>
  [...secrets, ...secrets.map(encodeURIComponent), secrets.join(" and ")].filter((secret) => text.includes(secret))

describe.each(Object.entries(calls))("what a gateway repeats of %s", (_, call) => {
  const echo = { field: name, message: `${secrets.join(" and ")} is refused.`, description: encodeURIComponent(street) }

  it.effect.each([
    [409, 111, "InvalidRequest"],
    [409, 303, "OperationRefused"],
    [429, 0, "RateLimited"]
  ] as const)("is in no error, log or span of a response with status %i and code %i", ([status, code, tag]) => {
    const recorder = record()
    return Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.provideService(call, Client.RetryPolicy, Client.RetryPolicy.none))
      assert.strictEqual(error.reason._tag, tag)
      const spans = recorder.spans.map(({ attributes, events }) => inspect([attributes, events], { depth: null }))
      assert.deepStrictEqual(leaks([shown(error), ...spans, inspect(recorder.logs, { depth: null })].join("\n")), [])
    }).pipe(
      Effect.provide(gatewayOver(scripted(() => json(errorBody(code, street, echo), status)))),
      Effect.provide(recorder.layer)
    )
  })
})

describe("over sockets", () => {
  it("nothing is repeated either", async () => {
    await using gateway = await startScriptedGateway()
    gateway.on("POST /odd", refusal(409, 111, "INVALID", { message: secrets.join(" and ") }))
    await using client = createGatewayClient(gateway.merchant)
    const error = await gatewayErrorOf(
      client.sendRequest({ kind: "change", method: "POST", path: "/odd", body: texts })
    )
    expect(leaks(shown(error))).toEqual([])
    expect(gateway.calls.map(({ body }: ReceivedRequest) => JSON.parse(body))).toEqual([texts])
  })
})

describe("what is needed to understand an error", () => {
  const message = "Payment 3090066980 of order 2026-0042: 100 CZK by PAYMENT_CARD, amount is wrong."

  it.effect("is shown: ids, amounts, codes, names of fields and the order's number", () => {
    const echo = { field: "payer.contact.email", message }
    return Effect.gen(function* () {
      const call = Client.createPayment({
        ...order,
        payer: {
          allowed_payment_instruments: ["PAYMENT_CARD"],
          contact: { first_name: "email", email: "jana@example.com" }
        },
        extraFields: { kind: "wrong state" }
      })
      const { reason } = yield* Effect.flip(call)
      assert.deepInclude(reason, { _tag: "OperationRefused" })
      const [error] = reason._tag === "OperationRefused" ? (reason.errors ?? []) : []
      assert.deepInclude(error, { field: "payer.contact.email", message, error_name: "PAYMENT_WRONG_STATE" })
    }).pipe(Effect.provide(gatewayOver(scripted(() => json(errorBody(303, "PAYMENT_WRONG_STATE", echo), 409)))))
  })
})

describe("the record of a request of one's own", () => {
  it.effect.each([
    ["/payments/payment/3000006542/something-new", "/payments/payment/3000006542/something-new"],
    ["/eshops/eshop/8123456781/payment-instruments/CZK?a=b", "/eshops/eshop/8123456781/payment-instruments/CZK"],
    ["/cards/4111111111111111/use", "/cards/<redacted>/use"],
    ["/cards/411111%2A%2A%2A%2A%2A%2A1111", "/cards/<redacted>"],
    ["/tokens/tok_4aB9", "/tokens/<redacted>"],
    [`/tokens/${"VUHweq2TUuQpgU6UaD4c".repeat(4)}`, "/tokens/<redacted>"],
    [`/tokens/${"abcdefgh".repeat(8)}`, "/tokens/<redacted>"],
    ["/payers/jana@example.com/", "/payers/<redacted>/"],
    ["/accounts/CZ6508000000192000145399", "/accounts/<redacted>"]
  ] as const)("says where it went, and no secret: %s", ([path, shownPath]) => {
    const recorder = record()
    return Effect.gen(function* () {
      const { reason } = yield* Effect.flip(Client.sendRequest({ kind: "change", method: "POST", path }))
      const change = reason._tag === "OutcomeUnknown" ? reason.change : assert.fail(reason._tag)
      assert.strictEqual(change.path, shownPath)
      assert.strictEqual(recorder.attributesOf("sendRequest")[0]?.["url.template"], `/api${shownPath}`)
      assert.deepInclude(yield* Client.reconcile(change), { _tag: "CannotTell", why: "CustomRequest" })
    }).pipe(Effect.provide(gatewayOver(scripted(() => fetchFailure("ECONNRESET")))), Effect.provide(recorder.layer))
  })
})
