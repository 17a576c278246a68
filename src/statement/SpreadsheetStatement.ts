/**
 * Statements as XLS and XLSX: a title, labels with their values to the right, and a table of movements.
 */
import * as Milliseconds from "../basics/Milliseconds.js"
import { withoutUndefined } from "../basics/Nulls.js"
import { isSpoiltNumber, type Moment, readAmount, readMoment } from "./CellValue.js"
import { noteOf, shown } from "./EnglishProblems.js"
import { sumOf } from "../basics/Lists.js"
import { MovementTypes, referenceOf } from "./MovementType.js"
import type { Sheet, SheetRow } from "./Spreadsheet.js"
import type { MovementTag, ParsedStatement, StatementMovement, StatementNote } from "./ParsedStatement.js"
import { imbalance, invalidLine, type StatementError, unknownStatement } from "./StatementError.js"

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
  unknownStatement({ _tag: "UnknownSheet", title, wanted: Object.values(heads), columns: found.map(shown) }, found)

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
  if (found === undefined || found.text === "") throw invalidLine(found?.line ?? 1, { _tag: "NoValue", label: name })
  return found
}

/** A day in a spreadsheet: the number of days since the end of 1899 or since 1904, with a fraction of a day. */
const serialMoment = (serial: number, isFrom1904: boolean, line: number): Moment => {
  const start = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  const time = start + Math.round((serial * Milliseconds.day) / 1000) * 1000
  // Days in other formats have been checked as text. These are the last days that Excel supports.
  if (serial < 1 || serial > 2_958_465) throw invalidLine(line, { _tag: "SerialNotDay", column: heads.date, serial })
  const iso = new Date(time).toISOString()
  const date = iso.slice(0, 10)
  return Number.isInteger(serial) ? { date } : { date, time: iso.slice(11, 19) }
}

/** An amount from a number cell, rounded to the two decimals that it shows. */
const numberAmount = (value: number, line: number): number => {
  const amount = Math.round(value * 100)
  if (!Number.isSafeInteger(amount) || Math.abs(value * 100 - amount) > 1e-4) {
    throw invalidLine(line, { _tag: "TooManyDecimals", column: heads.amount, value })
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
    notes.push(noteOf({ _tag: "UnknownRow", line, text, row: "ofSheet" }))
    return undefined
  }
  if (date === undefined || amountCell === undefined) throw invalidLine(line, { _tag: "NoDayOrAmount" })
  const amount =
    typeof amountCell === "number" ? numberAmount(amountCell, line) : readAmount(amountCell, line, heads.amount)
  const type = cellText(cell(heads.type))
  if (type === "") throw invalidLine(line, { _tag: "NoType" })
  const own = cellText(cell(heads.currency))
  if (own !== "" && own !== currency)
    throw invalidLine(line, { _tag: "NotAccountCurrency", text: shown(own), currency })
  const tag: MovementTag = types.tagOf(type, amount, line)
  const unknown = [...columns].flatMap(([head, column]): ReadonlyArray<readonly [string, string]> => {
    const text = cellText(cells.find((one) => one.column === column)?.value)
    return Object.values<string>(heads).includes(head) || text === "" ? [] : [[head, text]]
  })
  const reference = cellText(cell(heads.reference))
  const isSpoilt = isSpoiltNumber(reference)
  if (isSpoilt) {
    notes.push(noteOf({ _tag: "SpoiltNumber", line, text: reference, column: heads.reference, isOfSheet: true }))
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
  if (to === "" || others.length > 0) throw invalidLine(line, { _tag: "NotSpan", label: name, text: shown(text) })
  const days = { from: readMoment(from, line, name).date, to: readMoment(to, line, name).date }
  if (days.from > days.to) throw invalidLine(line, { _tag: "ReversedSpan", label: name })
  return days
}

const accountOf = (labels: Labels) => {
  const { line, text } = label(labels, "ID účtu")
  const [, account = "", accountName = ""] = /^(\d+) ?\/ ?(.+)$/.exec(text) ?? []
  const currency = /(?:^|\s)([A-Z]{3})$/.exec(accountName)?.[1]
  if (currency === undefined) throw invalidLine(line, { _tag: "NotAccount", text: shown(text) })
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
  const checks = [
    [credit, credits, credit.amount],
    [debit, debits, -Math.abs(debit.amount)],
    [closing, opening.amount + credits + debits, closing.amount]
  ] as const
  for (const [{ line, name }, expected, actual] of checks) {
    if (expected !== actual) throw imbalance(line, { _tag: "LabelImbalance", label: name, expected, actual })
  }
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
    .map((text) => noteOf({ _tag: "UnknownColumn", line: head.line, text }))
  const reading: Reading = { columns, currency, isFrom1904, types: movementTypes, notes }
  const movements = rows.filter(({ line }) => line > head.line).flatMap((row) => movementOf(row, reading) ?? [])
  const stray = movements.find(({ date }) => date < period.from || date > period.to)
  if (stray !== undefined) {
    throw invalidLine(stray.line, { _tag: "OutsideOfStatement", day: stray.date, ...period })
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
