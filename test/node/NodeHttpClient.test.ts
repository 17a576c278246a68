/**
 * The `HttpClient` over Node's sockets: as programs use it directly, and as any client that an application has wrapped.
 */
import { assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import {
  Gateway,
  GatewayError,
  getPayment,
  type GatewayOptions,
  OnUnknownOutcome,
  refundPayment,
  withClientTransform
} from "../../src/index.js"
import { NodeHttpClient } from "../../src/node/index.js"
import { merchant } from "../support/ScriptedTransport.js"
import { payment, paymentId } from "../support/OperationCases.js"
import { refusingAddress } from "../support/RawGateway.js"
import { startScriptedGateway } from "../support/ScriptedGateway.js"

const getRoute = `GET /payments/payment/${paymentId}` as const

const scriptedGateway = Effect.acquireRelease(Effect.promise(startScriptedGateway), (gateway) =>
  Effect.promise(() => gateway.close())
)

/** What an application may add: then it is another client, and requests do not go by it. */
const wrapped = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, HttpClient.mapRequest(HttpClientRequest.setHeader("x-shop", "a")))
).pipe(Layer.provide(NodeHttpClient.layer))

describe.each([
  ["as it is", NodeHttpClient.layer, undefined],
  ["wrapped", wrapped, "a"]
] as const)("the client, %s,", (_, transport, header) => {
  const layerOf = (options: Partial<GatewayOptions>) =>
    Layer.provide(Gateway.layer({ ...merchant, ...options }), transport)

  it.live("makes a call over one connection, with the application's headers", () =>
    Effect.gen(function* () {
      const gateway = yield* scriptedGateway
      gateway.on(getRoute, { body: payment })
      const { state } = yield* Effect.provide(getPayment(paymentId), layerOf({ environment: gateway.url }))
      assert.strictEqual(state, payment.state)
      assert.strictEqual(gateway.calls[0]?.headers["x-shop"], header)
      assert.strictEqual(new Set(gateway.ports).size, 1)
    })
  )

  it.live("sends the header of a trace where the program wants it, and else none", () =>
    Effect.gen(function* () {
      const gateway = yield* scriptedGateway
      gateway.on(getRoute, { body: payment })
      const call = Effect.provide(getPayment(paymentId), layerOf({ environment: gateway.url }))
      const parent = Tracer.externalSpan({ traceId: "0".repeat(31) + "1", spanId: "0".repeat(15) + "2" })
      yield* Effect.withParentSpan(call, parent)
      for (const span of [parent, Tracer.externalSpan({ ...parent, sampled: false })]) {
        yield* call.pipe(Effect.provideService(HttpClient.TracerPropagationEnabled, true), Effect.withParentSpan(span))
      }
      const sent = `00-${"0".repeat(31)}1-${"0".repeat(15)}2`
      assert.deepStrictEqual(
        gateway.calls.map(({ headers }) => headers["traceparent"]),
        [undefined, `${sent}-01`, `${sent}-00`]
      )
    })
  )

  it.live("continues a trace whose id has 64 bits, in this span or in a child of it", () =>
    Effect.gen(function* () {
      const gateway = yield* scriptedGateway
      gateway.on(getRoute, { body: payment })
      const call = getPayment(paymentId).pipe(
        Effect.provide(layerOf({ environment: gateway.url })),
        Effect.provideService(HttpClient.TracerPropagationEnabled, true)
      )
      const parent = Tracer.externalSpan({ traceId: "48485a3953bb6124", spanId: "e457b5a2e4d86bd1" })
      yield* Effect.withParentSpan(call, parent)
      yield* Effect.withParentSpan(Effect.withSpan(call, "checkout"), parent)
      const [own = "", child = ""] = gateway.calls.map(({ headers }) => String(headers["traceparent"]))
      assert.strictEqual(own, "00-000000000000000048485a3953bb6124-e457b5a2e4d86bd1-01")
      assert.match(child, /^00-000000000000000048485a3953bb6124-[0-9a-f]{16}-01$/)
      assert.notStrictEqual(child, own)
      for (const { headers } of gateway.calls) assert.notProperty(headers, "b3")
    })
  )

  it.live("reads no more of a response than its limit", () =>
    Effect.gen(function* () {
      const gateway = yield* scriptedGateway
      gateway.on(getRoute, { body: " ".repeat(100_000), headers: { "transfer-encoding": "chunked" } })
      const options = { environment: gateway.url, maxResponseBytes: 50_000 }
      const error = yield* Effect.flip(Effect.provide(getPayment(paymentId), layerOf(options)))
      const reason = error instanceof GatewayError ? error.reason : assert.fail(String(error))
      assert.deepInclude(reason, { _tag: "UnexpectedResponse", status: 200 })
      assert.include(reason.message, "maxResponseBytes")
    })
  )
})

describe("a client over it that retries, while the gateway is down,", () => {
  const isFirst = () => {
    let count = 0
    return () => count++ === 0
  }

  /** Its first try of a refund finds no gateway. */
  const retrying = Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (http) => {
      const isDown = isFirst()
      const moved = HttpClient.mapRequest(http, (request) =>
        request.url.endsWith("/refund") && isDown() ? HttpClientRequest.setUrl(request, refusingAddress) : request
      )
      return HttpClient.retryTransient(moved, { times: 2, schedule: Schedule.recurs(2) })
    })
  ).pipe(Layer.provide(NodeHttpClient.layer))

  const route = `POST /payments/payment/${paymentId}/refund` as const
  const done = { body: { id: paymentId, result: "FINISHED" } }

  it.live("sends a change that was certainly not sent", () =>
    Effect.gen(function* () {
      const gateway = yield* scriptedGateway
      gateway.on(route, done)
      const refund = refundPayment(paymentId, { amount: 1 })
      const layer = Layer.provide(Gateway.layer({ ...merchant, environment: gateway.url }), retrying)
      assert.strictEqual((yield* Effect.provide(refund, layer)).result, "FINISHED")
      assert.lengthOf(gateway.calls, 1)
    })
  )

  it.live("sends none again that may have been sent, and says what it was answered", () =>
    Effect.gen(function* () {
      const gateway = yield* scriptedGateway
      gateway.on(route, { status: 503 })
      const refund = refundPayment(paymentId, { amount: 1 })
      const layer = Layer.provide(Gateway.layer({ ...merchant, environment: gateway.url }), retrying)
      const error = yield* Effect.flip(Effect.provide(refund, layer))
      assert.deepInclude(error._tag === "GatewayError" ? error.reason : error, { _tag: "OutcomeUnknown", status: 503 })
      assert.lengthOf(gateway.calls, 1)
    }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
  )
})

it.live("a change that is interrupted while a client over it waits after a refusal is in no doubt", () =>
  Effect.gen(function* () {
    const gateway = yield* scriptedGateway
    gateway.on(`POST /payments/payment/${paymentId}/refund`, { status: 429 })
    const isWaiting = Latch.makeUnsafe(false)
    const waiting = HttpClient.tap(({ request }) =>
      request.url.endsWith("/refund") ? Effect.andThen(isWaiting.open, Effect.never) : Effect.void
    )
    const refund = withClientTransform(refundPayment(paymentId, { amount: 1 }), waiting)
    let reported = 0
    const call = yield* refund.pipe(
      Effect.provideService(OnUnknownOutcome, () => Effect.sync(() => reported++)),
      Effect.provide(Gateway.layer({ ...merchant, environment: gateway.url })),
      Effect.provide(NodeHttpClient.layer),
      Effect.forkChild
    )
    yield* isWaiting.await
    yield* Fiber.interrupt(call)
    assert.strictEqual(reported, 0)
    assert.lengthOf(gateway.calls, 1)
  })
)

describe("the client, by itself,", () => {
  const execute = (request: HttpClientRequest.HttpClientRequest) =>
    Effect.scoped(Effect.provide(HttpClient.execute(request), Layer.orDie(NodeHttpClient.layer)))

  it.live("gives the whole response", () =>
    Effect.gen(function* () {
      const gateway = yield* scriptedGateway
      gateway.on("POST /echo", { status: 201, headers: { "x-a": "1" }, body: { a: 1 } })
      gateway.on("DELETE /echo", { status: 204 })
      const post = HttpClientRequest.post(`${gateway.url}/api/echo`).pipe(HttpClientRequest.bodyText("á"))
      const response = yield* execute(post)
      assert.strictEqual(response.status, 201)
      assert.strictEqual(response.headers["x-a"], "1")
      assert.deepStrictEqual(yield* response.json, { a: 1 })
      assert.strictEqual((yield* execute(HttpClientRequest.delete(`${gateway.url}/api/echo`))).status, 204)
      assert.deepStrictEqual(
        gateway.requests.map(({ body }) => body),
        ["á", ""]
      )
    })
  )

  it.live("says of a request that was not sent that it was not, and why", () =>
    Effect.gen(function* () {
      const { reason } = yield* Effect.flip(execute(HttpClientRequest.get(refusingAddress)))
      const cause = reason._tag === "TransportError" ? reason.cause : undefined
      assert.deepInclude(cause, { code: "ERR_NOT_SENT" })
      assert.deepInclude(cause instanceof Error ? cause.cause : undefined, { code: "ECONNREFUSED" })
    })
  )

  it.live("sends nothing of a body of another kind, or with another method", () =>
    Effect.gen(function* () {
      const request = HttpClientRequest.post(refusingAddress)
      const others = [
        HttpClientRequest.setBody(request, HttpBody.stream(Stream.make(new Uint8Array(1)))),
        HttpClientRequest.setBody(request, HttpBody.formData(new FormData())),
        HttpClientRequest.head(refusingAddress)
      ]
      for (const other of others) {
        const { reason } = yield* Effect.flip(execute(other))
        assert.strictEqual(reason._tag, "EncodeError")
      }
    })
  )

  it.effect("fails with a ConfigError on a platform whose node:http is another", () =>
    Effect.gen(function* () {
      vi.stubGlobal("Deno", {})
      const error = yield* Effect.flip(Effect.scoped(Layer.build(NodeHttpClient.layer)))
      assert.strictEqual(error._tag, "ConfigError")
      assert.include(error.message, "NodeHttpClient is for Node.js: use FetchHttpClient.")
    }).pipe(Effect.ensuring(Effect.sync(() => vi.unstubAllGlobals())))
  )
})
