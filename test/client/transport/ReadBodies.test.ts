/**
 * A client of the caller's that reads the bodies of responses, to log them.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Gateway, getPayment, OnUnknownOutcome, refundPayment, RetryPolicy } from "../../../src/index.js"
import { NodeHttpClient } from "../../../src/node/index.js"
import { id } from "../../support/OperationPrograms.js"
import { startScriptedGateway } from "../../support/ScriptedGateway.js"
import { finished, merchant, paid } from "../../support/ScriptedTransport.js"

type Reading = (
  response: HttpClientResponse.HttpClientResponse
) => Effect.Effect<unknown, HttpClientError.HttpClientError>

/** A response that is not of a `fetch`, and has no declared length: like those of `@effect/platform-node`. */
const likeNodes = (http: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.transformResponse(
    http,
    Effect.flatMap((response) =>
      Effect.map(response.arrayBuffer, (data) => {
        let isRead = false
        const once = Effect.suspend(() => {
          const isFirst = !isRead
          isRead = true
          return Effect.succeed(isFirst ? data : new ArrayBuffer(0))
        })
        const kept = Effect.runSync(Effect.cached(once))
        const { request, status } = response
        const text = Effect.map(kept, (read) => new TextDecoder().decode(read))
        return Object.assign(Object.create(null), {
          request,
          status,
          headers: { "content-encoding": "identity" },
          arrayBuffer: kept,
          text,
          json: Effect.map(text, (read): unknown => JSON.parse(read)),
          stream: Stream.fromEffect(Effect.map(once, (read) => new Uint8Array(read)))
        })
      })
    )
  )

const clients = {
  FetchHttpClient: FetchHttpClient.layer,
  NodeHttpClient: NodeHttpClient.layer,
  "another client": Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, likeNodes)).pipe(
    Layer.provide(FetchHttpClient.layer)
  )
} as const

const overGateway = <A, E>(
  client: Layer.Layer<HttpClient.HttpClient, unknown>,
  reading: Reading,
  program: Effect.Effect<A, E, Gateway>
) =>
  Effect.gen(function* () {
    const gateway = yield* Effect.acquireRelease(Effect.promise(startScriptedGateway), (opened) =>
      Effect.promise(() => opened.close())
    )
    gateway.on(`GET /payments/payment/${id}`, { body: paid })
    gateway.on(`POST /payments/payment/${id}/refund`, { body: finished })
    const transformClient = HttpClient.tap(reading)
    return yield* program.pipe(
      Effect.provide(Gateway.layer({ ...merchant, environment: gateway.url, transformClient })),
      Effect.provide(client),
      Effect.provideService(RetryPolicy, RetryPolicy.none),
      Effect.provideService(OnUnknownOutcome, () => Effect.void)
    )
  })

const keeping: Readonly<Record<string, Reading>> = {
  text: ({ text }) => text,
  json: ({ json }) => json,
  arrayBuffer: ({ arrayBuffer }) => arrayBuffer
}

describe.each(Object.entries(clients))("over %s, a client that reads each body", (_, client) => {
  it.live.each(Object.entries(keeping))("by its %s leaves calls as they are", ([, reading]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* overGateway(client, reading, getPayment(id))).state, "PAID")
      const refund = refundPayment(id, { amount: 1 })
      assert.strictEqual((yield* overGateway(client, reading, refund)).result, "FINISHED")
    })
  )
})

describe.each([
  ["FetchHttpClient", FetchHttpClient.layer],
  ["NodeHttpClient", NodeHttpClient.layer]
] as const)("over %s, a client that reads bodies as streams", (_, client) => {
  it.live("is named as the cause", () =>
    Effect.gen(function* () {
      const reading: Reading = ({ request, stream }) =>
        request.url.endsWith("/oauth2/token") ? Effect.void : Stream.runDrain(stream)
      const read = yield* Effect.flip(overGateway(client, reading, getPayment(id)))
      assert.deepInclude(read, { _tag: "GatewayError" })
      assert.include(String(read), "the HttpClient has read its body")
      const change = yield* Effect.flip(overGateway(client, reading, refundPayment(id, { amount: 1 })))
      assert.include(String(change), "It was sent, and whether the gateway took it is unknown")
      assert.include(String(change), "the HttpClient has read its body")
    })
  )
})
