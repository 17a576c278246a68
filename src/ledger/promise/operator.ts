/**
 * What operators and auditors do with a ledger of promises: lists, decisions, adoption, erasure, metrics, and the
 * accountants' page.
 *
 * @module ledger/operator/promise
 */
export type * from "../OperatorTypes.js"
export { prometheusMetrics } from "../operate/prometheusMetrics.js"
export { createAdminHandler, createLedgerOperator } from "./createLedgerOperator.js"
export type { LedgerOperator } from "./Ledger.js"
