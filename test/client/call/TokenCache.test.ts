import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import { MaxOpsBeforeYield } from "effect/Scheduler"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { afterEach, vi } from "vitest"
import { apiV3 } from "../../../src/client/call/ApiV3.js"
import { unobserved } from "../../../src/client/call/CallObserver.js"
import { checkOptions } from "../../../src/client/config/GatewayOptions.js"
import { token } from "../../../src/client/call/CachedToken.js"
import { keep } from "../../../src/client/call/TokenCache.js"
import { gatewaySource } from "../../../src/client/call/TokenSource.js"
import type { GatewayFailure } from "../../../src/client/error/GatewayFailure.js"
import type { Transport } from "../../../src/client/transport/Transport.js"
import { RequestBound } from "../../../src/client/transport/Lease.js"
import { AttemptTimeout, Gateway, getPayment, refundPayment, RetryPolicy, WaitUntil } from "../../../src/index.js"
import {
  errorBody,
  fetchFailure,
  finished,
  gatewayOver,
  held,
  json,
  merchant,
  paid,
  refusal,
  scripted,
  settled,
  tokenResponse
} from "../../support/ScriptedTransport.js"

const id = 3090066980

const reasonOf = <A, R>(program: Effect.Effect<A, { readonly reason: { readonly _tag: string } }, R>) =>
  Effect.map(Effect.flip(program), ({ reason }) => reason)

const bearers = (transport: ReturnType<typeof scripted>) =>
  transport.sent.map(({ headers }) => headers["authorization"])

describe("the access token", () => {
  it.effect(
    "is asked for by the first call that needs it, with the client's credentials, and shared by all later ones",
    () => {
      const transport = scripted(() => json(paid))
      return Effect.gen(function* () {
        assert.strictEqual(transport.tokenRequests.length, 0)
        yield* getPayment(id)
        yield* getPayment(id)
        assert.deepStrictEqual(
          transport.tokenRequests.map(({ body, headers, method, url }) => [
            method,
            url,
            body,
            headers["authorization"]
          ]),
          [
            [
              "POST",
              "https://gateway.example/api/oauth2/token",
              "grant_type=client_credentials&scope=payment-all",
              `Basic ${btoa("1234567890:s3cr3tXY")}`
            ]
          ]
        )
        assert.deepStrictEqual(bearers(transport), ["Bearer token-1", "Bearer token-1"])
      }).pipe(Effect.provide(gatewayOver(transport)))
    }
  )

  it.effect("is asked for once by a thousand callers", () => {
    const token = held(() => tokenResponse("token-1"))
    const transport = scripted(
      () => json(paid),
      () => token.answer
    )
    return Effect.gen(function* () {
      const calls = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 1000 }), () => getPayment(id), { concurrency: "unbounded", discard: true })
      )
      yield* token.reached
      yield* token.open
      yield* Fiber.join(calls)
      assert.strictEqual(transport.tokenRequests.length, 1)
      assert.strictEqual(transport.sent.length, 1000)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("is asked for once, even when fibers take turns at almost every step", () => {
    const transport = scripted(
      () => json(paid),
      (_, index) => Effect.delay(Effect.succeed(tokenResponse(`token-${index + 1}`)), "10 millis")
    )
    return Effect.gen(function* () {
      const calls = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.forkChild(getPayment(id)))
      // With this many turns, some start waiting only after others have waited.
      for (let step = 0; step < 20; step++) yield* TestClock.adjust("50 millis")
      for (const call of calls) yield* Fiber.join(call)
      assert.strictEqual(transport.tokenRequests.length, 1)
    }).pipe(Effect.provideService(MaxOpsBeforeYield, 3), Effect.provide(gatewayOver(transport)))
  })

  it.effect("comes to the other waiting callers when the one that asked for it is interrupted", () => {
    const token = held(() => tokenResponse("token-1"))
    const transport = scripted(
      () => json(paid),
      () => token.answer
    )
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(getPayment(id))
      yield* token.reached
      const second = yield* Effect.forkChild(getPayment(id))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      yield* token.open
      assert.strictEqual((yield* Fiber.join(second)).id, id)
      assert.strictEqual(transport.tokenRequests.length, 1)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("comes to the next caller, at whichever step the first one is interrupted", () =>
    Effect.gen(function* () {
      for (let steps = 0; steps < 100; steps++) {
        const transport = scripted(() => json(paid))
        yield* Effect.gen(function* () {
          const first = yield* Effect.forkChild(Effect.provideService(getPayment(id), MaxOpsBeforeYield, 3))
          for (let step = 0; step < steps; step++) yield* Effect.yieldNow
          yield* Fiber.interrupt(first)
          assert.strictEqual((yield* getPayment(id)).id, id)
        }).pipe(Effect.provide(gatewayOver(transport)))
      }
    })
  )

  it.effect("is refreshed ahead of its end while calls go on with the old one", () => {
    const refresh = held(() => tokenResponse("token-2"))
    const transport = scripted(
      () => json(paid),
      (_, index) => (index === 0 ? tokenResponse("token-1") : refresh.answer)
    )
    return Effect.gen(function* () {
      yield* getPayment(id)
      yield* TestClock.adjust("1739 seconds")
      yield* getPayment(id)
      assert.strictEqual(transport.tokenRequests.length, 1)
      yield* TestClock.adjust("2 seconds")
      yield* getPayment(id)
      yield* getPayment(id)
      yield* refresh.reached
      assert.strictEqual(transport.tokenRequests.length, 2)
      yield* refresh.open
      yield* settled
      yield* getPayment(id)
      assert.deepStrictEqual(bearers(transport), [
        ...Array.from({ length: 4 }, () => "Bearer token-1"),
        "Bearer token-2"
      ])
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("is still used when its refresh fails, and the next call tries to refresh it again", () => {
    const transport = scripted(
      () => json(paid),
      (_, index) => (index === 1 ? refusal(409, 321) : tokenResponse(`token-${index + 1}`))
    )
    return Effect.gen(function* () {
      yield* getPayment(id)
      yield* TestClock.adjust("1750 seconds")
      yield* getPayment(id)
      yield* settled
      assert.strictEqual(transport.tokenRequests.length, 2)
      yield* getPayment(id)
      yield* settled
      assert.strictEqual(transport.tokenRequests.length, 3)
      yield* getPayment(id)
      assert.deepStrictEqual(bearers(transport), [
        "Bearer token-1",
        "Bearer token-1",
        "Bearer token-1",
        "Bearer token-3"
      ])
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("is waited for when the old one has expired", () => {
    const transport = scripted(() => json(paid))
    return Effect.gen(function* () {
      yield* getPayment(id)
      yield* TestClock.adjust("30 minutes")
      yield* getPayment(id)
      assert.deepStrictEqual(bearers(transport), ["Bearer token-1", "Bearer token-2"])
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect.each([0, -5, null, "0"])(
    "is used for a minute when the gateway says that it lives %j seconds",
    (expiresIn) => {
      const transport = scripted(
        () => json(paid),
        (_, index) => tokenResponse(`token-${index + 1}`, expiresIn)
      )
      return Effect.gen(function* () {
        yield* getPayment(id)
        yield* TestClock.adjust("50 seconds")
        yield* getPayment(id)
        yield* TestClock.adjust("10 seconds")
        yield* getPayment(id)
        assert.deepStrictEqual(bearers(transport), ["Bearer token-1", "Bearer token-1", "Bearer token-2"])
      }).pipe(Effect.provide(gatewayOver(transport)))
    }
  )

  it.effect("is used for a minute when the gateway says less than a second", () => {
    const transport = scripted(
      () => json(paid),
      (_, index) => tokenResponse(`token-${index + 1}`, 1e-9)
    )
    return Effect.gen(function* () {
      yield* getPayment(id)
      yield* TestClock.adjust("59 seconds")
      yield* getPayment(id)
      assert.deepStrictEqual(bearers(transport), ["Bearer token-1", "Bearer token-1"])
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect.each([1e9, 1e300, Number.MAX_VALUE])(
    "is used for a day at most when the gateway says that it lives %d seconds",
    (expiresIn) => {
      const transport = scripted(
        () => json(paid),
        (_, index) => tokenResponse(`token-${index + 1}`, expiresIn)
      )
      return Effect.gen(function* () {
        yield* getPayment(id)
        yield* TestClock.adjust("23 hours")
        yield* getPayment(id)
        yield* TestClock.adjust("1 hour")
        yield* getPayment(id)
        assert.deepStrictEqual(bearers(transport), ["Bearer token-1", "Bearer token-1", "Bearer token-2"])
      }).pipe(Effect.provide(gatewayOver(transport)))
    }
  )

  it.effect("ages while the gateway takes its time to hand it out", () => {
    const transport = scripted(
      () => json(paid),
      (_, index) => Effect.delay(Effect.succeed(tokenResponse(`token-${index + 1}`, 60)), "25 seconds")
    )
    const call = Effect.gen(function* () {
      const call = yield* Effect.forkChild(getPayment(id))
      yield* TestClock.adjust("25 seconds")
      yield* Fiber.join(call)
    })
    return Effect.gen(function* () {
      yield* call
      yield* TestClock.adjust("36 seconds")
      yield* call
      assert.deepStrictEqual(bearers(transport), ["Bearer token-1", "Bearer token-2"])
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("serves the call that waited for it even when it took longer than it lives", () => {
    const transport = scripted(
      () => json(paid),
      () => Effect.delay(Effect.succeed(tokenResponse("token", 1)), "20 seconds")
    )
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(getPayment(id))
      yield* TestClock.adjust("20 seconds")
      yield* Fiber.join(call)
      assert.strictEqual(transport.tokenRequests.length, 1)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("is asked for anew when the clock jumps ahead, once", () => {
    const transport = scripted(() => json(paid))
    return Effect.gen(function* () {
      yield* getPayment(id)
      yield* TestClock.setTime(Date.UTC(2040, 0, 1))
      yield* Effect.forEach(Array.from({ length: 20 }), () => getPayment(id), { concurrency: "unbounded" })
      assert.strictEqual(transport.tokenRequests.length, 2)
      assert.deepStrictEqual(new Set(bearers(transport).slice(1)), new Set(["Bearer token-2"]))
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("is refreshed while still in use when the clock is put back before it was obtained", () => {
    const transport = scripted(() => json(paid))
    return Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2040, 0, 1))
      yield* getPayment(id)
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      yield* getPayment(id)
      yield* settled
      yield* getPayment(id)
      yield* TestClock.adjust("1739 seconds")
      yield* getPayment(id)
      assert.deepStrictEqual(bearers(transport), [
        "Bearer token-1",
        "Bearer token-1",
        "Bearer token-2",
        "Bearer token-2"
      ])
      assert.strictEqual(transport.tokenRequests.length, 2)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("that is older than the clock says, since it was put back a little, is replaced when it is refused", () => {
    let revoked = ""
    const transport = scripted(({ headers }) =>
      headers["authorization"] === revoked ? new Response(null, { status: 401 }) : json(paid)
    )
    return Effect.gen(function* () {
      yield* TestClock.adjust("1 hour")
      yield* getPayment(id)
      yield* TestClock.adjust("20 minutes")
      yield* TestClock.setTime(Duration.toMillis("65 minutes"))
      revoked = "Bearer token-1"
      assert.strictEqual((yield* getPayment(id)).id, id)
      assert.deepStrictEqual(bearers(transport), ["Bearer token-1", "Bearer token-1", "Bearer token-2"])
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("is still handed to the next caller when everybody who waited for it has been interrupted", () => {
    const token = held(() => tokenResponse("token-1"))
    const transport = scripted(
      () => json(paid),
      () => token.answer
    )
    return Effect.gen(function* () {
      const calls = yield* Effect.forEach(Array.from({ length: 50 }), () => Effect.forkChild(getPayment(id)))
      yield* token.reached
      yield* Fiber.interruptAll(calls)
      const next = yield* Effect.forkChild(getPayment(id))
      yield* Effect.yieldNow
      yield* token.open
      assert.strictEqual((yield* Fiber.join(next)).id, id)
      assert.strictEqual(transport.tokenRequests.length, 1)
      assert.strictEqual(transport.sent.length, 1)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect.each([1, 2, 3, 4, 5])("reaches whoever is not interrupted, whenever the others are (seed %d)", (seed) => {
    const transport = scripted(
      () => json(paid),
      (_, index) => Effect.delay(Effect.succeed(tokenResponse(`token-${index + 1}`)), "50 millis")
    )
    const caller = Effect.gen(function* () {
      yield* Effect.sleep(Duration.millis(yield* Random.nextBetween(0, 60)))
      const call = yield* Effect.forkChild(getPayment(id))
      if (yield* Random.nextBoolean) return yield* Fiber.join(call)
      yield* Effect.sleep(Duration.millis(yield* Random.nextBetween(0, 60)))
      return yield* Fiber.interrupt(call)
    })
    return Effect.gen(function* () {
      const callers = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 100 }), () => caller, { concurrency: "unbounded" })
      )
      for (let step = 0; step < 20; step++) yield* TestClock.adjust("10 millis")
      yield* Fiber.join(callers)
      assert.strictEqual(transport.tokenRequests.length, 1)
    }).pipe(Random.withSeed(seed), Effect.provide(gatewayOver(transport)))
  })

  it.effect("has its lifetime read from text as well", () => {
    const transport = scripted(
      () => json(paid),
      () => tokenResponse("token", "1800")
    )
    return Effect.gen(function* () {
      yield* getPayment(id)
      yield* TestClock.adjust("1700 seconds")
      yield* getPayment(id)
      assert.strictEqual(transport.tokenRequests.length, 1)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })
})

describe("a token that the gateway refuses", () => {
  const refusals = [
    ["401", () => new Response(null, { status: 401 })],
    ["403 with code 200", () => refusal(403, 200)]
  ] as const

  for (const [name, answer] of refusals) {
    it.effect(`is replaced, and a read and a change are sent once more with the new one (${name})`, () => {
      let revoked: string | undefined
      const transport = scripted(({ headers, method }) => {
        if (headers["authorization"] === revoked) return answer()
        return json(method === "GET" ? paid : finished)
      })
      return Effect.gen(function* () {
        yield* getPayment(id)
        revoked = "Bearer token-1"
        assert.strictEqual((yield* getPayment(id)).id, id)
        revoked = "Bearer token-2"
        assert.strictEqual((yield* refundPayment(id, { amount: 1 })).result, "FINISHED")
        assert.deepStrictEqual(bearers(transport), [
          "Bearer token-1",
          "Bearer token-1",
          "Bearer token-2",
          "Bearer token-2",
          "Bearer token-3"
        ])
      }).pipe(Effect.provide(gatewayOver(transport)))
    })
  }

  it.effect(
    "by a 403 without the gateway's body is replaced: a read is repeated, a change is left to the next call",
    () => {
      let revoked = ""
      const transport = scripted(({ headers, method }) =>
        headers["authorization"] === revoked
          ? new Response("<html>Forbidden</html>", { status: 403 })
          : json(method === "GET" ? paid : finished)
      )
      return Effect.gen(function* () {
        yield* getPayment(id)
        revoked = "Bearer token-1"
        const reason = yield* reasonOf(refundPayment(id, { amount: 1 }))
        assert.strictEqual(reason._tag, "PermissionDenied")
        assert.strictEqual(transport.sent.length, 2)
        yield* refundPayment(id, { amount: 1 })
        revoked = "Bearer token-2"
        yield* getPayment(id)
        assert.deepStrictEqual(bearers(transport).slice(2), ["Bearer token-2", "Bearer token-2", "Bearer token-3"])
      }).pipe(Effect.provide(gatewayOver(transport)))
    }
  )

  it.effect("is replaced once for many calls that find out at the same time", () => {
    let revoked = ""
    const transport = scripted(({ headers }) =>
      headers["authorization"] === revoked ? new Response(null, { status: 401 }) : json(paid)
    )
    return Effect.gen(function* () {
      yield* getPayment(id)
      revoked = "Bearer token-1"
      yield* Effect.forEach(Array.from({ length: 50 }), () => getPayment(id), { concurrency: "unbounded" })
      assert.strictEqual(transport.tokenRequests.length, 2)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("in a response that comes late does not cost the new one", () => {
    const late = held(() => new Response(null, { status: 401 }))
    const transport = scripted(({ headers }, index) => {
      if (index === 1) return late.answer
      return index === 2 ? new Response(null, { status: 401 }) : json({ ...paid, state: headers["authorization"] })
    })
    return Effect.gen(function* () {
      yield* getPayment(id)
      const slow = yield* Effect.forkChild(getPayment(id))
      yield* late.reached
      assert.strictEqual((yield* getPayment(id)).state, "Bearer token-2")
      yield* late.open
      assert.strictEqual((yield* Fiber.join(slow)).state, "Bearer token-2")
      assert.strictEqual(transport.tokenRequests.length, 2)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("although it was obtained for this very call is not replaced by it", () => {
    const transport = scripted(() => new Response(null, { status: 401 }))
    return Effect.gen(function* () {
      assert.strictEqual((yield* reasonOf(getPayment(id)))._tag, "AuthenticationFailed")
      assert.strictEqual(transport.tokenRequests.length, 1)
      assert.strictEqual(transport.sent.length, 1)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("although it was obtained for this very call (401) is replaced by the next call", () => {
    const transport = scripted(({ headers }) =>
      headers["authorization"] === "Bearer token-1" ? new Response(null, { status: 401 }) : json(paid)
    )
    return Effect.gen(function* () {
      yield* reasonOf(getPayment(id))
      assert.strictEqual((yield* getPayment(id)).id, id)
      assert.deepStrictEqual(bearers(transport), ["Bearer token-1", "Bearer token-2"])
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("for a while only (403) is replaced a minute later", () => {
    const transport = scripted(({ headers }) =>
      headers["authorization"] === "Bearer token-1" ? refusal(403, 200) : json(paid)
    )
    return Effect.gen(function* () {
      yield* reasonOf(getPayment(id))
      yield* reasonOf(getPayment(id))
      assert.strictEqual(transport.tokenRequests.length, 1)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* getPayment(id)).id, id)
      assert.strictEqual(transport.tokenRequests.length, 2)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("since its scope does not cover an operation does not cost a token request for each call", () => {
    const transport = scripted(({ method }) => (method === "GET" ? refusal(403, 200) : json(finished)))
    return Effect.gen(function* () {
      yield* refundPayment(id, { amount: 1 })
      for (let call = 0; call < 10; call++) {
        assert.strictEqual((yield* reasonOf(getPayment(id)))._tag, "PermissionDenied")
      }
      assert.strictEqual(transport.tokenRequests.length, 2)
      yield* refundPayment(id, { amount: 1 })
      assert.strictEqual(transport.tokenRequests.length, 2)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("is not replaced within the call under RetryPolicy.none, but the call may be repeated", () => {
    let revoked = ""
    const transport = scripted(({ headers }) =>
      headers["authorization"] === revoked ? new Response(null, { status: 401 }) : json(paid)
    )
    return Effect.gen(function* () {
      yield* getPayment(id)
      revoked = "Bearer token-1"
      const reason = yield* Effect.flip(getPayment(id)).pipe(Effect.map(({ reason }) => reason))
      assert.strictEqual(transport.sent.length, 2)
      assert.strictEqual(reason._tag, "AuthenticationFailed")
      assert.isTrue(reason.isRetryable)
      yield* getPayment(id)
      assert.strictEqual(bearers(transport)[2], "Bearer token-2")
    }).pipe(Effect.provideService(RetryPolicy, RetryPolicy.none), Effect.provide(gatewayOver(transport)))
  })
})

describe("a token that cannot be had", () => {
  it.effect("because the credentials are wrong is not asked for again for a few seconds", () => {
    const transport = scripted(
      () => json(paid),
      () => refusal(403, 202)
    )
    return Effect.gen(function* () {
      assert.strictEqual((yield* reasonOf(getPayment(id)))._tag, "AuthenticationFailed")
      assert.strictEqual((yield* reasonOf(refundPayment(id, { amount: 1 })))._tag, "AuthenticationFailed")
      assert.strictEqual(transport.tokenRequests.length, 1)
      yield* TestClock.adjust("5 seconds")
      yield* reasonOf(getPayment(id))
      assert.strictEqual(transport.tokenRequests.length, 2)
      assert.strictEqual(transport.sent.length, 0)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("since the layer is closed meanwhile fails its callers, and nothing waits for ever", () => {
    const transport = scripted(
      () => json(paid),
      () => Effect.never
    )
    return Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(gatewayOver(transport), scope)
      const call = Effect.provideContext(reasonOf(refundPayment(id, { amount: 1 })), context)
      const waiting = yield* Effect.forkChild(call)
      yield* Effect.yieldNow
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual((yield* Fiber.join(waiting))._tag, "GatewayUnavailable")
      assert.strictEqual((yield* call)._tag, "GatewayUnavailable")
      assert.strictEqual(transport.sent.length, 0)
    })
  })

  it.effect("says so: nothing was sent", () => {
    const transport = scripted(
      () => json(paid),
      () => new Response(null, { status: 409 })
    )
    return Effect.gen(function* () {
      const { message } = yield* Effect.flip(refundPayment(id, { amount: 1 }))
      assert.match(message, /^refundPayment: No access token, nothing was sent: /)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("leaves a change unsent and safe to repeat, and the next call tries again", () => {
    let isDown = true
    const transport = scripted(
      () => json(finished),
      () => (isDown ? fetchFailure("ECONNREFUSED") : tokenResponse("token"))
    )
    return Effect.gen(function* () {
      const error = yield* Effect.flip(refundPayment(id, { amount: 1 }))
      assert.strictEqual(error.operation, "refundPayment")
      assert.strictEqual(error.reason._tag, "GatewayUnavailable")
      assert.isTrue(error.reason.isRetryable)
      assert.strictEqual(transport.sent.length, 0)
      isDown = false
      yield* refundPayment(id, { amount: 1 })
      assert.strictEqual(transport.sent.length, 1)
    }).pipe(Effect.provideService(RetryPolicy, RetryPolicy.none), Effect.provide(gatewayOver(transport)))
  })

  it.effect("is retried like a read", () => {
    const transport = scripted(
      () => json(paid),
      (_, index) => (index < 2 ? new Response(null, { status: 503 }) : tokenResponse("token"))
    )
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(getPayment(id))
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(call)
      assert.strictEqual(transport.tokenRequests.length, 3)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("is asked for four times for a read, as for a change, and not four times four", () => {
    const transport = scripted(
      () => json(paid),
      () => new Response(null, { status: 503 })
    )
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(Effect.flip(getPayment(id)))
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* Fiber.join(call)).reason._tag, "GatewayUnavailable")
      assert.strictEqual(transport.tokenRequests.length, 4)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("fails all who wait for it alike, and after the outage one request serves all", () => {
    let isDown = true
    const transport = scripted(
      () => json(paid),
      () => (isDown ? new Response(null, { status: 503 }) : tokenResponse("token"))
    )
    const calls = Effect.forEach(Array.from({ length: 1000 }), () => Effect.result(getPayment(id)), {
      concurrency: "unbounded"
    })
    return Effect.gen(function* () {
      const during = yield* Effect.forkChild(calls)
      yield* TestClock.adjust("10 seconds")
      const failures = yield* Fiber.join(during)
      assert.deepStrictEqual(
        new Set(failures.map((result) => (Result.isFailure(result) ? result.failure.reason._tag : "served"))),
        new Set(["GatewayUnavailable"])
      )
      assert.strictEqual(transport.tokenRequests.length, 4)
      isDown = false
      assert.isTrue((yield* calls).every(Result.isSuccess))
      assert.strictEqual(transport.tokenRequests.length, 5)
      assert.strictEqual(transport.sent.length, 1000)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("in time is asked for again, and all who wait are served when it comes", () => {
    const transport = scripted(
      () => json(paid),
      (_, index) => (index === 0 ? Effect.never : tokenResponse("token"))
    )
    return Effect.gen(function* () {
      const calls = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 10 }), () => getPayment(id), { concurrency: "unbounded" })
      )
      yield* TestClock.adjust("31 seconds")
      assert.lengthOf(yield* Fiber.join(calls), 10)
      assert.strictEqual(transport.tokenRequests.length, 2)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("since the gateway never answers fails all callers in the end, and the next call asks again", () => {
    let isSilent = true
    const transport = scripted(
      () => json(finished),
      () => (isSilent ? Effect.never : tokenResponse("token"))
    )
    return Effect.gen(function* () {
      const calls = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 10 }), () => reasonOf(refundPayment(id, { amount: 1 })), {
          concurrency: "unbounded"
        })
      )
      yield* TestClock.adjust("3 minutes")
      const reasons = yield* Fiber.join(calls)
      assert.deepStrictEqual(new Set(reasons.map(({ _tag }) => _tag)), new Set(["GatewayUnavailable"]))
      assert.strictEqual(transport.tokenRequests.length, 4)
      assert.strictEqual(transport.sent.length, 0)
      isSilent = false
      yield* refundPayment(id, { amount: 1 })
      assert.strictEqual(transport.tokenRequests.length, 5)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("because the response was garbage is asked for again by the next call", () => {
    const transport = scripted(
      () => json(paid),
      (_, index) => (index === 0 ? new Response(new Uint8Array([0xff, 0xfe, 0x00])) : tokenResponse("token"))
    )
    return Effect.gen(function* () {
      yield* Effect.flip(getPayment(id))
      assert.strictEqual((yield* getPayment(id)).id, id)
      assert.strictEqual(transport.tokenRequests.length, 2)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect.each([
    ["is not JSON", () => new Response("<html></html>")],
    ["tells its lifetime in words", () => tokenResponse("token", "half an hour")],
    ["has no token", () => json({ token_type: "bearer" })],
    ["has a token that no header can carry", () => tokenResponse("a\r\nx-evil: 1")]
  ] as const)("because the response %s fails the call before it is sent", ([, answer]) => {
    const transport = scripted(() => json(finished), answer)
    return Effect.gen(function* () {
      assert.strictEqual((yield* reasonOf(refundPayment(id, { amount: 1 })))._tag, "UnexpectedResponse")
      assert.strictEqual(transport.sent.length, 0)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })
})

describe("a request for a token", () => {
  it.effect("that fails in the client itself is not told as a client that was closed", () => {
    const transport = scripted(() => json(paid))
    const broken: RetryPolicy = {
      renewToken: true,
      get schedule(): never {
        throw new TypeError("s3cr3tXY")
      }
    }
    const failing = scripted(
      () => json(paid),
      () => new Response(null, { status: 503 })
    )
    return Effect.gen(function* () {
      const defect = yield* Effect.flip(refundPayment(id, { amount: 1 })).pipe(
        Effect.provideService(RetryPolicy, broken),
        Effect.provide(gatewayOver(failing))
      )
      assert.strictEqual(defect.reason._tag, "GatewayUnavailable")
      assert.include(defect.message, "The client itself failed while requesting one (TypeError).")
      assert.notInclude(JSON.stringify(defect), "s3cr3tXY")
      const scope = yield* Scope.make()
      const closed = yield* Layer.buildWithScope(gatewayOver(transport), scope)
      yield* Scope.close(scope, Exit.void)
      const error = yield* Effect.flip(Effect.provideContext(getPayment(id), closed))
      assert.include(error.message, "closed")
    })
  })

  it.effect("is not given up for the others since its caller wanted one attempt only", () => {
    const token = held(() => new Response(null, { status: 503 }))
    const transport = scripted(
      () => json(paid),
      (_, index) =>
        index === 0 ? token.answer : index < 3 ? new Response(null, { status: 503 }) : tokenResponse("token")
    )
    const impatient = Effect.provideService(RetryPolicy, RetryPolicy.none)
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(Effect.flip(impatient(getPayment(id))))
      yield* token.reached
      const others = yield* Effect.forEach(Array.from({ length: 100 }), () => Effect.forkChild(getPayment(id)))
      const another = yield* Effect.forkChild(Effect.flip(impatient(getPayment(id))))
      yield* Effect.yieldNow
      yield* token.open
      assert.strictEqual((yield* Fiber.join(first)).reason._tag, "GatewayUnavailable")
      assert.strictEqual((yield* Fiber.join(another)).reason._tag, "GatewayUnavailable")
      yield* TestClock.adjust("10 seconds")
      for (const other of others) assert.strictEqual((yield* Fiber.join(other)).id, id)
      assert.strictEqual(transport.tokenRequests.length, 4)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("is made three times at most for callers who all want different attempts", () => {
    const transport = scripted(
      () => json(paid),
      () => Effect.delay(Effect.succeed(new Response(null, { status: 503 })), "10 millis")
    )
    return Effect.gen(function* () {
      const calls = yield* Effect.forEach(Array.from({ length: 50 }), () =>
        Effect.forkChild(
          Effect.provideService(Effect.flip(getPayment(id)), RetryPolicy, {
            schedule: Schedule.recurs(0),
            renewToken: false
          })
        )
      )
      for (let step = 0; step < 5; step++) yield* TestClock.adjust("10 millis")
      for (const call of calls) assert.strictEqual((yield* Fiber.join(call)).reason._tag, "GatewayUnavailable")
      assert.strictEqual(transport.tokenRequests.length, 3)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })
})

describe("where a fiber lives no longer than the request it serves", () => {
  const bound = Effect.provideService(RequestBound, true)

  const withClock = <A, E, R>(call: Effect.Effect<A, E, R>, changed: (clock: Clock.Clock) => Partial<Clock.Clock>) =>
    Effect.flatMap(Clock.Clock, (clock) =>
      Effect.provideService(call, Clock.Clock, {
        currentTimeMillis: clock.currentTimeMillis,
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
        currentTimeNanos: clock.currentTimeNanos,
        currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        sleep: (duration) => clock.sleep(duration),
        ...changed(clock)
      })
    )

  /** A call whose timers, and requests, never end, as those of a request that is over. */
  const dying = <A, E, R>(call: Effect.Effect<A, E, R>) => withClock(call, () => ({ sleep: () => Effect.never }))

  it.effect("the token is asked for once by twenty callers, each of which looks for it by itself", () => {
    const transport = scripted(
      () => json(paid),
      (_, index) => Effect.delay(Effect.succeed(tokenResponse(`token-${index + 1}`)), "200 millis")
    )
    return Effect.gen(function* () {
      const calls = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.forkChild(getPayment(id)))
      yield* TestClock.adjust("200 millis")
      assert.strictEqual(transport.sent.length, 1)
      yield* TestClock.adjust("20 millis")
      for (const call of calls) yield* Fiber.join(call)
      assert.strictEqual(transport.tokenRequests.length, 1)
      assert.strictEqual(transport.sent.length, 20)
    }).pipe(bound, Effect.provide(gatewayOver(transport)))
  })

  it.effect("a request for a token that has died with its call is made again, once for all, some seconds later", () => {
    const transport = scripted(
      () => json(paid),
      (_, index) => (index === 0 ? Effect.never : tokenResponse(`token-${index + 1}`))
    )
    return Effect.gen(function* () {
      yield* Effect.forkChild(dying(getPayment(id)))
      yield* TestClock.adjust("1 second")
      const calls = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.forkChild(getPayment(id)))
      yield* TestClock.adjust("1900 millis")
      assert.strictEqual(transport.tokenRequests.length, 1)
      yield* TestClock.adjust("300 millis")
      for (const call of calls) yield* Fiber.join(call)
      assert.strictEqual(transport.tokenRequests.length, 2)
    }).pipe(bound, Effect.provide(gatewayOver(transport)))
  })

  it.effect("one that died long ago costs the next call no time", () => {
    const transport = scripted(
      () => json(paid),
      (_, index) => (index === 0 ? Effect.never : tokenResponse(`token-${index + 1}`))
    )
    return Effect.gen(function* () {
      yield* Effect.forkChild(dying(getPayment(id)))
      yield* TestClock.adjust("1 hour")
      const call = yield* Effect.forkChild(getPayment(id))
      yield* TestClock.adjust("5 millis")
      yield* Fiber.join(call)
      assert.strictEqual(transport.tokenRequests.length, 2)
    }).pipe(bound, Effect.provide(gatewayOver(transport)))
  })

  it.effect("one that was taken for dead, and ends after all, leaves the one in its place alone", () => {
    const [late, second] = [held(() => refusal(409, 321)), held(() => tokenResponse("token-2"))]
    const transport = scripted(
      () => json(paid),
      (_, index) => (index === 0 ? late.answer : index === 1 ? second.answer : tokenResponse("token-3"))
    )
    return Effect.gen(function* () {
      yield* Effect.forkChild(dying(Effect.exit(getPayment(id))))
      yield* TestClock.adjust("1 second")
      const call = yield* Effect.forkChild(getPayment(id))
      yield* TestClock.adjust("4 seconds")
      yield* second.reached
      yield* late.open
      yield* settled
      const other = yield* Effect.forkChild(getPayment(id))
      yield* TestClock.adjust("100 millis")
      assert.strictEqual(transport.tokenRequests.length, 2)
      yield* second.open
      yield* TestClock.adjust("100 millis")
      yield* Fiber.join(call)
      yield* Fiber.join(other)
      assert.strictEqual(transport.tokenRequests.length, 2)
    }).pipe(bound, Effect.provide(gatewayOver(transport)))
  })

  it.effect("one is not taken for dead when the whole process has stood still", () => {
    const answer = held(() => tokenResponse("token-1"))
    const transport = scripted(
      () => json(paid),
      (_, index) => (index === 0 ? answer.answer : tokenResponse("token-2"))
    )
    let pause = 0n
    const standing = <A, E, R>(call: Effect.Effect<A, E, R>) =>
      withClock(call, (clock) => ({ monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe() + pause }))
    return Effect.gen(function* () {
      const calls = yield* Effect.forEach([1, 2], () => Effect.forkChild(standing(getPayment(id))))
      yield* answer.reached
      // A look falls between the pause and the next sign of life.
      yield* TestClock.adjust("976 millis")
      pause = 10_000_000_000n
      yield* TestClock.adjust("1 second")
      assert.strictEqual(transport.tokenRequests.length, 1)
      yield* answer.open
      yield* TestClock.adjust("100 millis")
      for (const call of calls) yield* Fiber.join(call)
      assert.strictEqual(transport.tokenRequests.length, 1)
    }).pipe(bound, Effect.provide(gatewayOver(transport)))
  })

  it.effect("a caller that wants more attempts makes its own, however often it has looked", () => {
    const transport = scripted(
      () => json(paid),
      (_, index) =>
        index === 0 ? Effect.delay(Effect.succeed(json(errorBody(500), 503)), "1 second") : tokenResponse("token-2")
    )
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(
        Effect.provideService(Effect.flip(getPayment(id)), RetryPolicy, RetryPolicy.none)
      )
      yield* settled
      const second = yield* Effect.forkChild(getPayment(id))
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* Fiber.join(first)).reason._tag, "GatewayUnavailable")
      assert.strictEqual((yield* Fiber.join(second)).id, id)
      assert.strictEqual(transport.tokenRequests.length, 2)
    }).pipe(bound, Effect.provide(gatewayOver(transport)))
  })

  it.effect("one that refreshes the token and has died is made again by the next call", () => {
    const transport = scripted(
      () => json(paid),
      (_, index) => (index === 1 ? Effect.never : tokenResponse(`token-${index + 1}`))
    )
    return Effect.gen(function* () {
      yield* getPayment(id)
      yield* TestClock.adjust("1741 seconds")
      yield* Effect.forkChild(dying(getPayment(id)))
      yield* TestClock.adjust("4 seconds")
      yield* getPayment(id)
      assert.deepStrictEqual(bearers(transport), ["Bearer token-1", "Bearer token-3"])
    }).pipe(bound, Effect.provide(gatewayOver(transport)))
  })

  it.effect("a failure is forgotten as soon as a token has come", () => {
    const transport = scripted(
      () => json(paid),
      (_, index) => (index === 0 ? refusal(409, 321) : tokenResponse(`token-${index + 1}`, index === 1 ? 2 : 1800))
    )
    return Effect.gen(function* () {
      yield* Effect.flip(getPayment(id))
      yield* getPayment(id)
      yield* TestClock.adjust("1900 millis")
      yield* getPayment(id)
      assert.deepStrictEqual(bearers(transport), ["Bearer token-2", "Bearer token-3"])
    }).pipe(bound, Effect.provide(gatewayOver(transport)))
  })

  it.effect("one that lives is waited for, however long its attempts take", () => {
    const transport = scripted(
      () => json(paid),
      (_, index) => (index < 2 ? Effect.never : tokenResponse("token"))
    )
    return Effect.gen(function* () {
      const calls = yield* Effect.forEach(Array.from({ length: 10 }), () => Effect.forkChild(getPayment(id)))
      yield* TestClock.adjust("65 seconds")
      for (const call of calls) yield* Fiber.join(call)
      assert.strictEqual(transport.tokenRequests.length, 3)
    }).pipe(bound, Effect.provide(gatewayOver(transport)))
  })

  it.effect("its failure fails all who wait for it, and the next call asks again", () => {
    const transport = scripted(
      () => json(paid),
      (_, index) => Effect.delay(Effect.succeed(index === 0 ? refusal(409, 321) : tokenResponse("token")), "1 second")
    )
    return Effect.gen(function* () {
      const calls = yield* Effect.forEach(Array.from({ length: 20 }), () =>
        Effect.forkChild(Effect.flip(getPayment(id)))
      )
      yield* TestClock.adjust("1100 millis")
      for (const call of calls) assert.strictEqual((yield* Fiber.join(call)).operation, "getPayment")
      assert.strictEqual(transport.tokenRequests.length, 1)
      const next = yield* Effect.forkChild(getPayment(id))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(next)
    }).pipe(bound, Effect.provide(gatewayOver(transport)))
  })

  it.effect("the call that finds the token due refreshes it, while others go on with the old one", () => {
    const refresh = held(() => tokenResponse("token-2"))
    const transport = scripted(
      () => json(paid),
      (_, index) => (index === 0 ? tokenResponse("token-1") : refresh.answer)
    )
    return Effect.gen(function* () {
      yield* getPayment(id)
      yield* TestClock.adjust("1750 seconds")
      const first = yield* Effect.forkChild(getPayment(id))
      yield* refresh.reached
      yield* getPayment(id)
      assert.deepStrictEqual(bearers(transport), ["Bearer token-1", "Bearer token-1"])
      yield* refresh.open
      yield* Fiber.join(first)
      assert.strictEqual(bearers(transport)[2], "Bearer token-2")
      assert.strictEqual(transport.tokenRequests.length, 2)
    }).pipe(bound, Effect.provide(gatewayOver(transport)))
  })

  it.effect("that call waits for five seconds at most, and one in five seconds tries after a failure", () => {
    const transport = scripted(
      () => json(paid),
      (_, index) => (index === 0 ? tokenResponse("token-1") : index === 1 ? Effect.never : refusal(409, 321))
    )
    return Effect.gen(function* () {
      yield* getPayment(id)
      yield* TestClock.adjust("1741 seconds")
      const first = yield* Effect.forkChild(getPayment(id))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(first)
      yield* TestClock.adjust("30 seconds")
      for (let call = 0; call < 5; call++) yield* getPayment(id)
      assert.strictEqual(transport.tokenRequests.length, 3)
      yield* TestClock.adjust("5 seconds")
      yield* getPayment(id)
      assert.strictEqual(transport.tokenRequests.length, 4)
      assert.deepStrictEqual(new Set(bearers(transport)), new Set(["Bearer token-1"]))
    }).pipe(bound, Effect.provide(gatewayOver(transport)))
  })

  it.effect("a platform that can keep the request alive lets the call go on while the token is refreshed", () => {
    const refresh = held(() => tokenResponse("token-2"))
    const transport = scripted(
      () => json(paid),
      (_, index) => (index === 0 ? tokenResponse("token-1") : refresh.answer)
    )
    const kept: Array<Promise<unknown>> = []
    return Effect.gen(function* () {
      yield* getPayment(id)
      yield* TestClock.adjust("1750 seconds")
      yield* getPayment(id)
      assert.lengthOf(kept, 1)
      yield* refresh.open
      yield* Effect.promise(async () => kept[0])
      yield* getPayment(id)
      assert.deepStrictEqual(bearers(transport), ["Bearer token-1", "Bearer token-1", "Bearer token-2"])
      assert.lengthOf(kept, 1)
    }).pipe(
      bound,
      Effect.provideService(WaitUntil, (work) => void kept.push(work)),
      Effect.provide(gatewayOver(transport))
    )
  })

  it.effect("a platform that cannot do so now is no reason to fail", () => {
    const transport = scripted(() => json(paid))
    return Effect.gen(function* () {
      yield* getPayment(id)
      yield* TestClock.adjust("1750 seconds")
      yield* getPayment(id)
      assert.deepStrictEqual(bearers(transport), ["Bearer token-1", "Bearer token-2"])
    }).pipe(
      bound,
      Effect.provideService(WaitUntil, () => {
        throw new Error("outside of a request")
      }),
      Effect.provide(gatewayOver(transport))
    )
  })

  it.effect("closing the client does not wait for a request that has died", () => {
    const transport = scripted(
      () => json(paid),
      () => Effect.uninterruptible(Effect.never)
    )
    return Effect.gen(function* () {
      const scope = yield* Scope.make()
      const gateway = yield* Layer.buildWithScope(gatewayOver(transport), scope)
      yield* Effect.forkChild(dying(Effect.provideContext(getPayment(id), gateway)))
      yield* settled
      assert.strictEqual(transport.tokenRequests.length, 1)
      yield* Scope.close(scope, Exit.void)
    }).pipe(bound)
  })
})

describe("several merchants in one program", () => {
  it.effect("have a token each", () => {
    const transport = scripted(
      () => json(paid),
      ({ headers }) => tokenResponse(`token-of-${atob(headers["authorization"]?.split(" ")[1] ?? "").split(":")[0]}`)
    )
    const first = Gateway.layer({ ...merchant, clientId: "1" })
    const second = Gateway.layer({ ...merchant, clientId: "2" })
    return Effect.gen(function* () {
      yield* getPayment(id).pipe(Effect.provide(first))
      yield* getPayment(id).pipe(Effect.provide(second))
      yield* Effect.gen(function* () {
        yield* getPayment(id)
        yield* getPayment(id).pipe(Effect.provide(second))
      }).pipe(Effect.provide(first))
      assert.deepStrictEqual(bearers(transport), [
        "Bearer token-of-1",
        "Bearer token-of-2",
        "Bearer token-of-1",
        "Bearer token-of-2"
      ])
    }).pipe(Effect.provide(transport.layer))
  })

  it.effect("are kept apart when their layers are built together", () => {
    const transport = scripted(
      () => json(paid),
      ({ headers }) => tokenResponse(`token-of-${atob(headers["authorization"]?.split(" ")[1] ?? "").split(":")[0]}`)
    )
    return Effect.gen(function* () {
      const [first, second] = yield* Effect.all([
        Layer.build(Gateway.layer({ ...merchant, clientId: "1" })),
        Layer.build(Gateway.layer({ ...merchant, clientId: "2" }))
      ])
      yield* getPayment(id).pipe(Effect.provideContext(first))
      yield* getPayment(id).pipe(Effect.provideContext(second))
      assert.deepStrictEqual(bearers(transport), ["Bearer token-of-1", "Bearer token-of-2"])
    }).pipe(Effect.provide(transport.layer))
  })
})

describe("the times of a token", () => {
  const times = (lifetime: number) => token("text", { obtainedAt: 1_000, lifetime, isFromStore: false })

  it("are those of its lifetime: it is refreshed in its last tenth, and in its last minute at most", () => {
    assert.deepInclude(times(1_800_000), { obtainedAt: 1_000, refreshAt: 1_741_000, expiresAt: 1_801_000 })
    assert.deepInclude(times(10_000), { refreshAt: 10_000, expiresAt: 11_000 })
  })

  const asking = (answer: Response) => {
    const transport: Transport = () =>
      Effect.map(
        Effect.promise(() => answer.arrayBuffer()),
        (data) => ({ status: answer.status, data, header: () => undefined })
      )
    return gatewaySource(apiV3, Result.getOrThrow(checkOptions(merchant)), transport, unobserved).fetch
  }

  it.effect("begin when it is asked for, and one second is a lifetime", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(5_000)
      const obtained = yield* asking(tokenResponse("text", 1))
      assert.deepInclude(obtained, { obtainedAt: 5_000, expiresAt: 6_000, isFromStore: false })
    })
  )

  it.effect("do not matter where there is none: the failure is that of the request for it", () =>
    Effect.gen(function* () {
      const { operation, reason } = yield* Effect.flip(asking(refusal(401, 202)))
      assert.strictEqual(operation, "getAccessToken")
      assert.strictEqual(reason._tag, "AuthenticationFailed")
    })
  )
})

it.effect("an outage that speaks of credentials is an outage, and the next call asks again", () => {
  const both = { errors: [202, 500].flatMap((code) => errorBody(code).errors) }
  const transport = scripted(
    () => json(paid),
    (_, index) => (index === 0 ? json(both, 503) : tokenResponse("token-2"))
  )
  return Effect.gen(function* () {
    const { reason } = yield* Effect.flip(getPayment(id))
    assert.strictEqual(reason._tag, "GatewayUnavailable")
    yield* getPayment(id)
    assert.strictEqual(transport.tokenRequests.length, 2)
  }).pipe(Effect.provideService(RetryPolicy, RetryPolicy.none), Effect.provide(gatewayOver(transport)))
})

describe("one request for a token", () => {
  const slowly = () =>
    scripted(
      () => json(paid),
      () =>
        Effect.delay(
          Effect.sync(() => tokenResponse("token")),
          "10 seconds"
        )
    )

  it.effect("serves callers that come while it takes long", () => {
    const transport = slowly()
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(getPayment(id))
      yield* TestClock.adjust("5 seconds")
      const second = yield* Effect.forkChild(getPayment(id))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(first)
      yield* Fiber.join(second)
      assert.strictEqual(transport.tokenRequests.length, 1)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("refreshes it, and is not made again for taking long", () => {
    const transport = scripted(
      () => json(paid),
      (_, index) =>
        index === 0 ? tokenResponse("token-1") : Effect.delay(Effect.succeed(tokenResponse("token-2")), "10 seconds")
    )
    return Effect.gen(function* () {
      yield* getPayment(id)
      yield* TestClock.adjust("1741 seconds")
      yield* getPayment(id)
      yield* TestClock.adjust("5 seconds")
      yield* getPayment(id)
      yield* settled
      assert.strictEqual(transport.tokenRequests.length, 2)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("has the time that is configured, whatever time its caller gives an attempt", () => {
    const transport = slowly()
    return Effect.gen(function* () {
      const call = yield* Effect.forkChild(Effect.provideService(getPayment(id), AttemptTimeout, "1 second"))
      yield* TestClock.adjust("10 seconds")
      yield* Effect.exit(Fiber.join(call))
      yield* getPayment(id)
      assert.strictEqual(transport.tokenRequests.length, 1)
    }).pipe(Effect.provide(gatewayOver(transport)))
  })

  it.effect("that dies without a reason fails its caller, for good", () =>
    Effect.gen(function* () {
      const source = { fetch: Effect.die("boom"), discard: () => Effect.void }
      const failure = yield* Effect.flip(keep(source, yield* Effect.scope).get)
      assert.strictEqual(failure.operation, "getAccessToken")
      assert.isFalse(failure.reason.isRetryable)
      assert.include(failure.reason.message, "no reason given")
    })
  )

  it.effect("serves callers of different policies, and fails them alike when asking again is of no use", () =>
    Effect.gen(function* () {
      const both = (transport: ReturnType<typeof scripted>) => {
        const once = Effect.provideService(getPayment(id), RetryPolicy, RetryPolicy.none)
        return Effect.as(
          Effect.all([Effect.exit(getPayment(id)), Effect.exit(once)], { concurrency: "unbounded" }),
          transport
        ).pipe(Effect.provide(gatewayOver(transport)))
      }
      const good = yield* both(scripted(() => json(paid)))
      assert.deepStrictEqual([good.sent.length, good.tokenRequests.length], [2, 1])
      const bad = yield* both(
        scripted(
          () => json(paid),
          () => new Response("?")
        )
      )
      assert.deepStrictEqual([bad.sent.length, bad.tokenRequests.length], [0, 1])
    })
  )

  it.effect("is made from the time on at which the token is due, and for a while not after wrong credentials", () =>
    Effect.gen(function* () {
      let asked = 0
      const wrong: GatewayFailure = {
        operation: "getAccessToken",
        reason: {
          _tag: "AuthenticationFailed",
          isRetryable: false,
          message: "m",
          status: 403,
          errors: [{ scope: "G", error_code: 202 }]
        }
      }
      const fetch = Effect.suspend(() =>
        asked++ === 0
          ? Effect.succeed(token("text", { obtainedAt: 0, lifetime: 600_000, isFromStore: false }))
          : Effect.fail(wrong)
      )
      const cache = keep({ fetch, discard: () => Effect.void }, yield* Effect.scope)
      const { refreshAt } = yield* cache.get
      yield* TestClock.setTime(refreshAt - 1)
      yield* cache.get
      yield* settled
      assert.strictEqual(asked, 1)
      yield* TestClock.setTime(refreshAt)
      yield* cache.get
      yield* settled
      assert.strictEqual(asked, 2)
      yield* cache.get
      yield* settled
      assert.strictEqual(asked, 2)
    })
  )
})

describe("a fiber is bound to its request", () => {
  afterEach(() => vi.unstubAllGlobals())

  const isBound = () => RequestBound.defaultValue()

  it("in Cloudflare Workers and in edge functions, and nowhere else", () => {
    assert.isFalse(isBound())
    vi.stubGlobal("EdgeRuntime", "edge-runtime")
    assert.isTrue(isBound())
    vi.unstubAllGlobals()
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" })
    assert.isTrue(isBound())
  })
})
