/**
 * The account statement as CSV.
 *
 * The columns are ours, and the same for every CSV format: the gateway's own are described nowhere that we can read. A
 * comma between cells, lines ended by CR LF, amounts with a decimal point. The first row is the opening balance, the
 * last one the closing balance; in between is a row for each movement, with the balance after it.
 */
import { amountToDecimal } from "../../api/Amount.plain.js"
import type { Entry, Statement } from "./Statement.js"

const columns = ["date", "type", "payment_id", "parent_id", "order_number", "amount", "balance", "currency"]

/** An apostrophe before what a spreadsheet would take for a formula. Only the merchant's own text needs it. */
const text = (value: string): string => (/^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value)

const cell = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

const entryRow = ({ amount, balance, day, payment, type }: Entry): ReadonlyArray<string> => [
  day,
  type,
  String(payment.id),
  payment.parentId === undefined ? "" : String(payment.parentId),
  text(payment.order.order_number),
  amountToDecimal(amount),
  amountToDecimal(balance),
  payment.order.currency
]

/** A statement as CSV. */
export const csvStatement = ({ closingBalance, entries, openingBalance, order }: Statement): string => {
  const balanceRow = (day: string, type: string, balance: number): ReadonlyArray<string> => [
    day,
    type,
    "",
    "",
    "",
    "",
    amountToDecimal(balance),
    order.currency
  ]
  return [
    columns,
    balanceRow(order.date_from, "OPENING_BALANCE", openingBalance),
    ...entries.map(entryRow),
    balanceRow(order.date_to, "CLOSING_BALANCE", closingBalance)
  ]
    .map((cells) => `${cells.map(cell).join(",")}\r\n`)
    .join("")
}
