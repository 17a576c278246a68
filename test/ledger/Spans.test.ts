/**
 * The tracing spans that a ledger's calls and steps make.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"
import Database from "libsql"
import { Merchant } from "../../src/index.js"
import { fileStore, Ledger } from "../../src/ledger/index.js"
import { LocalGateway } from "../../src/local-gateway/index.js"
import { captureLog } from "../support/LogGuard.js"
import { record } from "../support/Recorder.js"
import { inWorld, order, paid, workOnce } from "./World.js"

const { goid } = LocalGateway.merchant

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
        // Over the local gateway in process, as in production.
        assert.notInclude(Array.from(sent?.attributes.keys() ?? []), "http.route")
        const step = recorder.spans.find(({ name }) => name === "Ledger.step")
        assert.deepStrictEqual(step && Object.fromEntries(step.attributes), {
          "gopay.goid": String(goid),
          "gopay.ledger.key": "a",
          "gopay.ledger.outcome": "Done",
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

  it.effect("say whose they are, what they are about, and why a call failed, and nothing of a payer", () => {
    const recorder = record()
    return inWorld(({ ledger }) =>
      Effect.gen(function* () {
        const id = yield* paid
        const payer = { contact: { email: "bohumila@example.com" } }
        const { paymentId } = yield* Effect.gen(function* () {
          yield* ledger.refund("a", String(id), { amount: 500 })
          yield* Effect.exit(ledger.refund("a", id, { amount: 700 }))
          yield* Effect.exit(ledger.refund("b", -1, { amount: 700 }))
          yield* ledger.operator.listRefunds(id)
          return yield* ledger.checkout("7", { amount: 100_000, currency: "CZK", callback: order.callback, payer })
        }).pipe(Effect.provide(recorder.layer))
        const calls = recorder.spans
          .filter(({ name }) => name.startsWith("Ledger.") && name !== "Ledger.step")
          .map(({ attributes, name }) => [name, Object.fromEntries(attributes)])
        const merchant = { "gopay.goid": String(goid) }
        const payment = { "gopay.payment_id": String(id) }
        assert.deepStrictEqual(calls, [
          ["Ledger.refund", { ...merchant, "gopay.ledger.key": "a", "gopay.ledger.outcome": "Done", ...payment }],
          ["Ledger.refund", { ...merchant, "gopay.ledger.key": "a", ...payment, "error.type": "KeyReused" }],
          ["Ledger.refund", { ...merchant, "gopay.ledger.key": "b", "error.type": "InvalidArgument" }],
          ["Ledger.listRefunds", { ...merchant, ...payment }],
          ["Ledger.checkout", { ...merchant, "gopay.order_number": "7", "gopay.payment_id": String(paymentId) }]
        ])
        assert.notInclude(
          JSON.stringify(recorder.spans.map(({ attributes }) => Array.from(attributes))),
          payer.contact.email
        )
      })
    )
  })

  it.effect("say what became of a refund that is not decided yet, and which order a payer has come back from", () => {
    const recorder = record()
    return inWorld(({ ledger }) =>
      Effect.gen(function* () {
        const id = yield* paid
        const { callback } = order
        const { paymentId } = yield* ledger.checkout("7", { amount: 100_000, currency: "CZK", callback })
        yield* Effect.gen(function* () {
          yield* ledger.refund("later", id, { amount: 500 }, { waitAtMost: 0 })
          yield* ledger.verifyReturn(`https://shop.example/return?id=${paymentId}`)
        }).pipe(Effect.provide(recorder.layer))
        const outcomes = recorder.spans.map(({ attributes }) => attributes.get("gopay.ledger.outcome"))
        assert.include(outcomes, "Pending")
        const span = recorder.spans.find(({ name }) => name === "Ledger.verifyReturn")
        assert.strictEqual(span?.attributes.get("gopay.order_number"), "7")
      })
    )
  })

  it.effect("link a worker's step to the call that began the change, and not a step within the call", () => {
    const recorder = record()
    return inWorld((world) =>
      Effect.gen(function* () {
        const { ledger } = world
        const id = yield* paid
        yield* Effect.provide(ledger.refund("now", id, { amount: 500 }), recorder.layer)
        yield* Effect.provide(ledger.refund("later", id, { amount: 500 }, { waitAtMost: 0 }), recorder.layer)
        yield* Effect.provide(workOnce(world, ledger), recorder.layer)
        const calls = new Map(recorder.spans.map(({ name, spanId }) => [spanId, name]))
        const steps = recorder.spans
          .filter(({ name }) => name === "Ledger.step")
          .map((span) => [
            span.attributes.get("gopay.ledger.key"),
            ancestorsOf(span),
            span.links.map((link) => calls.get(link.span.spanId))
          ])
        const later = steps.filter(([key]) => key === "later")
        assert.isNotEmpty(later)
        for (const step of later) assert.deepStrictEqual(step, ["later", ["Ledger.runOnce"], ["Ledger.refund"]])
        for (const [, , links] of steps.filter(([key]) => key === "now")) assert.deepStrictEqual(links, [])
      })
    )
  })

  it.effect("name the failure of onPayment as its error has it", () => {
    const recorder = record()
    captureLog(/onPayment|was not processed/)
    return inWorld(({ makeProcess, pass }) =>
      Effect.gen(function* () {
        const web = yield* makeProcess({ onPayment: () => Effect.fail("the warehouse is closed") })
        const { callback } = order
        const { paymentId } = yield* web.checkout("7", { amount: 100_000, currency: "CZK", callback })
        yield* LocalGateway.payByCard(Number(paymentId))
        const returned = web.verifyReturn(`https://shop.example/return?id=${paymentId}`)
        yield* Effect.exit(Effect.provide(returned, recorder.layer))
        const span = recorder.spans.find(({ name }) => name === "Ledger.verifyReturn")
        assert.strictEqual(span?.attributes.get("error.type"), "HandlerFailed")
        yield* pass("10 minutes")
        yield* Effect.provide(web.runOnce(), recorder.layer)
        const check = recorder.spans.find(({ name }) => name === "Ledger.checkPayment")
        assert.strictEqual(check?.attributes.get("error.type"), "HandlerFailed")
      })
    )
  })

  it.effect("of a ledger over the gateway of a merchant have the merchant's name", () => {
    class Cz extends Merchant.Service<Cz>()("test/Cz") {}
    const recorder = record()
    const layer = Cz.over(Ledger.layer({ store: fileStore(":memory:", { driver: Database }), migrate: true })).pipe(
      Layer.provide(Cz.layer(LocalGateway.merchant)),
      Layer.provide(LocalGateway.layer)
    )
    return Effect.gen(function* () {
      yield* Ledger.use(({ getOrder }) => getOrder("7"))
      const span = recorder.spans.find(({ name }) => name === "Ledger.getOrder")
      assert.deepStrictEqual(span && Object.fromEntries(span.attributes), {
        "gopay.goid": String(goid),
        "gopay.merchant": "test/Cz",
        "gopay.order_number": "7"
      })
    }).pipe(Effect.provide(layer), Effect.provide(recorder.layer))
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
          { "gopay.goid": String(goid), "gopay.order_number": "7", "gopay.payment_id": String(checkedOut.paymentId) }
        ])
      })
    )
  })
})
