/**
 * The result of waiting for a payment.
 */
import type { PaymentResponse } from "../../contract/Messages.js"

/** Waiting is over: the payment is in a state that was waited for. Look which: it may be `CANCELED`. */
export interface ReachedPayment {
  /** The name of the result. */
  readonly _tag: "Reached"
  /** As it was last read, in the state that was waited for. */
  readonly payment: PaymentResponse
}

/** The wait has timed out, and nothing is decided yet. */
export interface StillPendingPayment {
  /** The name of the result. */
  readonly _tag: "StillPending"
  /** As it was last seen. */
  readonly payment: PaymentResponse
}

/** The result of waiting for a payment; tell the two apart by `_tag`. */
export type AwaitedPayment = ReachedPayment | StillPendingPayment
