import { assert, it } from "@effect/vitest"
import { isThorough } from "../support/Runs.js"
import { checkSeeds } from "./checkSeeds.js"
import { ledgerPlanOf } from "./LedgerPlan.js"

const last = isThorough ? 40 : 10

it(`in a simulated shop with a ledger every invariant holds: seeds 1 to ${last}`, () => {
  assert.isAbove(checkSeeds(ledgerPlanOf, 1, last), 10 * last)
}, 600_000)
