import { describe, expect, it } from "vitest"
import {
  isAuthorized,
  isAwaitingPayer,
  isClosedUnpaid,
  isPaid,
  isPayerDone,
  PaymentStates,
  wasPaid
} from "../../../src/promise/index.js"

describe("of all states, known and unknown,", () => {
  const statesFor = (predicate: (payment: { readonly state: string }) => boolean) =>
    [...Object.keys(PaymentStates), "SOMETHING_NEW", "paid", ""].filter((state) => predicate({ state }))

  it.each([
    ["isAwaitingPayer", isAwaitingPayer, ["CREATED", "PAYMENT_METHOD_CHOSEN"]],
    ["isPayerDone", isPayerDone, ["PAID", "AUTHORIZED", "CANCELED", "TIMEOUTED", "REFUNDED", "PARTIALLY_REFUNDED"]],
    ["isPaid", isPaid, ["PAID"]],
    ["wasPaid", wasPaid, ["PAID", "REFUNDED", "PARTIALLY_REFUNDED"]],
    ["isAuthorized", isAuthorized, ["AUTHORIZED"]],
    ["isClosedUnpaid", isClosedUnpaid, ["CANCELED", "TIMEOUTED"]]
  ] as const)("%s holds in its own alone", (_, predicate, states) => {
    expect(statesFor(predicate)).toEqual(states)
  })

  it("every known one is either open or done, and an unknown one neither", () => {
    for (const state of Object.keys(PaymentStates)) expect(isAwaitingPayer({ state })).toBe(!isPayerDone({ state }))
    expect(isPayerDone({ state: "SOMETHING_NEW" })).toBe(false)
    expect(isAwaitingPayer({ state: "SOMETHING_NEW" })).toBe(false)
  })
})
