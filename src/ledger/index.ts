/**
 * Changes of payments that survive crashes, deployments and any number of processes, over the shop's own database.
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
export { Ledger, makeLedger } from "./Ledger.js"
export type { LedgerHandlers, LedgerOperations } from "./model/LedgerOperations.js"
export type { LedgerHealth } from "./model/LedgerHealth.js"
export type {
  CallError,
  ChangeError,
  LedgerErrorOf,
  LedgerNotificationOptions,
  LedgerOptions,
  LedgerPrograms,
  LedgerService
} from "./model/LedgerService.js"
export { LedgerError } from "./model/LedgerError.js"
export type * from "./model/LedgerError.js"
export type * from "./model/LedgerOptions.js"
export type * from "./model/Order.js"
export type * from "./model/Outcome.js"
export type * from "./model/Subscription.js"
export { PgLedger, type PgLedgerOptions, type PgLedgerService } from "./PgLedger.js"
export type { EffectSqlClient, SqlTransaction } from "./store/SqlClientDatabase.js"
export { fileStore, sqliteTransaction } from "./store/fileStore.js"
export type * from "./store/fileStore.js"
export type * from "./model/LedgerStore.js"
export { pgStore } from "./store/pgStore.js"
export type * from "./store/pgStore.js"
export {
  drizzleStore,
  kyselyStore,
  pgQueryStore,
  prismaStore,
  typeormStore,
  type PgQueryStoreOptions
} from "./store/clientStores.js"
export { ledgerSchema, type LedgerSchemaOptions } from "./store/Migrations.js"
