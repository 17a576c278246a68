/**
 * The exports that both entries of the ledger share.
 */
export type { DurationInput } from "../basics/DurationInput.js"
export type * from "./admin/Admin.js"
export type {
  AttentionItem,
  AttentionKind,
  ChangeDecision,
  ChangeResolution,
  PaymentDecision,
  PaymentResolution,
  ProposedDecision
} from "./model/Attention.js"
export type { ChangeEntry, ChangeEvent, ChangeOptions, ChargeRequest, SubmittedChange } from "./model/Change.js"
export type {
  InvalidArgument,
  KeyReused,
  LedgerErrorReason,
  LedgerUnavailable,
  NotResolved
} from "./model/LedgerError.js"
export type { HandlerName, LedgerOperations, LedgerSettings, OperatorOperations } from "./model/LedgerOperations.js"
export type * from "./model/LedgerStore.js"
export type {
  AcknowledgedRefund,
  ListedRefund,
  Acknowledgement,
  BookedOrdersOptions,
  ChargeMovement,
  HistoryEntry,
  HistoryOptions,
  LedgerHealth,
  LedgerMerchant,
  LedgerMetrics,
  ListChangesOptions,
  ListPaymentsOptions,
  ListSubscriptionsOptions,
  PageOptions,
  PaymentEntry
} from "./model/Lists.js"
export type * from "./model/Order.js"
export type * from "./model/Outcome.js"
export type * from "./model/Subscription.js"
export { prometheusMetrics } from "./operate/prometheusMetrics.js"
export { fileStore, sqliteTransaction } from "./store/fileStore.js"
export type { FileStoreOptions, SqliteConnection, SqliteTransaction } from "./store/fileStore.js"
export { ledgerSchema, type LedgerSchemaOptions } from "./store/Migrations.js"
export * from "./store/pgStore.js"
