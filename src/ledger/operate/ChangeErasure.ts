/**
 * Erases what changes were asked and said, when they were decided long ago.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StoreError } from "../store/Database.js"
import type { HistoryTable } from "../store/HistoryTable.js"
import { countEach } from "../store/Statements.js"
import type { ChangeRow } from "../change/ChangeRow.js"
import type { ChangeTable, Patch } from "../change/ChangeTable.js"

/** Erases the details of changes that were decided longer ago than that, in milliseconds. Gives how many. */
export const eraseChanges = (
  table: ChangeTable,
  history: Pick<HistoryTable, "erase">,
  age: number
): Effect.Effect<number, StoreError> =>
  countEach(
    (after) => table.forgettable(age, after),
    ({ created_at, decided_at, seq }) => ({ at: decided_at ?? created_at, seq }),
    (row) =>
      Effect.tap(Effect.map(table.move(row, erased(row)), Option.isSome), (isErased) =>
        isErased ? history.erase("change", row.seq) : Effect.void
      )
  )

const erased = ({ decision, status }: ChangeRow): Patch => {
  const {
    code,
    how = "answered",
    outcome = status === "done" || status === "failed" ? status : "refused"
  } = decision ?? {}
  return {
    request: null,
    record: null,
    problem: null,
    proposal: null,
    decision: { outcome, how, message: "", ...(code === undefined ? undefined : { code }) }
  }
}
