/**
 * What operators and auditors do with a ledger: lists, decisions, adoption, erasure, metrics, and the accountants' page.
 */
export type { DurationInput } from "../contract/DurationInput.js"
export type { BookedOrder } from "../statement/BookedOrder.js"
export type * from "./model/Attention.js"
export type { ChangeEntry } from "./model/Change.js"
export type * from "./model/History.js"
export { LedgerError } from "./model/LedgerError.js"
export type * from "./model/LedgerError.js"
export type * from "./model/LedgerHealth.js"
export type { OperatorOperations } from "./model/LedgerOperations.js"
export type * from "./model/Lists.js"
export type {
  ChangedOrder,
  CheckoutOptions,
  OpenOrder,
  Order,
  OrderDetails,
  PaidOrder,
  PaymentGroup,
  UncertainOrder,
  UnpaidOrder
} from "./model/Order.js"
export type * from "./model/Outcome.js"
export type { Subscription } from "./model/Subscription.js"
export { prometheusMetrics } from "./operate/prometheusMetrics.js"
export type * from "./admin/Admin.js"
export { makeAdminHandler } from "./admin/makeAdminHandler.js"
export { makeLedgerOperator } from "./makeLedgerOperator.js"
export type { CallError, LedgerErrorOf, LedgerOperator, OperatorPrograms } from "./model/LedgerService.js"
