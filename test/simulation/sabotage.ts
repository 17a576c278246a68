/**
 * `npm run sabotage`: breaks client and ledger on purpose, in one way after another, and tells how many seeds it
 * takes until an invariant does not hold. With `--write FILE` the table goes into that file; further arguments
 * are the beginnings of names.
 */
import { build } from "esbuild"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import type { ledgerPlanOf } from "./LedgerPlan.js"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { simulateScene } from "../ledger/Scenes.js"
import { simulateLargeYear } from "../ledger/SubscriptionYear.js"
import { allSabotages, type AnySabotage, misfitsOf } from "./AllSabotages.js"
import type { planOf } from "./Plan.js"
import { simulate } from "./Simulation.js"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: "string" },
    seeds: { type: "string", default: "1000" },
    /** So many of the first ones are left out. */
    skip: { type: "string", default: "0" }
  }
})

const root = fileURLToPath(new URL("../../", import.meta.url))
const folder = join(root, "node_modules/.cache/sabotage")

/** What a bundle of a sabotaged client exports. */
interface SabotagedBundle {
  readonly ledgerPlanOf: typeof ledgerPlanOf
  readonly planOf: typeof planOf
  readonly simulate: typeof simulate
  readonly simulateLargeYear: typeof simulateLargeYear
  readonly simulateScene: typeof simulateScene
}

/** The source text with the sabotage in it; `undefined` when it leaves this file alone. */
const sabotaged = ({ changes }: AnySabotage, path: string): string | undefined => {
  const own = changes.filter(({ file }) => path === join(root, "src", file))
  return own.length === 0
    ? undefined
    : own.reduce((text, { replace, search }) => text.replace(search, () => replace), readFileSync(path, "utf8"))
}

const misfits = misfitsOf(allSabotages)
if (misfits.length > 0) throw new Error(`The source has changed.\n\n${misfits.join("\n\n")}`)

const bundle = async (sabotage: AnySabotage, number: number): Promise<SabotagedBundle> => {
  const applied = new Set<string>()
  const outfile = join(folder, `${process.pid}-${number}.mjs`)
  await build({
    stdin: {
      contents: `export { ledgerPlanOf } from "./LedgerPlan.ts"; export { planOf } from "./Plan.ts"; export { simulate } from "./Simulation.ts"; export { simulateLargeYear } from "../ledger/SubscriptionYear.ts"; export { simulateScene } from "../ledger/Scenes.ts"`,
      resolveDir: join(root, "test/simulation")
    },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
    plugins: [
      {
        name: "sabotage",
        setup: (building) => {
          building.onLoad({ filter: /\/src\/(contract|client|ledger)\/.*\.ts$/ }, ({ path }) => {
            const contents = sabotaged(sabotage, path)
            if (contents === undefined) return undefined
            applied.add(path)
            return { contents, loader: "ts" }
          })
        }
      }
    ]
  })
  const files = new Set(sabotage.changes.map(({ file }) => file))
  if (applied.size !== files.size) throw new Error(`${sabotage.name}: not all of ${[...files].join(", ")} are loaded`)
  const bundled: SabotagedBundle = await import(pathToFileURL(outfile).href)
  return bundled
}

/** What came of a sabotage. */
interface Row {
  readonly name: string
  readonly seeds: number
  readonly invariant: string | undefined
}

/** What does not hold first; what is not told as a violation ends in a failure. */
const firstViolation = async <E>(simulation: Effect.Effect<ReadonlyArray<string>, E>): Promise<string | undefined> => {
  const [violation] = await Effect.runPromise(
    Effect.matchCause(Effect.provide(simulation, [TestClock.layer(), Logger.layer([])]), {
      onFailure: () => ["the simulation ends"],
      onSuccess: (violations) => violations
    })
  )
  return violation?.replace(/^.*: /, "")
}

/** What does not hold in what a seed makes. */
type Violated = (
  bundled: Pick<SabotagedBundle, "simulateLargeYear" | "simulateScene">,
  seed: number
) => Promise<string | undefined>

/** In a year of some subscriptions. */
const inYear: Violated = ({ simulateLargeYear }, seed) =>
  firstViolation(
    Effect.scoped(
      Effect.map(
        simulateLargeYear({ seed, subscriptions: 12, months: 12, limit: "2 minutes" }),
        ({ violations }) => violations
      )
    )
  )

/** In a scene. */
const inScene: Violated = ({ simulateScene }, seed) => firstViolation(simulateScene(seed))

/** The first seed that notices a sabotage. A seed that also fails without the sabotage proves nothing. */
const firstSeed = async (name: string, bundled: SabotagedBundle, violated: Violated, most: number): Promise<Row> => {
  for (let seed = 1; seed <= most; seed++) {
    const invariant = await violated(bundled, seed)
    if (invariant !== undefined && (await violated({ simulateLargeYear, simulateScene }, seed)) === undefined) {
      return { name, seeds: seed, invariant }
    }
  }
  return { name, seeds: most, invariant: undefined }
}

const tryOut = async (sabotage: AnySabotage, number: number): Promise<Row> => {
  const bundled = await bundle(sabotage, number)
  const most = Number(values.seeds)
  if (sabotage.mood === "subscriptions") return firstSeed(sabotage.name, bundled, inYear, Math.min(most, 100))
  if (sabotage.mood === "scenes") return firstSeed(sabotage.name, bundled, inScene, most)
  for (let seed = 1; seed <= most; seed++) {
    const plan: ReturnType<typeof planOf> =
      sabotage.mood === "ledger" ? bundled.ledgerPlanOf(seed) : bundled.planOf(seed)
    if (plan.mood !== sabotage.mood) continue
    const { violation } = bundled.simulate(plan)
    if (violation !== undefined && simulate(plan).violation === undefined) {
      return { name: sabotage.name, seeds: seed, invariant: violation.invariant }
    }
  }
  return { name: sabotage.name, seeds: most, invariant: undefined }
}

const table = (rows: ReadonlyArray<Row>): string =>
  [
    "| sabotage | result | seed | broken invariant |",
    "| --- | --- | --- | --- |",
    ...rows.map(({ invariant, name, seeds }) =>
      invariant === undefined ? `| ${name} | missed | ${seeds} | |` : `| ${name} | caught | ${seeds} | ${invariant} |`
    )
  ].join("\n")

mkdirSync(folder, { recursive: true })
try {
  const chosen = allSabotages
    .slice(Number(values.skip))
    .filter(({ name }) => positionals.length === 0 || positionals.some((start) => name.startsWith(start)))
  if (chosen.length === 0) throw new Error(`No sabotage has a name that begins with ${positionals.join(" or ")}.`)
  const rows: Array<Row> = []
  for (const [number, sabotage] of chosen.entries()) {
    const row = await tryOut(sabotage, number)
    rows.push(row)
    console.log(
      row.invariant === undefined
        ? `missed in ${row.seeds} seeds: ${row.name}`
        : `caught by seed ${row.seeds}: ${row.name} (${row.invariant})`
    )
  }
  const missed = rows.filter(({ invariant }) => invariant === undefined)
  console.log(`${rows.length - missed.length} of ${rows.length} are caught`)
  for (const { name } of missed) console.log(`missed: ${name}`)
  if (missed.length > 0) process.exitCode = 1
  if (values.write !== undefined) {
    mkdirSync(dirname(values.write), { recursive: true })
    writeFileSync(values.write, `${table(rows)}\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
