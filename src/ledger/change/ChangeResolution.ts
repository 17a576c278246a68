/**
 * What an operator may decide about a change.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Resolution } from "../Attention.plain.js"
import type { StoreError } from "../database/Database.js"
import { LedgerError, type NotResolved } from "../LedgerError.plain.js"
import { type ChangeRow, isDecided, isDue } from "./ChangeRow.js"
import type { ChangeTable, Patch } from "./ChangeTable.js"
import { outcomeOf } from "./ChangeView.js"
import type { ChangeOutcome } from "./Outcome.plain.js"

/** Ends a change by a decision. */
export const resolveChange = (
  table: ChangeTable,
  row: ChangeRow,
  resolution: Resolution
): Effect.Effect<ChangeOutcome, StoreError | LedgerError<NotResolved>> =>
  Effect.gen(function* () {
    const problem = problemOf(row, resolution)
    if (problem !== undefined) return yield* notResolved(row.key, problem)
    const moved = yield* table.move(row, patchOf(row, resolution))
    if (Option.isNone(moved)) return yield* notResolved(row.key, "The change has moved since. Read it again.")
    yield* table.wakeNext(moved.value)
    return outcomeOf(moved.value)
  })

/** Fails since nothing was decided. */
export const notResolved = (key: string, message: string): Effect.Effect<never, LedgerError<NotResolved>> =>
  Effect.fail(new LedgerError({ reason: { _tag: "NotResolved", key, message } }))

/** Why a change cannot be decided so. */
const problemOf = (row: ChangeRow, { as, version }: Resolution): string | undefined => {
  if (row.version !== version) {
    return `The change has moved since: it is at version ${row.version}. Read it again.`
  }
  if ((row.status === "locked" || row.status === "sending") && !isDue(row)) {
    return "A process is at this change. Read it again in a minute."
  }
  const isBinding = row.status === "done" && row.holds !== null
  const isContradicted = row.attention === "DecisionContradicted"
  return (isDecided(row) && !isBinding && !isContradicted) || (row.status === "done" && as === "notDone")
    ? "The change is decided."
    : undefined
}

const patchOf = (row: ChangeRow, { as, by, note }: Resolution): Patch => {
  const outcome = as === "done" ? "done" : "refused"
  const isWatched = as === "notDone" && row.record !== null && row.operation === "refundPayment"
  return {
    holds: null,
    attention: null,
    problem: null,
    tries: 0,
    // A refund that was sent is watched on.
    next_at: isWatched ? { after: 60_000 } : null,
    ...(row.status === "done"
      ? undefined
      : {
          status: outcome,
          decided_at: { after: 0 },
          decision: { outcome, how: "person", message: `Decided by ${by}: ${note}` }
        })
  }
}
