/**
 * What both entries for a shop export.
 */
export type { DurationInput } from "../basics/DurationInput.js"
export type {
  AttentionItem,
  AttentionKind,
  ChangeDecision,
  PaymentDecision,
  ProposedDecision
} from "./model/Attention.js"
export type { ChangeEvent, ChangeOptions, ChargeRequest, SubmittedChange } from "./model/Change.js"
export type {
  InvalidArgument,
  KeyReused,
  LedgerErrorReason,
  LedgerUnavailable,
  NotResolved
} from "./model/LedgerError.js"
export type { LedgerOperations, LedgerSettings } from "./model/LedgerOperations.js"
export type * from "./model/LedgerStore.js"
export type { LedgerHealth } from "./model/Lists.js"
export type * from "./model/Order.js"
export type * from "./model/Outcome.js"
export type * from "./model/Subscription.js"
export { fileStore, sqliteTransaction } from "./store/fileStore.js"
export type { FileStoreOptions, SqliteConnection, SqliteTransaction } from "./store/fileStore.js"
export { ledgerSchema, type LedgerSchemaOptions } from "./store/Migrations.js"
export * from "./store/pgStore.js"
