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

What each fault between the client and the gateway means to a call. \`npm run test:slow\` runs every operation, and the token call,
into every fault over real sockets, in both styles, and compares with the rules that this page is made of (\`npm run
docs:faults\`): the reason, whether \`isRetryable\` is true, and how often the request was sent. It also repeats every change
while its error says that it may be repeated: never had one a second effect.

A read that may be repeated is tried four times by itself, and after status 421 Node's \`fetch\` repeats it too (its sockets do not;
they also refuse a response that is longer than it says). A change is
sent once, and once more only where the gateway refused the token of the first.

${table([
  ["fault", "a read, or the token call", "a change", "except"],
  ...rules.map(({ change, except, faults, read }) => [
    faultsText(faults),
    outcomeText(read),
    outcomeText(change),
    exceptions(except)
  ])
])}

A fault of the token call is told as the failure of the operation that needed the token: nothing was sent, so a change never
has an unknown outcome by it.
`

const file = fileURLToPath(new URL("../../docs/fault-matrix.md", import.meta.url))

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(file, faultMatrix())
