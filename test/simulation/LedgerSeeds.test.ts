import { assert, it } from "@effect/vitest"
import { isThorough } from "../support/Runs.js"
import { checkSeeds, seedsFrom } from "./checkSeeds.js"
import { ledgerPlanOf } from "./LedgerPlan.js"

const last = isThorough ? 50 : 40

/**
 * Seeds with what is rare: the network sends a read twice, a process is killed when a change has just been sent, and a
 * part of a hold is captured.
 */
const rare = [77, 89, 105]

/** A process is killed, or stands still, where a change has just come to each of its steps. */
const troubles = [
  ...["locked", "marked", "sent", "answered"].flatMap((moment) => [`killed: ${moment}`, `paused: ${moment}`]),
  "database: failed",
  "database: done, and said to have failed",
  "database: done, and never said",
  "database: never",
  "database: late",
  ...["a create is lost", "a payment is replaced", "it is paid late", "all of it is returned"].map(
    (scene) => `order: ${scene}`
  ),
  ...["the ledger captures it", "the ledger releases it", "a part of it is captured"].map((scene) => `hold: ${scene}`),
  ...[
    "it is paid",
    "it is declined",
    "some of it is returned",
    "it is in doubt",
    "it is not made beside another one"
  ].map((scene) => `charge: ${scene}`)
]

it(`in a simulated shop with a ledger every invariant holds: seeds 1 to ${last}`, () => {
  assert.isAbove(checkSeeds(ledgerPlanOf, [...seedsFrom(1, last), ...rare], troubles), 10 * last)
}, 600_000)
