/**
 * `npm run mutate -- token outcome`: Stryker changes the modules of these rooms (all, when none is named) in one small way
 * after another. Tells which changes no test notices, but for those that are known to be harmless.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { harmless } from "./harmless.js"
import { type Room, rooms } from "./Rooms.js"

const root = fileURLToPath(new URL("../..", import.meta.url))
process.chdir(root)

/** The part of Stryker's report that is read. */
interface Report {
  readonly files: Readonly<
    Record<string, { readonly source: string; readonly mutants: ReadonlyArray<Readonly<Mutant>> }>
  >
}

interface Mutant {
  status: "Killed" | "Timeout" | "RuntimeError" | "Survived" | "NoCoverage" | "Ignored" | "CompileError" | "Pending"
  replacement: string
  location: Readonly<Record<"start" | "end", { readonly line: number; readonly column: number }>>
}

const run = (name: string, { sources, tests }: Room): Report => {
  const report = `reports/mutation/${name}.json`
  const config = `reports/mutation/${name}.config.json`
  mkdirSync("reports/mutation", { recursive: true })
  writeFileSync(
    config,
    JSON.stringify({
      testRunner: "vitest",
      vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
      mutate: [`${sources}/*.ts`],
      plugins: ["@stryker-mutator/*", "./test/mutation/Sentences.ts"],
      ignorers: ["sentences"],
      ignorePatterns: ["dist", "reports", ".git"],
      // Stryker reads it with TypeScript 6 at most.
      tsconfigFile: "none.json",
      // Each takes a whole function or object away, which says less than the small changes within it.
      mutator: { excludedMutations: ["ArrowFunction", "BlockStatement", "ObjectLiteral"] },
      coverageAnalysis: "perTest",
      concurrency: 1,
      warnings: { slow: false },
      timeoutMS: 4_000,
      // What was tried is not tried again while neither the mutant nor its tests change.
      incremental: true,
      incrementalFile: `reports/mutation/${name}.incremental.json`,
      reporters: ["json", "progress-append-only"],
      jsonReporter: { fileName: report },
      allowConsoleColors: false
    })
  )
  const stryker = "test/mutation/node_modules/@stryker-mutator/core/bin/stryker.js"
  const { status } = spawnSync(process.execPath, [stryker, "run", config], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, MUTATION_TESTS: tests.join(" "), CHAOS_RUNS: "20" }
  })
  if (status !== 0) throw new Error(`Stryker ended with ${status}`)
  return JSON.parse(readFileSync(report, "utf8"))
}

const short = (text: string): string => {
  const flat = text.replaceAll(/\s+/g, " ")
  return flat.length > 80 ? `${flat.slice(0, 50)} … ${flat.slice(-25)}` : flat
}

/** Tells what was not noticed; the room's score. */
const judge = (name: string, { files }: Report): string => {
  let noticed = 0
  let excused = 0
  let all = 0
  for (const [file, { mutants, source }] of Object.entries(files)) {
    const lines = source.split("\n")
    const known = harmless.filter((one) => one.file === file)
    const used = new Set<string>()
    for (const { location, replacement, status } of mutants) {
      if (status === "Ignored" || status === "CompileError") continue
      all++
      if (status !== "Survived" && status !== "NoCoverage") {
        noticed++
        continue
      }
      const { end, start } = location
      const span = lines.slice(start.line - 1, end.line)
      span[span.length - 1] = (span.at(-1) ?? "").slice(0, end.column - 1)
      const line = (lines[start.line - 1] ?? "").trim()
      const change = `${short(span.join("\n").slice(start.column - 1))} -> ${short(replacement)}`
      const reason = known.find((one) => one.line === line && one.changes.includes(change))
      if (reason === undefined) {
        const isReached = status === "Survived" ? "" : "  (no test comes by it)"
        console.log(`${file}:${start.line}${isReached}\n    ${line}\n    ${JSON.stringify(change)}`)
      } else {
        excused++
        used.add(`${line}\n${change}`)
      }
    }
    for (const { changes, line } of known) {
      for (const change of changes) {
        if (!used.has(`${line}\n${change}`)) console.log(`${file}: not needed among the harmless: ${line}: ${change}`)
      }
    }
  }
  const share = ((100 * noticed) / all).toFixed(1)
  return `${name}: ${all} mutants, ${noticed} noticed (${share} %), ${excused} harmless, ${all - noticed - excused} left`
}

if (!existsSync("test/mutation/node_modules")) {
  execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: "test/mutation", stdio: "inherit" })
}
const asked = process.argv.slice(2)
const scores: Array<string> = []
for (const name of asked.length === 0 ? Object.keys(rooms) : asked) {
  const room = rooms[name]
  if (room === undefined) throw new Error(`There is no room ${name}: ${Object.keys(rooms).join(", ")}`)
  scores.push(judge(name, run(name, room)))
  console.log(scores.at(-1))
}
console.log(scores.join("\n"))
