/**
 * The ledger with promises: needs nothing installed beside it, and the client of `effect-gopay/promise`.
 */
export * from "../SharedExports.js"
export { LedgerError } from "../model/LedgerError.js"
export { createAdminHandler } from "./createAdminHandler.js"
export { createLedger } from "./createLedger.js"
export type { Ledger, LedgerNotificationOptions, LedgerOperator, LedgerOptions } from "./Ledger.js"
