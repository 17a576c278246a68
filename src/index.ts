/**
 * GoPay payments as Effect programs, and the same as promises through `createGatewayClient`.
 */
export { amountFromDecimal, amountToDecimal } from "./api/Amount.plain.js"
export type { AmountOptions } from "./api/Amount.plain.js"
export * from "./api/CodeLists.plain.js"
export type { DurationInput } from "./api/DurationInput.plain.js"
export type { GatewayOperations } from "./api/GatewayOperations.plain.js"
/**
 * Schemas of the requests to the gateway and of its responses, to check and decode them elsewhere.
 *
 * @category messages
 */
export * as GatewaySchema from "./api/GatewaySchema.js"
export type * from "./api/EmbedScript.plain.js"
export type * from "./api/Messages.plain.js"
export { AttemptTimeout } from "./client/call/Attempt.js"
export { BeforeSend } from "./client/operation/BeforeSend.js"
export { OnResponse } from "./client/call/OnResponse.js"
export type * from "./client/call/ResponseHead.plain.js"
export type { CallEvent, CallOutcome } from "./client/observation/CallEvent.plain.js"
export type { CustomRequest } from "./client/operation/CustomRequest.plain.js"
export type { RetryOptions } from "./client/call/RetryOptions.plain.js"
export { OnUnknownOutcome } from "./client/call/OnUnknownOutcome.js"
export { RetryPolicy } from "./client/call/RetryPolicy.js"
export { GatewayConfig } from "./client/config/GatewayConfig.js"
export type { GatewayEnvironment, GatewayOptions, GatewaySettings } from "./client/config/GatewayOptions.js"
export { ChangeRecord } from "./client/error/ChangeRecord.js"
export type { ChangeRecordConstructors, ChangeTiming, RefundTiming } from "./client/error/ChangeRecord.plain.js"
export { GatewayError } from "./client/error/GatewayError.js"
export type * from "./client/error/GatewayError.plain.js"
export {
  AuthenticationFailed,
  CardNotFound,
  GatewayErrorReason,
  GatewayUnavailable,
  InvalidRequest,
  OperationRefused,
  OutcomeUnknown,
  PaymentNotFound,
  PermissionDenied,
  RateLimited,
  UnexpectedResponse
} from "./client/error/GatewayErrorReason.js"
export { GatewayErrorSchema } from "./client/error/GatewayErrorSchema.js"
export type * from "./client/error/OperationName.plain.js"
export { Gateway, type GatewayPrograms, type GatewayService } from "./client/gateway/Gateway.js"
export type { ReasonOf } from "./client/gateway/Operations.js"
export type * from "./client/notification/Notification.plain.js"
export type { NotificationStatus } from "./client/notification/NotificationDelivery.js"
export { NotificationError, parseNotification } from "./client/notification/NotificationError.js"
export { makeNotificationHandler } from "./client/notification/NotificationHandler.js"
export type {
  NotificationDeliveryError,
  NotificationHandler,
  NotificationOptions
} from "./client/notification/NotificationHandler.js"
export { notificationRoute } from "./client/notification/NotificationRoute.js"
export type { PaymentExpectation } from "./client/notification/Verification.js"
export { Reconciliation } from "./client/outcome/Reconciliation.js"
export type * from "./client/outcome/Reconciliation.plain.js"
export type { AwaitPaymentOptions } from "./client/payment/AwaitPayment.js"
export type * from "./client/payment/AwaitPayment.plain.js"
export { payerMessage } from "./client/payment/PayerMessage.plain.js"
export type * from "./client/payment/PayerMessage.plain.js"
export * from "./client/payment/PaymentState.plain.js"
export * from "./client/Programs.js"
export { AccessToken } from "./client/token/AccessToken.js"
export type { TokenStore } from "./client/token/TokenStore.plain.js"
export type { ConnectionAgent } from "./client/transport/Sender.plain.js"
export { WaitUntil } from "./client/token/WaitUntil.js"
export { createGatewayClient } from "./promise/createGatewayClient.js"
export type {
  AwaitPaymentCallOptions,
  CallOptions,
  GatewayClient,
  GatewayClientOptions,
  GatewayPromises
} from "./promise/GatewayClient.plain.js"
export type { NotificationHandlerOptions, NotificationRequestHandler } from "./promise/NotificationHandler.plain.js"
