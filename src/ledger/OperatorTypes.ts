/**
 * The types that both entries for operators export. What operators share with a shop (orders, outcomes, errors, open
 * matters), the shop's entry exports.
 */
export type * from "./admin/Admin.js"
export type { ChangeResolution, PaymentResolution } from "./model/Attention.js"
export type { ChangeEntry } from "./model/Change.js"
export type { HandlerName, OperatorOperations } from "./model/LedgerOperations.js"
export type {
  AcknowledgedRefund,
  Acknowledgement,
  BookedOrdersOptions,
  ChargeMovement,
  HistoryEntry,
  HistoryOptions,
  LedgerMerchant,
  LedgerMetrics,
  ListChangesOptions,
  ListPaymentsOptions,
  ListSubscriptionsOptions,
  PageOptions,
  PaymentEntry
} from "./model/Lists.js"
