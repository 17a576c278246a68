/**
 * Erases the details of what was decided or ended long ago; removes payments that ended without money.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { withoutUndefined } from "../../contract/Nulls.js"
import type { ChangeRow } from "../change/ChangeRow.js"
import type { Patch } from "../change/ChangeTable.js"
import type { PaymentRow } from "../order/PaymentRow.js"
import type { PaymentPatch } from "../order/PaymentTable.js"
import type { StoreError } from "../store/Database.js"
import { countEach } from "../store/Statements.js"
import type { OperatorParts } from "./OperatorParts.js"

/** Erases what was decided or ended longer ago than that, in milliseconds. Gives how many rows. */
export const erase = Effect.fnUntraced(function* (
  { changes, history, payments, refunds }: OperatorParts,
  age: number
): Effect.fn.Return<number, StoreError> {
  /** Erases the history of a row with its details. */
  const erased = (
    subject: "change" | "payment",
    seq: number,
    moved: Effect.Effect<Option.Option<unknown>, StoreError>
  ): Effect.Effect<boolean, StoreError> =>
    Effect.tap(Effect.map(moved, Option.isSome), (isErased) => (isErased ? history.erase(subject, seq) : Effect.void))

  const removed = yield* countEach(
    (after) => payments.removeUnpaid(age, after),
    (place) => place,
    () => Effect.succeed(true)
  )
  const ended = yield* countEach(
    (after) => payments.forgettable(age, after),
    ({ created_at, moved_at, seq }) => ({ at: moved_at ?? created_at, seq }),
    (row) => {
      const patch = paymentErasure(row)
      return patch === undefined ? Effect.succeed(false) : erased("payment", row.seq, payments.move(row, patch))
    }
  )
  const decided = yield* countEach(
    (after) => changes.forgettable(age, after),
    ({ created_at, decided_at, seq }) => ({ at: decided_at ?? created_at, seq }),
    (row) => erased("change", row.seq, changes.move(row, changeErasure(row)))
  )
  return removed + ended + decided + (yield* refunds.erase(age))
})

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
    decision: withoutUndefined({ outcome, how, message: "", code })
  }
}

/** What is erased of a payment; `undefined` where nothing is left to erase. */
const paymentErasure = ({ decisions, problem }: PaymentRow): PaymentPatch | undefined => {
  const said = decisions ?? []
  if (problem === null && said.every(({ by }) => by === "")) return undefined
  const unsigned = said.map((decision) => ({ ...decision, by: "", note: "" }))
  return { problem: null, ...(said.length === 0 ? undefined : { decisions: unsigned }) }
}
