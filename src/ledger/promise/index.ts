/**
 * The ledger with promises. It needs no other package than this one, and takes a client of `effect-gopay/promise`.
 */
export * from "../SharedExports.js"
export { LedgerError } from "../model/LedgerError.js"
export { createAdminHandler } from "./createAdminHandler.js"
export { createLedger } from "./createLedger.js"
export type { Ledger, LedgerNotificationOptions, LedgerOperator, LedgerOptions } from "./Ledger.js"
