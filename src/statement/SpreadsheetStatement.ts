/**
 * Statements as XLS and XLSX: a title, labels with their values to the right, and a table of movements.
 */
import * as Milliseconds from "../basics/Milliseconds.js"
import { withoutUndefined } from "../basics/Nulls.js"
import { imbalance, isSpoiltNumber, type Moment, readAmount, readMoment } from "./CellValue.js"
import { unknownColumn, unknownReport } from "./CsvStatement.js"
import { sumOf } from "../basics/Lists.js"
import { MovementTypes, referenceOf } from "./MovementType.js"
import type { Sheet, SheetRow } from "./Spreadsheet.js"
import type { MovementTag, ParsedStatement, StatementMovement, StatementNote } from "./ParsedStatement.js"
import { invalidLine, quoted, type StatementError, unknownStatement } from "./StatementError.js"

const title = "VÝPIS Z OBCHODNÍHO ÚČTU"

const heads = {
  date: "Datum",
  type: "Typ",
  counterparty: "Protistrana",
  amount: "Částka",
  currency: "Měna",
  reference: "ID objednávky/VS"
} as const

const trimmed = (text: string): string => text.replace(/\s+/g, " ").trim()

const cellText = (value: string | number | undefined): string => (value === undefined ? "" : trimmed(String(value)))

const notStatement = (found: ReadonlyArray<string>): StatementError =>
  unknownStatement(
    `Not a known kind of statement: a spreadsheet has the title ${title} and a table with the columns ${Object.values(heads).join(", ")}. ${unknownReport}${found.length === 0 ? "" : ` Found: ${found.map(quoted).join(", ")}.`}`,
    found
  )

interface Label {
  readonly line: number
  readonly text: string
}

type Labels = ReadonlyMap<string, Label>

/** Labels above the table: their value is the text after a colon, or the cell to the right. */
const labelsOf = (rows: ReadonlyArray<SheetRow>): Labels => {
  const labels = new Map<string, Label>()
  for (const { cells, line } of rows) {
    cells.forEach(({ value }, index) => {
      if (typeof value !== "string") return
      const [, name = "", inside = ""] = /^([^:]*):?(.*)$/.exec(trimmed(value)) ?? []
      const text = inside.trim() === "" ? cellText(cells[index + 1]?.value) : inside.trim()
      if (!labels.has(name.trim())) labels.set(name.trim(), { line, text })
    })
  }
  return labels
}

const label = (labels: Labels, name: string): Label => {
  const found = labels.get(name)
  if (found === undefined || found.text === "")
    throw invalidLine(found?.line ?? 1, `${name} is missing or has no value`)
  return found
}

/** A day in a spreadsheet: the number of days since the end of 1899 or since 1904, with a fraction of a day. */
const serialMoment = (serial: number, isFrom1904: boolean, line: number): Moment => {
  const start = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  const time = start + Math.round((serial * Milliseconds.day) / 1000) * 1000
  // Days in other formats have been checked as text. These are the last days that Excel supports.
  if (serial < 1 || serial > 2_958_465) throw invalidLine(line, `${heads.date} is not a day: ${serial}`)
  const iso = new Date(time).toISOString()
  const date = iso.slice(0, 10)
  return Number.isInteger(serial) ? { date } : { date, time: iso.slice(11, 19) }
}

/** An amount from a number cell, rounded to the two decimals that it shows. */
const numberAmount = (value: number, line: number): number => {
  const amount = Math.round(value * 100)
  if (!Number.isSafeInteger(amount) || Math.abs(value * 100 - amount) > 1e-4) {
    throw invalidLine(line, `${heads.amount} has more than two decimals: ${value}`)
  }
  return amount === 0 ? 0 : amount
}

interface Reading {
  /** The number of each column by its header. */
  readonly columns: ReadonlyMap<string, number>
  readonly currency: string
  readonly isFrom1904: boolean
  readonly types: MovementTypes
  readonly notes: Array<StatementNote>
}

/** A row as a movement. A row without day and amount is noted and left out. */
const movementOf = ({ cells, line }: SheetRow, reading: Reading): StatementMovement | undefined => {
  const { columns, currency, isFrom1904, notes, types } = reading
  const cell = (head: string): string | number | undefined =>
    cells.find(({ column }) => column === columns.get(head))?.value
  const [date, amountCell] = [cell(heads.date), cell(heads.amount)]
  if (date === undefined && amountCell === undefined) {
    const text = cells.map(({ value }) => cellText(value)).join(" ")
    notes.push({ _tag: "UnknownRow", line, text, message: `Row ${line} is no movement: ${quoted(text)}.` })
    return undefined
  }
  if (date === undefined || amountCell === undefined) throw invalidLine(line, "the day or the amount is missing")
  const amount =
    typeof amountCell === "number" ? numberAmount(amountCell, line) : readAmount(amountCell, line, heads.amount)
  const type = cellText(cell(heads.type))
  if (type === "") throw invalidLine(line, "the type is missing")
  const own = cellText(cell(heads.currency))
  if (own !== "" && own !== currency)
    throw invalidLine(line, `the currency is ${quoted(own)}, and the account's is ${currency}`)
  const tag: MovementTag = types.tagOf(type, amount, line)
  const unknown = [...columns].flatMap(([head, column]): ReadonlyArray<readonly [string, string]> => {
    const text = cellText(cells.find((one) => one.column === column)?.value)
    return Object.values<string>(heads).includes(head) || text === "" ? [] : [[head, text]]
  })
  const reference = cellText(cell(heads.reference))
  const isSpoilt = isSpoiltNumber(reference)
  if (isSpoilt) {
    const message = `Row ${line}: ${quoted(heads.reference)} is ${quoted(reference)}, a number whose digits a spreadsheet has lost. It is kept in extra and matches nothing. Download the file again.`
    notes.push({ _tag: "SpoiltNumber", line, text: reference, message })
    unknown.push([heads.reference, reference])
  }
  return {
    _tag: tag,
    type,
    line,
    ...(typeof date === "number" ? serialMoment(date, isFrom1904, line) : readMoment(date, line, heads.date)),
    amount,
    currency,
    ...referenceOf(tag, isSpoilt ? "" : reference, ""),
    ...withoutUndefined({
      counterparty: cellText(cell(heads.counterparty)) || undefined,
      extra: unknown.length === 0 ? undefined : Object.fromEntries(unknown)
    })
  }
}

const periodOf = (labels: Labels) => {
  const name = "Definované období"
  const { line, text } = label(labels, name)
  const [from = "", to = "", ...others] = text.split(/ [-–] /)
  if (to === "" || others.length > 0) throw invalidLine(line, `${name} is not a span of days: ${quoted(text)}`)
  const days = { from: readMoment(from, line, name).date, to: readMoment(to, line, name).date }
  if (days.from > days.to) throw invalidLine(line, `${name} ends before it begins`)
  return days
}

const accountOf = (labels: Labels) => {
  const { line, text } = label(labels, "ID účtu")
  const [, account = "", accountName = ""] = /^(\d+) ?\/ ?(.+)$/.exec(text) ?? []
  const currency = /(?:^|\s)([A-Z]{3})$/.exec(accountName)?.[1]
  if (currency === undefined) throw invalidLine(line, `ID účtu is not a number, a name and a currency: ${quoted(text)}`)
  return { account, accountName, currency }
}

const checkSums = (labels: Labels, currency: string, movements: ReadonlyArray<StatementMovement>) => {
  /** A sum followed by its currency, such as `1 234,56 CZK`. */
  const sum = (name: string) => {
    const { line, text } = label(labels, name)
    const amount = text.endsWith(currency) ? text.slice(0, -currency.length) : text
    return { name, line, amount: readAmount(amount, line, name) }
  }
  const opening = sum("Počáteční zůstatek na účtě")
  const credit = sum("Připsáno na účet")
  const debit = sum("Odepsáno z účtu")
  const closing = sum("Konečný zůstatek na účtě")
  const credits = sumOf(movements.filter(({ amount }) => amount > 0))
  const debits = sumOf(movements.filter(({ amount }) => amount < 0))
  if (credits !== credit.amount) throw imbalance(credit.line, credit.name, credits, credit.amount)
  if (debits !== -Math.abs(debit.amount)) throw imbalance(debit.line, debit.name, debits, -Math.abs(debit.amount))
  const balance = opening.amount + credits + debits
  if (balance !== closing.amount) throw imbalance(closing.line, closing.name, balance, closing.amount)
  return { openingBalance: opening.amount, closingBalance: closing.amount }
}

export const spreadsheetStatement = (
  { isFrom1904, rows }: Sheet,
  types: Readonly<Record<string, MovementTag>>
): ParsedStatement => {
  const head = rows.find(({ cells }) => {
    const texts = cells.map(({ value }) => cellText(value))
    return texts.includes(heads.date) && texts.includes(heads.type)
  })
  const isTitled = rows.some(({ cells }) => cells.some(({ value }) => cellText(value).toUpperCase() === title))
  const columns = new Map(head?.cells.map(({ column, value }) => [cellText(value), column]))
  if (head === undefined || !isTitled || !Object.values(heads).every((one) => columns.has(one))) {
    throw notStatement([...columns.keys()].slice(0, 50))
  }
  const labels = labelsOf(rows.filter(({ line }) => line < head.line))
  const { account, accountName, currency } = accountOf(labels)
  const period = periodOf(labels)
  const movementTypes = new MovementTypes(types)
  const notes: Array<StatementNote> = [...columns.keys()]
    .filter((text) => !Object.values<string>(heads).includes(text))
    .map((text) => unknownColumn(text, head.line))
  const reading: Reading = { columns, currency, isFrom1904, types: movementTypes, notes }
  const movements = rows.filter(({ line }) => line > head.line).flatMap((row) => movementOf(row, reading) ?? [])
  const stray = movements.find(({ date }) => date < period.from || date > period.to)
  if (stray !== undefined) {
    throw invalidLine(stray.line, `the day ${stray.date} is outside of the statement's ${period.from} to ${period.to}`)
  }
  return {
    format: "XLS",
    account,
    accountName,
    currency,
    period,
    ...checkSums(labels, currency, movements),
    movements,
    notes: [...notes, ...movementTypes.list]
  }
}
