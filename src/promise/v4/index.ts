/**
 * GoPay payments by API v4 with promises. No other package has to be installed.
 */
export { amountFromDecimal, amountToDecimal } from "../../contract/Amount.js"
export type { AmountOptions } from "../../contract/Amount.js"
export * from "../../contract/CodeListsV4.js"
export type {
  ChangeNameV4,
  ChangeOperationV4,
  GatewayOperationsV4,
  OperationNameV4
} from "../../contract/GatewayOperationsV4.js"
export { paymentIdV4, recurrenceIdV4, refundIdV4 } from "../../contract/IdV4.js"
export type * from "../../contract/MessagesV4.js"
export type { ChangeRecordConstructorsV4, ChangeTimingV4, RefundBeforeV4 } from "../../client/v4/ChangeRecordV4.js"
export type { AwaitedPaymentV4 } from "../../client/v4/AwaitPaymentV4.js"
export { GatewayErrorV4 } from "../../client/v4/GatewayErrorV4.js"
export type {
  ChargeNotFoundV4,
  FailureV4,
  GatewayErrorJsonV4,
  GatewayErrorReasonV4,
  OutcomeUnknownV4,
  PaymentNotFoundV4,
  RecurrenceNotFoundV4,
  RefundNotFoundV4
} from "../../client/v4/GatewayErrorV4.js"
export type {
  CannotTellV4,
  DidNotHappenV4,
  HappenedV4,
  NotSeenYetV4,
  ReconciliationV4,
  StateReachedV4
} from "../../client/v4/ReconcileV4.js"
export type {
  ExpectationFailedV4,
  ExpectedPaymentV4,
  HandlerFailedV4,
  InvalidNotificationV4,
  NotificationErrorJsonV4,
  NotificationErrorReasonV4,
  NotificationFailureV4,
  NotificationLimitsV4,
  NotificationRequestV4,
  PaymentBusyV4,
  PaymentMismatchV4,
  TooManyReadsV4,
  UnknownPaymentV4,
  VerificationErrorReasonV4,
  VerifiedPaymentV4
} from "../../client/v4/NotificationV4.js"
export { NotificationErrorV4 } from "../../client/v4/NotificationV4.js"
export { toNodeHandler } from "../toNodeHandler.js"
export type { NotificationSource } from "../../client/notification/Notification.js"
export { notifiedPaymentV4 } from "../../client/v4/NotifiedPaymentV4.js"
export { payerMessageV4 } from "../../client/v4/PayerMessageV4.js"
export type { PayerLanguage, PayerMessage, PayerStep } from "../../client/payment/PayerMessage.js"
export {
  isAuthorized,
  isAwaitingPayer,
  isClosedUnpaid,
  isPaid,
  isPayerDone,
  wasPaid
} from "../../client/payment/PaymentState.js"
export type { HasPaymentState } from "../../client/payment/PaymentState.js"
export type { CustomRequest } from "../../contract/GatewayOperations.js"
export { optionsFromEnv } from "./optionsFromEnvV4.js"
export type { GatewayVariablesV4 } from "./optionsFromEnvV4.js"
export type { AwaitPaymentCallOptions } from "../GatewayClient.js"
export type {
  CallEventV4,
  CallOptionsV4,
  GatewayClientOptionsV4,
  GatewayClientV4,
  GatewayPromisesV4,
  NotificationHandlerOptionsV4,
  NotificationRequestHandlerV4
} from "./GatewayClientV4.js"
export { ChangeRecordV4, createGatewayClient } from "./withEffectV4.js"
