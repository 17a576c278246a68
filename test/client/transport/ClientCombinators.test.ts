/**
 * Effect's own combinators on the caller's `HttpClient`: a change is handed over once, whatever they repeat, and a
 * refusal that they turn into a failure is read like any other.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Schedule from "effect/Schedule"
import { Gateway, getPayment, refundPayment, RetryPolicy } from "../../../src/index.js"
import { finished, json, merchant, paid, refusal, scripted } from "../../support/ScriptedTransport.js"

const id = 3090066980

const told = (
  combined: (http: HttpClient.HttpClient) => HttpClient.HttpClient,
  program: Effect.Effect<unknown, { readonly reason: { readonly _tag: string } }, Gateway>,
  responses: ReadonlyArray<() => Response>
) => {
  const transport = scripted((_, index) => (responses[index] ?? responses[0] ?? (() => json({})))())
  return Effect.map(
    program.pipe(
      Effect.match({ onFailure: ({ reason }) => reason._tag, onSuccess: () => "success" }),
      Effect.provide(Gateway.layer(merchant)),
      Effect.provide(
        Layer.provide(Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, combined)), transport.layer)
      ),
      Effect.provideService(RetryPolicy, RetryPolicy.none),
      Effect.provideService(References.MinimumLogLevel, "None")
    ),
    (outcome) => ({ sent: transport.sent.length, outcome })
  )
}

const unavailable = () => json({}, 503)
const immediately = Schedule.recurs(3)

const repeating: Readonly<Record<string, (http: HttpClient.HttpClient) => HttpClient.HttpClient>> = {
  retryTransient: HttpClient.retryTransient({ schedule: immediately }),
  "retryTransient of responses": HttpClient.retryTransient({ retryOn: "response-only", schedule: immediately }),
  "retryTransient of errors, after filterStatusOk": (http) =>
    HttpClient.retryTransient(HttpClient.filterStatusOk(http), { retryOn: "errors-only", schedule: immediately }),
  "retry by times, after filterStatusOk": (http) => HttpClient.retry(HttpClient.filterStatusOk(http), { times: 3 }),
  "retry by schedule, after filterStatusOk": (http) => HttpClient.retry(HttpClient.filterStatusOk(http), immediately),
  "transformResponse that retries": (http) =>
    HttpClient.transformResponse(HttpClient.filterStatusOk(http), Effect.retry(immediately)),
  "retry, then mapRequest": (http) =>
    HttpClient.mapRequest(HttpClient.retry(HttpClient.filterStatusOk(http), { times: 3 }), (request) => ({
      ...request
    }))
}

describe.each(Object.entries(repeating))("a client with %s", (name, combined) => {
  it.live("sends a refund once, and says that its outcome is unknown", () =>
    Effect.map(
      told(combined, refundPayment(id, { amount: 100 }), [unavailable, unavailable, () => json(finished)]),
      (seen) => assert.deepStrictEqual(seen, { sent: 1, outcome: "OutcomeUnknown" })
    )
  )
  if (name !== "retry, then mapRequest") {
    it.live("may repeat a read", () =>
      Effect.map(told(combined, getPayment(id), [unavailable, unavailable, () => json(paid)]), (seen) =>
        assert.deepStrictEqual(seen, { sent: 3, outcome: "success" })
      )
    )
  }
})

const filtering: typeof repeating = {
  filterStatusOk: HttpClient.filterStatusOk,
  filterStatus: HttpClient.filterStatus((status) => status < 300)
}

describe.each(Object.entries(filtering))("a client with %s", (_, combined) => {
  it.live.each([
    ["read", getPayment(id)],
    ["change", refundPayment(id, { amount: 100 })]
  ] as const)("leaves a refused %s its reason", ([, program]) =>
    Effect.map(told(combined, program, [() => refusal(404, 304)]), (seen) =>
      assert.deepStrictEqual(seen, { sent: 1, outcome: "PaymentNotFound" })
    )
  )
})
