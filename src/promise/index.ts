/**
 * GoPay payments with promises: needs nothing installed beside it.
 */
export { amountFromDecimal, amountToDecimal } from "../contract/Amount.js"
export type { AmountOptions } from "../contract/Amount.js"
export * from "../contract/CodeLists.js"
export type { DurationInput } from "../contract/DurationInput.js"
export type * from "../contract/EmbedScript.js"
export type * from "../contract/Messages.js"
export type { CustomRequest } from "../client/call/CustomRequest.js"
export type { RetryOptions } from "../client/call/RetryOptions.js"
export type { ChangeRecordConstructors, ChangeTiming, RefundTiming } from "../client/error/ChangeRecord.js"
export { GatewayError } from "../client/error/GatewayError.js"
export type * from "../client/call/CallEvent.js"
export type * from "../client/error/GatewayError.js"
export type * from "../contract/GatewayOperations.js"
export { NotificationError, parseNotification } from "../client/notification/Notification.js"
export type * from "../client/notification/Notification.js"
export type * from "../client/payment/Reconciliation.js"
export type * from "../client/payment/AwaitedPayment.js"
export { payerMessage } from "../client/payment/PayerMessage.js"
export type * from "../client/payment/PayerMessage.js"
export * from "../client/payment/PaymentState.js"
export type { TokenStore } from "../client/call/TokenStore.js"
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
