/**
 * A client of the caller's: what it is asked, and what is made of its response. One that does not behave: the call still
 * ends, in time, and says no more than is known.
 */
import { assert, describe, it, vi } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Headers from "effect/http/Headers"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { sentDirectly } from "../../../src/client/transport/HttpClientTransport.js"
import { RequestFacts } from "../../../src/client/transport/RequestFacts.js"
import * as HttpClientTransport from "../../../src/client/transport/HttpClientTransport.js"
import type { TransportRequest } from "../../../src/client/transport/Sender.js"
import { Gateway, type GatewayError, RetryPolicy } from "../../../src/index.js"
import { changes, reads } from "../../support/OperationPrograms.js"
import { merchant, tokenResponse } from "../../support/ScriptedTransport.js"

type HttpClientErrorReason = HttpClientError.HttpClientErrorReason

const bytes = (text: string) => Effect.sync(() => Uint8Array.from(new TextEncoder().encode(text)).buffer)

/** A client whose requests end so, but for a token unless that is what is asked. */
const clientThat = (does: Effect.Effect<never>, hangsAt: "token" | "call" = "call") =>
  HttpClient.make((request, { pathname }) =>
    pathname.endsWith("/oauth2/token") === (hangsAt === "token")
      ? does
      : Effect.succeed(HttpClientResponse.fromWeb(request, tokenResponse("a-token")))
  )

/** The reason of a call that fails within its time limit. */
const reasonOf = (program: Effect.Effect<unknown, GatewayError, Gateway>, http: HttpClient.HttpClient) =>
  Effect.gen(function* () {
    const call = yield* Effect.forkChild(Effect.flip(program))
    yield* TestClock.adjust("3 minutes")
    return (yield* Fiber.join(call)).reason
  }).pipe(
    Effect.provide(Gateway.layer(merchant)),
    Effect.provide(Layer.succeed(HttpClient.HttpClient, http)),
    Effect.provideService(RetryPolicy, RetryPolicy.none),
    Effect.provideService(References.MinimumLogLevel, "None")
  )

const hanging = Effect.uninterruptible(Effect.never)

describe("a client that cannot be interrupted", () => {
  it.effect.each(Object.entries(changes))("does not hold up %s: its outcome is unknown", ([, change]) =>
    Effect.map(reasonOf(change(), clientThat(hanging)), (reason) => {
      assert.strictEqual(reason._tag, "OutcomeUnknown")
      assert.include(reason.message, "no complete response within 120 s")
    })
  )

  it.effect.each(Object.entries(reads))("does not hold up %s: the gateway is not available", ([, read]) =>
    Effect.map(reasonOf(read(), clientThat(hanging)), (reason) => {
      assert.strictEqual(reason._tag, "GatewayUnavailable")
      assert.include(reason.message, "no complete response within 30 s")
    })
  )

  it.effect.each([changes.refundPayment, reads.getPayment])("does not hold up the call for a token", (call) =>
    Effect.map(reasonOf(call(), clientThat(hanging, "token")), (reason) => {
      assert.deepInclude(reason, { _tag: "GatewayUnavailable", isRetryable: true })
    })
  )

  it.effect("holds up the caller's interruption for a second at most", () =>
    Effect.gen(function* () {
      const call = yield* Effect.forkChild(changes.refundPayment())
      yield* TestClock.adjust("1 second")
      const interruption = yield* Effect.forkChild(Fiber.interrupt(call))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(interruption)
    }).pipe(
      Effect.provide(Gateway.layer(merchant)),
      Effect.provide(Layer.succeed(HttpClient.HttpClient, clientThat(hanging))),
      Effect.provideService(References.MinimumLogLevel, "None")
    )
  )
})

describe("a client that can be interrupted", () => {
  it.effect("is, when it has timed out and when the caller is", () =>
    Effect.gen(function* () {
      let interrupted = 0
      const http = clientThat(Effect.onInterrupt(Effect.never, () => Effect.sync(() => interrupted++)))
      yield* reasonOf(changes.refundPayment(), http)
      assert.strictEqual(interrupted, 1)
      const call = yield* Effect.forkChild(
        changes
          .refundPayment()
          .pipe(
            Effect.provide(Gateway.layer(merchant)),
            Effect.provide(Layer.succeed(HttpClient.HttpClient, http)),
            Effect.provideService(References.MinimumLogLevel, "None")
          )
      )
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(call)
      assert.strictEqual(interrupted, 2)
    })
  )
})

describe.each([
  ["throws", Effect.die("a defect")],
  ["interrupts itself", Effect.interrupt]
])("a client that %s", (_, does) => {
  it.effect("leaves the outcome of a change unknown", () =>
    Effect.map(reasonOf(changes.refundPayment(), clientThat(does)), (reason) => {
      assert.strictEqual(reason._tag, "OutcomeUnknown")
    })
  )
})

const asked: TransportRequest = {
  method: "POST",
  url: "https://gateway.example/api",
  headers: { "content-type": "application/json", "x-a": "1" },
  body: "{}",
  isChange: true
}
const limits = { time: Duration.seconds(30), bytes: 10 }

/** A client with this response, and the requests and facts that it was given. */
const answering = (response: Effect.Effect<Partial<HttpClientResponse.HttpClientResponse>, HttpClientErrorReason>) => {
  const seen: Array<{ readonly request: HttpClientRequest.HttpClientRequest; readonly facts: unknown }> = []
  const http = HttpClient.make((request, _, __, fiber) => {
    seen.push({ request, facts: fiber.getRef(RequestFacts) })
    return response.pipe(
      // Like Node's: nothing of a `fetch` is behind it, and what was read as a stream is not read again.
      Effect.map((given) => {
        const reason = new HttpClientError.TransportError({ request })
        const arrayBuffer = Effect.fail(new HttpClientError.HttpClientError({ reason }))
        return Object.assign(Object.create(null), { request, status: 200, headers: {}, arrayBuffer }, given)
      }),
      Effect.mapError((reason) => new HttpClientError.HttpClientError({ reason }))
    )
  })
  return { seen, transport: HttpClientTransport.make(http) }
}

const request = HttpClientRequest.get(asked.url)
const streamOf = (...texts: ReadonlyArray<string>) =>
  Stream.fromIterable(texts.map((text) => new TextEncoder().encode(text)))

describe("a client", () => {
  it.effect("is asked for the request with its type and its body, and told the facts", () =>
    Effect.gen(function* () {
      const { seen, transport } = answering(Effect.succeed({ status: 204, stream: Stream.empty }))
      yield* transport(asked, limits)
      yield* transport({ ...asked, method: "DELETE", body: undefined }, limits)
      const [withBody, without] = seen
      assert.deepInclude(withBody?.request, { method: "POST", url: asked.url })
      assert.deepInclude({ ...withBody?.request.headers }, asked.headers)
      assert.deepInclude(withBody?.request.body, { _tag: "Uint8Array", contentType: "application/json" })
      assert.deepInclude(without?.request.body, { _tag: "Empty" })
      assert.deepInclude(withBody?.facts, { isChange: true, time: 30_000, bytes: 10 })
    })
  )

  it.effect("is called after the request has told that it is sent", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const answered = Effect.sync(() => {
        seen.push("called")
        return { status: 204, stream: Stream.empty }
      })
      const { transport } = answering(answered)
      yield* transport({ ...asked, onSend: () => seen.push("sent") }, limits)
      assert.deepStrictEqual(seen, ["sent", "called"])
    })
  )

  it.effect.each([
    ["a stream", { stream: streamOf("one ", "two") }, "one two"],
    ["a stream that is too long", { stream: streamOf("one ", "two", " three") }, undefined],
    ["a declared length", { headers: { "content-length": "7" }, arrayBuffer: bytes("one two") }, "one two"],
    ["a declared length that is too long", { headers: { "content-length": "11" } }, undefined],
    [
      "a length before its coding was undone",
      { headers: { "content-length": "3", "content-encoding": "gzip" }, stream: streamOf("one two") },
      "one two"
    ]
  ] as const)("has a response with %s", ([, given, text]) =>
    Effect.gen(function* () {
      const headers = Headers.fromInput("headers" in given ? given.headers : {})
      const { transport } = answering(Effect.succeed({ ...given, headers }))
      const { data } = yield* transport(asked, limits)
      assert.strictEqual(data === undefined ? undefined : new TextDecoder().decode(data), text)
    })
  )

  it.effect("has an empty response without a body, and none whose body breaks off", () =>
    Effect.gen(function* () {
      const broken = Object.assign(new Error("broken"), { code: "ECONNREFUSED" })
      const response = HttpClientResponse.fromWeb(request, new Response())
      const failing = (reason: HttpClientErrorReason) => Stream.fail(new HttpClientError.HttpClientError({ reason }))
      const empty = answering(
        Effect.succeed({ stream: failing(new HttpClientError.EmptyBodyError({ request, response })) })
      )
      assert.deepInclude(yield* empty.transport(asked, limits), { data: new ArrayBuffer(0) })
      const decoding = new HttpClientError.DecodeError({ request, response, cause: broken })
      const brokenOff = answering(Effect.succeed({ stream: failing(decoding) }))
      assert.deepInclude(yield* Effect.flip(brokenOff.transport(asked, limits)), {
        wasSent: "perhaps",
        code: "ECONNREFUSED"
      })
    })
  )

  it.effect.each([
    ["InvalidUrlError", new HttpClientError.InvalidUrlError({ request })],
    ["EncodeError", new HttpClientError.EncodeError({ request })]
  ] as const)("that fails with %s has sent nothing", ([name, reason]) =>
    Effect.gen(function* () {
      const { transport } = answering(Effect.fail(reason))
      assert.deepStrictEqual(yield* Effect.flip(transport(asked, limits)), {
        _tag: "TransportFailure",
        wasSent: "certainly not",
        isTimeout: false,
        code: undefined,
        name
      })
    })
  )

  it.effect("is passed by where requests go to its sender", () =>
    Effect.gen(function* () {
      const sent: Array<unknown> = []
      const http = sentDirectly(
        HttpClient.make(() => Effect.die("asked")),
        {
          send: (request, { bytes, time }, settle) => {
            sent.push({ ...request, bytes, time })
            settle({ status: 200, data: undefined, header: () => undefined })
            return () => {}
          },
          close: () => {}
        }
      )
      const transport = HttpClientTransport.make(http)
      yield* transport(asked, limits)
      assert.deepStrictEqual(sent, [{ ...asked, bytes: 10, time: 30_000 }])
    })
  )

  it("leaves no timer behind", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const { transport } = answering(Effect.as(Effect.yieldNow, { stream: streamOf("{}") }))
    await Effect.runPromise(transport(asked, limits))
    assert.strictEqual(vi.getTimerCount(), 0)
    const never = Effect.runFork(answering(Effect.uninterruptible(Effect.never)).transport(asked, limits))
    await new Promise(setImmediate)
    assert.strictEqual(vi.getTimerCount(), 1)
    // Whatever the client does.
    const interruption = Effect.runPromise(Fiber.interrupt(never))
    await new Promise(setImmediate)
    vi.advanceTimersByTime(1_000)
    await interruption
    assert.strictEqual(vi.getTimerCount(), 0)
    vi.useRealTimers()
  })
})

it("a caller's own choices for traces are kept, and no spans are made of requests otherwise", () => {
  const { TracerDisabledWhen, TracerPropagationEnabled } = HttpClient
  const usual = HttpClientTransport.transportContext(Context.empty())
  assert.isFalse(Context.get(usual, TracerPropagationEnabled))
  assert.isTrue(Context.get(usual, TracerDisabledWhen)(request))
  const chosen = HttpClientTransport.transportContext(
    Context.make(TracerPropagationEnabled, true).pipe(Context.add(TracerDisabledWhen, () => false))
  )
  assert.isTrue(Context.get(chosen, TracerPropagationEnabled))
  assert.isFalse(Context.get(chosen, TracerDisabledWhen)(request))
})
