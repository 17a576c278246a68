/**
 * The cells of a spreadsheet, read by a package that the caller hands in, within bounds.
 *
 * That package has no bound of its own. So the parts of a XLSX file are unpacked here, whatever the file says of their sizes,
 * and packed again without compression.
 */
import { Inflate, zipSync } from "fflate/browser"
import { ownMember } from "../contract/OwnMember.js"
import { bytesText, tooLarge } from "./FileText.js"
import type { SpreadsheetReader } from "./ParsedStatement.js"
import { invalidLine, StatementError } from "./StatementError.js"

const startsWith = (bytes: Uint8Array, ...start: ReadonlyArray<number>): boolean =>
  start.every((byte, index) => bytes[index] === byte)

/** Whether the bytes begin as those of a ZIP file, which XLSX is. */
const isZip = (bytes: Uint8Array): boolean => startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)

export const isSpreadsheet = (bytes: Uint8Array): boolean =>
  isZip(bytes) || startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)

/** A spreadsheet that is damaged. */
const notReadable = (cause?: unknown): StatementError =>
  new StatementError({
    reason: {
      _tag: "InvalidStatement",
      line: 1,
      message: "The spreadsheet cannot be read: it is damaged, cut off or protected by a password."
    },
    cause
  })

/** A cell's value: text, or a number, which may be a day. */
interface SheetCell {
  readonly column: number
  readonly value: string | number
}

export interface SheetRow {
  /** The first is 1. */
  readonly line: number
  /** Those that are not empty, from left to right. */
  readonly cells: ReadonlyArray<SheetCell>
}

export interface Sheet {
  readonly rows: ReadonlyArray<SheetRow>
  /** Whether days are counted from 1904. */
  readonly isFrom1904: boolean
}

/** More than the rows that stand above the movements and below them. */
const otherRows = 1_000

const columnNumber = (letters: string): number =>
  Array.from(letters).reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** A cell's value, or undefined if it is empty. Formulas are refused: what they come to is not what they say. */
const valueOf = (cell: unknown, line: number): string | number | undefined => {
  if (!isObject(cell)) return undefined
  if (cell["f"] !== undefined) throw invalidLine(line, "a cell has a formula. A statement has none")
  const value = cell["v"]
  if (typeof value === "string") return value.trim() === "" ? undefined : value
  return typeof value === "number" && Number.isFinite(value) ? value : undefined
}

/** The most characters that a cell can have: no program for spreadsheets takes more. */
const maxCharacters = 32_767

const rowsOf = (sheet: object, maxBytes: number): ReadonlyArray<SheetRow> => {
  const rows = new Map<number, Array<SheetCell>>()
  // Of a text that many cells share, the file has one copy.
  let characters = 0
  for (const [address, cell] of Object.entries(sheet)) {
    const [, letters, digits] = /^([A-Z]{1,3})(\d{1,7})$/.exec(address) ?? []
    if (letters === undefined || digits === undefined) continue
    const line = Number(digits)
    const value = valueOf(cell, line)
    if (value === undefined) continue
    const { length } = String(value)
    if (length > maxCharacters) throw invalidLine(line, `a cell has more than ${maxCharacters} characters`)
    characters += length
    if (characters > maxBytes) throw tooLarge(`${bytesText(maxBytes)} once it is unpacked`)
    const cells = rows.get(line) ?? []
    cells.push({ column: columnNumber(letters), value })
    rows.set(line, cells)
  }
  return [...rows]
    .map(([line, cells]) => ({ line, cells: cells.toSorted((one, other) => one.column - other.column) }))
    .toSorted((one, other) => one.line - other.line)
}

interface SpreadsheetLimits {
  readonly maxBytes: number
  readonly maxMovements: number
}

export const sheetOf = (bytes: Uint8Array, reader: SpreadsheetReader | undefined, limits: SpreadsheetLimits): Sheet => {
  if (reader === undefined) {
    const message = `The file is a spreadsheet. Install @e965/xlsx and pass spreadsheets: await import("@e965/xlsx"), or order the format CSV_B.`
    throw new StatementError({ reason: { _tag: "SpreadsheetReaderNeeded", message } })
  }
  const book = readBook(isZip(bytes) ? unpackedWorkbook(bytes, limits) : bytes, reader, limits.maxMovements)
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

// ---------------------------------------------------------------------------------------------------------------------
// A XLSX file, unpacked
// ---------------------------------------------------------------------------------------------------------------------

/** The most parts that a XLSX file may have. */
const maxParts = 200

/**
 * The parts that the cells of a sheet need. The others, such as styles, are emptied: small ones can unpack to what fills the
 * memory.
 */
const needed =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/(?:_rels\/workbook\.xml\.rels|workbook\.xml|sharedStrings\.xml|worksheets\/[^/]+\.xml))$/i

const asciiOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const empty = asciiOf("<empty/>")

/** Each byte as a character of its own, so that what is found in the text is found at the same place in the bytes. */
const lettersOf = (bytes: Uint8Array): string => new TextDecoder("latin1").decode(bytes)

const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const beforeCells = asciiOf("<worksheet><sheetData>")
const afterCells = asciiOf("</sheetData></worksheet>")

/** A formula that says nothing, in place of one that may be of thousands of cells. It is refused all the same. */
const formula = "<f>0</f>"

const formulas = /<((?:\w+:)?)f(?:\s[^<>]*)?(?:\/>|>[^<]*<\/\1f>)/g

/**
 * A sheet with its cells alone. What stands around them, such as a link, and a formula may name all cells that there
 * could be, and what reads spreadsheets goes through them one by one.
 */
const cellsAlone = (sheet: Uint8Array): Uint8Array => {
  const text = lettersOf(sheet)
  const opening = /<(?:\w+:)?sheetData(?:\s[^<>]*)?>/.exec(text)
  if (opening === null) return empty
  const start = opening.index + opening[0].length
  const length = text.slice(start).search(/<\/(?:\w+:)?sheetData\s*>/)
  if (opening[0].endsWith("/>") || length === -1) return empty
  const cells = text.slice(start, start + length)
  const kept: Array<Uint8Array> = [beforeCells]
  let at = 0
  for (const { 0: found, index } of cells.matchAll(formulas)) {
    kept.push(sheet.subarray(start + at, start + index), asciiOf(formula))
    at = index + found.length
  }
  if (/<(?:\w+:)?f[\s/>]/.test(cells.replaceAll(formulas, ""))) throw notReadable()
  return joined([...kept, sheet.subarray(start + at, start + length), afterCells])
}

const sheets = /^xl\/worksheets\//i

/** More than the tags that a row of a statement has: those of the row, of its cells and of their values. */
const tagsOfMovement = 32

/** How much is unpacked at a time, in bytes. DEFLATE makes at most 1032 bytes of one. */
const step = 4096

/** A part as the directory of the file has it. */
interface Part {
  readonly name: string
  readonly isDeflated: boolean
  readonly packed: Uint8Array
}

const partAt = (bytes: Uint8Array, view: DataView, at: number): Part => {
  if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw notReadable()
  const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)]
  const [packedSize, nameLength] = [view.getUint32(at + 20, true), view.getUint16(at + 28, true)]
  const local = view.getUint32(at + 42, true)
  if (local + 30 > bytes.length || view.getUint32(local, true) !== 0x04034b50) throw notReadable()
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  const isEncrypted = (flags & 1) !== 0
  if (isEncrypted || (method !== 0 && method !== 8) || start + packedSize > bytes.length) throw notReadable()
  return {
    name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
    isDeflated: method === 8,
    packed: bytes.subarray(start, start + packedSize)
  }
}

/** The parts by the directory at the end of the file. Each name is there once. */
const partsOf = (bytes: Uint8Array): ReadonlyArray<Part> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const endLength = 22
  const lowest = Math.max(0, bytes.length - endLength - 0xffff)
  let end = bytes.length - endLength
  while (end >= lowest && view.getUint32(end, true) !== 0x06054b50) end -= 1
  if (end < lowest) throw notReadable()
  const count = view.getUint16(end + 10, true)
  if (count > maxParts) throw tooLarge(`${maxParts} parts`)
  const parts: Array<Part> = []
  let at = view.getUint32(end + 16, true)
  for (let index = 0; index < count; index += 1) {
    parts.push(partAt(bytes, view, at))
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  if (new Set(parts.map(({ name }) => name)).size < count) throw notReadable()
  return parts
}

/** Unpacks parts until they come to more than a limit. */
class Unpacking {
  private unpacked = 0
  private tags = 0
  private readonly limits: SpreadsheetLimits

  constructor(limits: SpreadsheetLimits) {
    this.limits = limits
  }

  part({ isDeflated, packed }: Part): Uint8Array {
    if (!isDeflated) {
      this.count(packed)
      return packed
    }
    const chunks: Array<Uint8Array> = []
    const inflate = new Inflate((chunk) => {
      this.count(chunk)
      chunks.push(chunk)
    })
    for (let at = 0; at < packed.length; at += step) {
      inflate.push(packed.subarray(at, at + step), at + step >= packed.length)
    }
    return joined(chunks)
  }

  private count(bytes: Uint8Array): void {
    const { maxBytes, maxMovements } = this.limits
    this.unpacked += bytes.length
    if (this.unpacked > maxBytes) throw tooLarge(`${bytesText(maxBytes)} once it is unpacked`)
    for (let at = bytes.indexOf(0x3c); at !== -1; at = bytes.indexOf(0x3c, at + 1)) this.tags += 1
    if (this.tags > 10_000 + maxMovements * tagsOfMovement) throw tooLarge(`${maxMovements} movements`)
  }
}

/** A XLSX file with what its cells need, not compressed; or the error that it is damaged or unpacks to more than a limit. */
const unpackedWorkbook = (bytes: Uint8Array, limits: SpreadsheetLimits): Uint8Array => {
  const unpacking = new Unpacking(limits)
  const parts = partsOf(bytes).map((part): readonly [string, Uint8Array] => {
    try {
      if (!needed.test(part.name)) return [part.name, empty]
      const unpacked = unpacking.part(part)
      return [part.name, sheets.test(part.name) ? cellsAlone(unpacked) : unpacked]
    } catch (cause) {
      throw cause instanceof StatementError ? cause : notReadable(cause)
    }
  })
  return zipSync(Object.fromEntries(parts), { level: 0 })
}
