/**
 * What operators and auditors do with a ledger: lists, decisions, adoption, erasure, metrics, and the accountants' page.
 */
export type * from "./OperatorTypes.js"
export { prometheusMetrics } from "./operate/prometheusMetrics.js"
export { makeAdminHandler } from "./admin/makeAdminHandler.js"
export { makeLedgerOperator } from "./makeLedgerOperator.js"
export type { LedgerOperator } from "./model/LedgerService.js"
