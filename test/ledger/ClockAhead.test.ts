/**
 * The database's clock was a day ahead for a moment, and what was written then waits until that day.
 */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Outsider from "./Outsider.js"
import { withReportedChanges, reportedChangesOf } from "./ReportedChanges.js"
import { inWorld, paid } from "./World.js"

const day = 86_400_000

it.effect("a refund and its outcome wait for minutes, and not for a day", () =>
  inWorld((world) =>
    Effect.gen(function* () {
      const { ledger, pass, store } = world
      const shop = yield* withReportedChanges(world)
      yield* shop.runOnce()
      yield* ledger.operator.pause
      yield* ledger.refund("a", yield* paid, { amount: 500 }, { waitAtMost: 0 })
      yield* Outsider.postpone(store, "a", day)
      yield* Outsider.endPause(store)
      const after = (minutes: number) => Effect.andThen(pass(`${minutes} minutes`), ledger.runOnce())
      yield* after(11)
      yield* after(1)
      assert.deepInclude(yield* ledger.getOutcome("a"), { _tag: "Done" })
      yield* Outsider.postponeOutcomes(store, day)
      yield* after(11)
      yield* pass("1 minute")
      yield* shop.runOnce()
      assert.deepStrictEqual(yield* reportedChangesOf(world, "a"), ["Done, answered"])
    })
  )
)

it.effect("a charge for a later day waits for it", () =>
  inWorld((world) =>
    Effect.gen(function* () {
      const { ledger, pass, store } = world
      yield* ledger.operator.pause
      yield* ledger.refund("a", yield* paid, { amount: 500 }, { waitAtMost: 0 })
      yield* Outsider.makeCharges(store)
      yield* Outsider.postpone(store, "a", day)
      yield* pass("11 minutes")
      yield* ledger.runOnce()
      const [row] = yield* Effect.promise(() => store.rows("SELECT next_at FROM gopay_change"))
      assert.isAbove(Number(row?.["next_at"]), day)
    })
  )
)
