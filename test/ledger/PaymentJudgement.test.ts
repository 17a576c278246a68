/**
 * Whether a payment is the one that was asked for.
 */
import { describe, expect, it } from "@effect/vitest"
import { differencesIn, sentenceOf } from "../../src/ledger/order/PaymentJudgement.js"

const row = { order_number: "A&B", terms: { amount: 1_000, currency: "CZK" } }
const expected = { goid: "08123456789", captured: [300] }
const same = { amount: 1_000, currency: "CZK", order_number: "A&B", target: { type: "ACCOUNT", goid: 8_123_456_789 } }

const fieldsOf = (shown: Parameters<typeof differencesIn>[1]) =>
  differencesIn(row, shown, expected).map(({ field }) => field)

describe("A payment", () => {
  it.each([
    ["as it was asked for", same],
    ["of which the gateway shows nothing", {}],
    ["whose order number is encoded", { ...same, order_number: "A&amp;B" }],
    ["of the amount that was captured", { ...same, amount: 300 }]
  ])("%s is the one", (_, shown) => {
    expect(fieldsOf(shown)).toEqual([])
  })

  it.each([
    ["amount", { ...same, amount: 1 }],
    ["currency", { ...same, currency: "EUR" }],
    ["order_number", { ...same, order_number: "A" }],
    ["order_number", { ...same, order_number: "A&amp;amp;B" }],
    ["goid", { ...same, target: { type: "ACCOUNT", goid: 8_123_456_780 } }]
  ] as const)("of another %s is another one", (field, shown) => {
    expect(fieldsOf(shown)).toEqual([field])
  })

  it("of an order number that is not known is the one", () => {
    expect(differencesIn({ ...row, order_number: "" }, same, expected)).toEqual([])
  })

  it("differs in words that name each field", () => {
    const differences = differencesIn(row, { ...same, amount: 1, currency: "EUR" }, expected)
    expect(sentenceOf(differences)).toBe(
      "The gateway shows another payment than was asked for: amount 1 in place of 1000, currency EUR in place of CZK."
    )
  })
})
