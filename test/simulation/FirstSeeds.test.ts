import { assert, it } from "@effect/vitest"
import { isThorough } from "../support/Runs.js"
import { checkSeeds, seedsFrom, storeTroubles } from "./checkSeeds.js"
import { planOf } from "./Plan.js"

// In two files, so that both are checked at the same time. `npm run simulate` checks more.
const last = isThorough ? 100 : 25

it(`in a simulated world where everything goes wrong every invariant holds: seeds 1 to ${last}`, () => {
  assert.isAbove(checkSeeds(planOf, seedsFrom(1, last), storeTroubles), 20 * last)
}, 600_000)
