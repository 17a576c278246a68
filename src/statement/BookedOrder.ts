/**
 * What a shop and the gateway say of orders, as plain data for `reconcileStatement`.
 */

/**
 * An order as the shop's books have it.
 *
 * @category statements
 */
export interface BookedOrder {
  /** The `order_number` of its payments. Two orders must not share one. */
  readonly orderNumber: string
  /** The ISO 4217 code. */
  readonly currency: string
  /** Its payments, paid or not. One that the shop does not count as paid explains money that came late. */
  readonly payments: ReadonlyArray<BookedPayment>
  /** Changes whose outcome is unknown: a lost `createPayment`, a charge or refund in doubt. */
  readonly inDoubt?: ReadonlyArray<DoubtfulChange> | undefined
}

/**
 * A payment as the shop's books have it.
 *
 * @category statements
 */
export interface BookedPayment {
  /** The payment's id at GoPay, if the shop has recorded it. */
  readonly paymentId?: number | undefined
  /** The amount credited, in minor units: of a partial capture, what was captured. */
  readonly amount: number
  /** Whether the shop counts it as paid. Default: true. */
  readonly paid?: boolean | undefined
  /** The day it was paid, `yyyy-mm-dd` in Prague. Without it, the payment is due at once. */
  readonly paidOn?: string | undefined
  /** Its refunds. */
  readonly refunds?: ReadonlyArray<BookedRefund> | undefined
}

/**
 * A refund as the shop's books have it.
 *
 * @category statements
 */
export interface BookedRefund {
  /** The refund's id at GoPay, if the shop has recorded it. */
  readonly refundId?: number | undefined
  /** In minor units, above 0. */
  readonly amount: number
  /** `FAILED` is not expected on a statement. Default: `SUCCESS`. */
  readonly state?: "REQUESTED" | "SUCCESS" | "FAILED" | undefined
  /** The day it was requested, `yyyy-mm-dd` in Prague. Without it, the refund is due at once. */
  readonly requestedOn?: string | undefined
}

/**
 * A change whose outcome the shop does not know. A statement may prove that it was done.
 *
 * @category statements
 */
export interface DoubtfulChange {
  /** The shop's name for it, such as the ledger's key. */
  readonly key: string
  /** What was sent. */
  readonly operation: "createPayment" | "createRecurrence" | "captureAuthorization" | "refundPayment"
  /** In minor units, above 0. */
  readonly amount: number
  /** The payment that it changes, or has created, if known. */
  readonly paymentId?: number | undefined
  /** The day it was sent, `yyyy-mm-dd` in Prague. */
  readonly sentOn?: string | undefined
}

/**
 * A payment as the gateway says it: a response to `getPayment`, with what `getPaymentRefunds` lists as `refunds`.
 *
 * @category statements
 */
export interface GatewayPayment {
  /** As in the response. */
  readonly id: number
  /** As in the response. */
  readonly state?: string | undefined
  /** As in the response. */
  readonly amount?: number | undefined
  /** As in the response. */
  readonly currency?: string | undefined
  /** As in the response. With it, the amount is not compared: a part may have been captured. */
  readonly preauthorization?: object | undefined
  /** As in the response. */
  readonly order_number?: string | undefined
  /** As listed. Without it, refunds are not compared. */
  readonly refunds?:
    | ReadonlyArray<{ readonly amount?: number | undefined; readonly state?: string | undefined }>
    | undefined
}
