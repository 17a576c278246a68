/**
 * GoPay payments with promises. No other package has to be installed.
 */
export type { AmountOptions } from "../contract/Amount.js"
export { amountFromDecimal, amountToDecimal } from "../contract/Amount.js"
export * from "../contract/CodeLists.js"
export type * from "../contract/EmbedScript.js"
export type * from "../contract/Messages.js"
export type { RetryOptions } from "./GatewayClient.js"
export type { ChangeRecordConstructors } from "../client/error/ChangeRecord.js"
export type { CustomRequest } from "../contract/GatewayOperations.js"
export { GatewayError } from "../client/error/GatewayError.js"
export type { CallEvent, CallOutcome, ResponseHead } from "../client/call/CallEvent.js"
export type * from "../client/error/GatewayError.js"
export type { ChangeOperation, GatewayOperations, OperationName } from "../contract/GatewayOperations.js"
export { NotificationError, parseNotification } from "../client/notification/Notification.js"
export type * from "../client/notification/Notification.js"
export type * from "../client/payment/Reconciliation.js"
export { payerMessage } from "../client/payment/PayerMessage.js"
export type * from "../client/payment/PayerMessage.js"
export * from "../client/payment/PaymentState.js"
export type { TokenStore } from "../client/call/TokenStore.js"
export type {
  AwaitPaymentCallOptions,
  CallOptions,
  CaptureOptions,
  GatewayClient,
  GatewayClientOptions
} from "./GatewayClient.js"
export type { NotificationHandlerOptions, NotificationRequestHandler } from "./GatewayClient.js"
export type { GatewayVariables } from "./optionsFromEnv.js"
export { optionsFromEnv } from "./optionsFromEnv.js"
export { toNodeHandler } from "./toNodeHandler.js"
export type { NodeHandler, ReceivedRequest } from "./toNodeHandler.js"
export { ChangeRecord, createGatewayClient } from "./withEffect.js"
