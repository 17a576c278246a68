/**
 * The spans, metrics and logs of a program's calls. Their names are promised in docs/observability.md.
 */
import { assert, describe, it } from "@effect/vitest"
import { inspect } from "node:util"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Schedule from "effect/Schedule"
import { TestClock } from "effect/testing"
import * as Tracer from "effect/Tracer"
import * as Client from "../../../src/index.js"
import { RetryPolicy, OnUnknownOutcome } from "../../../src/index.js"
import { endOf, errorTypeOf } from "../../../src/client/call/CallObserver.js"
import { changes, id, payment, reads } from "../../support/OperationPrograms.js"
import { record } from "../../support/Recorder.js"
import {
  fetchFailure,
  finished,
  gatewayOver,
  held,
  json,
  merchant,
  paid,
  refusal,
  scripted,
  tokenResponse
} from "../../support/ScriptedTransport.js"

/** Tries again at once. */
const atOnce: RetryPolicy = { schedule: Schedule.recurs(2), renewToken: true }

const goid = { "gopay.goid": String(merchant.goid) }
const server = { ...goid, "server.address": "gateway.example", "server.port": 443 }

describe("a span", () => {
  it.effect("tells of a call by OpenTelemetry's names, and of nothing secret or personal", () => {
    const recorder = record()
    return Effect.gen(function* () {
      yield* Client.getPayment(id)
      assert.deepStrictEqual(recorder.attributesOf("getPayment"), [
        {
          "gopay.operation": "getPayment",
          "gopay.payment_id": String(id),
          "gopay.outcome": "success",
          "gopay.attempts": 1,
          "http.request.method": "GET",
          "http.response.status_code": 200,
          ...server,
          "url.template": "/api/payments/payment/{id}"
        }
      ])
      assert.deepStrictEqual(recorder.attributesOf("getAccessToken"), [
        {
          "gopay.operation": "getAccessToken",
          "gopay.outcome": "success",
          "gopay.attempts": 1,
          "http.request.method": "POST",
          "http.response.status_code": 200,
          ...server,
          "url.template": "/api/oauth2/token"
        }
      ])
      assert.deepStrictEqual(
        recorder.spans.map(({ kind, name, status }) => [name, kind, status._tag]),
        [
          ["gopay.getPayment", "client", "Ended"],
          ["gopay.getAccessToken", "client", "Ended"]
        ]
      )
      // A tracer keeps neither a payment, which has the payer in it, nor a token.
      assert.deepStrictEqual(
        recorder.spans.map(({ status }) => status._tag === "Ended" && status.exit),
        [Exit.void, Exit.void]
      )
    }).pipe(Effect.provide(gatewayOver(scripted(() => json(paid)))), Effect.provide(recorder.layer))
  })

  it.effect("counts an attempt that was held back, and one for all that the client repeats by itself", () => {
    const recorder = record()
    const transport = scripted((_, index) => (index < 2 ? json({}, 429) : json(paid)))
    return Effect.gen(function* () {
      const refund = Client.refundPayment(id, { amount: 5 })
      yield* Effect.flip(Effect.provideService(refund, Client.BeforeSend, () => Effect.succeed(false)))
      const [heldBack] = recorder.attributesOf("refundPayment")
      assert.deepInclude(heldBack, { "gopay.attempts": 1, "error.type": "HeldBack" })
      assert.lengthOf(transport.sent, 0)
      const retry = (http: HttpClient.HttpClient) => HttpClient.retryTransient(http, { schedule: Schedule.recurs(2) })
      yield* Client.withClientTransform(Client.getPayment(id), retry)
      const [repeated] = recorder.attributesOf("getPayment")
      assert.deepInclude(repeated, { "gopay.attempts": 1 })
      assert.lengthOf(transport.sent, 3)
    }).pipe(Effect.provide(gatewayOver(transport)), Effect.provide(recorder.layer))
  })

  const withHttpSpans = Effect.provideContext(
    Context.make(HttpClient.TracerDisabledWhen, () => false).pipe(
      Context.add(HttpClient.TracerHeaderFilter, () => true)
    )
  )

  it.effect("has those of its attempts as children, if the program turns Effect's HTTP spans on", () => {
    const recorder = record()
    const transport = scripted((_, index) => (index === 0 ? json({}, 503) : json(paid)))
    return Effect.gen(function* () {
      yield* Client.getPayment(id)
      const [call] = recorder.spans
      const children = recorder.spans.filter(({ parent }) => Option.getOrUndefined(parent)?.spanId === call?.spanId)
      assert.deepStrictEqual(
        children.map(({ attributes, name }) => [name, attributes.get("http.response.status_code")]),
        [
          ["gopay.getAccessToken", 200],
          ["GET", 503],
          ["GET", 200]
        ]
      )
    }).pipe(
      withHttpSpans,
      Effect.provideService(RetryPolicy, atOnce),
      Effect.provide(gatewayOver(transport)),
      Effect.provide(recorder.layer)
    )
  })

  it.effect.each(["success", "refusal", "no response"])("of an attempt shows exporters no credentials: %s", (end) => {
    const recorder = record()
    const transport = scripted(
      () => (end === "success" ? json(finished) : end === "refusal" ? refusal(404, 304) : fetchFailure("ECONNRESET")),
      () => tokenResponse("t0k3n-of-the-call")
    )
    return Effect.gen(function* () {
      yield* Effect.exit(Client.refundPayment(id, { amount: 100 }))
      const shown = recorder.spans.map(({ attributes, events, name, status }) => [
        `name: ${name}`,
        [...attributes],
        events,
        status._tag === "Ended" && Exit.isFailure(status.exit)
          ? [Cause.pretty(status.exit.cause), inspect(status.exit, { depth: 20 })]
          : undefined
      ])
      const text = inspect(shown, { depth: 20 })
      const basic = btoa(`${merchant.clientId}:s3cr3tXY`)
      assert.include(text, "name: POST")
      for (const secret of ["t0k3n-of-the-call", "s3cr3tXY", basic, "amount=100"]) assert.notInclude(text, secret)
    }).pipe(withHttpSpans, Effect.provide(gatewayOver(transport)), Effect.provide(recorder.layer))
  })

  it.effect("is a child of the caller's, and the token's a child of the call that needed it", () => {
    const recorder = record()
    return Effect.gen(function* () {
      yield* Effect.withSpan(Client.getPayment(id), "checkout")
      const parents = recorder.spans.map(({ name, parent }) => [
        name,
        Option.isSome(parent) && parent.value._tag === "Span" ? parent.value.name : undefined
      ])
      assert.deepStrictEqual(parents, [
        ["checkout", undefined],
        ["gopay.getPayment", "checkout"],
        ["gopay.getAccessToken", "gopay.getPayment"]
      ])
    }).pipe(Effect.provide(gatewayOver(scripted(() => json(paid)))), Effect.provide(recorder.layer))
  })

  it.effect("is no child of a span in which the layer was built", () => {
    const recorder = record()
    return Effect.gen(function* () {
      const context = yield* Effect.withSpan(Layer.build(gatewayOver(scripted(() => json(paid)))), "start")
      yield* Effect.provide(Client.getPayment(id), context)
      const [, call] = recorder.spans
      assert.deepStrictEqual([call?.name, call?.parent], ["gopay.getPayment", Option.none()])
    }).pipe(Effect.scoped, Effect.provide(recorder.layer))
  })

  it.effect.each(Object.entries({ ...reads, ...changes }))("is made for %s", ([name, program]) => {
    const recorder = record()
    return Effect.gen(function* () {
      const call: Effect.Effect<unknown, unknown, Client.Gateway> = program()
      yield* Effect.exit(call)
      const [attributes, ...others] = recorder.attributesOf(name)
      assert.deepStrictEqual([attributes?.["gopay.operation"], others], [name, []])
      assert.match(String(attributes?.["url.template"]), /^\/api\/[a-z/{}_-]+$/)
    }).pipe(Effect.provide(gatewayOver(scripted(() => json(paid)))), Effect.provide(recorder.layer))
  })

  it.effect("names the payment that was created, and the card that was read", () => {
    const recorder = record()
    const created = { ...paid, ...payment, gw_url: "https://gateway.example/gw" }
    const transport = scripted(({ url }) => json(url.includes("/cards/") ? { card_id: 3003000011 } : created))
    return Effect.gen(function* () {
      yield* changes.createPayment()
      yield* Effect.exit(reads.getCardDetails())
      assert.strictEqual(recorder.attributesOf("createPayment")[0]?.["gopay.payment_id"], String(paid.id))
      assert.strictEqual(recorder.attributesOf("getCardDetails")[0]?.["gopay.card_id"], "3003000011")
    }).pipe(Effect.provide(gatewayOver(transport)), Effect.provide(recorder.layer))
  })

  it.effect("tells of each attempt, and how often the request was sent again", () => {
    const recorder = record()
    const transport = scripted((_, index) =>
      index === 0 ? refusal(503, 500) : index === 1 ? fetchFailure("ECONNRESET") : json(paid)
    )
    return Effect.gen(function* () {
      yield* Client.getPayment(id)
      const [call] = recorder.spans
      const events = (call?.events ?? []).flatMap(([name, , attributes]) =>
        name === "gopay.attempt" ? [attributes] : []
      )
      assert.deepStrictEqual(events, [
        {
          "gopay.attempt": 1,
          "gopay.attempt.duration": 0,
          "gopay.outcome": "GatewayUnavailable",
          "http.response.status_code": 503,
          "error.type": "503"
        },
        {
          "gopay.attempt": 2,
          "gopay.attempt.duration": 0,
          "gopay.outcome": "GatewayUnavailable",
          "error.type": "ECONNRESET"
        },
        {
          "gopay.attempt": 3,
          "gopay.attempt.duration": 0,
          "gopay.outcome": "success",
          "http.response.status_code": 200
        }
      ])
      assert.include(recorder.attributesOf("getPayment")[0], {
        "gopay.attempts": 3,
        "http.request.resend_count": 2,
        "gopay.outcome": "success",
        "http.response.status_code": 200
      })
    }).pipe(
      Effect.provideService(RetryPolicy, atOnce),
      Effect.provide(gatewayOver(transport)),
      Effect.provide(recorder.layer)
    )
  })

  it.effect.each([
    ["a refusal", () => refusal(409, 303), "OperationRefused", "409"],
    ["a lost response", () => fetchFailure("ECONNRESET"), "OutcomeUnknown", "ECONNRESET"],
    ["a response that cannot be used", () => new Response("?"), "OutcomeUnknown", "OutcomeUnknown"]
  ] as const)("tells of %s", ([, answer, outcome, errorType]) => {
    const recorder = record()
    return Effect.gen(function* () {
      yield* Effect.exit(changes.refundPayment())
      assert.include(recorder.attributesOf("refundPayment")[0], { "gopay.outcome": outcome, "error.type": errorType })
    }).pipe(Effect.provide(gatewayOver(scripted(answer))), Effect.provide(recorder.layer))
  })

  it.effect.each([
    ["a refusal", () => refusal(409, 303), "OperationRefused"],
    ["a lost response", () => fetchFailure("ECONNRESET"), "OutcomeUnknown"],
    ["a token that was refused", () => json(paid), "AuthenticationFailed"]
  ] as const)("ends with the error that the call fails with: %s", ([name, answer, tag]) => {
    const recorder = record()
    const transport = name === "a token that was refused" ? scripted(answer, () => refusal(403, 202)) : scripted(answer)
    return Effect.gen(function* () {
      const error = yield* Effect.flip(changes.refundPayment())
      for (const { name: span, status } of recorder.spans) {
        const exit = status._tag === "Ended" ? status.exit : assert.fail(status._tag)
        // The token's call succeeds, unless it is what failed.
        if (span === "gopay.getAccessToken" && tag !== "AuthenticationFailed") {
          assert.isTrue(Exit.isSuccess(exit))
          continue
        }
        const cause = Exit.isFailure(exit) ? exit.cause : assert.fail(span)
        const [failure, ...others] = cause.reasons
        const ended = failure?._tag === "Fail" ? failure.error : assert.fail(String(failure))
        assert.deepStrictEqual(others, [])
        assert.instanceOf(ended, Client.GatewayError)
        if (span === "gopay.refundPayment") assert.deepStrictEqual(ended, error)
        assert.strictEqual(ended.reason._tag, tag)
        // As exporters write it.
        assert.deepStrictEqual(
          Cause.prettyErrors(cause).map(({ message, name: type }) => [type, message]),
          [["GatewayError", ended.message]]
        )
      }
      assert.strictEqual(recorder.spans[0]?.name, "gopay.refundPayment")
    }).pipe(Effect.provide(gatewayOver(transport)), Effect.provide(recorder.layer))
  })

  it.effect("tells of a time-out, of a request that cannot be right, and of a token that was refused", () => {
    const recorder = record()
    const silent = gatewayOver(scripted(() => Effect.never))
    const shut = gatewayOver(
      scripted(
        () => json(paid),
        () => refusal(403, 202)
      )
    )
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(Effect.exit(Effect.provide(changes.voidAuthorization(), silent)))
      yield* TestClock.adjust("10 minutes")
      yield* Fiber.join(call)
      yield* Effect.exit(Effect.provide(Client.refundPayment(id, { amount: -1 }), silent))
      yield* Effect.exit(Effect.provide(changes.voidRecurrence(), shut))
      assert.include(recorder.attributesOf("voidAuthorization")[0], {
        "gopay.outcome": "OutcomeUnknown",
        "error.type": "timeout"
      })
      assert.include(recorder.attributesOf("refundPayment")[0], {
        "gopay.outcome": "InvalidRequest",
        "error.type": "InvalidRequest",
        "gopay.attempts": 0
      })
      assert.include(recorder.attributesOf("voidRecurrence")[0], {
        "gopay.outcome": "AuthenticationFailed",
        "error.type": "AuthenticationFailed",
        "gopay.attempts": 0
      })
    }).pipe(Effect.provide(recorder.layer))
  })

  it.effect(
    "of an interrupted change tells that its outcome is unknown, of an interrupted read that it was interrupted",
    () => {
      const recorder = record()
      const interrupted = (program: Effect.Effect<unknown, Client.GatewayError, Client.Gateway>) => {
        const answer = held(() => json(finished))
        return Effect.gen(function* () {
          const call = yield* Effect.forkChild(program)
          yield* answer.reached
          yield* Fiber.interrupt(call)
        }).pipe(Effect.provide(gatewayOver(scripted(() => answer.answer))))
      }
      return Effect.gen(function* () {
        yield* interrupted(changes.refundPayment())
        yield* interrupted(reads.getPayment())
        assert.strictEqual(recorder.attributesOf("refundPayment")[0]?.["gopay.outcome"], "OutcomeUnknown")
        assert.strictEqual(recorder.attributesOf("getPayment")[0]?.["gopay.outcome"], "interrupted")
      }).pipe(
        Effect.provideService(OnUnknownOutcome, () => Effect.void),
        Effect.provide(recorder.layer)
      )
    }
  )

  it.effect("is not made where the program has no tracer of its own, or has turned it off", () => {
    const recorder = record()
    return Effect.gen(function* () {
      yield* Effect.withSpan(Client.getPayment(id), "checkout").pipe(
        Effect.provideService(Tracer.Tracer, Tracer.nativeTracer)
      )
      yield* Effect.withTracerEnabled(Client.getPayment(id), false)
      assert.deepStrictEqual(recorder.spans, [])
      const own = yield* Effect.andThen(Client.getPayment(id), Effect.currentSpan).pipe(
        Effect.withSpan("checkout"),
        Effect.provideService(Tracer.Tracer, Tracer.nativeTracer)
      )
      assert.isFalse(own instanceof Tracer.NativeSpan && own.events.some(([name]) => name === "gopay.attempt"))
      assert.deepStrictEqual(
        recorder.logs.map(({ span }) => span),
        ["checkout", "checkout", undefined, "checkout"]
      )
    }).pipe(Effect.provide(gatewayOver(scripted(() => json(paid)))), Effect.provide(recorder.layer))
  })
})

describe("metrics", () => {
  it.effect("count calls by operation and outcome, requests sent again, tokens and unknown outcomes", () => {
    const recorder = record("Info")
    const transport = scripted((_, index) =>
      index === 0 ? refusal(503, 500) : index === 1 ? json(paid) : fetchFailure("ECONNRESET")
    )
    return Effect.gen(function* () {
      yield* Client.getPayment(id)
      yield* Effect.exit(changes.refundPayment())
      yield* Effect.exit(changes.refundPayment())
      assert.deepStrictEqual(recorder.counters(), {
        "gopay.client.calls getAccessToken success": 1,
        "gopay.client.calls getPayment success": 1,
        "gopay.client.calls refundPayment OutcomeUnknown": 2,
        "gopay.client.retries getPayment": 1,
        "gopay.client.token_refreshes": 1,
        "gopay.client.unknown_outcomes refundPayment": 2
      })
    }).pipe(
      Effect.provideService(RetryPolicy, atOnce),
      Effect.provide(gatewayOver(transport)),
      Effect.provide(recorder.layer)
    )
  })

  it.effect("only grow, and count no token that the gateway did not give", () => {
    const recorder = record("Info")
    const transport = scripted(
      () => json(paid),
      () => refusal(401, 202)
    )
    return Effect.gen(function* () {
      yield* Effect.exit(Client.getPayment(id))
      const counters = recorder.series().flatMap((series) => (series.type === "Counter" ? [series] : []))
      assert.isNotEmpty(counters)
      for (const { id, state } of counters) {
        assert.isTrue(state.incremental, id)
        assert.notStrictEqual(id, "gopay.client.token_refreshes")
      }
    }).pipe(Effect.provide(gatewayOver(transport)), Effect.provide(recorder.layer))
  })

  it.effect("keep how long calls took, in seconds, with the wait for a token", () => {
    const recorder = record()
    const transport = scripted(
      () =>
        Effect.delay(
          Effect.sync(() => json(paid)),
          "2 seconds"
        ),
      () =>
        Effect.delay(
          Effect.sync(() => tokenResponse("token")),
          "1 second"
        )
    )
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(Client.getPayment(id))
      yield* TestClock.adjust("1 second")
      yield* Effect.yieldNow
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(call)
      const durations = recorder
        .series()
        .flatMap((series) =>
          series.id === "gopay.client.call.duration" && series.type === "Histogram"
            ? [[series.attributes, series.state.count, series.state.sum]]
            : []
        )
      const [boundaries] = recorder
        .series()
        .flatMap((series) => (series.type === "Histogram" ? [series.state.buckets.map(([boundary]) => boundary)] : []))
      assert.deepStrictEqual(
        boundaries,
        [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60, 120]
      )
      const [span] = recorder.spans
      assert.strictEqual(span?.events[0]?.[2]?.["gopay.attempt.duration"], 2)
      assert.strictEqual(span?.status._tag === "Ended" ? span.status.endTime : undefined, 3_000_000_000n)
      yield* Effect.withTracerTiming(Effect.forkChild(Client.getPayment(id)), false)
      yield* TestClock.adjust("3 seconds")
      const untimed = recorder.spans.at(-1)?.status
      assert.strictEqual(untimed?._tag === "Ended" ? untimed.endTime : undefined, 0n)
      assert.deepStrictEqual(durations, [
        [{ unit: "s", "gopay.operation": "getAccessToken", "gopay.outcome": "success" }, 1, 1],
        [{ unit: "s", "gopay.operation": "getPayment", "gopay.outcome": "success" }, 1, 3]
      ])
    }).pipe(Effect.provide(gatewayOver(transport)), Effect.provide(recorder.layer))
  })
})

describe("the log", () => {
  it.effect("has a message at debug for each attempt", () => {
    const recorder = record()
    const transport = scripted((_, index) => (index === 0 ? fetchFailure("ECONNRESET") : json(paid)))
    return Effect.gen(function* () {
      yield* Client.getPayment(id)
      assert.deepStrictEqual(
        recorder.logs.map(({ level, message }) => [level, message]),
        [
          ["Debug", ["getAccessToken: attempt 1, status 200, 0 ms"]],
          ["Debug", ["getPayment: attempt 1, ECONNRESET, 0 ms"]],
          ["Debug", ["getPayment: attempt 2, status 200, 0 ms"]]
        ]
      )
      assert.include(recorder.attributesOf("getPayment")[0], { "http.request.resend_count": 1 })
      assert.deepStrictEqual(recorder.logs[1]?.annotations, {
        "gopay.operation": "getPayment",
        ...goid,
        "gopay.payment_id": String(id),
        "gopay.attempt": 1,
        "gopay.attempt.duration": 0,
        "gopay.outcome": "GatewayUnavailable",
        "error.type": "ECONNRESET"
      })
    }).pipe(
      Effect.provideService(RetryPolicy, atOnce),
      Effect.provide(gatewayOver(transport)),
      Effect.provide(recorder.layer)
    )
  })

  it.effect("says that an attempt was interrupted", () => {
    const recorder = record()
    const silent = held(() => json(paid))
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(Client.getPayment(id))
      yield* silent.reached
      yield* Fiber.interrupt(call)
      assert.deepStrictEqual(recorder.logs.at(-1)?.message, ["getPayment: attempt 1, interrupted, 0 ms"])
    }).pipe(Effect.provide(gatewayOver(scripted(() => silent.answer))), Effect.provide(recorder.layer))
  })

  it.effect("says nothing by default, but warns of a change whose outcome is unknown", () => {
    const recorder = record("Info")
    const transport = scripted((_, index) =>
      index === 0 ? json(paid) : index === 1 ? refusal(409, 303) : fetchFailure("ECONNRESET")
    )
    return Effect.gen(function* () {
      yield* Client.getPayment(id)
      yield* Effect.exit(changes.refundPayment())
      assert.deepStrictEqual(recorder.logs, [])
      yield* Effect.exit(changes.createRecurrence())
      const change = {
        operation: "createRecurrence",
        goid: merchant.goid,
        paymentId: id,
        amount: 500,
        currency: "CZK",
        orderNumber: "2026-0043",
        sentAt: "1970-01-01T00:00:00.000Z"
      }
      assert.deepStrictEqual(
        recorder.logs.map(({ level, message }) => [level, message]),
        [["Warn", ["The outcome of a change is unknown: do not repeat it, find out", change]]]
      )
      assert.deepStrictEqual(recorder.logs[0]?.annotations, {
        "gopay.operation": "createRecurrence",
        ...goid,
        "gopay.payment_id": String(id),
        "gopay.order_number": "2026-0043",
        "error.type": "ECONNRESET"
      })
    }).pipe(Effect.provide(gatewayOver(transport)), Effect.provide(recorder.layer))
  })

  it.effect("names the order of a lost new payment, and nothing of its payer", () => {
    const recorder = record("Info")
    const payer = { contact: { email: "bohumila@example.com", first_name: "Bohumila" } }
    return Effect.gen(function* () {
      yield* Effect.exit(Client.createPayment({ ...payment, order_number: "2026-0042", payer }))
      const [warning] = recorder.logs
      assert.deepInclude(warning?.annotations, {
        "gopay.operation": "createPayment",
        "gopay.order_number": "2026-0042"
      })
      assert.include(JSON.stringify(warning?.message), '"orderNumber":"2026-0042"')
      assert.notMatch(JSON.stringify(warning), /bohumila/i)
    }).pipe(Effect.provide(gatewayOver(scripted(() => fetchFailure("ECONNRESET")))), Effect.provide(recorder.layer))
  })

  it.effect("says whose a change is and how its last attempt ended, if it failed and if it was interrupted", () => {
    class Cz extends Client.Merchant.Service<Cz>()("test/Cz") {}
    const recorder = record("Info")
    const silent = held(() => json(paid))
    const transport = scripted((_, index) => (index === 0 ? json({}, 503) : silent.answer))
    return Effect.gen(function* () {
      yield* Effect.exit(Cz.provide(changes.refundPayment()))
      const call = yield* Effect.forkChild(Cz.provide(changes.refundPayment()))
      yield* silent.reached
      yield* Fiber.interrupt(call)
      const about = {
        "gopay.operation": "refundPayment",
        ...goid,
        "gopay.merchant": "test/Cz",
        "gopay.payment_id": String(id)
      }
      assert.deepStrictEqual(
        recorder.logs.map(({ annotations, level }) => [level, annotations]),
        [
          ["Warn", { ...about, "error.type": "503", "http.response.status_code": 503 }],
          ["Error", { ...about, "error.type": "OutcomeUnknown" }]
        ]
      )
    }).pipe(
      Effect.provide(Cz.layer(merchant).pipe(Layer.provide(transport.layer))),
      Effect.provide(recorder.layer),
      Effect.provideService(RetryPolicy, RetryPolicy.none)
    )
  })

  it.effect("says of a lost new payment what its error says: create it again", () => {
    const recorder = record("Info")
    return Effect.gen(function* () {
      const error = yield* Effect.flip(changes.createPayment())
      const [logged] = recorder.logs.map(({ message }) => String(message))
      for (const text of [logged, error.message]) {
        assert.match(text ?? "", /create it again, and send the payer only to the newest/i)
        assert.notInclude(text, "not repeat")
      }
    }).pipe(Effect.provide(gatewayOver(scripted(() => fetchFailure("ECONNRESET")))), Effect.provide(recorder.layer))
  })
})

const failing = (): never => {
  throw new Error("no room for telemetry")
}

class FailsToStart extends Tracer.NativeSpan {
  constructor(options: ConstructorParameters<typeof Tracer.NativeSpan>[0]) {
    super(options)
    failing()
  }
}

class FailsEarly extends Tracer.NativeSpan {
  override attribute = failing
}

class FailsLate extends Tracer.NativeSpan {
  override attribute(key: string): void {
    if (key === "gopay.outcome") failing()
  }
  override event = failing
}

class FailsToEnd extends Tracer.NativeSpan {
  override end = failing
}

it.effect.each([FailsToStart, FailsEarly, FailsLate, FailsToEnd])(
  "a logger, a tracer or a store of metrics that fails changes no call (%o)",
  (FailingSpan) => {
    const registry = new Map()
    registry.set = failing
    const transport = scripted((_, index) => (index === 0 ? json(finished) : fetchFailure("ECONNRESET")))
    const refund = changes.refundPayment()
    return Effect.gen(function* () {
      assert.strictEqual((yield* refund).result, "FINISHED")
      assert.strictEqual((yield* Effect.flip(refund)).reason._tag, "OutcomeUnknown")
    }).pipe(
      Effect.provide(gatewayOver(transport)),
      Effect.provideService(Metric.MetricRegistry, registry),
      Effect.provideService(References.MinimumLogLevel, "All"),
      Effect.provide(Logger.layer([Logger.make(failing)])),
      Effect.withTracer(Tracer.make({ span: (options) => new FailingSpan(options) }))
    )
  }
)

it.effect("a merchant at an address with a port and a path is named by them", () => {
  const recorder = record()
  const layer = gatewayOver(
    scripted(() => json(paid)),
    { ...merchant, environment: "http://127.0.0.1:8080/stand-in" }
  )
  return Effect.gen(function* () {
    yield* Client.getPayment(id)
    assert.include(recorder.attributesOf("getPayment")[0], {
      "server.address": "127.0.0.1",
      "server.port": 8080,
      "url.template": "/stand-in/api/payments/payment/{id}"
    })
  }).pipe(Effect.provide(layer), Effect.provide(recorder.layer))
})

it.effect("a merchant at an address without a port is named by the protocol's", () => {
  const recorder = record()
  const layer = gatewayOver(
    scripted(() => json(paid)),
    { ...merchant, environment: "http://127.0.0.1" }
  )
  return Effect.gen(function* () {
    yield* Client.getPayment(id)
    assert.include(recorder.attributesOf("getPayment")[0], { "server.port": 80 })
  }).pipe(Effect.provide(layer), Effect.provide(recorder.layer))
})

describe("how a call ended", () => {
  const last = { status: undefined, transportFailure: undefined }

  it("is interrupted only where nothing else ended it", () => {
    assert.strictEqual(endOf(Cause.interrupt(1)), "interrupted")
    assert.strictEqual(endOf(Cause.die(new Error("boom"))), "defect")
    assert.strictEqual(endOf(Cause.fail({ reason: { _tag: "KeyReused" } })), "KeyReused")
  })

  it("has a status from 400 on as its error, else what became of it", () => {
    const errorType = (status: number | undefined) => errorTypeOf({ ...last, status }, "UnexpectedResponse")
    assert.deepStrictEqual([399, 400, 500].map(errorType), ["UnexpectedResponse", "400", "500"])
    assert.strictEqual(errorType(undefined), "UnexpectedResponse")
    assert.isUndefined(errorTypeOf({ ...last, status: 200 }, "success"))
  })

  it.effect("names the error of a connection that has no code", () => {
    const recorder = record()
    return Effect.gen(function* () {
      yield* Effect.flip(Client.getPayment(id))
      assert.deepInclude(recorder.attributesOf("getPayment")[0], { "error.type": "TypeError" })
    }).pipe(
      Effect.provideService(RetryPolicy, RetryPolicy.none),
      Effect.provide(gatewayOver(scripted(() => Effect.fail(new TypeError("fetch failed"))))),
      Effect.provide(recorder.layer)
    )
  })
})
