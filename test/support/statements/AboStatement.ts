/**
 * The account statement as ABO (GPC): a record 074 with the balances, then a record 075 for each movement.
 *
 * Positions and lengths are those that Czech banks publish for their statements. The contents are those of the one sample
 * that is known: the account is a number of nine digits, the document number is the movement's id, the variable symbol is
 * zero but at payouts and their fees, the name has the type, and in place of the currency is 01102 at credits and 01101 at
 * debits. Each record has 128 characters and ends with CR LF. ABO_B is the same: no sample of it is known.
 */
import { movementTypes, type Entry, type Statement } from "../../../src/local-gateway/documents/StatementFile.js"

/** The account's number, nine digits that are not the merchant's `goid`. */
export const accountNumber = (goid: number): string => String(100_000_000 + (goid % 900_000_000))

const accountName = "TEST LOCAL GATEWAY"

/** As in the sample. */
const statementNumber = "000"

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
    digits(accountNumber(order.goid), 16),
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

const entryRecord = ({ amount, clearing, day, id, payment, type }: Entry, account: string): string => {
  const { account_number = "", bank_code = "", prefix = "" } = payment?.bankAccount ?? {}
  return [
    "075",
    digits(account, 16),
    digits(`${prefix}${digits(account_number, 10)}`, 16),
    digits(id, 13),
    digits(Math.abs(amount), 12),
    amount < 0 ? debited : credited,
    digits(clearing ?? 0, 10),
    // Two zeros, the bank of the other account, the constant symbol.
    `00${digits(bank_code, 4)}0000`,
    digits(0, 10),
    shortDay(day),
    text(movementTypes[type].toUpperCase(), 20),
    amount < 0 ? "01101" : "01102",
    shortDay(day)
  ].join("")
}

/** A statement as ABO, to be encoded as windows-1250. */
export const aboStatement = (statement: Statement): string =>
  [head(statement), ...statement.entries.map((entry) => entryRecord(entry, accountNumber(statement.order.goid)))]
    .map((record) => `${record}\r\n`)
    .join("")
