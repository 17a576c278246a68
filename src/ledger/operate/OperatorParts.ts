/**
 * The parts of a ledger that an operator works with, and the statements that only its calls need.
 */
import type { ChargeOwners } from "../change/ChargePayments.js"
import * as ChangeTable from "../store/ChangeTable.js"
import type { LedgerParts } from "../change/LedgerParts.js"
import type { OperatorPrograms } from "../model/LedgerService.js"
import type { MoveParts } from "../order/PaymentMoves.js"
import * as PaymentTable from "../store/PaymentTable.js"
import type { ReadableDatabase } from "../store/Database.js"
import type { HandlerTable } from "../store/HandlerTable.js"
import * as HistoryTable from "../store/HistoryTable.js"
import * as LedgerTable from "../store/LedgerTable.js"
import * as RefundTable from "../store/RefundTable.js"
import type { TableOwner } from "../store/Statements.js"
import * as SubscriptionTable from "../store/SubscriptionTable.js"

export interface WiredParts
  extends ChargeOwners, TableOwner, Pick<LedgerParts, "dualApprovalAbove" | "gateway" | "ready" | "scope"> {
  readonly database: ReadableDatabase
  /** Environment and merchant. */
  readonly gatewayScope: string
  readonly getHealth: OperatorPrograms["getHealth"]
  readonly handlers: HandlerTable
  readonly ledger: LedgerTable.LedgerTable
  readonly moves: MoveParts
}

export type OperatorParts = ReturnType<typeof operated>

export const operated = (parts: WiredParts) => {
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
