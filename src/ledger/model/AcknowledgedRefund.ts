/**
 * Refunds at the gateway that the ledger did not make, and that an operator knows of.
 */

/**
 * A refund at the gateway that the ledger did not make. It stops no refund of the payment any more.
 *
 * @category ledger
 */
export interface AcknowledgedRefund {
  /** The payment. */
  readonly paymentId: number
  /** The id of the refund in the gateway's list. */
  readonly refundId: number
  /** Its amount in minor units. */
  readonly amount: number
  /** The name of whoever acknowledged it; `adoptPayment` for one that was there when the payment was adopted. */
  readonly acknowledgedBy: string
  /** The evidence, in a sentence. */
  readonly note: string
  /** The time of the acknowledgement, ISO 8601. */
  readonly acknowledgedAt: string
}

/**
 * The acknowledgement of a refund.
 *
 * @category ledger
 */
export interface Acknowledgement {
  /** The name of the operator. */
  readonly by: string
  /** Why it was made, such as the complaint that it settles. */
  readonly note: string
}
