/**
 * Statements as ABO, also called GPC, GoPay's and those of the shop's own bank: a record 074 with the balances, then a record
 * 075 for each movement.
 *
 * The positions are those of the Czech banks. What GoPay writes there is known from one sample: the document number is
 * the movement's id; the variable symbol is the clearing's number for payouts and fees, and zero for payments; and the
 * name contains the type. There is no order number.
 */
import { withoutUndefined } from "../basics/Nulls.js"
import { ownMember } from "../basics/OwnMember.js"
import { Fields, isAbo, recordLength, wholeHead } from "./AboRecord.js"
import { currencyNeeded, distinctIds } from "./CsvStatement.js"
import { shown } from "./EnglishProblems.js"
import { maxBytes, maxMovements, decodedText } from "./FileText.js"
import { sumOf } from "../basics/Lists.js"
import { MovementTypes } from "./MovementType.js"
import type { MovementTag, ParsedStatement, StatementMovement } from "./ParsedStatement.js"
import { imbalance, invalidLine, tooLarge, unknownStatement } from "./StatementError.js"
import { shiftedDay } from "../basics/Day.js"

/** A transfer on the shop's own bank account. */
export interface BankTransfer {
  /** The line of the file; the first is 1. */
  readonly line: number
  /** `yyyy-mm-dd`. */
  readonly date: string
  /** An integer in minor units; negative if it leaves the account. */
  readonly amount: number
  /** The ISO 4217 code. */
  readonly currency: string
  /** The variable symbol, without leading zeros: the clearing's number for a clearing. */
  readonly variableSymbol?: string
  /** The bank's number of the transfer, if the file has it. */
  readonly transferId?: string
  /** The other account's number, without leading zeros and without the code of its bank. */
  readonly counterparty?: string
  /** The name of the other party, as the file writes it. */
  readonly name?: string
}

/** A statement of the shop's own bank. Its transfers add up: otherwise the file is refused. */
export interface BankStatement {
  /** The number of the shop's account. */
  readonly account: string
  /** The name of the account, as the bank writes it. */
  readonly accountName: string
  /** The ISO 4217 code. */
  readonly currency: string
  /** The days that the file covers, both `yyyy-mm-dd`. */
  readonly period: { readonly from: string; readonly to: string }
  /** An integer in minor units. */
  readonly openingBalance: number
  /** An integer in minor units. */
  readonly closingBalance: number
  /** In the order of the file. */
  readonly transfers: ReadonlyArray<BankTransfer>
}

/** What an ABO file does not say itself. */
interface AboOptions {
  readonly currency: string | undefined
  readonly maxMovements: number
}

/** ISO 4217: the currencies that GoPay settles in. */
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

/** Records of text below a transfer, which banks write and GoPay does not. */
const isText = (record: string): boolean => /^07[6-9]/.test(record)

/** A record 074 and the records 075 below it. */
interface Section {
  readonly head: Fields
  readonly lines: ReadonlyArray<Fields>
}

/** The sections of a file, in order: some banks write one for each day. */
const sectionsOf = (
  text: string,
  { isBank, maxMovements }: AboOptions & { readonly isBank: boolean }
): ReadonlyArray<Section> => {
  const lines = text.split(/\r\n|\n|\r/)
  // Some programs end a file with the end-of-file mark of MS-DOS.
  while (lines.length > 0 && (lines.at(-1) ?? "").replace("\u001a", "").trim() === "") lines.pop()
  if (lines.length > 4 * maxMovements + 1) throw tooLarge({ _tag: "TooManyMovements", limit: maxMovements })
  const sections: Array<{ readonly head: Fields; readonly lines: Array<Fields> }> = []
  let count = 0
  for (const [index, found] of lines.entries()) {
    if (isBank && index > 0 && isText(found)) continue
    const line = index + 1
    const record = wholeHead(found)
    if (record.length !== recordLength) {
      throw invalidLine(line, { _tag: "RecordLength", expected: recordLength, found: record.length })
    }
    const fields = new Fields(line, record)
    const kind = record.slice(0, 3)
    const section = sections.at(-1)
    if (kind === "074") {
      sections.push({ head: fields, lines: [] })
    } else if (kind === "075" && section !== undefined) {
      section.lines.push(fields)
      count += 1
    } else {
      throw invalidLine(line, { _tag: "UnexpectedRecord", record: shown(kind) })
    }
    if (count > maxMovements) throw tooLarge({ _tag: "TooManyMovements", limit: maxMovements })
  }
  return sections
}

/** 1 is a debit, 2 a credit, 4 reverses a debit, 5 a credit. */
const signs: Readonly<Record<string, 1 | -1>> = { "1": -1, "2": 1, "4": 1, "5": -1 }

/** Digits without leading zeros; `undefined` if there are only zeros. */
const withoutZeros = (digits: string): string | undefined => digits.replace(/^0+/, "") || undefined

/** The booking of a record 075. */
interface Entry {
  readonly fields: Fields
  readonly amount: number
  readonly code: string
}

const entryOf = (fields: Fields): Entry => {
  const code = fields.text(60, 1)
  const sign = ownMember(signs, code)
  if (sign === undefined) throw invalidLine(fields.line, { _tag: "BookingCode", code: shown(code) })
  return { fields, amount: sign * fields.amount(48, 12, "amount"), code }
}

/**
 * Debits and credits must match those of the head record. A reversal counts against its own side or for the other one.
 */
const checkTurnover = (head: Fields, entries: ReadonlyArray<Entry>): void => {
  const debit = head.signed(75, "debits")
  const credit = head.signed(90, "credits")
  const of = (booking: string): number => Math.abs(sumOf(entries.filter(({ code }) => code === booking)))
  const [debits, credits, debitsBack, creditsBack] = [of("1"), of("2"), of("4"), of("5")]
  const isNet = Math.abs(debit) === debits - debitsBack && Math.abs(credit) === credits - creditsBack
  const isGross = Math.abs(debit) === debits + creditsBack && Math.abs(credit) === credits + debitsBack
  if (isNet || isGross) return
  const [field, expected, actual] =
    Math.abs(debit) === debits - debitsBack
      ? (["credits", credits - creditsBack, credit] as const)
      : (["debits", debits - debitsBack, debit] as const)
  throw imbalance(head.line, { _tag: "FieldImbalance", field, expected, actual })
}

/** The days, balances and entries of a section, checked to add up. */
const balancesOf = ({ head, lines }: Section, account: string) => {
  const stranger = [head, ...lines].find((fields) => fields.digits(3, 16, "account") !== account)
  if (stranger !== undefined) {
    throw invalidLine(stranger.line, { _tag: "OtherAccount" })
  }
  const entries = lines.map(entryOf)
  const opening = head.signed(45, "oldBalance")
  const closing = head.signed(60, "newBalance")
  const sum = opening + sumOf(entries)
  if (sum !== closing) {
    throw imbalance(head.line, { _tag: "FieldImbalance", field: "newBalance", expected: sum, actual: closing })
  }
  checkTurnover(head, entries)
  const from = shiftedDay(head.day(39, "oldBalanceDay"), 1)
  const to = head.day(108, "statementDay")
  return { opening, closing, from: from > to ? to : from, to, entries }
}

/**
 * An ISO 4217 number in a field of five digits. GoPay's sample has 01101 and 01102 there, which are not such numbers.
 */
const isCurrencyNumber = (text: string): boolean => /^00\d{3}$/.test(text) && text !== "00000"

/** The one currency of a file, from its records or else from the caller. */
const currencyOf = (entries: ReadonlyArray<Entry>, given: string | undefined): string => {
  let found: { readonly number: string; readonly currency: string } | undefined
  for (const { fields } of entries) {
    const number = fields.text(117, 5)
    if (!isCurrencyNumber(number) || number === found?.number) continue
    const currency = ownMember(currencyByNumber, number)
    if (currency === undefined) {
      const known = Object.values(currencyByNumber)
      throw invalidLine(fields.line, { _tag: "CurrencyNumber", number: shown(number), known })
    }
    if (found !== undefined) {
      throw invalidLine(fields.line, { _tag: "SecondCurrency", currency, above: found.currency, format: "ABO" })
    }
    found = { number, currency }
  }
  const currency = found?.currency ?? given
  if (currency === undefined) throw currencyNeeded("An ABO file")
  return currency
}

/** The account, the balances and the lines of an ABO file, checked to add up. */
const aboFile = <Line>(
  text: string,
  options: AboOptions & { readonly isBank: boolean },
  lineOf: (fields: Fields, amount: number, currency: string) => Line
) => {
  const [first, ...others] = sectionsOf(text, options)
  if (first === undefined) throw invalidLine(1, { _tag: "NoHeadRecord" })
  const account = first.head.digits(3, 16, "account")
  const days = balancesOf(first, account)
  const entries = [...days.entries]
  const period = { from: days.from, to: days.to }
  let { closing } = days
  for (const section of others) {
    const { line } = section.head
    const next = balancesOf(section, account)
    if (next.opening !== closing) {
      throw imbalance(line, { _tag: "FieldImbalance", field: "oldBalance", expected: closing, actual: next.opening })
    }
    if (next.to < period.to) {
      throw invalidLine(line, { _tag: "EarlierRecord", day: next.to, above: period.to })
    }
    closing = next.closing
    period.to = next.to
    for (const entry of next.entries) entries.push(entry)
  }
  const currency = currencyOf(entries, options.currency)
  return {
    account: withoutZeros(account) ?? "",
    accountName: first.head.text(19, 20),
    currency,
    period,
    openingBalance: days.opening,
    closingBalance: closing,
    lines: entries.map(({ amount, fields }) => lineOf(fields, amount, currency))
  }
}

const movementOf = (fields: Fields, amount: number, currency: string, types: MovementTypes): StatementMovement => {
  const { line } = fields
  const type = fields.text(97, 20)
  const tag = types.tagOf(type, amount, line)
  const isOfClearing = tag === "Payout" || tag === "Fee" || tag === "CreditNote"
  return {
    _tag: tag,
    type,
    line,
    date: fields.day(122, "day"),
    amount,
    currency,
    ...withoutUndefined({
      [isOfClearing ? "clearing" : "reference"]: withoutZeros(fields.digits(61, 10, "variableSymbol")),
      movementId: withoutZeros(fields.digits(35, 13, "documentNumber")),
      counterparty: withoutZeros(fields.digits(19, 16, "otherAccount"))
    })
  }
}

export const aboStatement = (
  text: string,
  options: AboOptions & { readonly types: Readonly<Record<string, MovementTag>> }
): ParsedStatement => {
  const types = new MovementTypes(options.types)
  const { lines: movements, ...account } = aboFile(text, { ...options, isBank: false }, (fields, amount, currency) =>
    movementOf(fields, amount, currency, types)
  )
  distinctIds(movements)
  return { format: "ABO", ...account, movements, notes: types.list }
}

const transferOf = (fields: Fields, amount: number, currency: string): BankTransfer =>
  withoutUndefined({
    line: fields.line,
    date: fields.day(122, "day"),
    amount,
    currency,
    transferId: withoutZeros(fields.text(35, 13)),
    variableSymbol: withoutZeros(fields.digits(61, 10, "variableSymbol")),
    counterparty: withoutZeros(fields.text(19, 16)),
    name: fields.text(97, 20) || undefined
  })

/**
 * Reads a statement of the shop's own bank as ABO, also called GPC, which Czech banks export. `reconcileStatement`
 * takes it as `bank`, and assigns its transfers to clearings.
 *
 * Records of text below a transfer (076 to 079) are ignored. Reads files of up to 16 MiB and 200 000 transfers.
 *
 * @throws StatementError if the file is not ABO, does not add up, is cut off, is too large, or does not say its
 * currency
 */
export const parseBankStatement = (
  file: Uint8Array,
  options: { readonly currency?: string | undefined } = {}
): BankStatement => {
  if (file.length > maxBytes) throw tooLarge({ _tag: "TooManyBytes", bytes: maxBytes })
  const text = decodedText(file)
  if (!isAbo(text)) {
    throw unknownStatement({ _tag: "NotBankStatement" })
  }
  const { lines, ...account } = aboFile(text, { currency: options.currency, isBank: true, maxMovements }, transferOf)
  return { ...account, transfers: lines }
}
