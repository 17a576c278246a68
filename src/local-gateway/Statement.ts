/**
 * The account statement as CSV.
 *
 * The columns are ours, and the same for every CSV format: the gateway's own are described nowhere that we can read.
 * UTF-8, a comma between cells, lines ended by CR LF, amounts with a decimal point, days as in Prague.
 */
import { amountToDecimal } from "../api/Amount.js"
import { StatementFormats } from "../api/CodeLists.js"
import type { Movement } from "./Books.js"
import type { StatementOrder } from "./LenientRequest.js"
import { day } from "./PragueTime.js"

const columns = ["date", "type", "payment_id", "parent_id", "order_number", "amount", "currency"]

const cell = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

const row = ({ amount, at, payment, type }: Movement): ReadonlyArray<string> => [
  day(at),
  type,
  String(payment.id),
  payment.parentId === undefined ? "" : String(payment.parentId),
  payment.order.order_number,
  amountToDecimal(amount),
  payment.order.currency
]

/** Whether this gateway can make a statement in the format. */
export const isCsv = (format: StatementOrder["format"]): boolean => StatementFormats[format].contentType === "text/csv"

/** The movements of the ordered days and currency, as CSV. */
export const csvStatement = (movements: ReadonlyArray<Movement>, order: StatementOrder): string =>
  [
    columns,
    ...movements
      .filter(({ at, payment }) => {
        const date = day(at)
        return date >= order.date_from && date <= order.date_to && payment.order.currency === order.currency
      })
      .map(row)
  ]
    .map((cells) => `${cells.map(cell).join(",")}\r\n`)
    .join("")

/** The name under which the statement is offered to be saved. */
export const statementFileName = ({ currency, date_from, date_to, format, goid }: StatementOrder): string =>
  `statement_${goid}_${currency}_${date_from}_${date_to}${StatementFormats[format].extension}`
