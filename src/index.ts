/**
 * GoPay payments as Effect programs, and the same as promises through `createGatewayClient`.
 */
export { amountFromDecimal, amountToDecimal } from "./api/Amount.plain.js"
export * from "./api/CodeLists.plain.js"
export * as GatewaySchema from "./api/GatewaySchema.js"
export type * from "./api/Messages.plain.js"
export type { ChangeRecordConstructors, ChangeTiming, RefundTiming } from "./client/error/ChangeRecord.plain.js"
export { AccessToken } from "./client/token/AccessToken.js"
export type { TokenCache, Token } from "./client/token/TokenCache.js"
export type { AwaitPaymentOptions } from "./client/payment/AwaitPayment.js"
export type * from "./client/payment/AwaitPayment.plain.js"
export { AttemptTimeout } from "./client/call/Attempt.js"
export type { CallOutcome, CallEvent } from "./client/call/CallEvent.plain.js"
export { Gateway } from "./client/gateway/Gateway.js"
export { GatewayConfig } from "./client/config/GatewayConfig.js"
export * from "./client/error/GatewayError.plain.js"
export type * from "./client/error/OperationName.plain.js"
export type { Environment, GatewayOptions, GatewaySettings } from "./client/config/GatewayOptions.js"
export type { GatewayService } from "./client/gateway/GatewayService.js"
export { NotificationError, parseNotification } from "./client/notification/Notification.plain.js"
export type * from "./client/notification/Notification.plain.js"
export type { DeliveryError, NotificationStatus } from "./client/notification/NotificationDelivery.js"
export { makeNotificationHandler } from "./client/notification/NotificationHandler.js"
export type { NotificationHandler, NotificationOptions } from "./client/notification/NotificationHandler.js"
export { notificationRoute } from "./client/notification/NotificationRoute.js"
export * from "./client/payment/PaymentState.plain.js"
export { payerMessage } from "./client/payment/PayerMessage.plain.js"
export type * from "./client/payment/PayerMessage.plain.js"
export { paymentStates } from "./client/payment/PaymentStateStream.js"
export * from "./client/gateway/Programs.js"
export type * from "./client/outcome/Reconciliation.plain.js"
export { RetryPolicy } from "./client/call/RetryPolicy.js"
export { ChangeRecord } from "./client/outcome/ChangeRecord.js"
export { OnUnknownOutcome } from "./client/call/OnUnknownOutcome.js"
export type { Expectation } from "./client/notification/Verification.js"
export { createGatewayClient } from "./promise/createGatewayClient.js"
export type {
  AwaitPaymentCallOptions,
  CallOptions,
  GatewayClient,
  GatewayClientOptions
} from "./promise/GatewayClient.plain.js"
export type { NotificationHandlerOptions, RequestHandler } from "./promise/NotificationHandler.plain.js"
