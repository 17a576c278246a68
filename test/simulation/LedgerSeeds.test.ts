import { assert, it } from "@effect/vitest"
import { checkSeeds } from "./checkSeeds.js"
import { ledgerPlanOf } from "./LedgerPlan.js"

it("in a simulated shop with a ledger every invariant holds: seeds 1 to 40", () => {
  assert.isAbove(checkSeeds(ledgerPlanOf, 1, 40), 400)
}, 600_000)
