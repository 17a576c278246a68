/**
 * A statement, whatever the layout of its file.
 */
import { aboStatement, isAbo } from "./AboStatement.plain.js"
import { clearingStatement, isXml } from "./ClearingXml.js"
import { csvStatement, type StatementColumns } from "./CsvStatement.plain.js"
import { maxBytes, textOf, tooLarge } from "./FileText.plain.js"
import { isSpreadsheet, sheetOf, type SpreadsheetReader } from "./Spreadsheet.plain.js"
import { spreadsheetStatement } from "./SpreadsheetStatement.plain.js"
import type { MovementTag, ParsedStatement } from "./ParsedStatement.plain.js"
import { StatementError } from "./StatementError.plain.js"

/**
 * What a file does not say of itself, and what reads a spreadsheet.
 *
 * @category statements
 */
export interface ParseStatementOptions {
  /** The ISO 4217 code of the account, for a file that does not say it: ABO, or a CSV without a column for it. */
  readonly currency?: string | undefined
  /**
   * The days that were ordered, both `yyyy-mm-dd`, for a CSV file, which does not say them. Without it, its days are those
   * of its movements, and what is missing before the first one cannot be determined.
   */
  readonly period?: { readonly from: string; readonly to: string } | undefined
  /** The columns of a CSV file other than CSV_B. */
  readonly columns?: StatementColumns | undefined
  /** What other types of movements mean, by their text: `{ Bonus: "TopUp" }`. Case and accents do not matter. */
  readonly types?: Readonly<Record<string, MovementTag>> | undefined
  /** What reads XLS and XLSX: `await import("@e965/xlsx")`. */
  readonly spreadsheets?: SpreadsheetReader | undefined
}

/**
 * The bytes of a statement, or the response to `getAccountStatement`.
 *
 * @category statements
 */
export type StatementFile = Uint8Array | ArrayBuffer | { readonly data: ArrayBuffer }

const bytesOf = (file: StatementFile): Uint8Array => {
  if (file instanceof Uint8Array) return file
  return new Uint8Array("data" in file ? file.data : file)
}

const isPdf = (bytes: Uint8Array): boolean => String.fromCharCode(...bytes.subarray(0, 5)) === "%PDF-"

/**
 * Reads a statement of an account: CSV_B, XLS or XLSX, ABO, or the XML of a clearing. Format and encoding are
 * recognised. Amounts are integers in minor units.
 *
 * All that the file says of its sums is checked: balances line by line where it has them. A type or column that is not
 * known is kept and noted in `notes`. Files up to 16 MiB (spreadsheets 4 MiB) and 200 000 movements are read. A DOCTYPE and a formula are
 * refused. Nothing is sent, and reading a file again gives the same.
 *
 * @throws StatementError when the file is no known layout, does not add up, is cut off or is too large
 * @category statements
 */
export const parseStatement = (file: StatementFile, options: ParseStatementOptions = {}): ParsedStatement => {
  const { columns, currency, period, spreadsheets, types = {} } = options
  const bytes = bytesOf(file)
  if (bytes.length > maxBytes) throw tooLarge(`${maxBytes / 1024 / 1024} MiB`)
  if (isSpreadsheet(bytes)) return spreadsheetStatement(sheetOf(bytes, spreadsheets), types)
  if (isPdf(bytes)) {
    const message = "Not a statement that is known: the file is a PDF. Order the format CSV_B."
    throw new StatementError({ reason: { _tag: "UnknownStatement", columns: [], message } })
  }
  const text = textOf(bytes)
  if (isXml(text)) return clearingStatement(text)
  if (isAbo(text)) return aboStatement(text, { currency, types })
  return csvStatement(text, { columns, currency, period, types })
}
