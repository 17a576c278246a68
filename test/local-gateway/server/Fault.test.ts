import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Headers from "effect/http/Headers"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as UrlParams from "effect/http/UrlParams"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { connect } from "node:net"
import { Gateway, getPayment, refundPayment } from "../../../src/index.js"
import { Faults } from "../../../src/local-gateway/server/Faults.js"
import {
  type ArmedFault,
  Fault,
  faultDescriptions,
  type LoggedEvent,
  LocalGateway
} from "../../../src/local-gateway/index.js"
import { createGatewayClient, GatewayError } from "../../../src/promise/index.js"
import {
  basic,
  type Content,
  openShop,
  order,
  refusalIn,
  requestToken,
  tokenIn
} from "../../support/GatewayRequests.js"
import { partsAtOnce } from "../../support/partsAtOnce.js"

// ---------------------------------------------------------------------------------------------------------------------
// A client that sees everything
// ---------------------------------------------------------------------------------------------------------------------

/** What a client gets: a response, perhaps not to its end, or nothing. */
interface Outcome {
  readonly status?: number
  readonly headers: { readonly [name: string]: string | undefined }
  readonly body: string
  /** Whether the connection broke. */
  readonly isLost: boolean
}

const lostBeforeAnswer: Outcome = { headers: {}, body: "", isLost: true }

const ask = (method: string, path: string, { body, headers = {} }: Content = {}) =>
  Effect.gen(function* () {
    const request = HttpClientRequest.makeWith(
      method,
      `http://localhost${path}`,
      UrlParams.empty,
      Option.none(),
      Headers.fromInput(
        body === undefined ? headers : { "content-type": "application/x-www-form-urlencoded", ...headers }
      ),
      body === undefined ? HttpBody.empty : HttpBody.raw(body)
    )
    const answered = yield* Effect.result(HttpClient.execute(request))
    if (Result.isFailure(answered)) {
      assert.strictEqual(answered.failure.reason._tag, "TransportError")
      return lostBeforeAnswer
    }
    const { headers: received, status, stream } = answered.success
    const pieces: Array<Uint8Array> = []
    const read = yield* Effect.result(Stream.runForEach(stream, (piece) => Effect.sync(() => pieces.push(piece))))
    const text = Buffer.concat(pieces).toString()
    const outcome: Outcome = { status, headers: received, body: text, isLost: Result.isFailure(read) }
    return outcome
  })

/** A payment of 100 CZK that was paid, and how a part of it is refunded. */
const openRefund = Effect.gen(function* () {
  const { create } = yield* openShop
  const authorization = `Bearer ${tokenIn(yield* requestToken())}`
  const { id } = yield* create()
  yield* LocalGateway.payByCard(id)
  yield* LocalGateway.changeSettings(partsAtOnce)
  const path = `/api/payments/payment/${id}`
  return {
    id,
    read: (headers: Content["headers"] = {}) => ask("GET", path, { headers: { authorization, ...headers } }),
    refund: (headers: Content["headers"] = {}) =>
      ask("POST", `${path}/refund`, { body: "amount=1000", headers: { authorization, ...headers } }),
    isRefunded: Effect.map(LocalGateway.listPayments, ([payment]) => payment?.state === "PARTIALLY_REFUNDED")
  }
}).pipe(Effect.orDie)

const byHeader = (fault: Fault) => ({ "x-local-gateway-fault": JSON.stringify(fault) })

// ---------------------------------------------------------------------------------------------------------------------
// What each fault does
// ---------------------------------------------------------------------------------------------------------------------

/** What a client sees of a refund with a fault, and whether the books show the refund. */
interface Case {
  readonly fault: Fault
  readonly seen: (outcome: Outcome, paymentId: number) => void
  readonly isCommitted: boolean
}

const lost = (outcome: Outcome) => assert.deepStrictEqual(outcome, lostBeforeAnswer)

const answered = (outcome: Outcome, status: number, body: RegExp | string) => {
  assert.isFalse(outcome.isLost)
  assert.strictEqual(outcome.status, status)
  if (typeof body === "string") assert.strictEqual(outcome.body, body)
  else assert.match(outcome.body, body)
}

const finished = (id: number) => JSON.stringify({ id, result: "FINISHED" })

const htmlPage = (status: number) => (outcome: Outcome) => {
  answered(outcome, status, /^<html>/)
  assert.strictEqual(outcome.headers["content-type"], "text/html")
}

const refused = (short: string) => (outcome: Outcome) => assert.strictEqual(refusalIn({ status: 0, ...outcome }), short)

const cases: ReadonlyArray<Case> = [
  { fault: { type: "latency", milliseconds: 5 }, seen: (o, id) => answered(o, 200, finished(id)), isCommitted: true },
  { fault: { type: "connectionReset" }, seen: lost, isCommitted: true },
  { fault: { type: "connectionReset", effect: "committed" }, seen: lost, isCommitted: true },
  { fault: { type: "connectionReset", effect: "none" }, seen: lost, isCommitted: false },
  { fault: { type: "commitLater" }, seen: lost, isCommitted: false },
  { fault: { type: "slowBody", milliseconds: 20 }, seen: (o, id) => answered(o, 200, finished(id)), isCommitted: true },
  {
    fault: { type: "truncatedBody" },
    seen: (outcome, id) => {
      const whole = finished(id)
      assert.deepInclude(outcome, { status: 200, isLost: true, body: whole.slice(0, Math.floor(whole.length / 2)) })
      assert.strictEqual(outcome.headers["content-length"], String(whole.length))
    },
    isCommitted: true
  },
  {
    fault: { type: "wrongContentType" },
    seen: (outcome, id) => {
      answered(outcome, 200, finished(id))
      assert.strictEqual(outcome.headers["content-type"], "text/html")
    },
    isCommitted: true
  },
  {
    fault: { type: "wrongContentType", contentType: "application/pdf" },
    seen: (outcome) => assert.strictEqual(outcome.headers["content-type"], "application/pdf"),
    isCommitted: true
  },
  { fault: { type: "htmlForbidden" }, seen: htmlPage(403), isCommitted: false },
  { fault: { type: "htmlBadGateway" }, seen: htmlPage(502), isCommitted: true },
  { fault: { type: "htmlBadGateway", effect: "none" }, seen: htmlPage(502), isCommitted: false },
  { fault: { type: "tokenRefused" }, seen: refused("403 G 200 UNAUTHORIZED_ACCESS"), isCommitted: false },
  { fault: { type: "tokenRefused", status: 401 }, seen: refused("401 G 200 UNAUTHORIZED_ACCESS"), isCommitted: false },
  { fault: { type: "refusal" }, seen: refused("409 G 303 PAYMENT_WRONG_STATE"), isCommitted: false },
  {
    fault: { type: "refusal", code: 333, status: 422 },
    seen: refused("422 G 333 INSUFFICIENT_FUNDS"),
    isCommitted: false
  },
  { fault: { type: "refusal", code: 999 }, seen: refused("409 G 999 UNDOCUMENTED_999"), isCommitted: false },
  {
    fault: { type: "rateLimited" },
    seen: (outcome) => {
      answered(outcome, 429, /./)
      assert.strictEqual(outcome.headers["retry-after"], "1")
    },
    isCommitted: false
  },
  {
    fault: { type: "rateLimited", retryAfter: "absent" },
    seen: ({ headers, status }) => assert.deepStrictEqual([status, headers["retry-after"]], [429, undefined]),
    isCommitted: false
  },
  { fault: { type: "serverError" }, seen: refused("500 G 500 INTERNAL_ERROR"), isCommitted: true },
  { fault: { type: "serverError", status: 503, effect: "none" }, seen: htmlPage(503), isCommitted: false },
  { fault: { type: "serverError", status: 504 }, seen: htmlPage(504), isCommitted: true },
  {
    fault: { type: "malformedJson" },
    seen: (outcome) => {
      answered(outcome, 200, /^\{"id":/)
      assert.throws(() => JSON.parse(outcome.body), SyntaxError)
      assert.strictEqual(outcome.headers["content-length"], String(outcome.body.length))
    },
    isCommitted: true
  },
  { fault: { type: "wrongShape" }, seen: (o, id) => answered(o, 200, `[${finished(id)}]`), isCommitted: true },
  {
    fault: { type: "unknownEnumValues" },
    seen: (outcome, id) => answered(outcome, 200, JSON.stringify({ id, result: "NOBODY_KNOWS_IT" })),
    isCommitted: true
  },
  {
    fault: { type: "extraMembers" },
    seen: (outcome) => answered(outcome, 200, /"result":"FINISHED","added_later":\{/),
    isCommitted: true
  },
  {
    fault: { type: "nullMembers" },
    seen: (outcome) => answered(outcome, 200, /"description":null,"id":\d+,"result":"FINISHED"/),
    isCommitted: true
  },
  {
    fault: { type: "hugeBody", bytes: 3_000_000 },
    seen: (outcome, id) => {
      assert.deepInclude(outcome, { status: 200, isLost: false })
      assert.strictEqual(outcome.body.length, 3_000_000)
      assert.strictEqual(outcome.headers["content-length"], "3000000")
      assert.strictEqual(outcome.body.trimEnd(), finished(id))
    },
    isCommitted: true
  }
]

/** The endpoints by which a client reaches the gateway. */
const overSocket = Layer.effect(
  HttpClient.HttpClient,
  Effect.gen(function* () {
    const { url } = yield* LocalGateway
    const http = yield* HttpClient.HttpClient
    return HttpClient.mapRequest(http, (request) =>
      HttpClientRequest.setUrl(request, request.url.replace("http://localhost", url))
    )
  })
).pipe(Layer.provide(FetchHttpClient.layer), Layer.provideMerge(LocalGateway.layerServer()))

const endpoints = { "in-process": LocalGateway.layer, "over a socket": overSocket }

for (const [endpoint, layer] of Object.entries(endpoints)) {
  describe(`A fault ${endpoint}`, () => {
    for (const { fault, isCommitted, seen } of cases) {
      const parameters = JSON.stringify(fault)
      it.live(`${parameters}: the refund is ${isCommitted ? "" : "not "}in the books`, () =>
        Effect.gen(function* () {
          const { id, isRefunded, refund } = yield* openRefund
          seen(yield* refund(byHeader(fault)), id)
          assert.strictEqual(yield* isRefunded, isCommitted)
          // It was for one request only.
          assert.strictEqual((yield* refund()).status, 200)
        }).pipe(Effect.provide(layer))
      )
    }

    for (const effect of ["committed", "none"] as const) {
      it.live(`noResponse, ${effect}: the caller waits until it leaves`, () =>
        Effect.gen(function* () {
          const { isRefunded, read, refund } = yield* openRefund
          const waiting = yield* Effect.forkChild(refund(byHeader({ type: "noResponse", effect })))
          yield* Effect.yieldNow.pipe(
            Effect.andThen(Effect.promise(() => new Promise(setImmediate))),
            Effect.repeat({
              until: () => Effect.map(LocalGateway.listRequests, (all) => all.at(-1)?.fault === "noResponse")
            })
          )
          assert.strictEqual(yield* isRefunded, effect === "committed")
          assert.strictEqual((yield* read()).status, 200)
          assert.isUndefined(waiting.pollUnsafe())
          yield* Fiber.interrupt(waiting)
          const unanswered = (yield* LocalGateway.listRequests).find(({ fault }) => fault !== undefined)
          assert.deepInclude(unanswered, {
            status: 0,
            fault: "noResponse",
            operation: "refundPayment",
            responseBody: ""
          })
        }).pipe(Effect.provide(layer))
      )
    }

    it.live("a request for a token can have one too", () =>
      Effect.gen(function* () {
        const token = (fault: Fault) =>
          ask("POST", "/api/oauth2/token", {
            body: "grant_type=client_credentials&scope=payment-all",
            headers: { authorization: basic, ...byHeader(fault) }
          })
        refused("403 G 202 AUTH_WRONG_CREDENTIALS")(yield* token({ type: "tokenRefused" }))
        lost(yield* token({ type: "connectionReset" }))
        lost(yield* token({ type: "commitLater", seconds: 0 }))
        answered(yield* token({ type: "wrongShape" }), 200, /^\[\{"token_type":"bearer"/)
      }).pipe(Effect.provide(layer))
    )

    it.live("a response without a body stays as it is, or gets one", () =>
      Effect.gen(function* () {
        const shop = yield* openShop
        const { id } = yield* shop.create({ payer: { request_card_token: true } })
        const paid = yield* LocalGateway.payByCard(id)
        const remove = (fault: Fault) =>
          shop.request("DELETE", `/payments/cards/${paid.payer?.card_id}`, { headers: byHeader(fault) })
        assert.deepInclude(yield* remove({ type: "truncatedBody" }), { status: 204, body: "" })
        assert.deepInclude(yield* remove({ type: "slowBody" }), { status: 204, body: "" })
        assert.deepInclude(yield* remove({ type: "extraMembers" }), { status: 204, body: "" })
        assert.deepInclude(yield* remove({ type: "malformedJson" }), { status: 200, body: "{" })
        assert.deepInclude(yield* remove({ type: "wrongShape" }), { status: 200, body: `{"elements":[]}` })
        assert.deepInclude(yield* remove({ type: "hugeBody", bytes: 3 }), { status: 200, body: "   " })
      }).pipe(Effect.provide(layer))
    )

    it.live("lists come as an object, and each of their objects is touched", () =>
      Effect.gen(function* () {
        const { id, read, refund } = yield* openRefund
        yield* refund()
        const shop = yield* openShop
        const refunds = (fault: Fault) =>
          shop.request("GET", `/payments/payment/${id}/refunds`, { headers: byHeader(fault) })
        assert.match((yield* refunds({ type: "wrongShape" })).body, /^\{"elements":\[\{"id":/)
        assert.match((yield* refunds({ type: "nullMembers" })).body, /^\[\{.*"description":null/)
        assert.match((yield* refunds({ type: "unknownEnumValues" })).body, /"state":"NOBODY_KNOWS_IT"/)
        const payment = JSON.parse((yield* read(byHeader({ type: "extraMembers" }))).body)
        assert.isDefined(payment.added_later)
        assert.isDefined(payment.target.added_later)
        assert.strictEqual(payment.amount, 10_000)
      }).pipe(Effect.provide(layer))
    )
  })
}

// ---------------------------------------------------------------------------------------------------------------------
// Time
// ---------------------------------------------------------------------------------------------------------------------

/** Runs a request as far as it gets without time passing. */
const begin = <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.forkChild(request, { startImmediately: true })

describe("A fault that takes time", () => {
  it.effect("latency: what is asked is done at once, and answered by the clock", () =>
    Effect.gen(function* () {
      const { isRefunded, refund } = yield* openRefund
      const waiting = yield* begin(refund(byHeader({ type: "latency", milliseconds: 3000 })))
      yield* TestClock.adjust(2999)
      assert.isUndefined(waiting.pollUnsafe())
      assert.isTrue(yield* isRefunded)
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* Fiber.join(waiting)).status, 200)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("slowBody: the headers come at once, the body piece by piece", () =>
    Effect.gen(function* () {
      const { id } = yield* openRefund
      const shop = yield* openShop
      assert.strictEqual((yield* shop.read(id)).id, id)
      yield* LocalGateway.armFault({ type: "slowBody", milliseconds: 1000 })
      const { status, stream } = yield* HttpClient.get("http://localhost/api/nothing")
      assert.strictEqual(status, 404)
      const pieces: Array<Uint8Array> = []
      const reading = yield* begin(Stream.runForEach(stream, (piece) => Effect.sync(() => pieces.push(piece))))
      yield* TestClock.adjust(500)
      assert.strictEqual(pieces.length, 5)
      assert.isUndefined(reading.pollUnsafe())
      yield* TestClock.adjust(500)
      yield* Fiber.join(reading)
      assert.include(Buffer.concat(pieces).toString(), `"error_code":116`)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("commitLater: what was asked is done when it is due, once", () =>
    Effect.gen(function* () {
      const { isRefunded, refund } = yield* openRefund
      lost(yield* refund(byHeader({ type: "commitLater", seconds: 60 })))
      yield* TestClock.adjust("59 seconds")
      assert.isFalse(yield* isRefunded)
      yield* TestClock.adjust("1 second")
      assert.isTrue(yield* isRefunded)
      yield* TestClock.adjust("1 hour")
      const operations = (yield* LocalGateway.listEvents).filter(({ type }) => type === "operation")
      assert.strictEqual(operations.length, 1)
      assert.deepInclude(operations[0], { at: 60_000, operation: "refund", result: "finished" })
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("commitLater: moving the gateway's time brings it about, at its own time", () =>
    Effect.gen(function* () {
      const { id, refund } = yield* openRefund
      const shop = yield* openShop
      lost(yield* refund(byHeader({ type: "commitLater", seconds: 10 })))
      yield* LocalGateway.advanceTime(Duration.minutes(20))
      assert.match((yield* shop.refunds(id)).body, /"date_requested":"1970-01-01T01:00:10\.000\+0100"/)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("commitLater: what cannot be done by then is not done", () =>
    Effect.gen(function* () {
      const { id, isRefunded, refund } = yield* openRefund
      const shop = yield* openShop
      lost(yield* refund(byHeader({ type: "commitLater", seconds: 10 })))
      assert.strictEqual((yield* shop.refund(id, 10_000)).status, 200)
      yield* TestClock.adjust("1 minute")
      assert.isFalse(yield* isRefunded)
      assert.strictEqual((yield* shop.read(id)).state, "REFUNDED")
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("commitLater: every change can be one, and a token that is refused changes nothing", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const create = (headers: Content["headers"]) =>
        shop.post("/payments/payment", { body: JSON.stringify(order), headers: { ...headers } }).pipe(Effect.exit)
      yield* create(byHeader({ type: "commitLater", seconds: 5 }))
      yield* create({ ...byHeader({ type: "commitLater", seconds: 5 }), authorization: "Bearer wrong" })
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* LocalGateway.listPayments).length, 1)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("rateLimited: Retry-After may be a date", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2024-02-29T23:59:30Z"))
      const { read } = yield* openRefund
      const { headers } = yield* read(byHeader({ type: "rateLimited", retryAfter: "date", seconds: 90 }))
      assert.strictEqual(headers["retry-after"], "Fri, 01 Mar 2024 00:01:00 GMT")
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})

// ---------------------------------------------------------------------------------------------------------------------
// On the wire
// ---------------------------------------------------------------------------------------------------------------------

/** What a bare socket sees of a request with a fault. */
const raw = (url: string, fault: Fault) =>
  Effect.callback<{ readonly heard: string; readonly code: string | undefined }>((resume) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1")
    socket.write(`GET /api/x HTTP/1.1\r\nHost: localhost\r\nX-Local-Gateway-Fault: ${JSON.stringify(fault)}\r\n\r\n`)
    let heard = ""
    let code: string | undefined
    socket.on("data", (data) => {
      heard += String(data)
    })
    socket.on("error", (error) => {
      code = "code" in error ? String(error.code) : undefined
    })
    socket.on("close", () => resume(Effect.succeed({ heard, code })))
    return Effect.sync(() => socket.destroy())
  })

describe("A fault on a bare socket", () => {
  it.live("connectionReset is a reset, without a byte", () =>
    Effect.gen(function* () {
      const { url } = yield* LocalGateway
      assert.deepStrictEqual(yield* raw(url, { type: "connectionReset" }), { heard: "", code: "ECONNRESET" })
      assert.deepStrictEqual(yield* raw(url, { type: "commitLater" }), { heard: "", code: "ECONNRESET" })
    }).pipe(Effect.provide(LocalGateway.layerServer()))
  )

  it.live("truncatedBody says how long the body would be, and ends in its middle", () =>
    Effect.gen(function* () {
      const { url } = yield* LocalGateway
      const { heard } = yield* raw(url, { type: "truncatedBody" })
      const [head = "", body = ""] = heard.split("\r\n\r\n")
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1])
      assert.isAbove(length, 100)
      assert.strictEqual(body.length, Math.floor(length / 2))
    }).pipe(Effect.provide(LocalGateway.layerServer()))
  )

  it.live("hugeBody waits for its reader, and takes no memory", () =>
    Effect.gen(function* () {
      const { url } = yield* LocalGateway
      const socket = connect(Number(new URL(url).port), "127.0.0.1").pause()
      const before = process.memoryUsage().arrayBuffers
      const fault: Fault = { type: "hugeBody", bytes: 2 ** 30 }
      socket.write(`GET /api/x HTTP/1.1\r\nHost: localhost\r\nX-Local-Gateway-Fault: ${JSON.stringify(fault)}\r\n\r\n`)
      const turn = Effect.promise(() => new Promise(setImmediate))
      yield* Effect.repeat(turn, { until: () => Effect.map(LocalGateway.listRequests, (all) => all.length > 0) })
      yield* Effect.replicateEffect(turn, 200, { discard: true })
      assert.isBelow(process.memoryUsage().arrayBuffers - before, 50 * 1024 * 1024)
      socket.destroy()
      assert.strictEqual((yield* LocalGateway.listRequests).length, 1)
    }).pipe(Effect.provide(LocalGateway.layerServer()))
  )

  it.live("a caller without a response is let go when the server stops", () =>
    Effect.gen(function* () {
      const waiting = yield* Effect.gen(function* () {
        const { url } = yield* LocalGateway
        const waiting = yield* Effect.forkDetach(raw(url, { type: "noResponse" }))
        const turn = Effect.promise(() => new Promise(setImmediate))
        yield* Effect.repeat(turn, { until: () => Effect.map(LocalGateway.listRequests, (all) => all.length > 0) })
        return waiting
      }).pipe(Effect.provide(LocalGateway.layerServer()))
      assert.strictEqual((yield* Fiber.join(waiting)).heard, "")
    }).pipe(Effect.timeout("5 seconds"))
  )
})

// ---------------------------------------------------------------------------------------------------------------------
// Which request a fault hits
// ---------------------------------------------------------------------------------------------------------------------

const statuses = (requests: ReadonlyArray<Effect.Effect<Outcome, never, HttpClient.HttpClient>>) =>
  Effect.map(Effect.all(requests), (outcomes) => outcomes.map(({ status }) => status))

const changesOf = (events: ReadonlyArray<LoggedEvent>) =>
  events.flatMap((event) => (event.type === "fault" ? [`${event.fault} ${event.change}`] : []))

describe("Arming", () => {
  it.effect("hits the next request, or as many as are said", () =>
    Effect.gen(function* () {
      const { read } = yield* openRefund
      yield* LocalGateway.armFault({ type: "serverError" })
      assert.deepStrictEqual(yield* statuses([read(), read()]), [500, 200])
      yield* LocalGateway.armFault({ type: "serverError", status: 503 }, { calls: 2 })
      assert.deepStrictEqual(yield* statuses([read(), read(), read()]), [503, 503, 200])
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("hits one operation only, when it is said which", () =>
    Effect.gen(function* () {
      const { read, refund } = yield* openRefund
      yield* LocalGateway.armFaults([
        { fault: { type: "serverError" }, operation: "refundPayment" },
        { fault: { type: "rateLimited" }, operation: "getAccessToken" }
      ])
      assert.deepStrictEqual(yield* statuses([read(), refund(), refund()]), [200, 500, 200])
      assert.strictEqual((yield* requestToken()).status, 429)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("tells a full capture from a partial one", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const { id } = yield* shop.create({ preauthorization: true })
      yield* LocalGateway.payByCard(id)
      yield* LocalGateway.armFault({ type: "refusal", code: 350 }, { operation: "captureAuthorizationPartial" })
      assert.strictEqual((yield* shop.capture(id, 5_000)).status, 409)
      yield* LocalGateway.armFault({ type: "refusal", code: 350 }, { operation: "captureAuthorizationPartial" })
      assert.strictEqual((yield* shop.capture(id)).status, 200)
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("uses what was armed first, and what a request asks for before all", () =>
    Effect.gen(function* () {
      const { read } = yield* openRefund
      yield* LocalGateway.armFaults([
        { fault: { type: "serverError", status: 501 } },
        { fault: { type: "serverError", status: 502 }, operation: "refundPayment" },
        { fault: { type: "serverError", status: 503 } }
      ])
      const asked = read({ "x-local-gateway-fault": "htmlForbidden" })
      assert.deepStrictEqual(yield* statuses([asked, read(), read(), read()]), [403, 501, 503, 200])
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("is listed, undone, and noted", () =>
    Effect.gen(function* () {
      const { read } = yield* openRefund
      const reset = yield* LocalGateway.armFault({ type: "connectionReset" }, { operation: "getPayment", calls: 3 })
      const slow = yield* LocalGateway.armFault({ type: "latency" })
      const armed: ReadonlyArray<ArmedFault> = [
        { id: 1, fault: { type: "connectionReset", effect: "committed" }, operation: "getPayment", callsLeft: 3 },
        { id: 2, fault: { type: "latency", milliseconds: 1000 }, callsLeft: 1 }
      ]
      assert.deepStrictEqual([reset, slow], armed)
      assert.deepStrictEqual(yield* LocalGateway.listFaults, armed)
      yield* LocalGateway.disarmFaults(slow.id)
      yield* LocalGateway.disarmFaults(slow.id)
      lost(yield* read())
      assert.deepStrictEqual(yield* LocalGateway.listFaults, [{ ...reset, callsLeft: 2 }])
      yield* LocalGateway.disarmFaults()
      assert.deepStrictEqual(yield* LocalGateway.listFaults, [])
      assert.strictEqual((yield* read()).status, 200)
      assert.deepStrictEqual(changesOf(yield* LocalGateway.listEvents), [
        "connectionReset armed",
        "latency armed",
        "latency disarmed",
        "connectionReset used",
        "connectionReset disarmed"
      ])
      const [, ...reads] = yield* LocalGateway.listRequests
      assert.deepStrictEqual(
        reads.slice(-2).map(({ fault, status }) => ({ fault, status })),
        [
          { fault: "connectionReset", status: 0 },
          { fault: undefined, status: 200 }
        ]
      )
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("says what is wrong with a fault, and then arms none", () =>
    Effect.gen(function* () {
      const problem = (fault: Fault, calls?: number) =>
        Effect.map(
          Effect.flip(LocalGateway.armFault(fault, calls === undefined ? {} : { calls })),
          ({ message }) => message
        )
      assert.strictEqual(
        yield* problem({ type: "latency", milliseconds: -1 }),
        "fault.milliseconds: must be a whole number from 0 to 3600000"
      )
      assert.strictEqual(
        yield* problem({ type: "serverError", status: 200 }),
        "fault.status: must be a whole number from 500 to 599"
      )
      assert.strictEqual(yield* problem({ type: "noResponse" }, 0), "calls: must be a whole number from 1 to 1000000")
      assert.strictEqual(
        yield* problem({ type: "wrongContentType", contentType: "a\r\nb" }),
        "fault.contentType: must be a content type, such as text/plain"
      )
      yield* Effect.flip(
        LocalGateway.armFaults([{ fault: { type: "noResponse" } }, { fault: { type: "refusal", status: 200 } }])
      )
      assert.deepStrictEqual(yield* LocalGateway.listFaults, [])
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("leaves alone what is not the gateway's API", () =>
    Effect.gen(function* () {
      yield* LocalGateway.armFault({ type: "connectionReset" }, { calls: 10 })
      const headers = { "x-local-gateway-fault": "connectionReset" }
      for (const path of ["/", "/gw/v3/x", "/gp-gw/js/embed.js", "/local-gateway/x", "/openapi.json", "//api/x"]) {
        assert.isFalse((yield* ask("GET", path, { headers })).isLost)
      }
      lost(yield* ask("GET", "/api/x"))
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})

describe("The header", () => {
  it.effect("takes a name, or a fault as JSON", () =>
    Effect.gen(function* () {
      const { read } = yield* openRefund
      const withHeader = (value: string) => read({ "x-local-gateway-fault": value })
      assert.deepStrictEqual(
        yield* statuses([withHeader("htmlBadGateway"), withHeader(` {"type":"serverError","status":503}`)]),
        [502, 503]
      )
      const requests = yield* LocalGateway.listRequests
      assert.deepInclude(requests.at(-1), { fault: "serverError", operation: "getPayment" })
    }).pipe(Effect.provide(LocalGateway.layer))
  )

  it.effect("is refused with 400 when there is no such fault, and uses up nothing that is armed", () =>
    Effect.gen(function* () {
      const { isRefunded, refund } = yield* openRefund
      yield* LocalGateway.armFault({ type: "serverError" })
      const said: { readonly [header: string]: string } = {
        conectionReset:
          "x-local-gateway-fault: must be a fault; its type is one of latency, noResponse, connectionReset, commitLater, " +
          "slowBody, truncatedBody, wrongContentType, htmlForbidden, htmlBadGateway, tokenRefused, refusal, " +
          "rateLimited, serverError, malformedJson, wrongShape, unknownEnumValues, extraMembers, nullMembers, hugeBody",
        [`{"type":"latency"`]: "x-local-gateway-fault: is not well-formed JSON",
        [`{"type":"latency","seconds":3}`]: "x-local-gateway-fault: seconds: is not known here; check its spelling",
        [`{"type":"latency","milliseconds":"3"}`]:
          "x-local-gateway-fault: milliseconds: must be a whole number from 0 to 3600000",
        [`{"type":"noResponse","effect":"done"}`]: "x-local-gateway-fault: effect: must be one of committed, none"
      }
      for (const [header, description] of Object.entries(said)) {
        const { body, status } = yield* refund({ "x-local-gateway-fault": header })
        assert.deepStrictEqual([status, JSON.parse(body).errors[0].description], [400, description])
      }
      for (const header of ["", "[]", "null", "{}", "__proto__", "constructor"]) {
        assert.strictEqual((yield* refund({ "x-local-gateway-fault": header })).status, 400)
      }
      assert.isFalse(yield* isRefunded)
      assert.strictEqual((yield* LocalGateway.listFaults).length, 1)
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})

describe("Random faults", () => {
  const silent = () => new Faults(() => Effect.void)
  const target = { operation: undefined, header: undefined }
  const mixed = (seed: string | number, probability = 0.5) =>
    Effect.gen(function* () {
      const faults = silent()
      yield* faults.armRandom({
        seed,
        probability,
        faults: [{ type: "latency" }, { type: "noResponse" }, { type: "rateLimited" }]
      })
      const names = yield* Effect.replicateEffect(
        Effect.map(faults.choose(target), (fault) => fault?.type ?? "none"),
        300
      )
      return names
    })

  it.effect("are the same for the same seed, and others for another", () =>
    Effect.gen(function* () {
      const first = yield* mixed("a")
      assert.deepStrictEqual(yield* Random.withSeed(mixed("a"), "whatever else is drawn"), first)
      assert.notDeepEqual(yield* mixed("b"), first)
      assert.notDeepEqual(yield* mixed(7), first)
      assert.deepStrictEqual([...new Set(first)].sort(), ["latency", "noResponse", "none", "rateLimited"])
      const hits = first.filter((name) => name !== "none").length
      assert.isTrue(hits > 100 && hits < 200, `${hits} of 300`)
      assert.deepStrictEqual([...new Set(yield* mixed("a", 0))], ["none"])
      assert.notInclude(yield* mixed("a", 1), "none")
    })
  )

  it.effect("go on behind armed faults, and by the place of a request alone", () =>
    Effect.gen(function* () {
      const mix = { seed: 1, probability: 0.5, faults: [{ type: "latency" }, { type: "noResponse" }] } as const
      const choose = (faults: Faults) => Effect.map(faults.choose(target), (fault) => fault?.type)
      const plain = silent()
      yield* plain.armRandom(mix)
      const expected = yield* Effect.replicateEffect(choose(plain), 50)
      const armed = silent()
      yield* armed.armRandom(mix)
      yield* armed.arm({ fault: { type: "refusal" }, calls: 10 })
      const seen = yield* Effect.replicateEffect(choose(armed), 50)
      assert.deepStrictEqual(seen, [...Array.from({ length: 10 }, () => "refusal" as const), ...expected.slice(10)])
    })
  )

  it.effect("runs on a gateway until faults are disarmed, and is refused when it cannot be", () =>
    Effect.gen(function* () {
      const { read } = yield* openRefund
      yield* LocalGateway.armRandomFaults({ seed: 1, probability: 1, faults: [{ type: "htmlBadGateway" }] })
      assert.deepStrictEqual(yield* statuses([read(), read()]), [502, 502])
      yield* LocalGateway.disarmFaults()
      assert.deepStrictEqual(yield* statuses([read()]), [200])
      const wrong = yield* Effect.flip(LocalGateway.armRandomFaults({ seed: 1, probability: 2, faults: [] }))
      assert.strictEqual(wrong.message, "probability: must be a number from 0 to 1; faults[0]: is required")
    }).pipe(Effect.provide(LocalGateway.layer))
  )
})

describe("The table of faults", () => {
  it("has a sentence, the parameters and their defaults for every fault, and each is a fault by its name alone", () => {
    const decode = Schema.decodeUnknownSync(Fault)
    const inCases = new Set<string>([...cases.map(({ fault }) => fault.type), "noResponse"] satisfies Array<
      Fault["type"]
    >)
    assert.deepStrictEqual(Object.keys(faultDescriptions).sort(), [...inCases].sort())
    for (const [type, { description, parameters }] of Object.entries(faultDescriptions)) {
      assert.match(description, /^[A-Z].*\.$/)
      const defaults = Object.fromEntries(Object.entries(parameters).map(([name, of]) => [name, of.default]))
      assert.deepStrictEqual<unknown>(decode({ type }), { type, ...defaults })
      for (const parameter of Object.values(parameters)) assert.match(parameter.description, /^[A-Z].*\.$/)
    }
  })
})

// ---------------------------------------------------------------------------------------------------------------------
// The client of this package
// ---------------------------------------------------------------------------------------------------------------------

describe("The client", () => {
  const lostAnswers: ReadonlyArray<Fault> = [
    { type: "connectionReset" },
    { type: "truncatedBody" },
    { type: "malformedJson" },
    { type: "wrongShape" },
    { type: "htmlBadGateway" },
    { type: "serverError", status: 504 }
  ]

  it.effect("calls the outcome of a refund unknown when the response is lost, and the books have it", () =>
    Effect.gen(function* () {
      for (const fault of lostAnswers) {
        const { id } = yield* openRefund
        yield* LocalGateway.armFault(fault, { operation: "refundPayment" })
        const { reason } = yield* Effect.flip(refundPayment(id, { amount: 1_000 }))
        assert.deepInclude(reason, { _tag: "OutcomeUnknown", isRetryable: false }, fault.type)
        assert.strictEqual((yield* getPayment(id)).state, "PARTIALLY_REFUNDED")
      }
    }).pipe(Effect.provide(Gateway.layer(LocalGateway.merchant)), Effect.provide(LocalGateway.layer))
  )

  it.effect("gives up on a response that never comes, or comes late, and the books have it", () =>
    Effect.gen(function* () {
      for (const fault of [{ type: "noResponse" }, { type: "latency", milliseconds: 3_600_000 }] as const) {
        const { id } = yield* openRefund
        yield* LocalGateway.armFault(fault, { operation: "refundPayment" })
        const refunding = yield* begin(Effect.flip(refundPayment(id, { amount: 1_000 })))
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual((yield* Fiber.join(refunding)).reason._tag, "OutcomeUnknown")
        assert.strictEqual((yield* getPayment(id)).state, "PARTIALLY_REFUNDED")
      }
    }).pipe(Effect.provide(Gateway.layer(LocalGateway.merchant)), Effect.provide(LocalGateway.layer))
  )

  it.live("calls it unknown with promises over a socket too", () =>
    Effect.gen(function* () {
      const { merchant } = yield* LocalGateway
      const client = createGatewayClient(merchant)
      for (const fault of lostAnswers) {
        const { id } = yield* Effect.promise(() => client.createPayment(order))
        yield* LocalGateway.payByCard(id)
        yield* LocalGateway.armFault(fault, { operation: "refundPayment" })
        const error = yield* Effect.promise(() => client.refundPayment(id, { amount: 1_000 }).catch((e: unknown) => e))
        assert.instanceOf(error, GatewayError)
        assert.strictEqual(error.reason._tag, "OutcomeUnknown", fault.type)
        const { state } = yield* Effect.promise(() => client.getPayment(id))
        assert.strictEqual(state, "PARTIALLY_REFUNDED")
      }
    }).pipe(Effect.provide(LocalGateway.layerServer({ settings: partsAtOnce })))
  )

  it.effect("reads what the gateway adds, nulls, renames and pads", () =>
    Effect.gen(function* () {
      const { id } = yield* openRefund
      const plain = yield* getPayment(id)
      for (const type of ["extraMembers", "nullMembers", "wrongContentType"] as const) {
        yield* LocalGateway.armFault({ type }, { operation: "getPayment" })
        const { extraFields, ...known } = yield* getPayment(id)
        assert.deepStrictEqual(known, plain)
        assert.strictEqual(extraFields !== undefined, type === "extraMembers")
      }
      yield* LocalGateway.armFault({ type: "hugeBody", bytes: 1_000_000 }, { operation: "getPayment" })
      assert.deepStrictEqual(yield* getPayment(id), plain)
      yield* LocalGateway.armFault({ type: "hugeBody" }, { operation: "getPayment" })
      const tooLong = yield* Effect.flip(getPayment(id))
      assert.strictEqual(tooLong.reason._tag, "UnexpectedResponse")
      yield* LocalGateway.armFault({ type: "unknownEnumValues" }, { operation: "getPayment" })
      assert.strictEqual((yield* getPayment(id)).state, "NOBODY_KNOWS_IT")
    }).pipe(Effect.provide(Gateway.layer(LocalGateway.merchant)), Effect.provide(LocalGateway.layer))
  )
})
