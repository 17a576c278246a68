/**
 * The payments of orders that need an operator, as they are listed.
 */
import type { AttentionItem, PaymentDecision } from "../model/Attention.js"
import * as Rows from "../store/Rows.js"
import { orderKeyPrefix } from "../model/LedgerKey.js"
import type { PaymentRow } from "./PaymentRow.js"

/** The name of an order's payment, for people. No key of the shop's begins like it. */
export const nameOf = ({ order_number, seq }: PaymentRow): string => paymentNameOf(order_number, seq)

/** The same by the order's number and that of the row. */
export const paymentNameOf = (orderNumber: string, seq: number): string => `${orderKeyPrefix}${orderNumber}:${seq}`

export const itemOf = (row: PaymentRow, kind: NonNullable<PaymentRow["attention"]>): AttentionItem => ({
  kind,
  key: nameOf(row),
  orderNumber: row.order_number,
  ...(row.payment_id === null ? undefined : { paymentId: Number(row.payment_id) }),
  operation: "createPayment",
  amount: row.terms.amount,
  message: row.problem ?? kind,
  version: row.version,
  decisions: decisionsFor(row, kind),
  since: new Date(row.created_at).toISOString()
})

/** The items of rows, with the rows' numbers. */
export const itemsOf = Rows.itemsOf(itemOf, ({ raw, seq }) => ({
  key: paymentNameOf(String(raw["order_number"]), seq),
  orderNumber: String(raw["order_number"]),
  operation: "createPayment"
}))

export const decisionsFor = (
  { status }: Pick<PaymentRow, "status">,
  kind: PaymentRow["attention"]
): ReadonlyArray<PaymentDecision> =>
  status === "inDoubt" ? ["notDone"] : kind === "PaymentMismatch" ? ["accepted", "refused"] : ["done", "notDone"]
