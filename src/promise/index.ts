/**
 * GoPay payments with promises: needs nothing installed beside it.
 */
export { amountFromDecimal, amountToDecimal } from "../api/Amount.plain.js"
export type { AmountOptions } from "../api/Amount.plain.js"
export * from "../api/CodeLists.plain.js"
export type { DurationInput } from "../api/DurationInput.plain.js"
export type * from "../api/EmbedScript.plain.js"
export type { GatewayOperations } from "../api/GatewayOperations.plain.js"
export type * from "../api/Messages.plain.js"
export type { CallEvent, CallOutcome } from "../client/observation/CallEvent.plain.js"
export type { CustomRequest } from "../client/operation/CustomRequest.plain.js"
export type { RetryOptions } from "../client/call/RetryOptions.plain.js"
export type { ChangeRecordConstructors, ChangeTiming, RefundTiming } from "../client/error/ChangeRecord.plain.js"
export { GatewayError } from "../client/error/GatewayError.plain.js"
export type * from "../client/call/ResponseHead.plain.js"
export type * from "../client/error/GatewayError.plain.js"
export type * from "../client/error/OperationName.plain.js"
export { NotificationError, parseNotification } from "../client/notification/Notification.plain.js"
export type * from "../client/notification/Notification.plain.js"
export type * from "../client/outcome/Reconciliation.plain.js"
export type * from "../client/payment/AwaitPayment.plain.js"
export { payerMessage } from "../client/payment/PayerMessage.plain.js"
export type * from "../client/payment/PayerMessage.plain.js"
export * from "../client/payment/PaymentState.plain.js"
export type { TokenStore } from "../client/token/TokenStore.plain.js"
export type { ConnectionAgent } from "../client/transport/Sender.plain.js"
export type {
  AwaitPaymentCallOptions,
  CallOptions,
  GatewayClient,
  GatewayClientOptions,
  GatewayPromises
} from "./GatewayClient.plain.js"
export type { NotificationHandlerOptions, NotificationRequestHandler } from "./NotificationHandler.plain.js"
export { optionsFromEnv } from "./optionsFromEnv.plain.js"
export type { GatewayVariables } from "./optionsFromEnv.plain.js"
export { toNodeHandler } from "./toNodeHandler.plain.js"
export type * from "./toNodeHandler.plain.js"
export { ChangeRecord, createGatewayClient } from "./withEffect.js"
