/**
 * Reads the cells of a spreadsheet with a library from the caller, within limits.
 *
 * The library has no limits of its own. So it gets a file with only the cells, made by `XlsxParts.ts` and
 * `XlsRecords.ts`.
 */
import { ownMember } from "../basics/OwnMember.js"
import type { Limits } from "./FileText.js"
import type { SpreadsheetReader } from "./ParsedStatement.js"
import { invalidLine, notReadable, StatementError, tooLarge } from "./StatementError.js"
import { cellRecords } from "./XlsRecords.js"
import { cellParts } from "./XlsxParts.js"

const startsWith = (bytes: Uint8Array, ...start: ReadonlyArray<number>): boolean =>
  start.every((byte, index) => bytes[index] === byte)

/** Whether the bytes begin like a ZIP file, the container of XLSX. */
const isZip = (bytes: Uint8Array): boolean => startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)

export const isSpreadsheet = (bytes: Uint8Array): boolean =>
  isZip(bytes) || startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)

/** A cell's value: text, or a number, which may be a day. */
interface SheetCell {
  readonly column: number
  readonly value: string | number
}

export interface SheetRow {
  /** The first is 1. */
  readonly line: number
  /** The cells that are not empty, from left to right. */
  readonly cells: ReadonlyArray<SheetCell>
}

export interface Sheet {
  readonly rows: ReadonlyArray<SheetRow>
  /** Whether days are counted from 1904. */
  readonly isFrom1904: boolean
}

/** More rows than there are above and below the movements. */
const otherRows = 1_000

const columnNumber = (letters: string): number =>
  Array.from(letters).reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** A cell's value, or `undefined` if it is empty. Formulas are refused, since the stored result may be wrong. */
const valueOf = (cell: unknown, line: number): string | number | undefined => {
  if (!isObject(cell)) return undefined
  if (cell["f"] !== undefined) throw invalidLine(line, { _tag: "Formula" })
  const value = cell["v"]
  if (typeof value === "string") return value.trim() === "" ? undefined : value
  return typeof value === "number" && Number.isFinite(value) ? value : undefined
}

/** The most characters of a cell: no spreadsheet program allows more. */
const maxCharacters = 32_767

const rowsOf = (sheet: object, maxBytes: number): ReadonlyArray<SheetRow> => {
  const rows = new Map<number, Array<SheetCell>>()
  // If many cells share a text, the file contains it once.
  let characters = 0
  for (const [address, cell] of Object.entries(sheet)) {
    const [, letters, digits] = /^([A-Z]{1,3})(\d{1,7})$/.exec(address) ?? []
    if (letters === undefined || digits === undefined) continue
    const line = Number(digits)
    const value = valueOf(cell, line)
    if (value === undefined) continue
    const { length } = String(value)
    if (length > maxCharacters) throw invalidLine(line, { _tag: "LongCell", limit: maxCharacters })
    characters += length
    if (characters > maxBytes) throw tooLarge({ _tag: "TooManyUnpackedBytes", bytes: maxBytes })
    const cells = rows.get(line) ?? []
    cells.push({ column: columnNumber(letters), value })
    rows.set(line, cells)
  }
  return [...rows]
    .map(([line, cells]) => ({ line, cells: cells.toSorted((one, other) => one.column - other.column) }))
    .toSorted((one, other) => one.line - other.line)
}

export const sheetOf = (bytes: Uint8Array, reader: SpreadsheetReader | undefined, limits: Limits): Sheet => {
  if (reader === undefined) {
    const message = `The file is a spreadsheet. Install @e965/xlsx and pass spreadsheets: await import("@e965/xlsx"), or order the format CSV_B.`
    throw new StatementError({ reason: { _tag: "SpreadsheetReaderNeeded", message } })
  }
  const book = readBook(
    isZip(bytes) ? cellParts(bytes, limits) : cellRecords(bytes, reader),
    reader,
    limits.maxMovements
  )
  const sheet = ownMember(book.Sheets, book.SheetNames[0] ?? "")
  if (sheet === undefined) throw notReadable()
  const rows = rowsOf(sheet, limits.maxBytes)
  return { rows, isFrom1904: book.Workbook?.WBProps?.date1904 === true }
}

const readBook = (
  bytes: Uint8Array,
  reader: SpreadsheetReader,
  maxMovements: number
): ReturnType<SpreadsheetReader["read"]> => {
  try {
    return reader.read(bytes, {
      type: "array",
      cellFormula: true,
      cellHTML: false,
      cellText: false,
      sheets: 0,
      sheetRows: maxMovements + otherRows
    })
  } catch (cause) {
    throw notReadable(cause)
  }
}
