/**
 * The ledger with promises: needs nothing installed beside it, and the client of `effect-gopay/promise`.
 */
export type * from "../Attention.plain.js"
export type * from "../Change.plain.js"
export { LedgerError } from "../table/LedgerError.plain.js"
export type * from "../table/LedgerError.plain.js"
export type * from "../LedgerOptions.plain.js"
export type * from "../Outcome.plain.js"
export { fileStore } from "../store/fileStore.plain.js"
export type * from "../store/fileStore.plain.js"
export type * from "../store/LedgerStore.plain.js"
export { pgStore } from "../store/pgStore.plain.js"
export type * from "../store/pgStore.plain.js"
export { sqlStore } from "../store/sqlStore.plain.js"
export type * from "../store/sqlStore.plain.js"
export { ledgerSchema } from "../table/Dialect.plain.js"
export { createLedger } from "./createLedger.js"
export type * from "./Ledger.plain.js"
