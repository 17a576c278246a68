/**
 * Refunds, with promises.
 */
import { type GatewayClient, GatewayError, type PaymentResponse } from "effect-gopay/promise"

/**
 * The amount left to refund, in minor units. An upper bound for a hold, since GoPay does not say how much was captured.
 */
export const refundable = async (gateway: GatewayClient, { amount, id, preauthorization }: PaymentResponse) => {
  const refunds = await gateway.getPaymentRefunds(id)
  const returned = refunds.filter(({ state }) => state !== "FAILED").reduce((sum, { amount }) => sum + amount, 0)
  return { amount: amount - returned, isUpperBound: preauthorization?.state === "CAPTURED" }
}

/** The text for the complaint. */
export const refund = async (gateway: GatewayClient, paymentId: number, amount: number): Promise<string> => {
  try {
    const { result } = await gateway.refundPayment(paymentId, { amount })
    return result === "FINISHED" ? "refunded" : "accepted: check getPaymentRefunds tomorrow"
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const { reason } = error
    if (reason._tag === "OutcomeUnknown") return `do not repeat it, but look for it: ${JSON.stringify(reason.change)}`
    if (reason.isRetryable) return "nothing was sent: try again later"
    if (reason._tag !== "OperationRefused") throw error
    if (reason.code === 333) return "the account holds too little: add funds, then try again"
    if (reason.code === 330) return "not now: a part perhaps after a day, all of it perhaps today"
    return `refused, return it by bank transfer: ${error.help}`
  }
}
