/**
 * GoPay payments as Effect programs, and the same as promises through `createGatewayClient`.
 */
export { amountFromDecimal, amountToDecimal } from "./contract/Amount.js"
export type { AmountOptions } from "./contract/Amount.js"
export * from "./contract/CodeLists.js"
export type { DurationInput } from "./contract/DurationInput.js"
export type * from "./contract/GatewayOperations.js"
/**
 * Schemas of the requests to the gateway and of its responses, to check and decode them elsewhere.
 *
 * @category messages
 */
export * as GatewaySchema from "./contract/GatewaySchema.js"
export type * from "./contract/EmbedScript.js"
export type * from "./contract/Messages.js"
export { AttemptTimeout, BeforeSend, OnResponse } from "./client/call/Attempt.js"
export type * from "./client/call/CallEvent.js"
export type { CustomRequest } from "./client/call/CustomRequest.js"
export type { RetryOptions } from "./client/call/RetryOptions.js"
export { OnUnknownOutcome } from "./client/call/Calls.js"
export { RetryPolicy } from "./client/call/RetryPolicy.js"
export { GatewayConfig } from "./client/config/GatewayConfig.js"
export type { GatewayEnvironment, GatewayOptions, GatewaySettings } from "./client/config/GatewayOptions.js"
export { ChangeRecord } from "./client/error/ChangeRecordSchema.js"
export type { ChangeRecordConstructors, ChangeTiming, RefundTiming } from "./client/error/ChangeRecord.js"
export { GatewayError } from "./client/error/YieldableGatewayError.js"
export type * from "./client/error/GatewayError.js"
export {
  AuthenticationFailed,
  CardNotFound,
  GatewayErrorReason,
  GatewayErrorSchema,
  GatewayUnavailable,
  InvalidRequest,
  OperationRefused,
  OutcomeUnknown,
  PaymentNotFound,
  PermissionDenied,
  RateLimited,
  UnexpectedResponse
} from "./client/error/GatewayErrorSchema.js"
export { Gateway, type GatewayPrograms, type GatewayService } from "./client/call/Gateway.js"
export type { ReasonOf } from "./client/call/Operations.js"
export type * from "./client/notification/Notification.js"
export type { NotificationStatus } from "./client/notification/NotificationDelivery.js"
export { NotificationError, parseNotification } from "./client/notification/NotificationError.js"
export { makeNotificationHandler, notificationRoute } from "./client/notification/NotificationHandler.js"
export type {
  NotificationDeliveryError,
  NotificationHandler,
  NotificationOptions
} from "./client/notification/NotificationHandler.js"
export type { PaymentExpectation } from "./client/notification/Verification.js"
export { Reconciliation } from "./client/payment/ReconciliationSchema.js"
export type * from "./client/payment/Reconciliation.js"
export type { AwaitPaymentOptions } from "./client/payment/AwaitPayment.js"
export type * from "./client/payment/AwaitedPayment.js"
export { payerMessage } from "./client/payment/PayerMessage.js"
export type * from "./client/payment/PayerMessage.js"
export * from "./client/payment/PaymentState.js"
export * from "./client/Programs.js"
export { AccessToken } from "./client/call/AccessToken.js"
export type { TokenStore } from "./client/call/TokenStore.js"
export type { ConnectionAgent } from "./client/transport/Sender.js"
export { WaitUntil } from "./client/call/WaitUntil.js"
export { createGatewayClient } from "./promise/createGatewayClient.js"
export type {
  AwaitPaymentCallOptions,
  CallOptions,
  GatewayClient,
  GatewayClientOptions,
  GatewayPromises
} from "./promise/GatewayClient.js"
export type { NotificationHandlerOptions, NotificationRequestHandler } from "./promise/NotificationHandler.js"
