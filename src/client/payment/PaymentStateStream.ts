/**
 * The states of a payment as a stream.
 */
import type * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { PaymentResponse } from "../../contract/Messages.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import {
  type AwaitPaymentOptions,
  failed,
  pollingReads,
  reachedBy,
  type WaitFailure,
  wrongOptions
} from "./AwaitPayment.js"

/** Follows a payment by reading it: it is given as first read, and again each time its state has become another. */
export const paymentStates = <E extends GatewayFailure>(
  read: Effect.Effect<PaymentResponse, E>,
  options: Pick<AwaitPaymentOptions, "until">
): Stream.Stream<PaymentResponse, E | WaitFailure> =>
  Stream.suspend(() => {
    const wrong = wrongOptions(options)
    const next: Effect.Effect<PaymentResponse, E | WaitFailure> = wrong.length > 0 ? failed(wrong) : pollingReads(read)
    return Stream.fromEffectRepeat(next).pipe(
      Stream.changesWith((before, after) => before.state === after.state),
      Stream.takeUntil(reachedBy(options.until))
    )
  })
