/**
 * The result of waiting for a payment.
 *
 * This module does not depend on Effect.
 */
import type { PaymentResponse } from "../../api/Messages.plain.js"

/** Waiting is over: the payment is in a state that was waited for. Look which: it may be `CANCELED`. */
export interface Reached {
  readonly _tag: "Reached"
  readonly payment: PaymentResponse
}

/** The time is over, and nothing is decided yet. */
export interface StillPending {
  readonly _tag: "StillPending"
  /** As it was last seen. */
  readonly payment: PaymentResponse
}

/** What waiting for a payment ends with; tell the two apart by `_tag`. */
export type AwaitedPayment = Reached | StillPending
