/**
 * Changes of payments that survive crashes, deployments and any number of processes, over the shop's own database.
 */
export type * from "./Attention.plain.js"
export type * from "./Change.plain.js"
export { type ChangeError, Ledger, makeLedger, type LedgerOptions, type LedgerService } from "./Ledger.js"
export { LedgerError } from "./table/LedgerError.plain.js"
export type * from "./table/LedgerError.plain.js"
export type * from "./LedgerOptions.plain.js"
export type * from "./Outcome.plain.js"
export { fileStore } from "./store/fileStore.plain.js"
export type * from "./store/fileStore.plain.js"
export type * from "./store/LedgerStore.plain.js"
export { pgStore } from "./store/pgStore.plain.js"
export type * from "./store/pgStore.plain.js"
export { sqlStore } from "./store/sqlStore.plain.js"
export type * from "./store/sqlStore.plain.js"
export { ledgerSchema } from "./table/Dialect.plain.js"
