/**
 * Tables as CSV, which people open with spreadsheets.
 */

/** What ends a cell in some program's reading. One opens a comma file with semicolons, and ignores quotation marks then. */
const separators = /([;,\t\r\n])/

// oxlint-disable-next-line no-control-regex -- that is what is meant
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** What a spreadsheet takes for a formula. */
const formula = /^[\s"]*[=+\-@＝＋－＠]/

const plainNumber = /^-?\d+(?:\.\d+)?$/

/**
 * A cell of CSV. An apostrophe stands before all that a spreadsheet would take for a formula, whichever separator it reads
 * the file with; a number stays a number.
 */
export const csvCell = (value: string): string => {
  if (plainNumber.test(value)) return value
  const safe = value
    // What moves a terminal's cursor or paints has no place in a table either.
    .replace(controls, "?")
    .split(separators)
    .map((part) => (formula.test(part) ? `'${part}` : part))
    .join("")
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** CSV: the heads of its columns, and a line for each row. */
export const csvText = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string | number | undefined>>
): string =>
  [heads, ...rows.map((row) => row.map((cell) => csvCell(String(cell ?? ""))))]
    .map((cells) => cells.join(","))
    .join("\r\n")
