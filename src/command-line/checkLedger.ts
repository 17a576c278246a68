/**
 * Whether a shop's ledger is ready: its database, its tables, its installation, its worker.
 */
import { CommandFailure } from "./Command.js"
import { ledgerFindings, readLedger } from "./ledgerFindings.js"
import { type LedgerFlags, withLedger } from "./withLedger.js"
import { type Finding, findingsOf } from "./Finding.js"

const { ok, problem, unknown } = findingsOf("ledger")

export const checkLedger = async (store: string | undefined, flags: LedgerFlags): Promise<ReadonlyArray<Finding>> => {
  if (store === undefined) return [unknown("Not checked. Give --store, if the shop has one")]
  try {
    const { health, metrics } = await withLedger(store, flags, readLedger)
    const found = ledgerFindings(health, metrics, Date.now())
    return found.length > 0
      ? found.map(problem)
      : [ok(`Migrated, its installation is ${flags.installation ?? "main"}, its worker runs`)]
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    return [problem(error.message.replaceAll("\n", " "))]
  }
}
