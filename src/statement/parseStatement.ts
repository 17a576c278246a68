/**
 * Reads a statement in any of the layouts.
 */
import { isBytes } from "../basics/AnyRealm.js"
import { isAbo } from "./AboRecord.js"
import { aboStatement } from "./AboStatement.js"
import { clearingStatement, isXml } from "./ClearingXml.js"
import { type CsvOptions, csvStatement } from "./CsvStatement.js"
import { noteOf } from "./EnglishProblems.js"
import { decoded, type DecodedText, isEncoding, maxBytes, maxMovements, maxUnpackedBytes } from "./FileText.js"
import { isSpreadsheet, sheetOf } from "./Spreadsheet.js"
import { spreadsheetStatement } from "./SpreadsheetStatement.js"
import type {
  MovementTag,
  ParsedStatement,
  SpreadsheetReader,
  StatementColumns,
  StatementNote
} from "./ParsedStatement.js"
import { emptyFile, StatementError, tooLarge, unknownStatement } from "./StatementError.js"

/** What a file does not say itself, and the library that reads spreadsheets. */
export interface ParseStatementOptions {
  /** The ISO 4217 code of the account, for a file that does not say it: ABO, or a CSV without such a column. */
  readonly currency?: string | undefined
  /**
   * The requested days, both `yyyy-mm-dd`, for a CSV file, which does not say them. Without this option, the days are
   * those of its movements, and it is unknown what is missing before the first one.
   */
  readonly period?: { readonly from: string; readonly to: string } | undefined
  /**
   * The encoding of a text file that does not say it: `cp852`, or a label of the Encoding standard such as
   * `windows-1250`. Without this option, a file that is not UTF-8 is guessed to be one of these two, from its Czech
   * letters.
   */
  readonly encoding?: string | undefined
  /** The columns of a CSV file other than CSV_B. */
  readonly columns?: StatementColumns | undefined
  /**
   * The meaning of other types of movements, by their text: `{ Bonus: "TopUp" }`. Case and accents do not matter. A
   * known type keeps its meaning; a different one given here is reported in `notes`.
   */
  readonly types?: Readonly<Record<string, MovementTag>> | undefined
  /** The library that reads XLS and XLSX: `await import("@e965/xlsx")`. */
  readonly spreadsheets?: SpreadsheetReader | undefined
  /** The most bytes that are read; for XLSX, after unpacking. Default: 16 MiB, for spreadsheets 64 MiB. */
  readonly maxBytes?: number | undefined
  /** The most movements that are read. Default: 200 000. */
  readonly maxMovements?: number | undefined
}

/** The bytes of a statement, or the response to `getAccountStatement`. */
export type StatementFile = Uint8Array | ArrayBuffer | { readonly data: ArrayBuffer }

const bytesOf = (file: StatementFile): Uint8Array => {
  if (isBytes(file)) return file
  return new Uint8Array("data" in file ? file.data : file)
}

const limitOf = (name: string, limit: number | undefined): number | undefined => {
  if (limit === undefined || (Number.isSafeInteger(limit) && limit > 0)) return limit
  throw new RangeError(`${name} must be a positive integer, not ${limit}`)
}

const isPdf = (bytes: Uint8Array): boolean => String.fromCharCode(...bytes.subarray(0, 5)) === "%PDF-"

/**
 * Reads a statement of an account: CSV_B, XLS or XLSX, ABO, or the XML of a clearing. Format and encoding are
 * recognised. Amounts are integers in minor units.
 *
 * All sums in the file are checked, and balances line by line if it has them. Unknown types and columns are kept, and
 * reported in `notes`. Limits: files of 16 MiB, spreadsheets of 64 MiB when unpacked, and 200 000 movements; change
 * them with `maxBytes` and `maxMovements`. A DOCTYPE and formulas are refused. Nothing is sent, and reading the same
 * file again returns the same.
 *
 * @throws RangeError if a limit is not a positive integer, or the encoding is unknown
 * @throws StatementError if the file has no known layout, does not add up, is cut off or is too large
 */
export const parseStatement = (file: StatementFile, options: ParseStatementOptions = {}): ParsedStatement => {
  const { currency, period, spreadsheets, types = {} } = options
  const most = limitOf("maxMovements", options.maxMovements) ?? maxMovements
  const bytes = bytesOf(file)
  const isSheet = isSpreadsheet(bytes)
  const limit = limitOf("maxBytes", options.maxBytes) ?? (isSheet ? maxUnpackedBytes : maxBytes)
  if (bytes.length > limit) throw tooLarge({ _tag: "TooManyBytes", bytes: limit })
  const limits = { maxBytes: limit, maxMovements: most }
  const statement = isSheet
    ? spreadsheetStatement(sheetOf(bytes, spreadsheets, limits), types)
    : textStatement(bytes, options, most)
  if (statement.movements.length > most) throw tooLarge({ _tag: "TooManyMovements", limit: most })
  const days = (span: ParsedStatement["period"]) => span && `${span.from} to ${span.to}`
  const notes = [
    ...notUsed("currency", currency, statement.currency),
    ...notUsed("period", days(period), days(statement.period))
  ]
  return notes.length === 0 ? statement : { ...statement, notes: [...statement.notes, ...notes] }
}

/** A note if the file contradicts an option. */
const notUsed = (
  option: "currency" | "encoding" | "period",
  given: string | undefined,
  own: string | undefined
): ReadonlyArray<StatementNote> => {
  if (given === undefined || own === undefined || given === own) return []
  return [noteOf({ _tag: "OptionNotUsed", line: 1, text: given, option, given, own })]
}

const textStatement = (bytes: Uint8Array, options: ParseStatementOptions, most: number): ParsedStatement => {
  const { columns, currency, encoding, period, types = {} } = options
  if (isPdf(bytes)) {
    throw unknownStatement({ _tag: "PdfFile" })
  }
  if (encoding !== undefined && !isEncoding(encoding)) {
    throw new RangeError(`encoding must be cp852 or a label such as windows-1250, not ${JSON.stringify(encoding)}`)
  }
  const file = decoded(bytes, encoding)
  if (file.text.trim() === "") throw emptyFile()
  const read = (text: string) => readText(text, { columns, currency, period, types, maxMovements: most })
  const statement = file.by === "option" ? readAsNamed(file.text, decoded(bytes), read) : read(file.text)
  const guess = noteOf({ _tag: "GuessedEncoding", line: 1, text: file.encoding })
  const notes = [
    // The headers of CSV_B have Czech letters, so they confirm the guessed encoding.
    ...(file.by === "guess" && statement.format !== "CSV_B" ? [guess] : []),
    ...(file.by !== "option" && file.encoding !== encoding?.toLowerCase()
      ? notUsed("encoding", encoding, file.encoding)
      : [])
  ]
  return notes.length === 0 ? statement : { ...statement, notes: [...statement.notes, ...notes] }
}

/** Reads a file in the given encoding. If only another encoding gives a statement, the error names it. */
const readAsNamed = <A>(text: string, other: DecodedText, read: (text: string) => A): A => {
  try {
    return read(text)
  } catch (error) {
    if (error instanceof StatementError && isRead(() => read(other.text))) {
      throw unknownStatement({ _tag: "OtherEncoding", encoding: other.encoding })
    }
    throw error
  }
}

const isRead = (read: () => unknown): boolean => {
  try {
    read()
    return true
  } catch {
    return false
  }
}

const readText = (text: string, options: CsvOptions): ParsedStatement => {
  if (isXml(text)) return clearingStatement(text, options.maxMovements)
  return isAbo(text) ? aboStatement(text, options) : csvStatement(text, options)
}
