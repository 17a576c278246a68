/**
 * Prints the rules as a table: `npm run matrix`.
 */
import { type Outcome, type Rule, rules } from "./Rules.js"

const outcomeText = ({ isRetryable, reason, requests }: Outcome): string => {
  if (reason === "success") return "success"
  const sent = requests === 1 ? "" : `, sent ${requests} times`
  return `\`${reason}\`${isRetryable ? ", may be repeated" : ""}${sent}`
}

const withCode = "409 with code "

const faultsText = (names: Rule["faults"]): string => {
  const codes = names.flatMap((name) => (name.startsWith(withCode) ? [name.slice(withCode.length)] : []))
  const others = names.filter((name) => !name.startsWith(withCode))
  return [...others, ...(codes.length === 0 ? [] : [withCode + codes.join(", ")])].join("; ")
}

const exceptions = (except: Rule["except"] = {}): string => {
  const byText = new Map<string, Array<string>>()
  for (const [name, outcome] of Object.entries(except)) {
    const text = outcomeText(outcome)
    byText.set(text, [...(byText.get(text) ?? []), name])
  }
  return [...byText].map(([text, names]) => `${names.join(", ")}: ${text}`).join("; ")
}

const table = (lines: ReadonlyArray<ReadonlyArray<string>>): string => {
  const [head = []] = lines
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const row = (cells: ReadonlyArray<string>, fill = " ") =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width, fill)).join(" | ")} |`
  return [row(head), row([], "-"), ...lines.slice(1).map((line) => row(line))].join("\n")
}

console.log(
  table([
    ["fault", "a read, or the token call", "a change", "except"],
    ...rules.map(({ change, except, faults, read }) => [
      faultsText(faults),
      outcomeText(read),
      outcomeText(change),
      exceptions(except)
    ])
  ])
)
