/**
 * The list of wakes as a table for the documentation.
 */
import { wakes } from "../src/ledger/store/Wakes.js"

/** The page that contains the table. */
export const wakesPage = "docs/ledger-how-it-works.md"

const head = ["when", "is made due", "the trigger"] as const

const wakesTable = (): string => {
  const rows = wakes.map(({ name, words: [what, whom] }) => [what, whom, `\`${name}\``])
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: ReadonlyArray<string>): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)]
    .map((row) => `${row}\n`)
    .join("")
}

/** The page with its table replaced. */
export const withWakes = (page: string): string => page.replace(/^\| when +\|[^]*?\n(?=\n)/m, () => wakesTable())
