/**
 * GoPay payments with promises: needs nothing installed beside it.
 */
export { amountFromDecimal, amountToDecimal } from "../api/Amount.js"
export * from "../api/CodeLists.js"
export type * from "../api/Messages.js"
export { aboutToSend, type RefundSending, type Sending } from "../client/AboutToSend.js"
export * from "../client/GatewayError.js"
export type * from "../client/AwaitedPayment.js"
export { NotificationError, parseNotification } from "../client/Notification.js"
export type * from "../client/Notification.js"
export * from "../client/PaymentPredicates.js"
export type * from "../client/Reconciliation.js"
export type { CallOutcome, FinishedCall } from "../client/FinishedCall.js"
export { createGatewayClient } from "./createGatewayClient.js"
export type { AwaitPaymentCallOptions, CallOptions, GatewayClient, GatewayClientOptions } from "./GatewayClient.js"
export type { NotificationHandlerOptions, RequestHandler } from "./NotificationHandler.js"
export { parseSentChange } from "./parseSentChange.js"
