/**
 * What of the operator's entry needs Effect: one bundle.
 */
export { createAdminHandler } from "./createAdminHandler.js"
export { createLedgerOperator } from "./createLedgerOperator.js"
