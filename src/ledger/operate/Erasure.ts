/**
 * Erases the details of what was decided or ended long ago; removes payments that ended without money.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ChangeRow } from "../change/ChangeRow.js"
import type { ChangeTable, Patch } from "../change/ChangeTable.js"
import type { PaymentRow } from "../order/PaymentRow.js"
import type { PaymentPatch, PaymentTable } from "../order/PaymentTable.js"
import type { StoreError } from "../store/Database.js"
import type { HistoryTable } from "../store/HistoryTable.js"
import { countEach } from "../store/Statements.js"

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
      Effect.tap(Effect.map(table.move(row, changeErasure(row)), Option.isSome), (isErased) =>
        isErased ? history.erase("change", row.seq) : Effect.void
      )
  )

const changeErasure = ({ decision, status }: ChangeRow): Patch => {
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

/** Erases the details of payments that ended longer ago than that, in milliseconds. Gives how many. */
export const erasePayments = Effect.fnUntraced(function* (
  table: PaymentTable,
  history: Pick<HistoryTable, "erase">,
  age: number
): Effect.fn.Return<number, StoreError> {
  const removed = yield* countEach(
    (after) => table.removeUnpaid(age, after),
    (place) => place,
    () => Effect.succeed(true)
  )
  const erased = yield* countEach(
    (after) => table.forgettable(age, after),
    ({ created_at, moved_at, seq }) => ({ at: moved_at ?? created_at, seq }),
    (row) => {
      const patch = paymentErasure(row)
      if (patch === undefined) return Effect.succeed(false)
      return Effect.tap(Effect.map(table.move(row, patch), Option.isSome), (isErased) =>
        isErased ? history.erase("payment", row.seq) : Effect.void
      )
    }
  )
  return removed + erased
})

/** What is erased of a payment; `undefined` where nothing is left to erase. */
const paymentErasure = ({ decisions, problem }: PaymentRow): PaymentPatch | undefined => {
  const said = decisions ?? []
  if (problem === null && said.every(({ by }) => by === "")) return undefined
  const unsigned = said.map((decision) => ({ ...decision, by: "", note: "" }))
  return { problem: null, ...(said.length === 0 ? undefined : { decisions: unsigned }) }
}
