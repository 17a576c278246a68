import { assert, it } from "@effect/vitest"
import { checkSeeds } from "./checkSeeds.js"
import { planOf } from "./Plan.js"

// In two files, so that both are checked at the same time. `npm run simulate` checks more.
it("in a simulated world where everything goes wrong every invariant holds: seeds 101 to 200", () => {
  assert.isAbove(checkSeeds(planOf, 101, 200), 2_000)
}, 600_000)
