/**
 * The record of a change that was sent or is about to be.
 */
import { canonicalId } from "../../contract/CanonicalId.js"
import type { Currency } from "../../contract/CodeLists.js"
import type {
  CaptureAuthorizationPartialRequest,
  CreatePaymentRequest,
  CreateRecurrenceRequest,
  GatewayId,
  RefundHistoryItem,
  RefundPaymentRequest
} from "../../contract/Messages.js"
import type { ChangeOperation } from "../../contract/GatewayOperations.js"

/**
 * The facts of a change that was sent: enough to look for its effect with `reconcile`, nothing personal or secret.
 *
 * Plain data, fit for JSON. `OutcomeUnknown` carries one; `ChangeRecord.refundPayment(…)` and its siblings make the
 * same before the call, to be stored in case the process does not survive it. Members are added with a spread: `{
 * ...change, childId }`.
 */
export interface ChangeRecord {
  /** `sendRequest` for a request of your own. */
  readonly operation: ChangeOperation | "sendRequest"
  /** For a request of your own: its path without the query, its words and ids only. */
  readonly path?: string | undefined
  /** The payment that it changes. */
  readonly paymentId?: GatewayId | undefined
  /** The card that it deletes. */
  readonly cardId?: GatewayId | undefined
  /** An integer in minor units. */
  readonly amount?: number | undefined
  /** ISO 4217 code, such as `CZK`. */
  readonly currency?: Currency | undefined
  /** Your order's number, as sent. */
  readonly orderNumber?: string | undefined
  /** The time at which it was handed over to be sent, ISO 8601 in UTC. */
  readonly sentAt: string
  /**
   * For a refund: the result of `getPaymentRefunds` before the call. Without it no refund in the list can be identified as
   * this one.
   */
  readonly refundsBefore?: ReadonlyArray<RefundHistoryItem> | undefined
  /**
   * For a refund, your word that `refundsBefore` has all earlier ones, and that since it was read nothing but this call
   * refunds the payment: no other process, no one in GoPay's own administration, and no earlier call whose outcome is
   * still unknown. Absent: no such word.
   */
  readonly isOnlyWriter?: boolean | undefined
  /** For `createRecurrence`: the payment that a notification named, `id` beside a `parent_id`. */
  readonly childId?: GatewayId | undefined
}

/**
 * The time at which a change is sent.
 *
 * @category outcomes
 */
export interface ChangeTiming {
  /** Now. */
  readonly sentAt: Date
}

/**
 * The time at which a refund is sent, and the payment's other refunds as far as known.
 *
 * @category outcomes
 */
export interface RefundTiming extends ChangeTiming {
  /** The result of `getPaymentRefunds` just before. */
  readonly refundsBefore?: ReadonlyArray<RefundHistoryItem> | undefined
  /** Your word that nothing else refunds this payment meanwhile; see `ChangeRecord`. */
  readonly isOnlyWriter?: boolean | undefined
}

/**
 * Makes the record of a change before it is sent: for each change, a function of the same arguments and the time. It
 * sends nothing and checks nothing.
 *
 * Store the record as JSON, send the change, and delete the record when the outcome is known. What is still stored
 * after a crash is for `reconcile`. It holds no more of the request than amount, currency and order number.
 *
 * ```ts
 * ChangeRecord.refundPayment(paymentId, { amount: 5_000 }, { sentAt: new Date(), refundsBefore, isOnlyWriter: true })
 * ```
 *
 * @category outcomes
 */
export interface ChangeRecordConstructors {
  /** The record of a `createPayment`: amount, currency and order number. */
  readonly createPayment: (payment: CreatePaymentRequest, timing: ChangeTiming) => ChangeRecord
  /** The record of a `refundPayment`: the payment, the amount, and the payment's other refunds as far as known. */
  readonly refundPayment: (paymentId: GatewayId, refund: RefundPaymentRequest, timing: RefundTiming) => ChangeRecord
  /** The record of a `createRecurrence`: the first payment, amount, currency and order number. */
  readonly createRecurrence: (
    paymentId: GatewayId,
    recurrence: CreateRecurrenceRequest,
    timing: ChangeTiming
  ) => ChangeRecord
  /** The record of a `voidRecurrence`: the first payment. */
  readonly voidRecurrence: (paymentId: GatewayId, timing: ChangeTiming) => ChangeRecord
  /** The record of a `captureAuthorization`: the payment. */
  readonly captureAuthorization: (paymentId: GatewayId, timing: ChangeTiming) => ChangeRecord
  /** The record of a `captureAuthorizationPartial`: the payment and the amount. */
  readonly captureAuthorizationPartial: (
    paymentId: GatewayId,
    capture: CaptureAuthorizationPartialRequest,
    timing: ChangeTiming
  ) => ChangeRecord
  /** The record of a `voidAuthorization`: the payment. */
  readonly voidAuthorization: (paymentId: GatewayId, timing: ChangeTiming) => ChangeRecord
  /** The record of a `deleteCard`: the card. */
  readonly deleteCard: (cardId: GatewayId, timing: ChangeTiming) => ChangeRecord
}

/** See {@link ChangeRecordConstructors}. */
export const changeRecordConstructors: ChangeRecordConstructors = {
  createPayment: ({ amount, currency, order_number: orderNumber }, timing) => ({
    operation: "createPayment",
    amount,
    currency,
    orderNumber,
    ...sent(timing)
  }),
  refundPayment: (paymentId, { amount }, timing) => ({
    operation: "refundPayment",
    paymentId: canonical(paymentId),
    amount,
    ...sent(timing),
    ...(timing.refundsBefore === undefined ? undefined : { refundsBefore: timing.refundsBefore }),
    ...(timing.isOnlyWriter === undefined ? undefined : { isOnlyWriter: timing.isOnlyWriter })
  }),
  createRecurrence: (paymentId, { amount, currency, order_number: orderNumber }, timing) => ({
    operation: "createRecurrence",
    paymentId: canonical(paymentId),
    amount,
    currency,
    orderNumber,
    ...sent(timing)
  }),
  voidRecurrence: (paymentId, timing) => ({
    operation: "voidRecurrence",
    paymentId: canonical(paymentId),
    ...sent(timing)
  }),
  captureAuthorization: (paymentId, timing) => ({
    operation: "captureAuthorization",
    paymentId: canonical(paymentId),
    ...sent(timing)
  }),
  captureAuthorizationPartial: (paymentId, { amount }, timing) => ({
    operation: "captureAuthorizationPartial",
    paymentId: canonical(paymentId),
    amount,
    ...sent(timing)
  }),
  voidAuthorization: (paymentId, timing) => ({
    operation: "voidAuthorization",
    paymentId: canonical(paymentId),
    ...sent(timing)
  }),
  deleteCard: (cardId, timing) => ({ operation: "deleteCard", cardId: canonical(cardId), ...sent(timing) })
}

const sent = ({ sentAt }: ChangeTiming) => ({ sentAt: sentAt.toISOString() })

/** A record names a payment by its number. What is no id stays as it is: `reconcile` refuses it by its field's name. */
const canonical = (id: GatewayId): GatewayId => canonicalId(id) ?? id
