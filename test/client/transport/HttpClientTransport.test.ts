/**
 * A client of the caller's that does not behave: the call still ends, in time, and says no more than is known.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import { Gateway, type GatewayError, RetryPolicy } from "../../../src/index.js"
import { changes, reads } from "../../support/OperationPrograms.js"
import { merchant, tokenResponse } from "../../support/ScriptedTransport.js"

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
      assert.include(reason.message, "no complete response within 2m")
    })
  )

  it.effect.each(Object.entries(reads))("does not hold up %s: the gateway is not available", ([, read]) =>
    Effect.map(reasonOf(read(), clientThat(hanging)), (reason) => {
      assert.strictEqual(reason._tag, "GatewayUnavailable")
      assert.include(reason.message, "no complete response within 30s")
    })
  )

  it.effect.each([changes.refundPayment, reads.getPayment])("does not hold up the call for a token", (call) =>
    Effect.map(reasonOf(call(), clientThat(hanging, "token")), (reason) => {
      assert.deepInclude(reason, { _tag: "GatewayUnavailable", isRetryable: true })
    })
  )

  it.effect("does not hold up the caller's interruption either", () =>
    Effect.gen(function* () {
      const call = yield* Effect.forkChild(changes.refundPayment())
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(call)
    }).pipe(
      Effect.provide(Gateway.layer(merchant)),
      Effect.provide(Layer.succeed(HttpClient.HttpClient, clientThat(hanging))),
      Effect.provideService(References.MinimumLogLevel, "None")
    )
  )
})

describe("a client that can be interrupted", () => {
  it.effect("is, when the time is over and when the caller is", () =>
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
