import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Headers from "effect/http/Headers"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Endpoint from "../../../src/contract/Endpoint.js"
import * as Attempt from "../../../src/client/call/Attempt.js"
import * as Operation from "../../../src/client/call/Operation.js"
import { checkOptions } from "../../../src/client/config/GatewayOptions.js"
import type { Transport } from "../../../src/client/transport/Transport.js"
import { timedOut } from "../../../src/client/transport/TransportFailure.js"
import { createGatewayClient } from "../../../src/promise/index.js"
import { Gateway, GatewayError, type GatewayOptions } from "../../../src/index.js"
import * as Client from "../../../src/index.js"
import { id, statement } from "../../support/OperationPrograms.js"
import { merchant, paid } from "../../support/ScriptedTransport.js"

const token = `{"access_token":"a-token","expires_in":1800}`

const payment = JSON.stringify(paid)

/** A body without an end, and how much of it was read. */
const endless = () => {
  let taken = 0
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        taken += 1_000
        controller.enqueue(new Uint8Array(1_000).fill(32))
        // A reader that takes this much takes everything.
        if (taken > 1_000_000) controller.close()
      },
      cancel: () => {
        isCancelled = true
      }
    },
    { highWaterMark: 0 }
  )
  return { body, taken: () => taken, isCancelled: () => isCancelled }
}

/** The ways to an answer: what a `fetch` gave, and what another transport gave. */
const ways = {
  "the promise client": (answer: () => Response, options: Partial<GatewayOptions>) => {
    const { clientId, environment, goid } = merchant
    const { maxResponseBytes } = options
    const fetch: typeof globalThis.fetch = async (input) =>
      String(input instanceof Request ? input.url : input).endsWith("/oauth2/token") ? new Response(token) : answer()
    const client = createGatewayClient({ goid, clientId, clientSecret: "s", environment, fetch, maxResponseBytes })
    const promised = <A>(call: () => Promise<A>) =>
      Effect.tryPromise({
        try: call,
        catch: (error) => (error instanceof GatewayError ? error : assert.fail(String(error)))
      })
    return {
      getPayment: promised(() => client.getPayment(id)),
      refundPayment: promised(() => client.refundPayment(id, { amount: 1 })),
      getAccountStatement: promised(() => client.getAccountStatement(statement))
    }
  },
  "a program over FetchHttpClient": (answer: () => Response, options: Partial<GatewayOptions>) => {
    const fetch: typeof globalThis.fetch = async (input) =>
      String(input instanceof Request ? input.url : input).endsWith("/oauth2/token") ? new Response(token) : answer()
    const transport = Layer.provide(FetchHttpClient.layer, Layer.succeed(FetchHttpClient.Fetch, fetch))
    return programs(
      Layer.provide(
        Gateway.layer({ ...merchant, ...options }),
        Layer.merge(transport, Layer.succeed(FetchHttpClient.Fetch, fetch))
      )
    )
  },
  "a program over another transport": (answer: () => Response, options: Partial<GatewayOptions>) => {
    const http = HttpClient.make((request, url) =>
      Effect.sync(() => {
        const response = url.pathname.endsWith("/oauth2/token") ? new Response(token) : answer()
        const web = HttpClientResponse.fromWeb(request, response)
        // Like Node's: nothing of a `fetch` is behind it.
        return Object.assign(Object.create(null), {
          request,
          status: response.status,
          headers: Headers.fromInput(response.headers),
          stream: web.stream,
          arrayBuffer: response.headers.has("content-length") ? web.arrayBuffer : Effect.die("reads without a limit")
        })
      })
    )
    return programs(
      Layer.provide(Gateway.layer({ ...merchant, ...options }), Layer.succeed(HttpClient.HttpClient, http))
    )
  }
}

const programs = <E>(layer: Layer.Layer<Gateway, E>) => ({
  getPayment: Effect.provide(Client.getPayment(id), layer),
  refundPayment: Effect.provide(Client.refundPayment(id, { amount: 1 }), layer),
  getAccountStatement: Effect.provide(Client.getAccountStatement(statement), layer)
})

const reasonOf = (call: Effect.Effect<unknown, unknown>) =>
  Effect.map(Effect.flip(call), (error) => (error instanceof GatewayError ? error.reason : assert.fail(String(error))))

describe.each(Object.entries(ways))("the size of a response to %s", (_, way) => {
  it.effect("is read up to the limit", () =>
    Effect.gen(function* () {
      const calls = way(() => new Response(payment), { maxResponseBytes: payment.length })
      assert.strictEqual((yield* calls.getPayment).id, id)
    })
  )

  it.effect("is read up to the limit where its length is declared, truly or not", () =>
    Effect.gen(function* () {
      const declaring = (length: number) => () =>
        new Response(payment, { headers: { "content-length": String(length) } })
      const calls = way(declaring(payment.length), { maxResponseBytes: payment.length })
      assert.strictEqual((yield* calls.getPayment).id, id)
      const untrue = way(declaring(5), { maxResponseBytes: payment.length - 1 })
      assert.strictEqual((yield* reasonOf(untrue.getPayment))._tag, "UnexpectedResponse")
    })
  )

  it.effect("makes a response beyond the limit unusable, and a change unknown", () =>
    Effect.gen(function* () {
      const calls = way(() => new Response(`${payment} `), { maxResponseBytes: payment.length })
      const read = yield* reasonOf(calls.getPayment)
      assert.deepInclude(read, { _tag: "UnexpectedResponse", isRetryable: false, status: 200 })
      assert.include(read.message, "maxResponseBytes")
      const change = yield* reasonOf(calls.refundPayment)
      assert.deepInclude(change, { _tag: "OutcomeUnknown", isRetryable: false, status: 200 })
      const limited = way(() => new Response(`${payment} `, { status: 429 }), { maxResponseBytes: payment.length })
      assert.strictEqual((yield* reasonOf(limited.refundPayment))._tag, "RateLimited")
    })
  )

  it.effect("is limited while it is read: what follows is not taken", () =>
    Effect.gen(function* () {
      const { body, isCancelled, taken } = endless()
      const calls = way(() => new Response(body), { maxResponseBytes: 5_000 })
      assert.strictEqual((yield* reasonOf(calls.refundPayment))._tag, "OutcomeUnknown")
      assert.isAtMost(taken(), 7_000)
      assert.isTrue(isCancelled())
    })
  )

  it.effect("is not read at all where the declared length is beyond the limit", () =>
    Effect.gen(function* () {
      const { body, taken } = endless()
      const calls = way(() => new Response(body, { headers: { "content-length": "1000000000000" } }), {})
      assert.strictEqual((yield* reasonOf(calls.refundPayment))._tag, "OutcomeUnknown")
      assert.isAtMost(taken(), 1_000)
    })
  )

  it.effect("is 4 MiB unless configured, and 64 MiB for a statement", () =>
    Effect.gen(function* () {
      const long = new Uint8Array(5_000_000).fill(32)
      const calls = way(() => new Response(long), {})
      assert.strictEqual((yield* reasonOf(calls.getPayment))._tag, "UnexpectedResponse")
      const file = yield* calls.getAccountStatement
      assert.strictEqual(file.data.byteLength, long.length)
    })
  )
})

it.effect("a response of JSON may be 4 MiB long and a file 64, unless configured", () =>
  Effect.gen(function* () {
    const limits: Array<number> = []
    const transport: Transport = (_, { bytes }) => {
      limits.push(bytes)
      return Effect.fail(timedOut)
    }
    const request = {
      path: "/",
      contentType: undefined,
      body: undefined,
      subject: undefined,
      recordOf: undefined,
      sent: undefined,
      extraFields: []
    }
    const call = { request, language: "EN", doubt: { change: undefined }, observed: identity }
    const credentials = { value: Redacted.make("token") }
    for (const options of [merchant, { ...merchant, maxResponseBytes: 1_000 }]) {
      const attempt = Attempt.make(
        { beforeSend: undefined },
        Result.getOrThrow(checkOptions(options)),
        transport,
        "Bearer"
      )
      yield* attempt(Operation.make(Endpoint.getPayment), call)(credentials)
      yield* attempt(Operation.make(Endpoint.getAccountStatement), call)(credentials)
    }
    assert.deepStrictEqual(limits, [4 * 1024 * 1024, 64 * 1024 * 1024, 1_000, 1_000])
  })
)
