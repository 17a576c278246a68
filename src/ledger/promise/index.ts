/**
 * The ledger with promises: needs nothing installed beside it, and the client of `effect-gopay/promise`.
 */
export type { DurationInput } from "../../contract/DurationInput.js"
export type {
  AttentionItem,
  AttentionKind,
  ChangeDecision,
  PaymentDecision,
  ProposedDecision
} from "../model/Attention.js"
export type { ChangeEvent, ChangeOptions, ChargeRequest, SubmittedChange } from "../model/Change.js"
export { LedgerError } from "../model/LedgerError.js"
export type * from "../model/LedgerError.js"
export type * from "../model/LedgerOptions.js"
export type * from "../model/Order.js"
export type * from "../model/Outcome.js"
export type * from "../model/Subscription.js"
export { fileStore, sqliteTransaction } from "../store/fileStore.js"
export type * from "../store/fileStore.js"
export type * from "../model/LedgerStore.js"
export { pgStore } from "../store/pgStore.js"
export type * from "../store/pgStore.js"
export {
  drizzleStore,
  kyselyStore,
  pgQueryStore,
  prismaStore,
  typeormStore,
  type PgQueryStoreOptions
} from "../store/clientStores.js"
export { ledgerSchema, type LedgerSchemaOptions } from "../store/Migrations.js"
export { createLedger } from "./createLedger.js"
export type { LedgerHandlers, LedgerOperations } from "../model/LedgerOperations.js"
export type { LedgerHealth } from "../model/LedgerHealth.js"
export type { Ledger, LedgerGatewayClient, LedgerNotificationOptions, LedgerOptions, LedgerPromises } from "./Ledger.js"
