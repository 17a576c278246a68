/**
 * What the page about the ledger's inside draws from the ledger's own data: its duties, its wakes and the states of a
 * payment.
 */
import { day, hour, minute } from "../src/basics/Milliseconds.js"
import { dutyFacts, type DutyFacts, watchSeconds } from "../src/ledger/agenda/dutyFacts.js"
import { paymentStates, pauses } from "../src/ledger/order/PaymentProgress.js"
import { defaultSettings } from "../src/ledger/store/LedgerSettings.js"
import { wakes } from "../src/ledger/store/Wakes.js"

/** The page that has them. */
export const ledgerPage = "docs/ledger-how-it-works.md"

type Row = ReadonlyArray<string>

const widthsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<number> =>
  (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))

const table = (head: Row, rows: ReadonlyArray<Row>): string => {
  const widths = widthsOf([head, ...rows])
  const line = (cells: Row): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |\n`
  return [head, widths.map((width) => "-".repeat(width)), ...rows].map(line).join("")
}

/** Columns of text, as a drawing. */
const drawing = (rows: ReadonlyArray<Row>): string => {
  const widths = widthsOf(rows)
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("")
          .trimEnd()}\n`
    )
    .join("")
}

const duties: ReadonlyArray<readonly [string, DutyFacts]> = Object.entries(dutyFacts)

const wordsOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const settingOf = (name: "concurrency" | "pollEvery"): string => `\`${name}\` (${defaultSettings[name]})`

const dutiesTable = (): string =>
  table(
    ["duty", "acts on", "concurrently", "looks again after"],
    duties.map(([name, { pause, places, sharesWith, words }]) => [
      wordsOf(name),
      words,
      `${places === "concurrency" ? settingOf(places) : places}${sharesWith === undefined ? "" : `, with ${sharesWith}`}`,
      pause === "watch" ? `${watchSeconds} seconds` : settingOf(pause)
    ])
  )

const wakesTable = (): string =>
  table(
    ["when", "is made due", "the trigger"],
    wakes.map(({ name, words: [what, whom] }) => [what, whom, `\`${name}\``])
  )

/** Which duties act on the rows of each table, and on which rows they and the triggers call. */
const dutiesPicture = (): string => {
  const tables = [...new Set(duties.map(([, { table }]) => table))]
  return drawing([
    ["the duties", "      act on rows of", "      which make due rows of"],
    ...tables.map((table) => {
      const names = duties.filter(([, duty]) => duty.table === table).map(([name]) => wordsOf(name))
      const targets = wakes.filter(({ source }) => table === "wake" || source === table).map(({ target }) => target)
      const due = [...new Set(targets)].toSorted().map((target) => `gopay_${target}`)
      return [
        names.join(", "),
        table === undefined ? "      no row" : `  ──▶ gopay_${table}`,
        due.length === 0 ? "" : `  ──▶ ${due.join(", ")}`
      ]
    })
  ])
}

/** The states of a payment by their rank: a read moves a payment to its right, or within a column. */
const statesPicture = (): string => {
  const states = [...paymentStates]
  const ranks = [...new Set(states.map(([, { rank }]) => rank))].toSorted((one, other) => one - other)
  const columns = ranks.map((rank) => states.filter(([, place]) => place.rank === rank).map(([state]) => String(state)))
  const height = Math.max(...columns.map(({ length }) => length))
  return drawing(
    Array.from({ length: height }, (_, line) =>
      columns.flatMap((column, index) => [...(index === 0 ? [] : [line === 0 ? " ──▶ " : "     "]), column[line] ?? ""])
    )
  )
}

const units = [
  [day, "day"],
  [hour, "hour"],
  [minute, "minute"]
] as const

const durationOf = (time: number): string => {
  const [size, unit] = units.find(([size]) => time % size === 0) ?? [1, "millisecond"]
  return `${time / size} ${unit}${time === size ? "" : "s"}`
}

const statesTable = (): string =>
  table(
    ["progress", "states", "is read again after", "for"],
    Object.entries(pauses).map(([progress, { first, forAtMost, longest }]) => [
      `\`${progress}\``,
      [...paymentStates].flatMap(([state, place]) => (place.progress === progress ? [`\`${state}\``] : [])).join(", "),
      first === longest ? durationOf(first) : `${durationOf(first)}, growing to ${durationOf(longest)}`,
      forAtMost === Infinity ? "as long as it is so" : forAtMost === 0 ? "`compareFor`" : durationOf(forAtMost)
    ])
  )

const tableWith = (first: string): RegExp => new RegExp(`^\\| ${first} +\\|[^]*?\\n(?=\\n)`, "m")
const drawingWith = (first: string): RegExp => new RegExp(`(?<=^\`\`\`\\n)${first}[^]*?(?=^\`\`\`$)`, "m")

const parts: ReadonlyArray<readonly [RegExp, () => string]> = [
  [tableWith("duty"), dutiesTable],
  [tableWith("when"), wakesTable],
  [tableWith("progress"), statesTable],
  [drawingWith("the duties"), dutiesPicture],
  [drawingWith("CREATED"), statesPicture]
]

/** The page with its tables and pictures replaced. Fails if it has no place for one of them. */
export const withLedgerData = (page: string): string =>
  parts.reduce((text, [place, drawn]) => {
    if (!place.test(text)) throw new Error(`${ledgerPage} has no ${place.source}`)
    return text.replace(place, drawn)
  }, page)
