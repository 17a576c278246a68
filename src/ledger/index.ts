/**
 * Changes of payments that survive crashes, deployments and any number of processes, over the shop's own database.
 */
export type * from "./ShopTypes.js"
export { Ledger, makeLedger } from "./Ledger.js"
export type {
  CallError,
  ChangeError,
  LedgerErrorOf,
  LedgerNotificationOptions,
  LedgerOptions,
  LedgerService
} from "./model/LedgerService.js"
export { LedgerError } from "./model/LedgerError.js"
export { PgLedger, type PgLedgerOptions, type PgLedgerService } from "./PgLedger.js"
export type { EffectSqlClient, SqlTransaction } from "./store/SqlClientDatabase.js"
export { fileStore, sqliteTransaction } from "./store/fileStore.js"
export { pgStore } from "./store/pgStore.js"
export { drizzleStore, kyselyStore, pgQueryStore, prismaStore, typeormStore } from "./store/clientStores.js"
export { ledgerSchema } from "./store/Migrations.js"
