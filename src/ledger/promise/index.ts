/**
 * The ledger with promises: needs nothing installed beside it, and the client of `effect-gopay/promise`.
 */
export * from "../ShopExports.js"
export { LedgerError } from "../model/LedgerError.js"
export { createLedger } from "./createLedger.js"
export type { Ledger, LedgerGatewayClient, LedgerNotificationOptions, LedgerOptions } from "./Ledger.js"
