/**
 * The types that both entries for operators export.
 */
export type { DurationInput } from "../contract/DurationInput.js"
export type { BookedOrder } from "../statement/BookedOrder.js"
export type * from "./admin/Admin.js"
export type * from "./model/Attention.js"
export type { ChangeEntry } from "./model/Change.js"
export type * from "./model/History.js"
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
