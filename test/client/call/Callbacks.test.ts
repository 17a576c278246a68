/**
 * Whatever a service or callback that a program provides does to its own call: a change that may have been sent ends
 * with its result, as `OutcomeUnknown`, or is reported to `OnUnknownOutcome`; one that was not sent does none of these.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import * as Tracer from "effect/Tracer"
import {
  BeforeSend,
  type ChangeRecord,
  Gateway,
  OnResponse,
  OnUnknownOutcome,
  refundPayment,
  RetryPolicy
} from "../../../src/index.js"
import { id } from "../../support/OperationPrograms.js"
import { finished, json, merchant, scripted } from "../../support/ScriptedTransport.js"

/** The call's own fiber, once it runs. */
interface Call {
  fiber: Fiber.Fiber<unknown, unknown> | undefined
}

/** Ways in which a callback may misbehave. */
const misdeeds: { readonly [name: string]: (call: Call) => void } = {
  "interrupts the call": ({ fiber }) => fiber?.interruptUnsafe(),
  "interrupts the call and throws": ({ fiber }) => {
    fiber?.interruptUnsafe()
    throw new Error("from a callback")
  },
  throws: () => {
    throw new Error("from a callback")
  }
}

type Program = Effect.Effect<unknown, { readonly reason: { readonly _tag: string } }, Gateway>

/** Makes a callback of a call misbehave. */
const callbacks: { readonly [name: string]: (program: Program, misbehave: () => void) => Program } = {
  OnResponse: (program, misbehave) => Effect.provideService(program, OnResponse, () => Effect.sync(misbehave)),
  "OnResponse before it gives a program": (program, misbehave) =>
    Effect.provideService(program, OnResponse, () => {
      misbehave()
      return Effect.void
    }),
  "OnResponse that is asynchronous": (program, misbehave) =>
    Effect.provideService(program, OnResponse, () => Effect.promise(async () => misbehave())),
  BeforeSend: (program, misbehave) =>
    Effect.provideService(program, BeforeSend, () =>
      Effect.sync(() => {
        misbehave()
        return true
      })
    ),
  "BeforeSend before it gives a program": (program, misbehave) =>
    Effect.provideService(program, BeforeSend, () => {
      misbehave()
      return Effect.succeed(true)
    }),
  "a logger": (program, misbehave) =>
    program.pipe(
      Effect.provideService(References.MinimumLogLevel, "Debug"),
      Effect.provide(
        Logger.layer([
          Logger.make(({ message }) => {
            if (String(message).startsWith("refundPayment")) misbehave()
          })
        ])
      )
    ),
  "a tracer, at the span's end": (program, misbehave) =>
    Effect.provideService(
      program,
      Tracer.Tracer,
      Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          return options.name === "gopay.refundPayment" ? Object.assign(span, { end: misbehave }) : span
        }
      })
    ),
  "a tracer, at the span's attributes": (program, misbehave) =>
    Effect.provideService(
      program,
      Tracer.Tracer,
      Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          return options.name === "gopay.refundPayment" ? Object.assign(span, { attribute: misbehave }) : span
        }
      })
    )
}

/** The same of the transport: before it sends, and when it has the response. */
const transports: {
  readonly [name: string]: (http: HttpClient.HttpClient, misbehave: () => void) => HttpClient.HttpClient
} = {
  "a transport, before it sends": (http, misbehave) =>
    HttpClient.transform(http, (response, { url }) =>
      Effect.suspend(() => {
        if (url.endsWith("/refund")) misbehave()
        return response
      })
    ),
  "a transport, with the response": (http, misbehave) =>
    HttpClient.transform(http, (response, { url }) =>
      Effect.tap(response, () => Effect.sync(() => (url.endsWith("/refund") ? misbehave() : undefined)))
    )
}

const refused = () =>
  Response.json({ errors: [{ scope: "G", error_code: 303, error_name: "PAYMENT_WRONG_STATE" }] }, { status: 409 })

describe.each([
  ["accepted", () => json(finished), "success"],
  ["refused", refused, "OperationRefused"]
] as const)("a refund that is %s", (_, answer, result) => {
  describe.each([...Object.keys(callbacks), ...Object.keys(transports)])("with %s", (callback) => {
    it.effect.each(Object.keys(misdeeds))("that %s", (name) => {
      const call: Call = { fiber: undefined }
      const reported: Array<ChangeRecord> = []
      let wasCalled = false
      const misbehave = () => {
        wasCalled = true
        misdeeds[name]?.(call)
      }
      const transport = scripted(answer)
      const overTransport = Layer.effect(
        HttpClient.HttpClient,
        Effect.map(HttpClient.HttpClient, (http) => transports[callback]?.(http, misbehave) ?? http)
      ).pipe(Layer.provide(transport.layer))
      const program: Program = refundPayment(id, { amount: 1 }).pipe(
        Effect.provideService(OnUnknownOutcome, (change) => Effect.sync(() => void reported.push(change))),
        Effect.provideService(RetryPolicy, RetryPolicy.none)
      )
      return Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(callbacks[callback]?.(program, misbehave) ?? program)
        call.fiber = fiber
        yield* TestClock.adjust("10 minutes")
        const exit = yield* Fiber.await(fiber)
        const failure = Option.getOrUndefined(Exit.findErrorOption(exit))?.reason._tag
        const outcome = Exit.isSuccess(exit)
          ? "success"
          : (failure ?? (reported.length > 0 ? "reported" : "interrupted"))
        const sent = transport.sent.length
        assert.isTrue(wasCalled)
        assert.isAtMost(sent, 1)
        assert.isAtMost(reported.length, 1)
        // A change that was refused was certainly not made: an interruption loses no money by that.
        const isLost = outcome === "interrupted" && result === "OperationRefused"
        if (sent === 1 && !isLost) assert.include([result, "OutcomeUnknown", "reported"], outcome)
        if (sent === 0) assert.notEqual(outcome, "success")
        // Of a transport that fails it is not known whether it has sent the request.
        if (sent === 0 && transports[callback] === undefined) assert.notInclude(["OutcomeUnknown", "reported"], outcome)
      }).pipe(Effect.provide(Layer.provide(Gateway.layer(merchant), overTransport)))
    })
  })
})
