/**
 * Statements as CSV: CSV_B, whose columns are known, and any other CSV that the caller describes.
 */
import { withoutUndefined } from "../basics/Nulls.js"
import { isSpoiltNumber, readAmount, readMoment } from "./CellValue.js"
import {
  delimiters,
  headed,
  headsOf,
  type Row,
  rowsOf,
  type Table,
  tableOf,
  withoutFirstLine
} from "./DelimitedText.js"
import { noteOf, shown } from "./EnglishProblems.js"
import { MovementTypes, referenceOf } from "./MovementType.js"
import type { MovementTag, ParsedStatement, StatementColumns, StatementMovement } from "./ParsedStatement.js"
import { imbalance, invalidLine, Notes, StatementError, tooLarge, unknownStatement } from "./StatementError.js"

/** What a CSV file does not say itself. */
export interface CsvOptions {
  readonly currency: string | undefined
  readonly period: { readonly from: string; readonly to: string } | undefined
  readonly columns: StatementColumns | undefined
  readonly types: Readonly<Record<string, MovementTag>>
  readonly maxMovements: number
}

const csvB = {
  movementId: "ID pohybu",
  date: "Datum",
  type: "Typ",
  counterparty: "Protistrana",
  orderNumber: "ID objednávky/VS",
  amount: "Částka",
  balanceBefore: "Počáteční stav",
  balanceAfter: "Koncový stav",
  currency: "Měna",
  relatedMovementId: "ID referenčního pohybu"
} as const satisfies StatementColumns

/** Known columns of CSV_B whose cells are kept unchanged. */
const csvBExtra = ["Subjekt/E-mail", "Bank.účet - prefix", "Bank.účet - číslo", "Bank.účet - kód banky"]

interface Layout {
  readonly format: "CSV_B" | "CSV"
  readonly columns: StatementColumns
  readonly delimiter: string
  readonly heads: ReadonlyArray<string>
  /** The headers of columns that are not in the layout. Their cells are kept unchanged. */
  readonly kept: ReadonlyArray<string>
}

/** The layout of a file, from its first line, or from its second if a remark stands above the headers. */
const layoutOf = (table: Table, described: StatementColumns | undefined): Layout & { readonly table: Table } => {
  const columns = described ?? csvB
  const wanted = Object.values(columns).filter((head) => head !== undefined)
  const below = withoutFirstLine(table)
  const inFirst = headed(table, wanted)
  const found = inFirst ?? headed(below, wanted)
  if (found === undefined) throw unknownColumns(table, wanted, described !== undefined)
  const { heads } = found
  const repeated = heads.find((head, index) => head !== "" && heads.indexOf(head) !== index)
  if (repeated !== undefined) throw invalidLine(1, { _tag: "RepeatedColumn", column: shown(repeated) })
  const kept = heads.filter((head) => !wanted.includes(head))
  return {
    format: described === undefined ? "CSV_B" : "CSV",
    columns,
    kept,
    ...found,
    table: inFirst === undefined ? below : table
  }
}

/** Letters of UTF-8 that were read as another encoding. The headers of a statement have none of them. */
const spoiltLetters = /[ÃÄĂĹÅ][^\0-\u007f]?/

const unknownColumns = (table: Table, wanted: ReadonlyArray<string>, isDescribed: boolean): StatementError => {
  const all = delimiters.map((delimiter) => headsOf(table, delimiter))
  const heads = all.reduce((most, some) => (some.length > most.length ? some : most), [])
  const columns = heads.length > 1 ? heads.slice(0, 50) : []
  const missing = isDescribed ? wanted.filter((head) => !columns.includes(head)).map(shown) : undefined
  const isSpoilt = columns.some((head) => spoiltLetters.test(head))
  return unknownStatement({ _tag: "UnknownColumns", columns: columns.map(shown), missing, isSpoilt }, columns)
}

/** A row and its balances, if the file has them. */
interface ReadRow {
  readonly movement: StatementMovement
  readonly before: number | undefined
  readonly after: number | undefined
}

const paymentIdOf = (text: string, line: number): number => {
  if (!/^\d{1,15}$/.test(text)) throw invalidLine(line, { _tag: "NotPaymentId", text: shown(text) })
  return Number(text)
}

/** Columns with numbers that are identifiers. */
const idColumns = ["orderNumber", "paymentId", "movementId", "relatedMovementId"] as const

const rowReader = (
  { columns, heads, kept }: Layout,
  given: string | undefined,
  types: MovementTypes,
  notes: Notes
): ((row: Row) => ReadRow) => {
  const index = new Map(heads.map((head, index) => [head, index]))
  const ids = idColumns.flatMap((name) => columns[name] ?? [])
  const currencyOf = (text: string, line: number): string => {
    const currency = columns.currency === undefined ? given : text
    if (currency === undefined) throw currencyNeeded("A CSV file without a column of the currency")
    if (!/^[A-Z]{3}$/.test(currency)) throw invalidLine(line, { _tag: "NotCurrency", text: shown(currency) })
    return currency
  }
  return ({ cells, line }) => {
    if (cells.length !== heads.length) {
      const [expected, found] = [heads.length, cells.length]
      throw invalidLine(line, { _tag: "CellCount", expected, found, file: "statement" })
    }
    const rawCell = (head: string): string => (cells[index.get(head) ?? -1] ?? "").trim()
    const spoilt = ids.filter((head) => isSpoiltNumber(rawCell(head)))
    /** A number that a spreadsheet has spoilt is not an id: it would be the same for many movements. */
    const cell = (head: string | undefined): string =>
      head === undefined || spoilt.includes(head) ? "" : rawCell(head)
    const balance = (head: string | undefined): number | undefined =>
      head === undefined ? undefined : readAmount(cell(head), line, head)
    const amount = readAmount(cell(columns.amount), line, columns.amount)
    const type = cell(columns.type)
    const tag = types.tagOf(type, amount, line)
    const related = cell(columns.relatedMovementId)
    const paymentId = cell(columns.paymentId)
    for (const head of spoilt) {
      const text = rawCell(head)
      notes.add({ _tag: "SpoiltNumber", line, text, column: head, isOfSheet: false }, head)
    }
    const extra = [...kept.filter((head) => cell(head) !== ""), ...spoilt].map((head) => [head, rawCell(head)] as const)
    const movement: StatementMovement = {
      _tag: tag,
      type,
      line,
      ...readMoment(cell(columns.date), line, columns.date),
      amount,
      currency: currencyOf(cell(columns.currency), line),
      ...referenceOf(tag, cell(columns.orderNumber), related),
      ...withoutUndefined({
        paymentId: paymentId === "" ? undefined : paymentIdOf(paymentId, line),
        movementId: cell(columns.movementId) || undefined,
        relatedMovementId: related || undefined,
        counterparty: cell(columns.counterparty) || undefined,
        extra: extra.length === 0 ? undefined : Object.fromEntries(extra)
      })
    }
    return { movement, before: balance(columns.balanceBefore), after: balance(columns.balanceAfter) }
  }
}

export const currencyNeeded = (what: string): StatementError =>
  new StatementError({
    reason: { _tag: "CurrencyNeeded", message: `${what} does not say its currency. Pass currency, such as "CZK".` }
  })

/**
 * The balances before the first and after the last movement, after checking that each line follows from the one before
 * it.
 */
const chained = (
  rows: ReadonlyArray<ReadRow>,
  notes: Notes
): Pick<ParsedStatement, "openingBalance" | "closingBalance"> => {
  for (const { after, before, movement } of rows) {
    if (before !== undefined && after !== undefined && before + movement.amount !== after) {
      const expected = before + movement.amount
      throw imbalance(movement.line, { _tag: "FieldImbalance", field: "balanceAfter", expected, actual: after })
    }
  }
  const [first, second] = rows
  const last = rows.at(-1)
  if (first?.before === undefined || first.after === undefined || last === undefined) return {}
  // Newest first only if the second line cannot follow the first one.
  const isOldestFirst = second === undefined || second.before === first.after
  const inTime = isOldestFirst ? rows : rows.toReversed()
  inTime.forEach(({ before, movement }, index) => {
    const previous = inTime[index - 1]?.after
    if (previous !== undefined && before !== undefined && before !== previous) {
      const sums = { expected: previous, actual: before }
      throw imbalance(movement.line, { _tag: "FieldImbalance", field: "balanceBefore", ...sums })
    }
    const earlier = inTime[index - 1]?.movement
    if (earlier !== undefined && earlier.date > movement.date) {
      notes.add({ _tag: "DayOutOfOrder", line: earlier.line, text: earlier.date, next: movement.date }, "order")
    }
  })
  const [openingBalance, closingBalance] = [inTime[0]?.before, inTime.at(-1)?.after]
  return openingBalance === undefined || closingBalance === undefined ? {} : { openingBalance, closingBalance }
}

const oneCurrency = (rows: ReadonlyArray<ReadRow>, given: string | undefined): string => {
  const [first] = rows
  const currency = first?.movement.currency ?? given
  if (currency === undefined) throw currencyNeeded("A CSV file without movements")
  const other = rows.find(({ movement }) => movement.currency !== currency)
  if (other !== undefined) {
    const { currency: own, line } = other.movement
    throw invalidLine(line, { _tag: "SecondCurrency", currency: own, above: currency, format: "CSV" })
  }
  return currency
}

/** Refuses a file with the same movement twice: it was put together by hand. */
export const distinctIds = (movements: ReadonlyArray<StatementMovement>): void => {
  const seen = new Map<string, number>()
  for (const { line, movementId } of movements) {
    if (movementId === undefined) continue
    const before = seen.get(movementId)
    if (before !== undefined) {
      throw invalidLine(line, { _tag: "RepeatedMovement", movementId: shown(movementId), before })
    }
    seen.set(movementId, line)
  }
}

/** Whether a row has no amount, such as a balance among the movements. In CSV_B every row is a movement. */
const isWithoutAmount = ({ cells, line }: Row, { columns, format, heads }: Layout, notes: Notes): boolean => {
  if (format === "CSV_B" || cells.length !== heads.length) return false
  if ((cells[heads.indexOf(columns.amount)] ?? "").trim() !== "") return false
  const text = cells.join(" ").trim()
  notes.add({ _tag: "UnknownRow", line, text, row: "withoutAmount" })
  return true
}

export const csvStatement = (text: string, options: CsvOptions): ParsedStatement => {
  const first = tableOf(text)
  const layout = layoutOf(first, options.columns)
  const { table } = layout
  const { isEnded, rows } = rowsOf(
    table.text,
    layout.delimiter,
    options.maxMovements + 1,
    () => tooLarge({ _tag: "TooManyMovements", limit: options.maxMovements }),
    table.line
  )
  const types = new MovementTypes(options.types)
  const notes = new Notes()
  if (table.line > first.line) {
    const remark = first.text.slice(0, first.text.length - table.text.length).trim()
    notes.add({ _tag: "UnknownRow", line: first.line, text: remark, row: "aboveHeads" })
  }
  const readRow = rowReader(layout, options.currency, types, notes)
  const read = rows.slice(1).flatMap((row) => (isWithoutAmount(row, layout, notes) ? [] : [readRow(row)]))
  const currency = oneCurrency(read, options.currency)
  const movements = read.map(({ movement }) => movement)
  distinctIds(movements)
  const { period } = options
  const stray = movements.find(({ date }) => period !== undefined && (date < period.from || date > period.to))
  if (stray !== undefined) throw invalidLine(stray.line, { _tag: "OutsideOfOrder", day: stray.date })
  const known = layout.format === "CSV_B" ? csvBExtra : []
  const columnNotes = layout.kept
    .filter((head) => !known.includes(head))
    .map((text) => noteOf({ _tag: "UnknownColumn", line: 1, text }))
  const { balanceAfter, balanceBefore } = layout.columns
  if (balanceAfter === undefined || balanceBefore === undefined) {
    notes.add({ _tag: "NoBalances", line: 1, text: "" })
  }
  const balances = chained(read, notes)
  if (!isEnded) {
    notes.add({ _tag: "NoFinalLineEnd", line: rows.at(-1)?.line ?? 1, text: "" })
  }
  return {
    format: layout.format,
    currency,
    ...(period === undefined ? {} : { period: { from: period.from, to: period.to } }),
    ...balances,
    movements,
    notes: [...columnNotes, ...types.list, ...notes.list]
  }
}
