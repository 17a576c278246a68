/**
 * What an Effect user sees of an error: whose code failed, which reason, and whether a repetition is safe.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { awaitPayment, type Gateway, GatewayError, getPayment, NotificationError } from "../../../src/index.js"
import { LedgerError } from "../../../src/ledger/index.js"
import { GatewayError as PromiseError } from "../../../src/promise/index.js"
import { LedgerError as PromiseLedgerError } from "../../../src/ledger/promise/index.js"
import { id } from "../../support/OperationPrograms.js"
import { gatewayOver, refusal, scripted } from "../../support/ScriptedTransport.js"

const unknown = gatewayOver(scripted(() => refusal(404, 304)))

const printed = <A, E, R>(program: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(Effect.sandbox(program)), Cause.pretty)

describe("a printed failure", () => {
  it.effect.each<readonly [string, Effect.Effect<unknown, GatewayError, Gateway>]>([
    ["an operation", getPayment(id)],
    ["what is made of one", awaitPayment(id)]
  ])("of %s begins with the caller's frame", ([, program]) =>
    Effect.gen(function* () {
      const shipOrder = Effect.fn("shipOrder")(function* () {
        return yield* program
      })
      const [message, frame] = (yield* printed(shipOrder())).split("\n")
      assert.match(message ?? "", /^GatewayError: getPayment: /)
      assert.match(frame ?? "", /at shipOrder .*PrintedErrors\.test\.ts/)
    }).pipe(Effect.provide(unknown))
  )

  it.effect("with a reason has the reason's name, which is no part of its data", () =>
    Effect.gen(function* () {
      const { reason } = yield* Effect.flip(getPayment(id))
      assert.match(yield* printed(Effect.fail(reason)), /^PaymentNotFound: The gateway knows no payment/)
      assert.notProperty(JSON.parse(JSON.stringify(reason)), "name")
      assert.notInclude(Object.keys(reason), "name")
    }).pipe(Effect.provide(unknown))
  )

  it("names the reasons of notifications and of the ledger as well", () => {
    const notification = new NotificationError({ reason: { _tag: "UnknownPayment", paymentId: 1, message: "m" } })
    const ledger = new LedgerError({ reason: { _tag: "KeyReused", key: "a", message: "m" } })
    assert.match(Cause.pretty(Cause.fail(notification.reason)), /^UnknownPayment: m/)
    assert.match(Cause.pretty(Cause.fail(ledger.reason)), /^KeyReused: m/)
  })
})

describe.each([
  ["programs", GatewayError, LedgerError],
  ["promises", PromiseError, PromiseLedgerError]
] as const)("an error of %s", (_, Gateway, Ledger) => {
  it("says whether the same call may be repeated", () => {
    const failed = (isRetryable: boolean) =>
      new Gateway({ operation: "getPayment", reason: { _tag: "GatewayUnavailable", isRetryable, message: "m" } })
    assert.isTrue(failed(true).isRetryable)
    assert.isFalse(failed(false).isRetryable)
    assert.isTrue(new Ledger({ reason: { _tag: "LedgerUnavailable", message: "m" } }).isRetryable)
    assert.isFalse(new Ledger({ reason: { _tag: "InvalidArgument", message: "m" } }).isRetryable)
  })
})
