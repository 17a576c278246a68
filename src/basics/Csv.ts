/**
 * Tables as CSV, to be opened in spreadsheets.
 */

/**
 * The characters that end a cell in some program. One program reads a file with commas by semicolons, and then ignores
 * quotation marks.
 */
const separators = /([;,\t\r\n])/

// oxlint-disable-next-line no-control-regex -- that is what is meant
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** What a spreadsheet takes for a formula. */
const formula = /^[\s"]*[=+\-@＝＋－＠]/

const plainNumber = /^-?\d+(?:\.\d+)?$/

/**
 * A cell of CSV. Anything that a spreadsheet would take for a formula gets an apostrophe in front, whichever separator
 * the spreadsheet uses; a number stays a number.
 */
export const csvCell = (value: string): string => {
  if (plainNumber.test(value)) return value
  const safe = value
    // Control characters, which move a terminal's cursor or change its colours, do not belong into a table either.
    .replace(controls, "?")
    .split(separators)
    .map((part) => (formula.test(part) ? `'${part}` : part))
    .join("")
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** CSV: the headers of its columns, and a line for each row. */
export const csvText = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string | number | undefined>>
): string =>
  [heads, ...rows.map((row) => row.map((cell) => csvCell(String(cell ?? ""))))]
    .map((cells) => cells.join(","))
    .join("\r\n")
