/**
 * An application's client that sends requests of its own beside a change, for a secret or an audit log: each goes out, and
 * what it is answered says nothing of the change.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { Gateway, refundPayment, withClientTransform } from "../../../src/index.js"
import { NodeHttpClient } from "../../../src/node/index.js"
import { id } from "../../support/OperationPrograms.js"
import { type Answer, refusal, startScriptedGateway } from "../../support/ScriptedGateway.js"
import { finished, merchant } from "../../support/ScriptedTransport.js"

/** Does not report when it sends. */
const unseen = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, (http) => HttpClient.make((request) => http.execute(request)))
).pipe(Layer.provide(FetchHttpClient.layer))

const clients = {
  FetchHttpClient: FetchHttpClient.layer,
  NodeHttpClient: NodeHttpClient.layer,
  "a client of one's own": unseen
}

const audited = "POST audit"
const refunded = "POST refund"
type Combined = (http: HttpClient.HttpClient, audit: Effect.Effect<unknown>) => HttpClient.HttpClient

/** What the client does, and what is sent in which order. */
const beside: Readonly<Record<string, readonly [Combined, ReadonlyArray<string>]>> = {
  tapRequest: [(http, audit) => HttpClient.tapRequest(http, () => audit), [audited, refunded]],
  mapRequestEffect: [
    (http, audit) =>
      HttpClient.mapRequestEffect(http, (request) =>
        Effect.as(audit, HttpClientRequest.setHeader(request, "x-shop", "a"))
      ),
    [audited, refunded]
  ],
  "transform, before": [
    (http, audit) => HttpClient.transform(http, (response) => Effect.andThen(audit, response)),
    [audited, refunded]
  ],
  "transform, after": [
    (http, audit) => HttpClient.transform(http, (response) => Effect.ensuring(response, audit)),
    [refunded, audited]
  ],
  "transform, meanwhile": [
    (http, audit) =>
      HttpClient.transform(http, (response) =>
        Effect.map(Effect.all([response, audit], { concurrency: 2 }), ([given]) => given)
      ),
    [audited, refunded]
  ],
  tap: [(http, audit) => HttpClient.tap(http, () => audit), [refunded, audited]]
}

/** What was sent, and what the refund ended as. */
const refunding = (client: Layer.Layer<HttpClient.HttpClient, unknown>, combined: Combined, answer: Answer) =>
  Effect.gen(function* () {
    const gateway = yield* Effect.acquireRelease(Effect.promise(startScriptedGateway), (gateway) =>
      Effect.promise(() => gateway.close())
    )
    // It reads like the response to the refund.
    gateway.on("POST /audit", { body: finished })
    gateway.on(`POST /payments/payment/${id}/refund`, answer)
    const audit = HttpClientRequest.post(`${gateway.url}/api/audit`)
    const outcome = yield* refundPayment(id, { amount: 5 }).pipe(
      withClientTransform((http) => combined(http, Effect.orDie(http.execute(audit)))),
      Effect.match({ onFailure: ({ reason }) => reason._tag, onSuccess: ({ result }) => result }),
      Effect.provide(Gateway.layer({ ...merchant, environment: gateway.url })),
      Effect.provide(client),
      Effect.provideService(References.MinimumLogLevel, "None")
    )
    return [gateway.calls.map(({ method, url }) => `${method} ${url.split("/").at(-1)}`), outcome] as const
  }).pipe(Effect.scoped)

describe.each(Object.entries(clients))("over %s", (_, client) => {
  describe.each(Object.entries(beside))("a client that sends its own by %s", (_, [combined, sent]) => {
    it.live("has its refund sent, and read by its own response", () =>
      Effect.gen(function* () {
        const [requests, outcome] = yield* refunding(client, combined, { body: { id, result: "ACCEPTED" } })
        assert.sameMembers([...requests], [...sent])
        assert.strictEqual(outcome, "ACCEPTED")
      })
    )

    it.live("is told that its refund is in doubt, whatever its own request was answered", () =>
      Effect.gen(function* () {
        const [requests, outcome] = yield* refunding(client, combined, { status: 503 })
        assert.sameMembers([...requests], [...sent])
        assert.strictEqual(outcome, "OutcomeUnknown")
      })
    )

    it.live("is told that its refund was refused", () =>
      Effect.gen(function* () {
        const [requests, outcome] = yield* refunding(client, combined, refusal(409, 332, "NAME"))
        assert.sameMembers([...requests], [...sent])
        assert.strictEqual(outcome, "OperationRefused")
      })
    )
  })

  it.live(
    "a client that sends something else with the gateway's credentials is not taken to have made the refund",
    () =>
      Effect.gen(function* () {
        const asking: Combined = (http) =>
          HttpClient.mapRequestEffect(http, (request) => {
            const address = request.url.replace(/payments\/.*/, "audit")
            return Effect.as(http.execute(HttpClientRequest.setUrl(request, address)), request)
          })
        const [, outcome] = yield* refunding(client, asking, { body: finished })
        assert.strictEqual(outcome, "OutcomeUnknown")
      })
  )
})
