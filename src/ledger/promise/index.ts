/**
 * The ledger with promises: needs nothing installed beside it, and the client of `effect-gopay/promise`.
 */
export type * from "../ShopTypes.js"
export { LedgerError } from "../model/LedgerError.js"
export { fileStore, sqliteTransaction } from "../store/fileStore.js"
export { pgStore } from "../store/pgStore.js"
export { drizzleStore, kyselyStore, pgQueryStore, prismaStore, typeormStore } from "../store/clientStores.js"
export { ledgerSchema } from "../store/Migrations.js"
export { createLedger } from "./createLedger.js"
export type { Ledger, LedgerGatewayClient, LedgerNotificationOptions, LedgerOptions } from "./Ledger.js"
