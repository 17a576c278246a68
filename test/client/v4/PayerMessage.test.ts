import { assert, describe, it } from "@effect/vitest"
import * as V4 from "../../../src/client/v4/index.js"

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

  it("about anything else is no error", () => {
    const broken = {
      get _tag() {
        throw new Error("no")
      }
    }
    for (const subject of [undefined, null, 1, {}, broken]) assert.isString(V4.payerMessageV4(subject, "en").text)
  })
})
