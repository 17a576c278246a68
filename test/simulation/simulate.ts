/**
 * `npm run simulate -- --seed 1 --minutes 10`: simulates one seed after another, for so long; without `--minutes` only
 * the one seed; with `--alarms 500` how often operators were asked over so many seeds. Each seed makes a day of a shop
 * without a ledger, and one with it. Of the first that fails it prints the story, made as short as possible. With
 * `--subscriptions 1000` it simulates a year of so many subscriptions, and with `--shops 2` of two such shops at once, each
 * in a process of its own.
 */
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { simulateLargeYear } from "../ledger/SubscriptionYear.js"
import { alarmsOf } from "./alarmsOf.js"
import { ledgerPlanOf } from "./LedgerPlan.js"
import { type Plan, planOf } from "./Plan.js"
import { shrink } from "./Shrink.js"
import { simulate } from "./Simulation.js"
import { storyOf } from "./Story.js"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "0" },
    /** Prints how often operators were asked, by kind, over this many seeds. */
    alarms: { type: "string" },
    /** Simulates a year with this many subscriptions. */
    subscriptions: { type: "string" },
    shops: { type: "string", default: "1" },
    /** Prints the whole story of the seed, as it is. */
    whole: { type: "boolean", default: false }
  }
})

const first = Number(values.seed)
const began = performance.now()
const spent = () => performance.now() - began
let calls = 0
const hits = new Map<string, number>()
let seed = first

const report = () => {
  const seconds = spent() / 1000
  return `${seed - first + 1} seeds from ${first}, ${calls} calls, ${Math.round(calls / seconds)} calls a second`
}

/** Runs a plan and reports the violation that it finds. Returns whether it found one. */
const fails = (plan: Plan): boolean => {
  const outcome = simulate(plan)
  calls += outcome.calls
  for (const [what, count] of outcome.hits) hits.set(what, (hits.get(what) ?? 0) + count)
  if (values.whole) console.log(storyOf(outcome, Infinity))
  if (outcome.violation === undefined) return false
  console.log(`Seed ${seed} (${plan.mood}) fails: ${outcome.violation.invariant}: ${outcome.violation.what}`)
  if (!values.whole) {
    const shrunk = shrink(plan, outcome)
    console.log(
      `Shrunk from ${plan.events.length} events to ${shrunk.plan.events.length}, ` +
        `from ${outcome.troubles.size} troubles to ${shrunk.outcome.troubles.size}:\n${storyOf(shrunk.outcome)}`
    )
  }
  return true
}

/** How often the ledgers of these seeds asked an operator about a change. */
const reportAlarms = (seeds: number): void => {
  const counts = new Map<string, number>()
  let keys = 0
  for (; seed < first + seeds; seed++) {
    const { alarms, violation } = alarmsOf(seed)
    if (violation !== undefined) {
      process.exitCode = 1
      console.log(`Seed ${seed} fails: ${violation.invariant}: ${violation.what}`)
    }
    keys += alarms.keys
    for (const kind of alarms.asked) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  console.log(`${keys} keys of ${seeds} seeds from ${first}`)
  for (const [kind, count] of counts) console.log(`${kind}: ${count} (${((100 * count) / keys).toFixed(2)} %)`)
  process.exit(keys === 0 ? 1 : process.exitCode)
}

/** A year of several shops, from the seed on. */
const reportYears = async (subscriptions: string, shops: number): Promise<void> => {
  const codes = await Promise.all(
    Array.from({ length: shops }, async (_, index) => {
      const shop = fork(fileURLToPath(import.meta.url), ["--seed", `${seed + index}`, "--subscriptions", subscriptions])
      const [code]: Array<unknown> = await once(shop, "exit")
      return code
    })
  )
  process.exit(codes.every((code) => code === 0) ? 0 : 1)
}

/** A year of subscriptions, with what became of its periods. */
const reportYear = async (subscriptions: number): Promise<void> => {
  const { violations, ...year } = await Effect.runPromise(
    simulateLargeYear({ seed, subscriptions, months: 12, limit: "1 hour" }).pipe(
      Effect.scoped,
      Effect.provide([TestClock.layer(), Logger.layer([])])
    )
  )
  console.log(`${subscriptions} subscriptions, seed ${seed}, in ${Math.round(spent() / 1000)} s`, year)
  for (const violation of violations) console.log(violation)
  // A year in which nothing is charged, or no process is killed, shows nothing.
  process.exit(violations.length === 0 && year.charges > 0 && year.killed > 0 ? 0 : 1)
}

if (values.alarms !== undefined) reportAlarms(Number(values.alarms))
if (values.subscriptions !== undefined) {
  const shops = Number(values.shops)
  await (shops > 1 ? reportYears(values.subscriptions, shops) : reportYear(Number(values.subscriptions)))
}

for (; ; seed++) {
  if ([planOf(seed), ledgerPlanOf(seed)].some(fails)) {
    process.exitCode = 1
    break
  }
  if (spent() >= Number(values.minutes) * 60_000) break
}
console.log(report())
console.log(
  [...hits]
    .map(([what, count]) => `${what}: ${count}`)
    .toSorted()
    .join("\n")
)
// One seed may make a calm day.
if (hits.size === 0 && seed > first) process.exitCode = 1
