/**
 * The states that a payment goes through, as a stream.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Id, PaymentResponse } from "../../api/Messages.plain.js"
import { type AwaitPaymentOptions, failed, pollingReads, reachedBy, wrongOptions } from "./AwaitPayment.js"
import * as Calls from "../gateway/Calls.js"
import { Gateway } from "../gateway/Gateway.js"
import type { GatewayError } from "../error/GatewayError.plain.js"

/**
 * Follows a payment: it is given as first read, and again each time its state has become another. Ends after a state in
 * `until`; by default with the payer's part (see `isPayerDone`).
 *
 * Reads politely, as `awaitPayment` does: at once, then after ever longer waits, at most 30 seconds. States that come and
 * go between two reads are not seen. A gateway that is not available is waited for, without end: limit the time with
 * `Stream.interruptWhen(Effect.sleep("10 minutes"))`. Fails as `getPayment` does otherwise.
 */
export const paymentStates = (
  paymentId: Id,
  options: Pick<AwaitPaymentOptions, "until"> = {}
): Stream.Stream<PaymentResponse, GatewayError, Gateway> =>
  Stream.unwrap(
    Gateway.use(({ run }) =>
      Effect.sync(() => {
        const wrong = wrongOptions(options)
        const next = wrong.length > 0 ? failed(wrong) : pollingReads(run(Calls.getPayment(paymentId)))
        return Stream.fromEffectRepeat(next).pipe(
          Stream.changesWith((before, after) => before.state === after.state),
          Stream.takeUntil(reachedBy(options.until))
        )
      })
    )
  )
