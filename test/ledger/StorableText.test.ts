/**
 * Texts that a database does not give back as they were.
 */
import { assert, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Database, Query } from "../../src/ledger/store/Database.js"
import * as Statements from "../../src/ledger/store/Statements.js"
import { storable, storageProblem } from "../../src/ledger/model/LedgerArguments.js"
import { idOf, notify, request, withBooks } from "./OrderBooks.js"
import * as Outsider from "./Outsider.js"
import { inWorld, paid } from "./World.js"

const half = "cut \ud83d"

describe("A text", () => {
  it.each([
    ["plain", "plain", ""],
    ["😀 ž", "😀 ž", ""],
    [half, "cut \ufffd", "half of a character"],
    ["\udc00 start", "\ufffd start", "half of a character"],
    ["a\0b", "a\ufffdb", "NUL"]
  ])("%j is stored as %j", (text, stored, problem) => {
    expect(storable(text)).toBe(stored)
    expect(storageProblem(text) ?? "").toContain(problem)
    expect(storageProblem(stored)).toBeUndefined()
  })
})

describe("a statement", () => {
  it.effect("is given no text that PostgreSQL would refuse", () =>
    Effect.gen(function* () {
      const given: Array<unknown> = []
      const query: Query = (_, values) => Effect.sync(() => (given.push(...values), []))
      const database: Database<undefined> = {
        dialect: "postgres",
        query,
        queryIn: () => query,
        transaction: (work) => work(undefined)
      }
      const { run } = Statements.make(database)
      yield* run("SELECT ?", [half, "a\0b", 1, null])
      assert.deepStrictEqual(given, ["cut \ufffd", "a\ufffdb", 1, null])
    })
  )
})

describe("a ledger", () => {
  it.effect("still shows the row of an earlier release whose key was cut", () =>
    inWorld(({ ledger, store }) =>
      Effect.gen(function* () {
        const id = yield* paid
        yield* ledger.refund("cut", id, { amount: 500 })
        yield* Outsider.renameChanges(store, "cut \ufffd")
        assert.deepInclude(yield* ledger.getOutcome(half), { _tag: "Done" })
        assert.deepInclude(yield* ledger.operator.getChange(half), { status: "done" })
        assert.isUndefined(yield* ledger.getOutcome("another \ud83d"))
        assert.isUndefined(yield* ledger.getOrder(half))
      })
    )
  )

  it.effect("records whatever text the gateway gives", () =>
    inWorld((world) =>
      Effect.gen(function* () {
        const ledger = yield* withBooks(world)
        const id = idOf(yield* ledger.checkout("1", request))
        world.listed.seePayment = { state: `ODD\0 ${half}` }
        assert.strictEqual(yield* notify(ledger, id), 200)
        assert.deepInclude(yield* ledger.getOrder("1"), { status: "open" })
      })
    )
  )
})
