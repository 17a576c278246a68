/**
 * Movements for a shop's accounting: as CSV, and as bank documents of Pohoda.
 */
import { createHash } from "node:crypto"
import { shiftedDay } from "../basics/Day.js"
import { groupBy } from "../basics/Lists.js"
import { amountToDecimal } from "../contract/Amount.js"
import type { BookedOrder, StatementMovement, StatementReconciliation } from "../statement/index.js"
import { numberOf } from "../statement/MovementType.js"
import { WrongUsage } from "./Command.js"
import { printable } from "./OutputText.js"
import { failure, failureTexts } from "./StatementFailure.js"
import { bookings, type TableFor, tableText } from "./StatementCsv.js"
import { contradictory, type ReadFile } from "./StatementReport.js"
import type { Language } from "./Language.js"

const heads = {
  date: "datum",
  booking: "zaúčtování",
  amount: "částka",
  currency: "měna",
  clearing: "vyúčtování",
  order_number: "číslo objednávky",
  variable_symbol: "variabilní symbol",
  payment_id: "ID platby",
  movement_id: "ID pohybu",
  counterparty: "protistrana",
  type: "typ u GoPay"
}

/** A number where a variable symbol may be it: ten digits at most. */
const symbolOf = (number: string): string => (/^\d{1,10}$/.test(number) ? number : "")

type VariableSymbol = (movement: StatementMovement) => string

const exactSymbol: VariableSymbol = (movement) => symbolOf(numberOf(movement) ?? "")

/** Fewer digits, leading zeros aside, are the symbol of many a document: 5 of "Objednávka 5". */
const minDigits = 4

/** Why the digits of an order number are not its variable symbol. */
const noSymbols = ["longSymbol", "shortSymbol", "sameSymbol"] as const

/**
 * The variable symbols of order numbers that have other characters too: their digits, where these are neither too few or too many
 * nor those of another number, a clearing's among them; and the order numbers without one.
 */
const symbolsOf = (movements: ReadonlyArray<StatementMovement>, orderNumbers: Iterable<string>) => {
  const own = new Set([...movements.flatMap(({ orderNumber }) => orderNumber ?? []), ...orderNumbers])
  const numbers = new Set([...own, ...movements.flatMap((movement) => numberOf(movement) ?? [])])
  const digitsOf = (number: string): string => number.replace(/\D/g, "")
  const alike = groupBy(numbers, digitsOf)
  const reasonOf = (number: string): (typeof noSymbols)[number] | undefined => {
    const digits = digitsOf(number)
    if (digits.length > 10) return "longSymbol"
    if (digits.replace(/^0+/, "").length < minDigits) return "shortSymbol"
    return (alike.get(digits)?.length ?? 0) > 1 ? "sameSymbol" : undefined
  }
  const mixed = new Set(movements.flatMap(({ orderNumber }) => orderNumber ?? []).filter((one) => symbolOf(one) === ""))
  const without = noSymbols.map((reason) => ({ reason, numbers: [...mixed].filter((one) => reasonOf(one) === reason) }))
  const symbols = new Map([...mixed].filter((one) => reasonOf(one) === undefined).map((one) => [one, digitsOf(one)]))
  const symbolFor: VariableSymbol = (movement) => symbols.get(movement.orderNumber ?? "") ?? exactSymbol(movement)
  return { symbolFor, without }
}

/** A line for each movement, the oldest first. Amounts are signed: negative is out of the account at GoPay. */
const bookingCsv = (
  movements: ReadonlyArray<StatementMovement>,
  variableSymbolOf: VariableSymbol,
  reader: TableFor
): string =>
  tableText(
    heads,
    movements.map((movement) => [
      { day: movement.date },
      bookings[movement._tag],
      { amount: movement.amount },
      movement.currency,
      movement.clearing,
      movement.orderNumber,
      variableSymbolOf(movement),
      movement.paymentId,
      movement.movementId,
      movement.counterparty,
      movement.type
    ]),
    reader
  )

/** What an export for Pohoda needs besides movements. */
interface PohodaFirm {
  /** The firm's number (IČO). Pohoda refuses a package for another one. */
  readonly ico: string
  /** The abbreviation of the account in Pohoda's list of bank accounts. */
  readonly account: string
}

const escaped = (text: string): string =>
  text
    // Characters that XML does not allow.
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "?")
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

const element = (name: string, text: string): string => (text === "" ? "" : `<${name}>${escaped(text)}</${name}>`)

const cut = (text: string, length: number): string => Array.from(text).slice(0, length).join("")

/**
 * An id for each movement that stays the same in every export: its own id, or else its contents, numbered if several
 * are equal.
 */
const idsOf = (movements: ReadonlyArray<StatementMovement>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  return movements.map((movement) => {
    const { amount, date, movementId, time = "", type } = movement
    if (movementId !== undefined) return cut(movementId, 64)
    const own = [date, time, type, amount, numberOf(movement) ?? ""].join("|")
    const count = (counts.get(own) ?? 0) + 1
    counts.set(own, count)
    return `${date}-${hashOf(`${own}|${count}`)}`
  })
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16)

/** What a clearing's XML calls its movements: English words that say no more than the text. */
const xmlTypes: ReadonlySet<string> = new Set(["credit", "storno", "stornoFee"])

const pohodaItem = (
  movement: StatementMovement,
  id: string,
  { account }: PohodaFirm,
  variableSymbolOf: VariableSymbol
): string => {
  const { _tag, amount, clearing, date, movementId, paymentId, type } = movement
  const known = [
    xmlTypes.has(type) ? undefined : type,
    paymentId === undefined ? undefined : `platba ${paymentId}`,
    movementId === undefined ? undefined : `pohyb ${movementId}`,
    clearing === undefined || _tag === "Payout" ? undefined : `vyúčtování ${clearing}`
  ]
  return [
    `<dat:dataPackItem version="2.0" id="${escaped(id)}">`,
    `<bnk:bank version="2.0"><bnk:bankHeader>`,
    element("bnk:bankType", amount < 0 ? "expense" : "receipt"),
    `<bnk:account>${element("typ:ids", account)}</bnk:account>`,
    element("bnk:symVar", variableSymbolOf(movement)),
    element("bnk:dateStatement", date),
    element("bnk:datePayment", date),
    element("bnk:text", cut(`GoPay ${bookings[_tag].cs} ${numberOf(movement) ?? ""}`.trim(), 240)),
    element("bnk:intNote", known.filter((part) => part !== undefined).join(", ")),
    `</bnk:bankHeader><bnk:bankSummary><bnk:homeCurrency>`,
    element("typ:priceNone", amountToDecimal(Math.abs(amount))),
    `</bnk:homeCurrency></bnk:bankSummary></bnk:bank></dat:dataPackItem>`
  ].join("")
}

/**
 * Bank documents of Pohoda, one for each movement, according to its public schema. Accounting codes are left to
 * Pohoda's own settings. Only CZK: a document in another currency needs an exchange rate, which statements do not have.
 *
 * Pohoda skips what it has imported before, by the ids of package and item, which are made from those of the movements.
 */
const pohodaXml = (
  movements: ReadonlyArray<StatementMovement>,
  firm: PohodaFirm,
  variableSymbolOf: VariableSymbol
): string => {
  const other = movements.find(({ currency }) => currency !== "CZK")
  if (other !== undefined) throw failure("needsRate", `${other.currency} (${other.line})`)
  const days = movements.map(({ date }) => date).toSorted()
  const [from] = days
  if (from === undefined) throw failure("noMovements")
  const namespace = "http://www.stormware.cz/schema/version_2"
  const ids = idsOf(movements)
  const pack = `gopay-${from}-${days.at(-1)}-${hashOf(ids.join("|"))}`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<dat:dataPack version="2.0" id="${pack}" ico="${escaped(firm.ico)}" application="effect-gopay" note="GoPay" xmlns:dat="${namespace}/data.xsd" xmlns:bnk="${namespace}/bank.xsd" xmlns:typ="${namespace}/type.xsd">`,
    ...movements.map((movement, index) => pohodaItem(movement, ids[index] ?? "", firm, variableSymbolOf)),
    "</dat:dataPack>"
  ].join("\n")
}

/** The requested export. */
export interface ExportOptions {
  readonly format: string | undefined
  readonly ico: string | undefined
  readonly account: string | undefined
  readonly variableSymbol: string | undefined
  readonly language: Language
  readonly reader: TableFor
}

/** Makes the export of movements, if one is wanted. */
export const exportOf = ({ account, format, ico, language, reader, variableSymbol }: ExportOptions) => {
  if (format !== "pohoda" && (ico !== undefined || account !== undefined)) {
    throw new WrongUsage(({ statement }) => statement.pohodaOnly)
  }
  if (variableSymbol !== undefined && (variableSymbol !== "digits" || format === undefined)) {
    throw new WrongUsage(({ statement }) => statement.symbolOnly)
  }
  if (format === undefined) return undefined
  if (format !== "csv" && format !== "pohoda") throw new WrongUsage(({ statement }) => statement.exportFormat(format))
  const firm = format === "pohoda" ? firmOf(ico, account) : undefined
  return (
    files: ReadonlyArray<ReadFile>,
    found: StatementReconciliation,
    orders: ReadonlyArray<BookedOrder>
  ): string => {
    const { movements } = found
    const statements = files.map(({ statement }) => statement)
    checkFiles(language, files, found, format)
    const { symbolFor, without } = symbolsOf(
      movements,
      orders.map(({ orderNumber }) => orderNumber)
    )
    const say = (name: keyof typeof failureTexts, numbers: ReadonlyArray<string>): void => {
      const more = numbers.length > maxNamed ? ", …" : ""
      const named = numbers.slice(0, maxNamed).join(", ")
      console.error(`${failureTexts[name][language]} (${numbers.length}): ${printable(named)}${more}`)
    }
    if (variableSymbol === undefined) {
      const mixed = new Set(movements.flatMap(({ orderNumber }) => orderNumber ?? []))
      const leftOut = [...mixed].filter((number) => symbolOf(number) === "")
      if (leftOut.length > 0) say("noSymbol", leftOut)
    } else for (const { numbers, reason } of without) if (numbers.length > 0) say(reason, numbers)
    if (firm !== undefined && statements.every(({ clearing }) => clearing !== undefined)) {
      console.error(failureTexts.clearingsOnly[language])
    }
    if (firm !== undefined && !isWholeMonth(movements)) console.error(failureTexts.partOfMonth[language])
    const symbol = variableSymbol === undefined ? exactSymbol : symbolFor
    return firm === undefined ? bookingCsv(movements, symbol, reader) : pohodaXml(movements, firm, symbol)
  }
}

/**
 * Whether movements are those of one month that is over. A small shop has none on some days: they may end two days before the
 * month does.
 */
const isWholeMonth = (movements: ReadonlyArray<StatementMovement>): boolean => {
  const days = movements.map(({ date }) => date).toSorted()
  const [first = "", last = ""] = [days[0], days.at(-1)]
  const [month, today] = [monthOf(last), pragueDay.format(Date.now())]
  return monthOf(first) === month && monthOf(shiftedDay(last, 3)) > month && month < monthOf(today)
}

const monthOf = (day: string): string => day.slice(0, 7)

const pragueDay = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Prague" })

/** As many numbers as are named in a line. */
const maxNamed = 10

/** Refuses files whose export would book a movement twice, not at all, or another shop's. */
const checkFiles = (
  language: Language,
  files: ReadonlyArray<ReadFile>,
  { contradictions }: StatementReconciliation,
  format: "csv" | "pohoda"
): void => {
  if (contradictions.length > 0) throw contradictory("contradictory", language, contradictions, files)
  if (format === "csv") return
  const statements = files.map(({ statement }) => statement)
  if (statements.some(({ notes }) => notes.some(({ _tag }) => _tag === "SpoiltNumber"))) {
    throw failure("spoiltIds")
  }
  // Files of one layout write an account in one way.
  for (const alike of groupBy(statements, ({ format }) => format).values()) {
    const accounts = [...new Set(alike.flatMap(({ account }) => account ?? []))]
    if (accounts.length > 1) throw failure("severalAccounts", printable(accounts.join(", ")))
  }
}

/** Whether the last digit of an IČO fits the others: their sum, weighted by 8 to 2, is subtracted from 11. */
const hasCheckDigit = (number: string): boolean => {
  const digits = Array.from(number, Number)
  const sum = digits.slice(0, -1).reduce((total, digit, index) => total + digit * (8 - index), 0)
  return digits.at(-1) === (11 - (sum % 11)) % 10
}

const firmOf = (ico: string | undefined, account: string | undefined): PohodaFirm => {
  if (ico === undefined) throw new WrongUsage(({ statement }) => statement.noIco)
  // What stands before it in the number for VAT is the country.
  const number = ico.replace(/^CZ|\s/gi, "")
  if (!/^\d{8}$/.test(number)) throw new WrongUsage(({ statement }) => statement.icoForm(ico))
  if (!hasCheckDigit(number)) throw new WrongUsage(({ statement }) => statement.icoDigit(ico))
  if (account === undefined || account === "" || account.length > 19) {
    throw new WrongUsage(({ statement }) => statement.noAccount)
  }
  return { ico: number, account }
}
