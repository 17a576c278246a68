/** A cell of CSV. An apostrophe stands before what a spreadsheet would take for a formula. */
export const csvCell = (value: string): string => {
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
