/**
 * The parts of a ledger that an operator's calls use, and the statements that only they need.
 */
import type * as Effect from "effect/Effect"
import type { ChargeOwners } from "../change/ChargePayments.js"
import * as ChangeTable from "../store/ChangeTable.js"
import type { ChangeWatch } from "../model/ChangeWatch.js"
import type { LedgerGateway } from "../model/LedgerGateway.js"
import type { OperatorPrograms } from "../model/LedgerService.js"
import type { MoveParts } from "../order/PaymentMoves.js"
import * as PaymentTable from "../store/PaymentTable.js"
import type { ReadableDatabase, StoreError } from "../store/Database.js"
import type { HandlerTable } from "../store/HandlerTable.js"
import * as HistoryTable from "../store/HistoryTable.js"
import * as LedgerTable from "../store/LedgerTable.js"
import * as RefundTable from "../store/RefundTable.js"
import type { TableOwner } from "../store/Statements.js"
import * as SubscriptionTable from "../store/SubscriptionTable.js"

export interface WiredParts extends ChargeOwners, TableOwner {
  readonly database: ReadableDatabase
  /** In minor units: a decision about more than this needs two operators. */
  readonly dualApprovalAbove: number
  readonly gateway: LedgerGateway
  /** The name of the environment and the merchant. */
  readonly gatewayScope: string
  readonly getHealth: OperatorPrograms["getHealth"]
  readonly handlers: HandlerTable
  readonly ledger: LedgerTable.LedgerTable
  readonly moves: MoveParts
  /** Succeeds when the store can be relied on. */
  readonly ready: Effect.Effect<void, StoreError>
  /** The number of the merchant and its environment in the rows. */
  readonly scope: number
  readonly watch: ChangeWatch
}

/** The same parts, with the statements that only an operator's calls need. */
export interface OperatorParts extends Omit<WiredParts, "ledger"> {
  readonly changes: ChangeTable.ChangeTable & ReturnType<typeof ChangeTable.operating>
  readonly history: HistoryTable.HistoryTable
  readonly ledger: ReturnType<typeof LedgerTable.operating>
  readonly payments: PaymentTable.PaymentTable & ReturnType<typeof PaymentTable.operating>
  readonly refunds: RefundTable.RefundTable
  readonly searchSubscriptions: ReturnType<typeof SubscriptionTable.searching>
  readonly subscriptions: SubscriptionTable.SubscriptionTable
}

export const operated = (parts: WiredParts): OperatorParts => {
  const { changes, database, installation, ledger, payments, scope } = parts
  return {
    ...parts,
    changes: { ...changes, ...ChangeTable.operating(database, scope, parts) },
    history: HistoryTable.make(database, scope),
    ledger: LedgerTable.operating(database, installation, ledger),
    payments: { ...payments, ...PaymentTable.operating(database, scope) },
    refunds: RefundTable.make(database, scope),
    searchSubscriptions: SubscriptionTable.searching(database, scope),
    subscriptions: SubscriptionTable.make(database, scope, parts)
  }
}
