import { assert } from "@effect/vitest"
import type { Plan } from "./Plan.js"
import { shrink } from "./Shrink.js"
import { simulate } from "./Simulation.js"
import { storyOf } from "./Story.js"

/** What goes wrong in any simulation of some seeds. */
const everywhere = [
  "killed",
  "request: into an outage",
  "request: no connection",
  "request: reset before the gateway",
  "request: reset, and it arrives late",
  "request: lost",
  "request: it arrives late",
  "request: sent twice",
  "request: response lost",
  "request: response late",
  "request: response cut",
  "request: response cut off",
  "request: slow body",
  "request: firewall",
  "request: rate limit",
  "request: token refused",
  "notification: answer lost",
  "notification: brought twice",
  "notification: late"
]

/** What goes wrong with the shop's store of tokens. */
export const storeTroubles = ["store: done, and said to have failed", "store: failed", "store: never"]

/**
 * Simulates these seeds; prints the story of the first that fails. Also fails if a planned fault never occurred.
 * Returns the number of calls.
 */
export const checkSeeds = (
  planOf: (seed: number) => Plan,
  seeds: ReadonlyArray<number>,
  troubles: ReadonlyArray<string>
): number => {
  let calls = 0
  const hits = new Set<string>()
  for (const seed of seeds) {
    const plan = planOf(seed)
    const outcome = simulate(plan)
    calls += outcome.calls
    for (const what of outcome.hits.keys()) hits.add(what)
    if (outcome.violation !== undefined) {
      assert.fail(
        `seed ${seed} (${plan.mood}): ${outcome.violation.what}\n${storyOf(shrink(plan, outcome, 100).outcome)}`
      )
    }
  }
  const missed = [...everywhere, ...troubles].filter((what) => !hits.has(what))
  assert.deepStrictEqual(missed, [], "never went wrong")
  return calls
}

/** All seeds from the first to the last. */
export const seedsFrom = (first: number, last: number): ReadonlyArray<number> =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
