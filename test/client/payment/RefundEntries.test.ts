/**
 * The gateway's list of refunds as a set of entries.
 */
import { assert, describe, it } from "@effect/vitest"
import { distinctRefunds, isContradictory } from "../../../src/client/payment/RefundEntries.js"
import { growthOf } from "../../support/Steps.js"

const entry = (id: number, amount: number, state = "SUCCESS") => ({ id, amount, state, date: "2026-06-01" })

describe("A list of refunds", () => {
  it("has each entry once, the first of those that are alike, and is contradictory where one id is two", () => {
    const list = [entry(1, 500), entry(2, 500), entry(1, 500)]
    assert.deepStrictEqual(distinctRefunds(list), [entry(1, 500), entry(2, 500)])
    assert.isFalse(isContradictory(list))
    assert.isTrue(isContradictory([...list, entry(1, 500, "FAILED")]))
    assert.isTrue(isContradictory([...list, entry(2, 501)]))
  })

  it("takes four times the steps for four times as many entries, also where all are alike", async () => {
    for (const [ids, amounts] of [
      [1, 1],
      [Infinity, 1],
      [10, Infinity]
    ] as const) {
      const growth = await growthOf("client/payment", 250, (size) => {
        const list = Array.from({ length: size }, (_, index) => entry(index % ids, 1 + (index % amounts)))
        return () => [distinctRefunds(list), isContradictory(list)]
      })
      assert.isBelow(growth, 6)
    }
  })

  // Each compared with each would be ten thousand millions.
  it("may be as long as a response", () => {
    const list = Array.from({ length: 200_000 }, (_, index) => entry(index % 100_000, 1))
    assert.lengthOf(distinctRefunds(list), 100_000)
  })
})
