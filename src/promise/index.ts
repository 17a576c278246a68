/**
 * GoPay payments with promises: needs nothing installed beside it.
 */
export { amountFromDecimal, amountToDecimal } from "../api/Amount.js"
export type { AmountOptions } from "../api/Amount.js"
export * from "../api/CodeLists.js"
export type { DurationInput } from "../api/DurationInput.js"
export type * from "../api/EmbedScript.js"
export type { GatewayOperations } from "../api/GatewayOperations.js"
export type * from "../api/Messages.js"
export type { CallEvent, CallOutcome } from "../client/observation/CallEvent.js"
export type { CustomRequest } from "../client/operation/CustomRequest.js"
export type { RetryOptions } from "../client/call/RetryOptions.js"
export type { ChangeRecordConstructors, ChangeTiming, RefundTiming } from "../client/error/ChangeRecord.js"
export { GatewayError } from "../client/error/GatewayError.js"
export type * from "../client/call/ResponseHead.js"
export type * from "../client/error/GatewayError.js"
export type * from "../client/error/OperationName.js"
export { NotificationError, parseNotification } from "../client/notification/Notification.js"
export type * from "../client/notification/Notification.js"
export type * from "../client/outcome/Reconciliation.js"
export type * from "../client/payment/AwaitedPayment.js"
export { payerMessage } from "../client/payment/PayerMessage.js"
export type * from "../client/payment/PayerMessage.js"
export * from "../client/payment/PaymentState.js"
export type { TokenStore } from "../client/token/TokenStore.js"
export type { ConnectionAgent } from "../client/transport/Sender.js"
export type {
  AwaitPaymentCallOptions,
  CallOptions,
  GatewayClient,
  GatewayClientOptions,
  GatewayPromises
} from "./GatewayClient.js"
export type { NotificationHandlerOptions, NotificationRequestHandler } from "./NotificationHandler.js"
export { optionsFromEnv } from "./optionsFromEnv.js"
export type { GatewayVariables } from "./optionsFromEnv.js"
export { toNodeHandler } from "./toNodeHandler.js"
export type * from "./toNodeHandler.js"
export { ChangeRecord, createGatewayClient } from "./withEffect.js"
