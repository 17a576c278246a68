/**
 * The types that both entries for a shop export.
 */
export type { DurationInput } from "../contract/DurationInput.js"
export type {
  AttentionItem,
  AttentionKind,
  ChangeDecision,
  PaymentDecision,
  ProposedDecision
} from "./model/Attention.js"
export type { ChangeEvent, ChangeOptions, ChargeRequest, SubmittedChange } from "./model/Change.js"
export type * from "./model/LedgerError.js"
export type { LedgerOperations, LedgerSettings } from "./model/LedgerOperations.js"
export type * from "./model/LedgerStore.js"
export type { LedgerHealth } from "./model/Lists.js"
export type * from "./model/Order.js"
export type * from "./model/Outcome.js"
export type * from "./model/Subscription.js"
export type { PgQueryStoreOptions } from "./store/clientStores.js"
export type { FileStoreOptions, SqliteConnection, SqliteTransaction } from "./store/fileStore.js"
export type { LedgerSchemaOptions } from "./store/Migrations.js"
export type { PgConnection, PgStoreOptions } from "./store/pgStore.js"
