import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import { TestClock } from "effect/testing"
import {
  AttemptTimeout,
  type Gateway,
  type GatewayError,
  getPayment,
  refundPayment,
  RetryPolicy
} from "../../../src/index.js"
import type { RetryOptions } from "../../../src/promise/GatewayClient.js"
import { fromOptions, retried, totalTime } from "../../../src/client/call/RetryPolicy.js"
import type { GatewayFailure } from "../../../src/client/error/GatewayFailure.js"
import { id, reads } from "../../support/OperationPrograms.js"
import {
  fetchFailure,
  finished,
  gatewayOver,
  json,
  paid,
  scripted,
  tokenResponse
} from "../../support/ScriptedTransport.js"

const unavailable = () => new Response("Sorry", { status: 503 })

/** What makes a read worth repeating. */
const passing = {
  "a connection that was refused": () => fetchFailure("ECONNREFUSED"),
  "a connection that was cut": () => fetchFailure("ECONNRESET"),
  "no response in time": () => Effect.never,
  "a body that never ends": () => new Response(new ReadableStream()),
  "status 408": () => new Response("", { status: 408 }),
  "status 429": () => new Response("", { status: 429 }),
  "status 500": () => new Response("", { status: 500 }),
  "status 502": () => new Response("", { status: 502 }),
  "status 503": () => new Response("", { status: 503 }),
  "status 504": () => new Response("", { status: 504 })
} satisfies { readonly [fault: string]: () => Response | Effect.Effect<Response, unknown> }

/** Sends requests at the times, in milliseconds since the first, that it returns. */
const timed = (answer: () => Response | Effect.Effect<Response, unknown>) => {
  const times: Array<number> = []
  const transport = scripted(() =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      times.push(now)
      const answered = answer()
      return Effect.isEffect(answered) ? answered : Effect.succeed(answered)
    })
  )
  return { transport, gaps: () => times.map((time) => time - (times[0] ?? 0)) }
}

/** Lets a call run while the clock advances in steps of a tenth of a second. */
const whileTimePasses = <A, E, R>(call: Effect.Effect<A, E, R>, minutes = 5) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(call)
    for (let tenths = 0; tenths < minutes * 600 && fiber.pollUnsafe() === undefined; tenths++) {
      yield* TestClock.adjust("100 millis")
    }
    return yield* Fiber.join(fiber)
  })

describe.each(Object.entries(passing))("%s", (_, fault) => {
  it.effect("does not fail a read", () => {
    const transport = scripted((_, index) => (index === 0 ? fault() : json(paid)))
    return Effect.gen(function* () {
      assert.strictEqual((yield* whileTimePasses(getPayment(id))).id, id)
      assert.strictEqual(transport.sent.length, 2)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("does not fail the token call", () => {
    const transport = scripted(
      () => json(paid),
      (_, index) => (index === 0 ? fault() : tokenResponse("token"))
    )
    return Effect.gen(function* () {
      assert.strictEqual((yield* whileTimePasses(getPayment(id))).id, id)
      assert.strictEqual(transport.tokenRequests.length, 2)
      assert.strictEqual(transport.sent.length, 1)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("is not repeated with RetryPolicy.none: one request, and one for the token", () => {
    const call = scripted(fault)
    const token = scripted(() => json(finished), fault)
    return Effect.forEach([call, token], (transport) =>
      whileTimePasses(Effect.flip(getPayment(id))).pipe(
        Effect.provideService(RetryPolicy, RetryPolicy.none),
        Effect.provide(gatewayOver(transport)),
        Effect.tap(() => Effect.sync(() => assert.strictEqual(transport.tokenRequests.length, 1))),
        Effect.tap(() => Effect.sync(() => assert.strictEqual(transport.sent.length, transport === call ? 1 : 0)))
      )
    )
  })
})

describe("the standard policy", () => {
  it.effect.each(Object.entries(reads))("tries %s four times at most", ([, read]) => {
    const transport = scripted(unavailable)
    return Effect.gen(function* () {
      const { reason } = yield* whileTimePasses(Effect.flip<unknown, GatewayError, Gateway>(read()))
      assert.strictEqual(reason._tag, "GatewayUnavailable")
      assert.strictEqual(transport.sent.length, 4)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("waits twice as long each time, and not always the same", () => {
    const run = (seed: string) => {
      const { gaps, transport } = timed(unavailable)
      return Effect.gen(function* () {
        const call = yield* Effect.forkChild(Effect.flip(getPayment(id)))
        yield* TestClock.adjust("10 seconds")
        yield* Fiber.join(call)
        const [first = 0, second = 0, third = 0] = gaps().slice(1)
        for (const [wait, nominal] of [
          [first, 200],
          [second - first, 400],
          [third - second, 800]
        ] as const) {
          assert.isAtLeast(wait, nominal * 0.8 - 1)
          assert.isAtMost(wait, nominal * 1.2 + 1)
        }
        return gaps().join()
      }).pipe(Effect.provide(gatewayOver(transport)), Random.withSeed(seed))
    }
    return Effect.gen(function* () {
      const waits = yield* Effect.forEach(["a", "b", "c", "d"], run)
      assert.isAbove(new Set(waits).size, 1)
      assert.strictEqual(yield* run("a"), yield* run("a"))
    })
  })

  it.effect.each([
    ["seconds", "20", 429],
    ["a date", "Thu, 01 Jan 1970 00:00:20 GMT", 429],
    ["seconds of a maintenance", "20", 503]
  ] as const)("waits as long as the gateway asks in %s, where that is longer", ([, retryAfter, status]) => {
    const { gaps, transport } = timed(() => new Response("", { status, headers: { "retry-after": retryAfter } }))
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(Effect.flip(getPayment(id)))
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(gaps(), [0, 20_000])
      yield* Fiber.interrupt(call)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect.each([
    [429, "does not say when", [], 4],
    [429, "says within 30 seconds", ["30"], 4],
    [429, "says later than that", ["31"], 1],
    [503, "says within 30 seconds", ["30"], 4],
    [503, "says later than that", ["31"], 1]
  ] as const)(
    "tries again after status %s, unless the gateway asks for too long: it %s",
    ([status, , seconds, times]) => {
      const { gaps, transport } = timed(
        () => new Response("", { status, headers: seconds.map((text) => ["retry-after", text]) })
      )
      return Effect.gen(function* () {
        yield* whileTimePasses(Effect.flip(getPayment(id)))
        assert.strictEqual(gaps().length, times)
      }).pipe(Effect.provide(gatewayOver(transport)))
    }
  )

  it.effect("is the same at any time of day", () => {
    const transport = scripted(unavailable)
    return Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      yield* whileTimePasses(Effect.flip(getPayment(id)))
      assert.strictEqual(transport.sent.length, 4)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("ends two minutes after the call began, in the middle of an attempt", () => {
    const { gaps, transport } = timed(() => Effect.never)
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(
        Effect.flip(getPayment(id)).pipe(Effect.provideService(AttemptTimeout, "50 seconds"))
      )
      yield* TestClock.adjust("119 seconds")
      assert.isUndefined(call.pollUnsafe())
      assert.strictEqual(gaps().length, 3)
      yield* TestClock.adjust("1 second")
      const { reason } = yield* Fiber.join(call)
      assert.deepInclude(reason, { _tag: "GatewayUnavailable", isRetryable: true })
      assert.include(reason.message, "50 s")
    }).pipe(Effect.provide(gatewayOver(transport)))
  })
})

describe("the policy by the options of the client for promises", () => {
  const requestsWith = (options: RetryOptions | false) => {
    const { gaps, transport } = timed(unavailable)
    return Effect.gen(function* () {
      yield* whileTimePasses(Effect.flip(getPayment(id)))
      return gaps()
    }).pipe(Effect.provideService(RetryPolicy, fromOptions(options)), Effect.provide(gatewayOver(transport)))
  }

  it.effect("has as many attempts as they say, four of themselves, one without retries", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* requestsWith({})).length, 4)
      assert.strictEqual((yield* requestsWith({ attempts: 2 })).length, 2)
      assert.strictEqual((yield* requestsWith({ attempts: 1 })).length, 1)
      assert.strictEqual((yield* requestsWith(false)).length, 1)
    })
  )

  it.effect("ends after the total time that they say, of itself two minutes", () =>
    Effect.gen(function* () {
      const last = (yield* requestsWith({ attempts: 20, totalTimeout: 5_000 })).at(-1)
      assert.isAtMost(last ?? 0, 5_000)
      assert.strictEqual(totalTime(fromOptions({ totalTimeout: 5_000 })).toString(), Duration.seconds(5).toString())
      assert.strictEqual(totalTime(fromOptions({})).toString(), Duration.minutes(2).toString())
    })
  )

  it("renews a refused token, unless there are no retries", () => {
    assert.isTrue(fromOptions({ attempts: 1 }).renewToken)
    assert.isFalse(fromOptions(false).renewToken)
    assert.isFalse(RetryPolicy.none.renewToken)
  })
})

it.effect("a failure that is final is not tried again, whatever the policy", () =>
  Effect.gen(function* () {
    let attempts = 0
    const failure: GatewayFailure = {
      operation: "getPayment",
      reason: { _tag: "GatewayUnavailable", isRetryable: true, message: "m" }
    }
    const attempt = Effect.suspend(() => {
      attempts++
      return Effect.fail(failure)
    })
    yield* Effect.exit(retried(attempt, identity, () => true))
    assert.strictEqual(attempts, 1)
  })
)

describe("a policy of one's own", () => {
  const policy = (more: Partial<RetryPolicy>): RetryPolicy => ({
    schedule: Schedule.spaced("1 second"),
    renewToken: true,
    ...more
  })

  it.effect("decides how often and when", () => {
    const { gaps, transport } = timed(unavailable)
    return Effect.gen(function* () {
      yield* whileTimePasses(Effect.flip(getPayment(id)))
      assert.deepStrictEqual(gaps(), [0, 1_000, 2_000, 3_000, 4_000, 5_000])
    }).pipe(
      Effect.provideService(
        RetryPolicy,
        policy({ schedule: Schedule.upTo(Schedule.spaced("1 second"), { times: 5 }) })
      ),
      Effect.provide(gatewayOver(transport))
    )
  })

  it.effect("that ends in time tells what went wrong last", () => {
    const transport = scripted((_, index) => new Response("", { status: index === 0 ? 503 : 502 }))
    return Effect.gen(function* () {
      const { reason } = yield* whileTimePasses(Effect.flip(getPayment(id)))
      assert.deepInclude(reason, { _tag: "GatewayUnavailable", status: 502 })
    }).pipe(
      Effect.provideService(RetryPolicy, policy({ totalTimeout: "1500 millis" })),
      Effect.provide(gatewayOver(transport))
    )
  })

  it.effect("decides how long in all, with attempts and waits", () => {
    const { gaps, transport } = timed(unavailable)
    return Effect.gen(function* () {
      yield* whileTimePasses(Effect.flip(getPayment(id)))
      assert.deepStrictEqual(gaps(), [0, 1_000, 2_000, 3_000])
      assert.strictEqual(yield* Clock.currentTimeMillis, 3_500)
    }).pipe(
      Effect.provideService(RetryPolicy, policy({ totalTimeout: "3500 millis" })),
      Effect.provide(gatewayOver(transport))
    )
  })

  it.effect.each([
    ["headers", () => Effect.never],
    ["a body", () => new Response(new ReadableStream())]
  ] as const)("may leave less time than one attempt has, also to %s that never come", ([, answer]) => {
    const { gaps, transport } = timed(answer)
    return Effect.gen(function* () {
      const { reason } = yield* whileTimePasses(Effect.flip(getPayment(id)))
      assert.include(reason.message, "no complete response within 2 s")
      assert.deepStrictEqual(gaps(), [0])
      assert.strictEqual(yield* Clock.currentTimeMillis, Duration.toMillis("2 seconds"))
    }).pipe(
      Effect.provideService(RetryPolicy, policy({ schedule: Schedule.recurs(5), totalTimeout: "2 seconds" })),
      Effect.provide(gatewayOver(transport))
    )
  })

  it.effect("limits no change, which has its own time", () => {
    const transport = scripted(() => Effect.delay(Effect.succeed(json(finished)), "90 seconds"))
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* whileTimePasses(refundPayment(id, { amount: 1 })), finished)
    }).pipe(
      Effect.provideService(RetryPolicy, policy({ totalTimeout: "2 seconds" })),
      Effect.provide(gatewayOver(transport))
    )
  })
})
