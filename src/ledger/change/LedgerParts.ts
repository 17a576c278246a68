/**
 * What the parts of a ledger are made with; `wireLedger` gives it to all of them.
 */
import type * as Effect from "effect/Effect"
import type { Trace } from "../model/LedgerService.js"
import type { LedgerGateway } from "../model/LedgerGateway.js"
import type { StoreError } from "../store/Database.js"
import type { CheckedSettings } from "../store/LedgerSettings.js"
import type { ChangeRow } from "../store/ChangeRow.js"
import type { ChangeTable } from "../store/ChangeTable.js"
import type { InFlight } from "./InFlight.js"
import type { RowWithItems } from "../store/Items.js"

export interface LedgerParts extends CheckedSettings {
  readonly changes: ChangeTable
  readonly gateway: LedgerGateway
  readonly inFlight: InFlight
  /** Notifies an operator of the items that a change has, and had not before. */
  readonly onChangeAttention: (after: ChangeRow, before: RowWithItems) => Effect.Effect<void>
  /** Succeeds when the store can be relied on. */
  readonly ready: Effect.Effect<void, StoreError>
  /** The number of environment and merchant in the rows. */
  readonly scope: number
  readonly trace: Trace
}
