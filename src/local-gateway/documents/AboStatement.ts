/**
 * The account statement as ABO (GPC): a record 074 with the balances, then a record 075 for each movement.
 *
 * Positions and lengths are those that Czech banks publish for their statements; what we put into them is ours, and the
 * same for every ABO format, since the gateway's own choice is described nowhere that we can read. Each record has 128
 * characters and ends with CR LF.
 */
import type { Currencies } from "../../api/CodeLists.plain.js"
import type { StatementOrder } from "../wire/RequestDecoder.js"
import type { Entry, Statement } from "./Statement.js"

/** ISO 4217. */
const currencyNumbers: { readonly [Code in keyof typeof Currencies]: number } = {
  CZK: 203,
  EUR: 978,
  PLN: 985,
  HUF: 348,
  USD: 840,
  GBP: 826,
  BGN: 975,
  RON: 946
}

const accountName = "TEST LOCAL GATEWAY"

/** Statements are made as they are asked for, so each one is the first. */
const statementNumber = "001"

/** The kind of entry: refunds too are plain debits, not cancelled credits. */
const debited = "1"
const credited = "2"

/** The last digits of a number, with zeros before them. */
const digits = (value: number | string, width: number): string => String(value).padStart(width, "0").slice(-width)

const text = (value: string, width: number): string =>
  value
    .replaceAll(/\p{Cc}/gu, " ")
    .slice(0, width)
    .padEnd(width)

const balance = (amount: number): string => `${digits(Math.abs(amount), 14)}${amount < 0 ? "-" : "+"}`

/** Nothing is ever cancelled here, so the sign is always that of a plain sum: 0. */
const turnover = (amount: number): string => `${digits(amount, 14)}0`

/** `yyyy-mm-dd` as `ddmmyy`. */
const shortDay = (day: string): string => day.slice(-2) + day.slice(-5, -3) + day.slice(-8, -6)

const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().replace(/T.*/, "")

const head = ({ closingBalance, credit, debit, openingBalance, order }: Statement): string =>
  [
    "074",
    digits(order.goid, 16),
    text(accountName, 20),
    shortDay(dayBefore(order.date_from)),
    balance(openingBalance),
    balance(closingBalance),
    turnover(debit),
    turnover(credit),
    statementNumber,
    shortDay(order.date_to),
    text("", 14)
  ].join("")

const entryRecord = ({ amount, day, payment }: Entry, { currency, goid }: StatementOrder): string => {
  const { account_number = "", bank_code = "", prefix = "" } = payment.bankAccount ?? {}
  return [
    "075",
    digits(goid, 16),
    digits(`${prefix}${digits(account_number, 10)}`, 16),
    digits(payment.id, 13),
    digits(Math.abs(amount), 12),
    amount < 0 ? debited : credited,
    digits(payment.id, 10),
    // Two zeros, the bank of the other account, the constant symbol.
    `00${digits(bank_code, 4)}0000`,
    digits(payment.parentId ?? 0, 10),
    shortDay(day),
    text(payment.order.order_number, 20),
    "0",
    digits(currencyNumbers[currency], 4),
    shortDay(day)
  ].join("")
}

/** The greatest amount of a movement, and the greatest balance or turnover, that a record has room for. */
export const aboLimits = { amount: 999_999_999_999, total: 99_999_999_999_999 }

/** A statement as ABO, to be encoded as windows-1250. */
export const aboStatement = (statement: Statement): string =>
  [head(statement), ...statement.entries.map((entry) => entryRecord(entry, statement.order))]
    .map((record) => `${record}\r\n`)
    .join("")
