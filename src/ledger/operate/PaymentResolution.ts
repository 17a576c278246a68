/**
 * What an operator may decide about an order's payment.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { PaymentResolution } from "../model/Attention.js"
import type { StoreError } from "../store/Database.js"
import { LedgerError, type NotResolved } from "../model/LedgerError.js"
import type { Order } from "../model/Order.js"
import { orderOf } from "../order/OrderView.js"
import { decisionsFor } from "../order/PaymentItems.js"
import { hasMoney } from "../order/PaymentProgress.js"
import type { PaymentRow } from "../order/PaymentRow.js"
import type { PaymentPatch } from "../order/PaymentTable.js"
import type { OperatorParts } from "./OperatorParts.js"
import { now } from "../store/Statements.js"

/** Records that an operator has resolved what was wrong with a payment. */
export const resolvePayment = Effect.fnUntraced(function* (
  payments: OperatorParts["payments"],
  key: string,
  resolution: PaymentResolution
): Effect.fn.Return<Order, StoreError | LedgerError<NotResolved>> {
  const refuse = (message: string) => Effect.fail(new LedgerError({ reason: { _tag: "NotResolved", key, message } }))
  const found = yield* payments.byName(key)
  if (Option.isNone(found)) return yield* refuse("There is no such payment.")
  const row = found.value
  if (row.attention === null) return yield* refuse("There is nothing to decide about this payment.")
  const problem = problemOf(row, resolution)
  if (problem !== undefined) return yield* refuse(problem)
  const moved = yield* payments.move(row, patchOf(row, row.attention, resolution))
  return Option.isSome(moved) ? orderOf(moved.value) : yield* refuse("The payment has moved since. Read it again.")
})

const problemOf = (row: PaymentRow, { as, version }: PaymentResolution): string | undefined => {
  if (row.version !== version) {
    return `The payment has moved since: it is at version ${row.version}. Read it again.`
  }
  if (row.status === "inDoubt" && as === "done") {
    return "Adopt it by its id in GoPay's administration: adoptPayment(orderNumber, paymentId)."
  }
  const fitting = decisionsFor(row, row.attention)
  return fitting.includes(as) ? undefined : `What fits: ${fitting.join(", ")}.`
}

const patchOf = (
  row: PaymentRow,
  kind: NonNullable<PaymentRow["attention"]>,
  { as, by, note }: PaymentResolution
): PaymentPatch => ({
  attention: null,
  problem: null,
  decisions: [...(row.decisions ?? []), { kind, as, by, note }],
  ...(row.status === "inDoubt" ? { status: "lost", offered: null } : undefined),
  // It is read again at once, and taken as paid.
  ...(as === "accepted" ? { doubt: null, doubt_since: null, tries: 0, next_at: now } : undefined),
  // Its order may have another payment, unless this one was recorded as paid.
  ...(as === "refused" && !hasMoney(row) ? { offered: null, gw_url: null } : undefined)
})
