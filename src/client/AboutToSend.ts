/**
 * Records of changes, made before they are sent.
 *
 * This module has no dependency on Effect.
 */
import type {
  CaptureAuthorizationPartialRequest,
  CreatePaymentRequest,
  CreateRecurrenceRequest,
  Id,
  RefundHistoryItem,
  RefundPaymentRequest
} from "../api/Messages.js"
import type { SentChange } from "./GatewayError.js"

/** When a change is sent. */
export interface Sending {
  /** Now. */
  readonly sentAt: Date
}

/** When a refund is sent, and what is known of the payment's other refunds. */
export interface RefundSending extends Sending {
  /** What `getPaymentRefunds` answered just before. */
  readonly refundsBefore?: ReadonlyArray<RefundHistoryItem> | undefined
  /** Your word that nothing else refunds this payment meanwhile; see `SentChange`. */
  readonly isOnlyWriter?: boolean | undefined
}

/**
 * Makes the record of a change that is about to be sent: for each change, a function of the same arguments and the time.
 * It sends nothing and checks nothing.
 *
 * Store it as JSON, send the change, and remove it when the outcome is known. What is still stored after a crash is for
 * `reconcile`. It holds no more of the request than amount, currency and order number.
 *
 * ```ts
 * aboutToSend.refundPayment(paymentId, { amount: 5_000 }, { sentAt: new Date(), refundsBefore, isOnlyWriter: true })
 * ```
 */
export const aboutToSend: {
  readonly createPayment: (payment: CreatePaymentRequest, sending: Sending) => SentChange
  readonly refundPayment: (paymentId: Id, refund: RefundPaymentRequest, sending: RefundSending) => SentChange
  readonly createRecurrence: (paymentId: Id, recurrence: CreateRecurrenceRequest, sending: Sending) => SentChange
  readonly voidRecurrence: (paymentId: Id, sending: Sending) => SentChange
  readonly captureAuthorization: (paymentId: Id, sending: Sending) => SentChange
  readonly captureAuthorizationPartial: (
    paymentId: Id,
    capture: CaptureAuthorizationPartialRequest,
    sending: Sending
  ) => SentChange
  readonly voidAuthorization: (paymentId: Id, sending: Sending) => SentChange
  readonly deleteCard: (cardId: Id, sending: Sending) => SentChange
} = {
  createPayment: ({ amount, currency, order_number: orderNumber }, sending) => ({
    operation: "createPayment",
    amount,
    currency,
    orderNumber,
    ...sent(sending)
  }),
  refundPayment: (paymentId, { amount }, sending) => ({
    operation: "refundPayment",
    paymentId,
    amount,
    ...sent(sending),
    ...(sending.refundsBefore === undefined ? undefined : { refundsBefore: sending.refundsBefore }),
    ...(sending.isOnlyWriter === undefined ? undefined : { isOnlyWriter: sending.isOnlyWriter })
  }),
  createRecurrence: (paymentId, { amount, currency, order_number: orderNumber }, sending) => ({
    operation: "createRecurrence",
    paymentId,
    amount,
    currency,
    orderNumber,
    ...sent(sending)
  }),
  voidRecurrence: (paymentId, sending) => ({ operation: "voidRecurrence", paymentId, ...sent(sending) }),
  captureAuthorization: (paymentId, sending) => ({ operation: "captureAuthorization", paymentId, ...sent(sending) }),
  captureAuthorizationPartial: (paymentId, { amount }, sending) => ({
    operation: "captureAuthorizationPartial",
    paymentId,
    amount,
    ...sent(sending)
  }),
  voidAuthorization: (paymentId, sending) => ({ operation: "voidAuthorization", paymentId, ...sent(sending) }),
  deleteCard: (cardId, sending) => ({ operation: "deleteCard", cardId, ...sent(sending) })
}

const sent = ({ sentAt }: Sending) => ({ sentAt: sentAt.toISOString() })
