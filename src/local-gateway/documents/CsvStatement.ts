/**
 * The account statement as CSV.
 *
 * CSV_B is as public parsers read it: windows-1250, semicolons, a decimal comma, and on each line the balance before and
 * after it. The columns of the others are ours, since no source describes them, and their first line says so.
 */
import { amountToDecimal } from "../../contract/Amount.js"
import { timestamp } from "../books/PragueTime.js"
import { counterpartyOf, czechDay, movementTypes, referenceOf, type Entry, type Statement } from "./Statement.js"

const csvBColumns = [
  "ID pohybu",
  "Datum",
  "Typ",
  "Protistrana",
  "Subjekt/E-mail",
  "Bank.účet - prefix",
  "Bank.účet - číslo",
  "Bank.účet - kód banky",
  "ID objednávky/VS",
  "Částka",
  "Počáteční stav",
  "Koncový stav",
  "Měna",
  "ID referenčního pohybu"
]

/** Groups of three digits, as the gateway's samples have them, and a decimal comma. */
export const czechAmount = (amount: number): string =>
  amountToDecimal(amount)
    .replace(".", ",")
    .replace(/\B(?=(\d{3})+(?!\d))(?<!,\d*)/g, " ")

const cellOf = (delimiter: string) => (value: string) =>
  value.includes(delimiter) || /["\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value

const linesOf = (rows: ReadonlyArray<ReadonlyArray<string>>, delimiter: string): string =>
  rows.map((cells) => `${cells.map(cellOf(delimiter)).join(delimiter)}\r\n`).join("")

const csvBRow = (entry: Entry, currency: string): ReadonlyArray<string> => {
  const { amount, at, balance, day, id, payment } = entry
  const { account_number = "", bank_code = "", prefix = "" } = payment?.bankAccount ?? {}
  return [
    String(id),
    `${czechDay(day)} ${timestamp(at).slice(11, 16)}`,
    movementTypes[entry.type],
    counterpartyOf(entry),
    payment?.order.payer?.contact?.email ?? "",
    prefix,
    account_number,
    bank_code,
    referenceOf(entry),
    czechAmount(amount),
    czechAmount(balance - amount),
    czechAmount(balance),
    currency,
    ""
  ]
}

/** A statement as CSV_B. */
export const csvBStatement = ({ entries, order }: Statement): string =>
  linesOf([csvBColumns, ...entries.map((entry) => csvBRow(entry, order.currency))], ";")

const guessedColumns = ["date", "type", "payment_id", "parent_id", "order_number", "amount", "balance", "currency"]

/** An apostrophe before what a spreadsheet would take for a formula. Only the merchant's own text needs it. */
const text = (value: string): string => (/^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value)

const guessedRow = (
  { amount, balance, day, payment, type, ...booking }: Entry,
  currency: string
): ReadonlyArray<string> => [
  day,
  type,
  payment === undefined ? "" : String(payment.id),
  payment?.parentId === undefined ? "" : String(payment.parentId),
  booking.clearing ?? text(payment?.order.order_number ?? ""),
  amountToDecimal(amount),
  amountToDecimal(balance),
  currency
]

/** A statement as CSV in columns of ours: a row for each movement, between the opening and the closing balance. */
export const guessedCsvStatement = ({ closingBalance, entries, openingBalance, order }: Statement): string => {
  const { currency, date_from, date_to, format } = order
  const balanceRow = (day: string, type: string, balance: number): ReadonlyArray<string> => [
    day,
    type,
    "",
    "",
    "",
    "",
    amountToDecimal(balance),
    currency
  ]
  return linesOf(
    [
      [`A guess of the local gateway: the columns of ${format} are not known`],
      guessedColumns,
      balanceRow(date_from, "OPENING_BALANCE", openingBalance),
      ...entries.map((entry) => guessedRow(entry, currency)),
      balanceRow(date_to, "CLOSING_BALANCE", closingBalance)
    ],
    ","
  )
}
