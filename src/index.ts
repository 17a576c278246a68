/**
 * GoPay payments as Effect programs, and the same as promises through `createGatewayClient`.
 */
export { amountFromDecimal, amountToDecimal } from "./api/Amount.js"
export * from "./api/CodeLists.js"
export * as GatewaySchema from "./api/GatewaySchema.js"
export type * from "./api/Messages.js"
export { aboutToSend, type RefundSending, type Sending } from "./client/AboutToSend.js"
export { AccessToken } from "./client/AccessToken.js"
export type { AccessTokens, Token } from "./client/AccessTokens.js"
export type { AwaitPaymentOptions } from "./client/AwaitPayment.js"
export type * from "./client/AwaitedPayment.js"
export { AttemptTimeout } from "./client/Attempt.js"
export type { CallOutcome, FinishedCall } from "./client/FinishedCall.js"
export { Gateway } from "./client/Gateway.js"
export { GatewayConfig } from "./client/GatewayConfig.js"
export * from "./client/GatewayError.js"
export type { Environment, GatewayOptions, GatewaySettings } from "./client/GatewayOptions.js"
export type { GatewayService } from "./client/GatewayService.js"
export { NotificationError, parseNotification } from "./client/Notification.js"
export type * from "./client/Notification.js"
export type { DeliveryError, NotificationStatus } from "./client/NotificationDelivery.js"
export { makeNotificationHandler } from "./client/NotificationHandler.js"
export type { NotificationHandler, NotificationOptions } from "./client/NotificationHandler.js"
export { notificationRoute } from "./client/NotificationRoute.js"
export * from "./client/PaymentPredicates.js"
export { paymentStates } from "./client/PaymentStateStream.js"
export * from "./client/Programs.js"
export type * from "./client/Reconciliation.js"
export { RetryPolicy } from "./client/RetryPolicy.js"
export { SentChange } from "./client/SentChange.js"
export { UnknownOutcomes } from "./client/UnknownOutcomes.js"
export type { Expectation } from "./client/Verification.js"
export { createGatewayClient } from "./promise/createGatewayClient.js"
export type {
  AwaitPaymentCallOptions,
  CallOptions,
  GatewayClient,
  GatewayClientOptions
} from "./promise/GatewayClient.js"
export type { NotificationHandlerOptions, RequestHandler } from "./promise/NotificationHandler.js"
export { parseSentChange } from "./promise/parseSentChange.js"
