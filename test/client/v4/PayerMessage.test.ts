import { assert, describe, it } from "@effect/vitest"
import * as V4 from "../../../src/client/v4/index.js"
import { payerMessage } from "../../../src/index.js"
import { paymentId } from "../../support/GatewayV4.js"

const lost = (operation: V4.ChangeNameV4 | "v4.sendRequest"): V4.GatewayErrorV4 =>
  new V4.GatewayErrorV4({
    operation,
    reason: {
      _tag: "OutcomeUnknown",
      isRetryable: false,
      message: "It was sent.",
      change: { operation, sentAt: "2026-11-29T10:00:00.000Z" }
    }
  })

describe("what a payer reads", () => {
  it.each([
    ["v4.createPayment", "tryAgain"],
    ["v4.startRecurrence", "tryAgain"],
    ["v4.createRecurrence", "tryAgain"],
    ["v4.nextPayment", "wait"],
    ["v4.refundPayment", "wait"],
    ["v4.cancelPayment", "wait"],
    ["v4.stopRecurrence", "wait"],
    ["v4.sendRequest", "wait"]
  ] as const)("after a lost %s is to %s", (operation, nextStep) => {
    assert.strictEqual(V4.payerMessageV4(lost(operation), "en").nextStep, nextStep)
  })

  it("after a stop that was made before is not that it failed", () => {
    const refused = (goalReached: boolean) =>
      V4.payerMessageV4(
        new V4.GatewayErrorV4({
          operation: "v4.stopRecurrence",
          reason: { _tag: "OperationRefused", isRetryable: false, goalReached, message: "m", status: 409 }
        }),
        "en"
      )
    assert.deepStrictEqual([refused(true).nextStep, refused(false).nextStep], ["nothing", "contactShop"])
  })

  it("about a payment is what v3 says", () => {
    assert.strictEqual(V4.payerMessageV4({ state: "PAID" }, "cs").nextStep, "nothing")
    assert.strictEqual(V4.payerMessageV4({ state: "CREATED" }, "sk").nextStep, "continue")
  })

  it("about a payment that is CREATED does not invite to pay twice: one by QR code stays so until the money arrives", () => {
    const { nextStep, text } = V4.payerMessageV4({ state: "CREATED" }, "en")
    assert.include(text, "please do not pay again")
    assert.strictEqual(nextStep, "continue")
  })

  it.each([
    ["InvalidNotification", "contactShop"],
    ["UnknownPayment", "contactShop"],
    ["PaymentMismatch", "contactShop"],
    ["TooManyReads", "wait"]
  ] as const)("about a return that was not verified, for %s, is what v3 says", (_tag, nextStep) => {
    const reason = { _tag, message: "m", isRetryable: false, paymentId, errors: [] }
    const ofV4 = V4.payerMessageV4({ _tag: "NotificationErrorV4", reason }, "en")
    assert.deepStrictEqual(ofV4, payerMessage({ _tag: "NotificationError", reason }, "en"))
    assert.strictEqual(ofV4.nextStep, nextStep)
    assert.include(ofV4.text, "do not pay again")
  })

  it("about anything else is no error", () => {
    const broken = {
      get _tag() {
        throw new Error("no")
      }
    }
    for (const subject of [undefined, null, 1, {}, broken]) assert.isString(V4.payerMessageV4(subject, "en").text)
  })
})
