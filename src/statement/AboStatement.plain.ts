/**
 * Statements as ABO, also called GPC: a record 074 with the balances, then a record 075 for each movement.
 *
 * The positions are those of the Czech banks. What GoPay puts into them is known of one sample: the document number is
 * the movement's id, the variable symbol is the clearing's number at payouts and fees and zero at payments, and the name
 * has the type. There is no order number.
 */
import { ownMember } from "../api/OwnMember.plain.js"
import { calendarDay, imbalance } from "./CellValue.plain.js"
import { currencyNeeded, distinctIds } from "./CsvStatement.plain.js"
import { tooLarge } from "./FileText.plain.js"
import { MovementTypes } from "./MovementType.plain.js"
import type { MovementTag, ParsedStatement, StatementMovement } from "./ParsedStatement.plain.js"
import { invalidLine, quoted } from "./StatementError.plain.js"

/** What an ABO file does not say of itself. */
export interface AboOptions {
  readonly currency: string | undefined
  readonly types: Readonly<Record<string, MovementTag>>
  readonly maxMovements: number
}

/** ISO 4217. The sample has 01101 and 01102 there, which are no currencies. */
const currencyByNumber: Readonly<Record<string, string>> = {
  "00203": "CZK",
  "00978": "EUR",
  "00985": "PLN",
  "00348": "HUF",
  "00840": "USD",
  "00826": "GBP",
  "00975": "BGN",
  "00946": "RON"
}

const recordLength = 128

/** Whether a text begins with a record 074. */
export const isAbo = (text: string): boolean => /^074\d{16}/.test(text)

/** A record whose fields are read by position; the first is 0. */
class Fields {
  readonly line: number
  private readonly record: string

  constructor(line: number, record: string) {
    this.line = line
    this.record = record
  }

  text(start: number, length: number): string {
    return this.record.slice(start, start + length).trim()
  }

  digits(start: number, length: number, name: string): string {
    const text = this.record.slice(start, start + length)
    if (!/^\d+$/.test(text)) throw invalidLine(this.line, `${name} must have digits only: ${quoted(text)}`)
    return text
  }

  amount(start: number, length: number, name: string): number {
    return Number(this.digits(start, length, name))
  }

  /** An amount with its sign behind it. */
  signed(start: number, name: string): number {
    const sign = this.record[start + 14] ?? ""
    const amount = this.amount(start, 14, name)
    if (!["+", "-", "0", " "].includes(sign)) throw invalidLine(this.line, `${name} has the sign ${quoted(sign)}`)
    return sign === "-" && amount !== 0 ? -amount : amount
  }

  /** `ddmmyy`. */
  day(start: number, name: string): string {
    const text = this.digits(start, 6, name)
    const day = calendarDay(`20${text.slice(4)}`, text.slice(2, 4), text.slice(0, 2))
    if (day === undefined) throw invalidLine(this.line, `${name} is not a day: ${quoted(text)}`)
    return day
  }
}

const linesOf = (text: string, maxMovements: number): ReadonlyArray<Fields> => {
  const lines = text.split(/\r\n|\n|\r/)
  // Some programs end a file with the mark that MS-DOS did.
  while (lines.length > 0 && (lines.at(-1) ?? "").replace("\u001a", "").trim() === "") lines.pop()
  if (lines.length > maxMovements + 1) throw tooLarge(`${maxMovements} movements`)
  return lines.map((record, index) => {
    const line = index + 1
    if (record.length !== recordLength) {
      throw invalidLine(
        line,
        `${recordLength} characters were expected and ${record.length} found. The file is cut off or not ABO`
      )
    }
    const kind = record.slice(0, 3)
    if (kind !== (index === 0 ? "074" : "075")) throw invalidLine(line, `the record ${quoted(kind)} was not expected`)
    return new Fields(line, record)
  })
}

/** 1 debits, 2 credits, 4 takes a debit back, 5 a credit. */
const signs: Readonly<Record<string, 1 | -1>> = { "1": -1, "2": 1, "4": 1, "5": -1 }

const withoutZeros = (digits: string): string => digits.replace(/^0+/, "")

interface Entry {
  readonly movement: StatementMovement
  /** The code of the booking. */
  readonly code: string
}

const entryOf = (fields: Fields, account: string, currency: string, types: MovementTypes): Entry => {
  const { line } = fields
  if (fields.digits(3, 16, "the account") !== account) {
    throw invalidLine(line, "the account is not that of the first line. One file has one account")
  }
  const code = fields.text(60, 1)
  const sign = ownMember(signs, code)
  if (sign === undefined) throw invalidLine(line, `the booking code ${quoted(code)} is not 1, 2, 4 or 5`)
  const amount = sign * fields.amount(48, 12, "the amount")
  const type = fields.text(97, 20)
  const tag = types.tagOf(type, amount, line)
  const symbol = withoutZeros(fields.digits(61, 10, "the variable symbol"))
  const movementId = withoutZeros(fields.digits(35, 13, "the document number"))
  const counterparty = withoutZeros(fields.digits(19, 16, "the other account"))
  const isOfClearing = tag === "Payout" || tag === "Fee" || tag === "CreditNote"
  const movement: StatementMovement = {
    _tag: tag,
    type,
    line,
    date: fields.day(122, "the day"),
    amount,
    currency,
    ...(symbol === "" ? {} : isOfClearing ? { clearing: symbol } : { reference: symbol }),
    ...(movementId === "" ? {} : { movementId }),
    ...(counterparty === "" ? {} : { counterparty })
  }
  return { movement, code }
}

const sumOf = (entries: ReadonlyArray<Entry>, ...codes: ReadonlyArray<string>): number =>
  entries.reduce((sum, { code, movement }) => (codes.includes(code) ? sum + Math.abs(movement.amount) : sum), 0)

/** Debits and credits must be those of the head. A reversal counts against its side or on the other one. */
const checkTurnover = (entries: ReadonlyArray<Entry>, debit: number, credit: number): void => {
  const [debits, credits] = [sumOf(entries, "1"), sumOf(entries, "2")]
  const [debitsBack, creditsBack] = [sumOf(entries, "4"), sumOf(entries, "5")]
  const isNet = Math.abs(debit) === debits - debitsBack && Math.abs(credit) === credits - creditsBack
  const isGross = Math.abs(debit) === debits + creditsBack && Math.abs(credit) === credits + debitsBack
  if (isNet || isGross) return
  const [what, expected, actual] =
    Math.abs(debit) === debits - debitsBack
      ? (["the sum of credits", credits - creditsBack, credit] as const)
      : (["the sum of debits", debits - debitsBack, debit] as const)
  throw imbalance(1, what, expected, actual)
}

const dayAfter = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

/** An ABO file as a statement. */
export const aboStatement = (text: string, options: AboOptions): ParsedStatement => {
  const [head, ...lines] = linesOf(text, options.maxMovements)
  if (head === undefined) throw invalidLine(1, "a record 074 was expected")
  const account = head.digits(3, 16, "the account")
  const numbers = [...new Set(lines.map((fields) => fields.text(117, 5)))]
  const coded = numbers.length === 1 ? ownMember(currencyByNumber, numbers[0] ?? "") : undefined
  const currency = options.currency ?? coded
  if (currency === undefined) throw currencyNeeded("An ABO file")
  const types = new MovementTypes(options.types)
  const entries = lines.map((fields) => entryOf(fields, account, currency, types))
  const movements = entries.map(({ movement }) => movement)
  distinctIds(movements)
  const openingBalance = head.signed(45, "the old balance")
  const closingBalance = head.signed(60, "the new balance")
  const [from, to] = [dayAfter(head.day(39, "the day of the old balance")), head.day(108, "the day of the statement")]
  const closing = movements.reduce((sum, { amount }) => sum + amount, openingBalance)
  if (closing !== closingBalance) throw imbalance(1, "the new balance", closing, closingBalance)
  checkTurnover(entries, head.signed(75, "the sum of debits"), head.signed(90, "the sum of credits"))
  return {
    format: "ABO",
    account: withoutZeros(account),
    accountName: head.text(19, 20),
    currency,
    period: { from: from > to ? to : from, to },
    openingBalance,
    closingBalance,
    movements,
    notes: types.notes
  }
}
