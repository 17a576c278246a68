/**
 * The account statement: its content, and as a CSV file. Days are those of Prague, from the first to the last.
 */
import * as Result from "effect/Result"
import { amountToDecimal } from "../../contract/Amount.js"
import { StatementFormats } from "../../contract/CodeLists.js"
import type { Movement } from "../books/Books.js"
import { accountOf, type Booking } from "./Booking.js"
import type { StatementOrder } from "../books/RequestDecoder.js"
import { refusal, type Refusal } from "../books/Refusal.js"
import type { LocalGatewaySettings } from "../books/LocalGatewaySettings.js"
import { encode } from "windows-1250"
import { timestamp } from "../books/Times.js"

/** A booking within the days of a statement. */
export interface Entry extends Booking {
  /** The balance after it. An integer in minor units. */
  readonly balance: number
}

/** A statement. Amounts are integers in minor units. */
export interface Statement {
  readonly order: StatementOrder
  /** The sum of everything booked before the first day. */
  readonly openingBalance: number
  /** Oldest first. */
  readonly entries: ReadonlyArray<Entry>
  /** The sum of the incoming entries. */
  readonly credit: number
  /** The sum of the outgoing entries, 0 or more. */
  readonly debit: number
  /** The opening balance and all entries. */
  readonly closingBalance: number
}

/** The requested statement, from all bookings on the account, oldest first. */
export const statementOf = (bookings: ReadonlyArray<Booking>, order: StatementOrder): Statement => {
  const entries: Array<Entry> = []
  let balance = 0
  let openingBalance = 0
  let credit = 0
  for (const booking of bookings) {
    if (booking.day > order.date_to) continue
    balance += booking.amount
    if (booking.day < order.date_from) {
      openingBalance = balance
    } else {
      entries.push({ ...booking, balance })
      credit += Math.max(booking.amount, 0)
    }
  }
  return { order, openingBalance, entries, credit, debit: openingBalance + credit - balance, closingBalance: balance }
}

/** The types of movements as written by the gateway. */
export const movementTypes: { readonly [Type in Booking["type"]]: string } = {
  PAYMENT: "GOPAY-platba",
  REFUND: "GOPAY-storno-platby",
  REFUND_FEE: "GOPAY-storno-popl",
  FEE: "GOPAY-popl",
  PAYOUT: "GOPAY-vyuctovani"
}

/** The column "ID objednávky/VS": the order's number, or the clearing's. */
export const referenceOf = ({ clearing, payment }: Booking): string => clearing ?? payment?.order.order_number ?? ""

/** The other party: the masked card of a payment, else the gateway. */
export const counterpartyOf = ({ payment, type }: Booking): string =>
  type === "PAYMENT" ? (payment?.order.payer?.contact?.email ?? "400000******0001") : "GOPAY"

/** `yyyy-mm-dd` as `dd.mm.yyyy`. */
export const czechDay = (day: string): string => day.split("-").toReversed().join(".")

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

/** Groups of three digits and a decimal comma, as in the gateway's samples. */
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

/**
 * A statement as CSV_B, as read by public parsers: semicolons, a decimal comma, and on each line the balance before and
 * after it.
 */
const csvBStatement = ({ entries, order }: Statement): string =>
  linesOf([csvBColumns, ...entries.map((entry) => csvBRow(entry, order.currency))], ";")

const guessedColumns = ["date", "type", "payment_id", "parent_id", "order_number", "amount", "balance", "currency"]

/**
 * Puts an apostrophe in front of what a spreadsheet would take for a formula. Only the merchant's own texts need it.
 */
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

/**
 * A statement as CSV in our own columns, since no source describes the gateway's; the first line says so. A row for
 * each movement, between the opening and the closing balance.
 */
const guessedCsvStatement = ({ closingBalance, entries, openingBalance, order }: Statement): string => {
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

/** An encoding that statements are written in. */
type TextEncoding = "utf-8" | "windows-1250"

const questionMark = 0x3f

/** A text in an encoding. Characters that windows-1250 lacks become question marks. */
export const encodeText = (text: string, encoding: TextEncoding): Uint8Array =>
  encoding === "utf-8"
    ? new TextEncoder().encode(text)
    : Uint8Array.from(encode(text, { mode: "replacement" }), (byte) => (byte > 0xff ? questionMark : byte))

/** A file for download. */
export interface StatementFile {
  readonly bytes: Uint8Array
  /** The file name to save it under. */
  readonly fileName: string
  readonly contentType: string
}

/** Whether the local gateway supports a format. For others there is no layout that a recorded file confirms. */
const isWritten = (format: string): boolean => format.startsWith("CSV_")

const written = Object.keys(StatementFormats).filter(isWritten)

/** Refuses sums that are no longer exact. */
const exact = (statement: Statement): Result.Result<void, Refusal> => {
  const { closingBalance, credit, debit, entries, openingBalance, order } = statement
  const totals = [openingBalance, closingBalance, credit, debit]
  const values = [...totals, ...entries.flatMap(({ amount, balance }) => [amount, balance])]
  if (values.every(Number.isSafeInteger)) return Result.succeed(undefined)
  const maxAmount = amountToDecimal(Number.MAX_SAFE_INTEGER)
  return Result.fail(refusal(116, `${order.format} has room for amounts and balances up to ${maxAmount}.`))
}

const contentType = ({ format }: StatementOrder, encoding: TextEncoding): string =>
  `${StatementFormats[format].contentType}; charset=${encoding}`

/**
 * The requested statement, as a file as of now, from all movements of the merchant, oldest first.
 *
 * A format that is not implemented, and amounts that do not fit into the format, are refused with 116.
 */
export const accountStatement = (
  movements: ReadonlyArray<Movement>,
  order: StatementOrder,
  settings: LocalGatewaySettings,
  now: number
): Result.Result<StatementFile, Refusal> =>
  Result.gen(function* () {
    const { currency, date_from, date_to, format, goid } = order
    if (!isWritten(format)) {
      const message = `${format} is not implemented by the local gateway; it has ${written.join(", ")}.`
      return yield* Result.fail(refusal(116, message))
    }
    const { bookings } = accountOf(movements, currency, settings, now)
    const statement = statementOf(bookings, order)
    yield* exact(statement)
    const { statementContentType, statementEncoding: encoding } = settings
    return {
      bytes: encodeText(format === "CSV_B" ? csvBStatement(statement) : guessedCsvStatement(statement), encoding),
      fileName: `statement_${goid}_${currency}_${date_from}_${date_to}${StatementFormats[format].extension}`,
      contentType: statementContentType === "ofFormat" ? contentType(order, encoding) : "application/octet-stream"
    }
  })
