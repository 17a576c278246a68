/**
 * The worked month of the guide: thirty payments, three refunds, a late transfer, two clearings, one sent in two transfers.
 */
import { expect, it } from "vitest"
import { reconciledMonth, sectionInGuide, workedMonth } from "./workedMonth.js"

/** Without what the formatter does to tables and lines. */
const plain = (text: string): string =>
  text
    .replace(/ *\| */g, "|")
    .replace(/-{3,}/g, "---")
    .replace(/\s+/g, " ")
    .trim()

it("The worked month has what it says: only the late transfer is left to do", () => {
  const month = reconciledMonth()
  expect(month).toMatchObject({
    agrees: false,
    evidence: [],
    missing: [],
    differentAmounts: [],
    ambiguous: [],
    contradictions: [],
    toCheck: [],
    notYetDue: [],
    unexplainedTransfers: [],
    foreign: [{ _tag: "NotCountedAsPaid", orderNumber: "2026-0031" }],
    matched: { length: 33 }
  })
  expect(
    month.clearings.map(({ explainedBy, received }) => [explainedBy, received?.state, received?.transfers.length])
  ).toEqual([
    ["file", "complete", 1],
    ["file", "complete", 2]
  ])
})

it("The guide has the worked month as it comes out (npm run worked-month)", () => {
  expect(plain(sectionInGuide())).toBe(plain(workedMonth()))
})
