import { ledgerPlanOf } from "./LedgerPlan.js"
import { simulate } from "./Simulation.js"

/** In milliseconds: how long ledgers search before they ask, unlike in other simulations, where they are impatient. A day is the default. */
const patience = 4 * 3_600_000

/** What the ledgers of a seed asked an operator about changes, and of how many keys. */
export const alarmsOf = (seed: number) => {
  const { ledger, ...plan } = ledgerPlanOf(seed)
  return simulate({ ...plan, ...(ledger === undefined ? {} : { ledger: { ...ledger, escalateAfter: patience } }) })
}
