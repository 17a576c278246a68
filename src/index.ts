/**
 * GoPay payments as Effect programs, and the same as promises through `createGatewayClient`.
 */
export type { AmountOptions } from "./contract/Amount.js"
export { amountToDecimal } from "./contract/Amount.js"
export * from "./contract/CodeLists.js"
export type { ChangeOperation, GatewayOperations, OperationName } from "./contract/GatewayOperations.js"
/**
 * Schemas of the requests to the gateway and of its responses, to check and decode them elsewhere.
 *
 * @category messages
 */
export * as GatewaySchema from "./contract/GatewaySchema.js"
export type * from "./contract/EmbedScript.js"
export type * from "./contract/Messages.js"
export { Language } from "./client/call/Language.js"
export { withClientTransform } from "./client/transport/HttpClientTransport.js"
export { AttemptTimeout } from "./client/call/AttemptTimeout.js"
export { BeforeSend } from "./client/call/BeforeSend.js"
export { OnResponse } from "./client/call/OnResponse.js"
export type { CallEvent, CallOutcome, ResponseHead } from "./client/call/CallEvent.js"
export type { CustomRequest } from "./contract/GatewayOperations.js"
export { OnUnknownOutcome } from "./client/call/OnUnknownOutcome.js"
export type { RetryOptions } from "./promise/GatewayClient.js"
export { RetryPolicy } from "./client/call/RetryPolicy.js"
export { GatewayConfig, type GatewayConfigOptions } from "./client/config/GatewayConfig.js"
export type { GatewayEnvironment, GatewayOptions } from "./client/config/GatewayOptions.js"
export type { ChangeRecordConstructors } from "./client/error/ChangeRecord.js"
export { ChangeRecord } from "./client/error/ChangeRecordSchema.js"
export { GatewayError } from "./client/error/YieldableGatewayError.js"
export type * from "./client/error/GatewayError.js"
export type {
  CardChangeReason,
  CardReadReason,
  ChangeReason,
  PaymentChangeReason,
  PaymentReadReason,
  ReadReason
} from "./client/error/GatewayFailure.js"
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
export { Gateway, type GatewayLayerOptions, type GatewayService, type SendRequest } from "./client/call/Gateway.js"
/**
 * The gateway of one merchant of several, as a service of its own: `class Cz extends Merchant.Service<Cz>()("shop/Cz") {}`.
 */
export * as Merchant from "./client/call/Merchant.js"
export type { ReasonOf } from "./client/call/Operation.js"
export type * from "./client/notification/Notification.js"
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
export { amountFromDecimal } from "./client/payment/AmountFromDecimal.js"
export { payerMessage } from "./client/payment/PayerMessage.js"
export type * from "./client/payment/PayerMessage.js"
export * from "./client/payment/PaymentState.js"
export * from "./client/Programs.js"
export { AccessToken, type AccessTokenService } from "./client/call/AccessToken.js"
export type { TokenStore } from "./client/call/TokenStore.js"
export { WaitUntil } from "./client/transport/WaitUntil.js"
export { createGatewayClient } from "./promise/createGatewayClient.js"
export type { AwaitPaymentCallOptions, GatewayClient, GatewayClientOptions } from "./promise/GatewayClient.js"
