import { assert } from "@effect/vitest"
import type { Plan } from "./Plan.js"
import { shrink } from "./Shrink.js"
import { simulate } from "./Simulation.js"
import { storyOf } from "./Story.js"

/** Simulates what these seeds make, with so many calls; of the first that fails it tells the story. */
export const checkSeeds = (planOf: (seed: number) => Plan, first: number, last: number): number => {
  let calls = 0
  for (let seed = first; seed <= last; seed++) {
    const plan = planOf(seed)
    const outcome = simulate(plan)
    calls += outcome.calls
    if (outcome.violation !== undefined) {
      assert.fail(
        `seed ${seed} (${plan.mood}): ${outcome.violation.what}\n${storyOf(shrink(plan, outcome, 100).outcome)}`
      )
    }
  }
  return calls
}
