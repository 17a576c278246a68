/**
 * Refunds, with Effect.
 */
import { Effect } from "effect"
import { refundPayment } from "effect-gopay"

const later = () => Effect.succeed("nothing was sent: try again later")

/** The text for the complaint. */
export const refund = (paymentId: number, amount: number) =>
  refundPayment(paymentId, { amount }).pipe(
    Effect.map(({ result }) => (result === "FINISHED" ? "refunded" : "accepted: check getPaymentRefunds tomorrow")),
    Effect.catchReasons("GatewayError", {
      OutcomeUnknown: ({ change }) => Effect.succeed(`do not repeat it, but look for it: ${JSON.stringify(change)}`),
      GatewayUnavailable: later,
      RateLimited: later,
      OperationRefused: ({ code }) => {
        if (code === 333) return Effect.succeed("the account holds too little: add funds, then try again")
        if (code === 330) return Effect.succeed("not now: a part perhaps after a day, all of it perhaps today")
        return Effect.succeed(`refused with ${code}: return it by bank transfer`)
      }
    })
  )
