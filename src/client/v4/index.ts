/**
 * GoPay payments by API v4 as Effect programs.
 */
export { amountFromDecimal } from "../payment/AmountFromDecimal.js"
export { amountToDecimal } from "../../contract/Amount.js"
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
export { withClientTransform } from "../transport/HttpClientTransport.js"
export { AttemptTimeout } from "../call/AttemptTimeout.js"
export { OnResponse } from "../call/OnResponse.js"
export { RetryPolicy } from "../call/RetryPolicy.js"
export type { WaitOptions } from "../payment/AwaitPayment.js"
export type { AwaitedPaymentV4 } from "./AwaitPaymentV4.js"
export { BeforeSendV4, OnUnknownOutcomeV4 } from "./ApiV4.js"
export { changeRecordConstructorsV4, parseChangeRecordV4 } from "./ChangeRecordV4.js"
export type { ChangeRecordConstructorsV4, ChangeRecordV4, ChangeTimingV4, RefundBeforeV4 } from "./ChangeRecordV4.js"
export type {
  ChargeNotFoundV4,
  FailureV4,
  GatewayErrorJsonV4,
  GatewayErrorReasonV4,
  OutcomeUnknownV4,
  PaymentNotFoundV4,
  RecurrenceNotFoundV4,
  RefundNotFoundV4
} from "./GatewayErrorV4.js"
export { GatewayV4 } from "./GatewayV4.js"
export type { GatewayLayerOptionsV4, GatewayProgramsV4, GatewayServiceV4, SendRequestV4 } from "./GatewayV4.js"
/**
 * The gateway of one merchant of several, as a service of its own: `class Cz extends MerchantV4.Service<Cz>()("shop/Cz") {}`.
 */
export * as MerchantV4 from "./MerchantV4.js"
export { AccessTokenV4 } from "./AccessTokenV4.js"
export type { AccessTokenServiceV4 } from "./AccessTokenV4.js"
export { GatewayConfigV4 } from "./GatewayConfigV4.js"
export type { GatewayConfigOptionsV4, GatewayOptionsV4 } from "./GatewayConfigV4.js"
export type { CustomRequest } from "../../contract/GatewayOperations.js"
export type { ReasonOfV4 } from "./OperationsV4.js"
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
} from "./NotificationV4.js"
export { makeNotificationHandler, notificationRoute } from "./NotificationHandlerV4.js"
export type { NotificationHandlerV4, NotificationOptionsV4 } from "./NotificationHandlerV4.js"
export type { NotificationStatus } from "../notification/Deliveries.js"
export type { NotificationSource } from "../notification/Notification.js"
export type { PaymentExpectationV4 } from "./VerificationV4.js"
export { notifiedPaymentV4 } from "./NotifiedPaymentV4.js"
export { payerMessageV4 } from "./PayerMessageV4.js"
export type { PayerLanguage, PayerMessage, PayerStep } from "../payment/PayerMessage.js"
export * from "./ProgramsV4.js"
export type {
  CannotTellV4,
  DidNotHappenV4,
  HappenedV4,
  NotSeenYetV4,
  ReconciliationV4,
  StateReachedV4
} from "./ReconcileV4.js"
export { GatewayErrorV4 } from "./YieldableGatewayErrorV4.js"
export { NotificationErrorV4 } from "./YieldableNotificationErrorV4.js"
export { isAuthorized, isAwaitingPayer, isClosedUnpaid, isPaid, isPayerDone, wasPaid } from "../payment/PaymentState.js"
export type { HasPaymentState } from "../payment/PaymentState.js"
