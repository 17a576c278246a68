/**
 * What a program says of its own calls: their language, and what is done to the client that they go over.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Schedule from "effect/Schedule"
import {
  createPayment,
  getPayment,
  Language,
  OnUnknownOutcome,
  refundPayment,
  RetryPolicy,
  withClientTransform
} from "../../../src/index.js"
import { captureLog } from "../../support/LogGuard.js"
import { finished, gatewayOver, json, paid, scripted, type SentRequest } from "../../support/ScriptedTransport.js"

const id = 3090066980

const order = {
  amount: 100,
  currency: "CZK",
  order_number: "1",
  callback: { return_url: "https://shop.example.com/return" }
}

const created = ({ body }: SentRequest) => {
  const { amount, currency, order_number } = JSON.parse(body)
  return json({ id, state: "CREATED", gw_url: "https://gw.example/1", amount, currency, order_number })
}

describe("the language of a call", () => {
  it.effect("is that of the pay page and of the gateway's messages, in upper case", () => {
    const transport = scripted(created)
    return Effect.gen(function* () {
      yield* createPayment(order)
      yield* Effect.provideService(createPayment(order), Language, "sk")
      yield* Effect.provideService(createPayment({ ...order, lang: "DE" }), Language, "SK")
      yield* createPayment(order)
      assert.deepStrictEqual(
        transport.sent.map(({ body, headers }) => [JSON.parse(body).lang, headers["accept-language"]]),
        [
          ["EN", "en-US"],
          ["SK", "cs-CZ"],
          ["DE", "cs-CZ"],
          ["EN", "en-US"]
        ]
      )
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("is refused by its name before anything is sent, when it can be none", () => {
    const transport = scripted(created)
    return Effect.gen(function* () {
      const { reason } = yield* Effect.flip(Effect.provideService(createPayment(order), Language, "cs_CZ"))
      assert.deepInclude(reason, { _tag: "InvalidRequest", refusedBy: "client" })
      assert.include(reason.message, "language: must be a language code")
      assert.lengthOf(transport.sent, 0)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })
})

describe("a transformed client", () => {
  const named = (name: string) =>
    withClientTransform(HttpClient.mapRequest(HttpClientRequest.setHeader("x-shop", name)))

  const names = (requests: ReadonlyArray<SentRequest>) => requests.map(({ headers }) => headers["x-shop"])

  it.effect("is that of the program's own calls only, and not of the request for a token", () => {
    const transport = scripted(() => json(paid))
    return Effect.gen(function* () {
      yield* named("one")(getPayment(id))
      yield* getPayment(id)
      yield* named("outer")(named("inner")(getPayment(id)))
      assert.deepStrictEqual(names(transport.sent), ["one", undefined, "inner"])
      assert.deepStrictEqual(names(transport.tokenRequests), [undefined])
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("that retries sends a change once, and repeats a read", () => {
    const transport = scripted((_, index) => (index === 0 || index === 1 ? json({}, 503) : json(paid)))
    const retrying = withClientTransform(HttpClient.retryTransient({ schedule: Schedule.recurs(3) }))
    const warnings = captureLog(/^The HttpClient was about to send a change again/)
    return Effect.gen(function* () {
      const { reason } = yield* Effect.flip(retrying(refundPayment(id, { amount: 100 })))
      assert.strictEqual(reason._tag, "OutcomeUnknown")
      assert.lengthOf(transport.sent, 1)
      assert.lengthOf(warnings, 1)
      yield* retrying(getPayment(id))
      assert.lengthOf(transport.sent, 3)
    }).pipe(
      Effect.provideService(RetryPolicy, RetryPolicy.none),
      Effect.provideService(OnUnknownOutcome, () => Effect.void),
      Effect.provide(gatewayOver(transport))
    )
  })

  it.effect("is not what is provided to a call: the layer's client sends it", () => {
    const transport = scripted(() => json(finished))
    const other = HttpClient.make(() => assert.fail("The call went over another client."))
    return Effect.gen(function* () {
      yield* Effect.provideService(refundPayment(id, { amount: 100 }), HttpClient.HttpClient, other)
      assert.lengthOf(transport.sent, 1)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })
})
