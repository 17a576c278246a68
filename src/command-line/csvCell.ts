/** What ends a cell in some program's reading. One opens a comma file with semicolons, and ignores quotation marks then. */
const separators = /([;,\t\r\n])/

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
    .split(separators)
    .map((part) => (formula.test(part) ? `'${part}` : part))
    .join("")
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
