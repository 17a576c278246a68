/**
 * The tracing spans that a ledger's calls and steps make.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"
import { record } from "../support/Recorder.js"
import { inWorld, order, paid } from "./World.js"

const ancestorsOf = (span: Tracer.AnySpan): ReadonlyArray<string> => {
  const parent = span._tag === "Span" ? Option.getOrUndefined(span.parent) : undefined
  return parent?._tag === "Span" ? [parent.name, ...ancestorsOf(parent)] : []
}

describe("the spans of a ledger", () => {
  it.effect("hold the request to the gateway within the step, and the step within the call", () => {
    const recorder = record()
    return inWorld(({ ledger }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* Effect.provide(ledger.refund("a", id, { amount: 500 }), recorder.layer)
        const sent = recorder.spans.find(({ name }) => name === "gopay.refundPayment")
        assert.deepStrictEqual(sent && ancestorsOf(sent), ["Ledger.step", "Ledger.refund"])
        const step = recorder.spans.find(({ name }) => name === "Ledger.step")
        assert.deepStrictEqual(step && Object.fromEntries(step.attributes), {
          "gopay.ledger.key": "a",
          "gopay.ledger.status": "queued",
          "gopay.operation": "refundPayment",
          "gopay.payment_id": String(id)
        })
      })
    )
  })

  it.effect("end with the error of a call that fails", () => {
    const recorder = record()
    return inWorld(({ ledger }) =>
      Effect.gen(function* () {
        yield* Effect.exit(Effect.provide(ledger.refund("", 1, { amount: 500 }), recorder.layer))
        const span = recorder.spans.find(({ name }) => name === "Ledger.refund")
        const exit = span?.status._tag === "Ended" ? span.status.exit : undefined
        const error = exit === undefined ? Option.none() : Exit.findErrorOption(exit)
        assert.match(String(Option.getOrUndefined(error)), /key must not be empty/)
      })
    )
  })

  it.effect("tell which payment a worker checks", () => {
    const recorder = record()
    return inWorld(({ ledger, pass }) =>
      Effect.gen(function* () {
        const { callback } = order
        const checkedOut = yield* ledger.checkout("7", { amount: 100_000, currency: "CZK", callback })
        yield* pass("10 minutes")
        yield* Effect.provide(ledger.runOnce(), recorder.layer)
        const check = recorder.spans.find(({ name }) => name === "Ledger.checkPayment")
        assert.deepStrictEqual(check && [ancestorsOf(check), Object.fromEntries(check.attributes)], [
          ["Ledger.runOnce"],
          { "gopay.order_number": "7", "gopay.payment_id": String(checkedOut.paymentId) }
        ])
      })
    )
  })
})
