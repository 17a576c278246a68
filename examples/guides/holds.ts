/**
 * Preauthorizations, with promises.
 */
import { type CreatePaymentRequest, type GatewayClient, GatewayError } from "effect-gopay/promise"

/** The amount is held on the payer's card; nothing is paid yet. */
export const reserve = (gateway: GatewayClient, order: CreatePaymentRequest) =>
  gateway.createPayment({ ...order, preauthorization: true })

/** Takes what was shipped. What is left of the hold goes back to the payer. */
export const capture = async (gateway: GatewayClient, paymentId: number, amount: number): Promise<string> => {
  const payment = await gateway.getPayment(paymentId)
  if (payment.state !== "AUTHORIZED") return `nothing is held: the payment is ${payment.state}`
  const { result } =
    amount === payment.amount
      ? await gateway.captureAuthorization(paymentId)
      : await gateway.captureAuthorizationPartial(paymentId, { amount, items: [{ name: "What was shipped", amount }] })
  return result === "FINISHED" ? "captured" : "accepted: read the payment later"
}

/** Releases the hold: the order was cancelled. */
export const release = async (gateway: GatewayClient, paymentId: number): Promise<string> => {
  try {
    await gateway.voidAuthorization(paymentId)
    return "released"
  } catch (error) {
    if (!(error instanceof GatewayError) || error.reason._tag !== "OperationRefused") throw error
    return error.reason.goalReached ? "released before" : "not released: captured already?"
  }
}
