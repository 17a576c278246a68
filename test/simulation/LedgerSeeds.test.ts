import { assert, it } from "@effect/vitest"
import { checkSeeds } from "./checkSeeds.js"
import { ledgerPlanOf } from "./LedgerPlan.js"

it("in a simulated shop with a ledger every invariant holds: seeds 1 to 60", () => {
  assert.isAbove(checkSeeds(ledgerPlanOf, 1, 60), 500)
}, 600_000)
