/**
 * Waits for a payment of API v4 by polling its state, as `AwaitPayment` does for v3.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { PaymentResponseV4 } from "../../contract/MessagesV4.js"
import * as AwaitPayment from "../payment/AwaitPayment.js"
import type { FailureV4, GatewayErrorReasonV4 } from "./GatewayErrorV4.js"

/**
 * The result of waiting: `Reached`, or `StillPending` with the payment as last read. Check its state: it may be
 * `CANCELED`.
 */
export interface AwaitedPaymentV4 {
  /** The name of the result. */
  readonly _tag: "Reached" | "StillPending"
  /** As last read. */
  readonly payment: PaymentResponseV4
}

/** Waits until the payment is in one of the states, or the wait has timed out. */
export const awaitPaymentV4 = <Reason extends GatewayErrorReasonV4>(
  read: Effect.Effect<PaymentResponseV4, FailureV4<Reason>>,
  options?: AwaitPayment.WaitOptions<PaymentResponseV4>
): Effect.Effect<AwaitedPaymentV4, FailureV4<Reason | AwaitPayment.WaitFailure["reason"]>> =>
  Effect.mapError(AwaitPayment.awaitPayment(read, options), (failure) => ({ ...failure, operation: "v4.getPayment" }))

/** Follows a payment by polling it: emits it as first read, and again each time its state has changed. */
export const paymentStatesV4 = <Reason extends GatewayErrorReasonV4>(
  read: Effect.Effect<PaymentResponseV4, FailureV4<Reason>>,
  options: Pick<AwaitPayment.WaitOptions<PaymentResponseV4>, "until" | "schedule">
): Stream.Stream<PaymentResponseV4, FailureV4<Reason | AwaitPayment.WaitFailure["reason"]>> =>
  Stream.mapError(AwaitPayment.paymentStates(read, options), (failure) => ({ ...failure, operation: "v4.getPayment" }))
