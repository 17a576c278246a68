/**
 * The functions that a refund of the ledger passes through, as `docs/architecture.md` lists them.
 */
import { describe, expect, it } from "vitest"
import { faultsOf, wayBelow } from "./Way.js"

describe("the way of ledger.refund", () => {
  const way = wayBelow("The way of `ledger.refund`")

  it("has no more than eighteen functions, from the method to the client", () => {
    expect(way.length).toBeGreaterThan(10)
    expect(way.length).toBeLessThanOrEqual(18)
    expect(way.at(0)?.file).toBe("ledger/wiredLedgers.ts")
    expect(way.at(-1)).toEqual({ name: "call", file: "ledger/promise/createLedger.ts" })
  })

  it("is that of the code: each function is where the list says, and is called on the way there", () => {
    expect(faultsOf(way)).toEqual([])
  })

  it("would be found to be another", () => {
    expect(
      faultsOf([
        { name: "make", file: "ledger/change/Changes.ts" },
        { name: "runTwice", file: "ledger/change/InFlight.ts" },
        { name: "detached", file: "ledger/change/InFlight.ts" }
      ])
    ).toEqual(["2. ledger/change/InFlight.ts has no runTwice"])
  })
})
