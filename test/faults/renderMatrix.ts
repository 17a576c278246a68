/**
 * Renders the rules as `docs/fault-matrix.md`.
 */
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
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

export const faultMatrix = (): string => `# The fault matrix

How a call ends for each fault between the client and the gateway. \`npm run test:slow\` sends every operation, and the token call,
into every fault over real sockets, in both styles, and compares what comes of it with these rules: the reason, whether
\`isRetryable\` is true, and how often the request was sent. It also repeats every change for as long as its error allows that: no
change ever took effect twice.

The client repeats a read by itself, four attempts in all. Node's \`fetch\` repeats a read after status 421; Node's sockets do not, and they
also refuse a response that is longer than it says. The client sends a change once, and a second time only if the gateway refused the
token of the first.

${table([
  ["fault", "a read, or the token call", "a change", "except"],
  ...rules.map(({ change, except, faults, read }) => [
    faultsText(faults),
    outcomeText(read),
    outcomeText(change),
    exceptions(except)
  ])
])}

If the token call fails, the operation that needed the token fails with that reason. Nothing of it was sent, so the outcome of a change
is never unknown.
`

const file = fileURLToPath(new URL("../../docs/fault-matrix.md", import.meta.url))

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(file, faultMatrix())
