/**
 * The operations of GoPay's REST API v4, each declared once with its parameters and result. The programs, the service
 * and the promise client derive their types from it.
 */
import type { endpointsV4 } from "./EndpointV4.js"
import type { PaymentQrResponse } from "./Messages.js"
import type {
  ChargeResponseV4,
  CreatedPaymentV4,
  CreatePaymentRequestV4,
  CreateRecurrenceRequestV4,
  PaymentIdV4,
  PaymentOverrideV4,
  PaymentQrRequestV4,
  PaymentResponseV4,
  RecurrenceIdV4,
  RecurrenceResponseV4,
  RefundIdV4,
  RefundPaymentRequestV4,
  RefundResponseV4
} from "./MessagesV4.js"

/**
 * The operations of API v4 that a shop's server calls. Not included: charges by a server, cards and their form,
 * wallets, payment links. We have never called v4 itself: each operation says how well it is known (see `MessagesV4`).
 *
 * v4 has no idempotency key (_types_). A change is sent again only if it certainly was not carried out.
 */
export interface GatewayOperationsV4 {
  /**
   * Creates a payment (_spec_, _observed_). Send the payer to `gw_url`, but first store the `id`: payments cannot be
   * listed or searched.
   *
   * A change; repeating it creates another payment, whatever its order number: put no retry around it. After
   * `OutcomeUnknown` you may still create it again, if you send the payer only to the newest address: no one has the
   * address of the lost payment, which then times out.
   */
  readonly createPayment: (payment: CreatePaymentRequestV4) => CreatedPaymentV4

  /** Reads a payment (_spec_, _observed_): its `state` says whether it is paid. A read. */
  readonly getPayment: (paymentId: PaymentIdV4) => PaymentResponseV4

  /**
   * Cancels a payment that no one has begun to pay (_types_; _observed_: 204, then `CANCELED`; a second time 409;
   * GoPay's sandbox did not have it in September 2026).
   *
   * A change; repeating it does no harm and is refused with 409. Fails with `OperationRefused` in any state but
   * `CREATED`. After `OutcomeUnknown`, `reconcile` finds out whether it was done.
   */
  readonly cancelPayment: (paymentId: PaymentIdV4) => void

  /**
   * Reads the state of a payment's charge by card or wallet (_types_; _observed_: 404 before there is one). A read.
   * Fails with `ChargeNotFound` if there is no charge, or no such payment.
   */
  readonly getCharge: (paymentId: PaymentIdV4) => ChargeResponseV4

  /**
   * Reads the QR codes for paying by bank transfer, as base64 pictures (_spec_, _observed_). Requesting them extends
   * the payment's time-out to four days (_types_). A read.
   */
  readonly getPaymentQr: (paymentId: PaymentIdV4, qr?: PaymentQrRequestV4) => PaymentQrResponse

  /**
   * Returns money to the payer: all of it, or a part (_spec_). Success means requested: it is done when the refund's
   * state is `SUCCESS`. Store its id with the payment's: a refund does not say which payment it belongs to.
   *
   * A change; **repeating it may return the money twice**. Fails with `OperationRefused` for a payment that is not paid
   * (_observed_: 409, and the refused one may be listed), and for a part of a card payment that is not settled yet
   * (_SDK_).
   *
   * **Never retry it** after `OutcomeUnknown` or a time-out of your own: `reconcile` finds out whether it was done. To
   * limit its time, use `AttemptTimeout` (`timeout` with promises). With `Effect.timeout` or `Promise.race` around it
   * you get no `OutcomeUnknown`.
   */
  readonly refundPayment: (paymentId: PaymentIdV4, refund: RefundPaymentRequestV4) => RefundResponseV4

  /** Lists the refunds of a payment (_spec_, _observed_), in an order that is not documented. A read. */
  readonly getPaymentRefunds: (paymentId: PaymentIdV4) => ReadonlyArray<RefundResponseV4>

  /** Reads a refund (_spec_, _observed_). A read. */
  readonly getRefund: (refundId: RefundIdV4) => RefundResponseV4

  /**
   * Creates a recurrence (_types_; _observed_ on GoPay's test hosts; GoPay's sandbox did not have it in September 2026). It
   * charges nothing.
   *
   * A change; repeating it creates another one: put no retry around it. After `OutcomeUnknown` create it again: the
   * lost one has no effect, since it can only be started by its id.
   */
  readonly createRecurrence: (recurrence: CreateRecurrenceRequestV4) => RecurrenceResponseV4

  /** Reads a recurrence and its latest payment (_types_, _observed_). A read. */
  readonly getRecurrence: (recurrenceId: RecurrenceIdV4) => RecurrenceResponseV4

  /**
   * Makes a recurrence's first payment (_types_, _observed_): the payer pays it at its `gw_url`.
   *
   * A change; repeating it does no harm and is refused with 409 (_observed_). Its lost response is in the recurrence:
   * after `OutcomeUnknown`, `reconcile` finds it there.
   */
  readonly startRecurrence: (recurrenceId: RecurrenceIdV4, override?: PaymentOverrideV4) => CreatedPaymentV4

  /**
   * Charges a recurrence once more (_types_; no source shows that it charges the card by itself). Success means that
   * the payment exists, not that it is paid.
   *
   * A change; **repeating it charges the card twice**. Give it an `order_number` of its own, and read the recurrence
   * before it. Fails with `OperationRefused` until the first payment is paid (_observed_).
   *
   * **Never retry it** after `OutcomeUnknown` or a time-out of your own: `reconcile` finds out whether it was done. To
   * limit its time, use `AttemptTimeout` (`timeout` with promises). With `Effect.timeout` or `Promise.race` around it
   * you get no `OutcomeUnknown`.
   */
  readonly nextPayment: (recurrenceId: RecurrenceIdV4, override?: PaymentOverrideV4) => PaymentResponseV4

  /**
   * Stops a recurrence for good (_types_, _observed_). A change; repeating it does no harm and is refused with 409.
   * After `OutcomeUnknown`, `reconcile` finds out whether it was done.
   */
  readonly stopRecurrence: (recurrenceId: RecurrenceIdV4) => void
}

type Endpoints = typeof endpointsV4

/** The operations that may move money or alter something. */
export type ChangeOperationV4 = {
  [Name in keyof GatewayOperationsV4]: Endpoints[Name]["kind"] extends "change" ? Name : never
}[keyof GatewayOperationsV4]

/** The names of changes in records, events and logs, since v3 has some of the same names. */
export type ChangeNameV4 = `v4.${ChangeOperationV4}`

/** The names of operations in errors, events and logs. `v4.sendRequest` sends a custom request, of either kind. */
export type OperationNameV4 = `v4.${keyof GatewayOperationsV4 | "reconcile" | "sendRequest"}` | "getAccessToken"
