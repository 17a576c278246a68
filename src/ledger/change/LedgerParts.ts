/**
 * What the parts of a ledger are made with; `wireLedger` gives it to all of them.
 */
import type * as Effect from "effect/Effect"
import type { Trace } from "../model/LedgerService.js"
import type { LedgerGateway } from "../model/LedgerGateway.js"
import type { StoreError } from "../store/Database.js"
import type { CheckedSettings } from "../store/LedgerSettings.js"
import type { AttentionReports } from "../process/AttentionReports.js"
import type { ChangeTable } from "../store/ChangeTable.js"
import type { InFlight } from "../process/InFlight.js"

export interface LedgerParts extends CheckedSettings {
  readonly attention: AttentionReports
  readonly changes: ChangeTable
  readonly gateway: LedgerGateway
  readonly inFlight: InFlight
  /** Succeeds when the store can be relied on. */
  readonly ready: Effect.Effect<void, StoreError>
  /** The number of environment and merchant in the rows. */
  readonly scope: number
  readonly trace: Trace
}
