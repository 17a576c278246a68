/**
 * A shop's own `HttpApi` over the gateway, called by a client that repeats what Effect takes for transient.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Client from "../../../src/index.js"
import { id } from "../../support/OperationPrograms.js"
import { finished, gatewayOver, json, refusal, scripted } from "../../support/ScriptedTransport.js"

const { GatewayErrorSchema, GatewaySchema } = Client

const ownReasons = [
  Client.InvalidRequest,
  Client.AuthenticationFailed,
  Client.PermissionDenied,
  Client.PaymentNotFound,
  Client.OperationRefused,
  Client.RateLimited,
  Client.GatewayUnavailable,
  Client.OutcomeUnknown,
  Client.UnexpectedResponse
] as const

const paths = ["by-error", "by-reason", "by-any-reason"] as const

const options = { payload: GatewaySchema.RefundPaymentRequest, success: GatewaySchema.PaymentOperation }

const api = HttpApi.make("shop").add(
  HttpApiGroup.make("refunds").add(
    HttpApiEndpoint.post("byError", "/by-error", { ...options, error: GatewayErrorSchema }),
    HttpApiEndpoint.post("byReason", "/by-reason", { ...options, error: ownReasons }),
    HttpApiEndpoint.post("byAnyReason", "/by-any-reason", { ...options, error: Client.GatewayErrorReason })
  )
)

const handlers = HttpApiBuilder.group(api, "refunds", (group) =>
  group
    .handle("byError", ({ payload }) => Client.refundPayment(id, payload))
    .handle("byReason", ({ payload }) => Client.refundPayment(id, payload).pipe(Effect.unwrapReason("GatewayError")))
    .handle("byAnyReason", ({ payload }) => Client.refundPayment(id, payload).pipe(Effect.unwrapReason("GatewayError")))
)

/**
 * Refunds by an endpoint, through a caller that repeats three times. Returns the requests that the gateway was sent.
 */
const refundsSent = (path: (typeof paths)[number], response: () => Response) =>
  Effect.gen(function* () {
    const transport = scripted(response)
    const gateway = yield* Layer.build(gatewayOver(transport))
    const server = HttpRouter.toWebHandler(
      HttpApiBuilder.layer(api).pipe(Layer.provide(handlers), Layer.provide(HttpServer.layerServices)),
      { disableLogger: true }
    )
    const caller = HttpClient.retryTransient(yield* HttpClient.HttpClient, { times: 3, schedule: Schedule.spaced(0) })
    const request = HttpClientRequest.post(`http://shop.example/${path}`).pipe(
      HttpClientRequest.bodyJsonUnsafe({ amount: 5 })
    )
    yield* caller
      .execute(request)
      .pipe(
        Effect.provideService(FetchHttpClient.Fetch, (input, init) => server.handler(new Request(input, init), gateway))
      )
    yield* Effect.promise(server.dispose)
    return transport.sent.length
  }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))

describe.each(paths)("an HttpApi whose caller retries, answering %s,", (path) => {
  it.live("sends a refund once whose outcome is unknown", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refundsSent(path, () => json({}, 503)), 1)
      assert.strictEqual(yield* refundsSent(path, () => json({}, 500)), 1)
    })
  )

  it.live("sends a refund once that succeeds or is refused", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refundsSent(path, () => json(finished)), 1)
      assert.strictEqual(yield* refundsSent(path, () => refusal(409, 332)), 1)
    })
  )
})
