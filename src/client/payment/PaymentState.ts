/**
 * The meaning of payment states for a shop, and the result of waiting for one.
 *
 * For a state that is not in `PaymentStates`, each of these predicates is false: it is neither paid nor failed.
 */
import type { PaymentState, PaymentStates } from "../../contract/CodeLists.js"
import type { PaymentResponse } from "../../contract/Messages.js"

/** Anything with the state of a payment, such as the result of `getPayment`. */
export interface HasPaymentState {
  /** The state; see `PaymentStates`. */
  readonly state: PaymentState
}

const stateIn = (...states: ReadonlyArray<keyof typeof PaymentStates>) => {
  const names: ReadonlySet<string> = new Set(states)
  return ({ state }: HasPaymentState): boolean => names.has(state)
}

/** `CREATED` or `PAYMENT_METHOD_CHOSEN`: the payer may still pay. */
export const isAwaitingPayer: (payment: HasPaymentState) => boolean = stateIn("CREATED", "PAYMENT_METHOD_CHOSEN")

/**
 * `PAID`, `AUTHORIZED`, `PARTIALLY_REFUNDED`, `REFUNDED`, `CANCELED` or `TIMEOUTED`: the payer's part is over. It does
 * not say how it ended.
 */
export const isPayerDone: (payment: HasPaymentState) => boolean = stateIn(
  "PAID",
  "AUTHORIZED",
  "PARTIALLY_REFUNDED",
  "REFUNDED",
  "CANCELED",
  "TIMEOUTED"
)

/**
 * `PAID` only: the money has come and none of it was returned. After a partial capture it may be less than `amount`:
 * the gateway does not say how much was captured.
 */
export const isPaid: (payment: HasPaymentState) => boolean = stateIn("PAID")

/** `PAID`, `PARTIALLY_REFUNDED` or `REFUNDED`: the money has come, whether or not it was returned since. */
export const wasPaid: (payment: HasPaymentState) => boolean = stateIn("PAID", "PARTIALLY_REFUNDED", "REFUNDED")

/** `AUTHORIZED` only: the money is held on the payer's card, and is not the shop's until it is captured. */
export const isAuthorized: (payment: HasPaymentState) => boolean = stateIn("AUTHORIZED")

/**
 * `CANCELED` or `TIMEOUTED`: declined, cancelled, not paid in time, or a hold that was voided or expired.
 *
 * It does not prove that no money will come: a bank transfer may arrive late (sub-state `_5047`, paid after the due
 * date).
 */
export const isClosedUnpaid: (payment: HasPaymentState) => boolean = stateIn("CANCELED", "TIMEOUTED")

/** The payment has reached one of the awaited states. Check which one: it may be `CANCELED`. */
export interface ReachedPayment {
  /** The name of the result. */
  readonly _tag: "Reached"
  /** As last read, in one of the awaited states. */
  readonly payment: PaymentResponse
}

/** The wait has timed out, and nothing is decided yet. */
export interface StillPendingPayment {
  /** The name of the result. */
  readonly _tag: "StillPending"
  /** As last read. */
  readonly payment: PaymentResponse
}

/** The result of waiting for a payment; tell the two apart by `_tag`. */
export type AwaitedPayment = ReachedPayment | StillPendingPayment
