/**
 * Preauthorizations, with Effect.
 */
import { Effect } from "effect"
import {
  captureAuthorization,
  captureAuthorizationPartial,
  createPayment,
  type CreatePaymentRequest,
  getPayment,
  voidAuthorization
} from "effect-gopay"

/** The amount is held on the payer's card; nothing is paid yet. */
export const reserve = (order: CreatePaymentRequest) => createPayment({ ...order, preauthorization: true })

/** Takes what was shipped. What is left of the hold goes back to the payer. */
export const capture = Effect.fn("capture")(function* (paymentId: number, amount: number) {
  const payment = yield* getPayment(paymentId)
  if (payment.state !== "AUTHORIZED") return `nothing is held: the payment is ${payment.state}`
  const { result } = yield* amount === payment.amount
    ? captureAuthorization(paymentId)
    : captureAuthorizationPartial(paymentId, { amount, items: [{ name: "What was shipped", amount }] })
  return result === "FINISHED" ? "captured" : "accepted: read the payment later"
})

/** Releases the hold: the order was cancelled. */
export const release = (paymentId: number) =>
  voidAuthorization(paymentId).pipe(
    Effect.as("released"),
    Effect.catchReason("GatewayError", "OperationRefused", ({ goalReached }) =>
      Effect.succeed(goalReached ? "released before" : "not released: captured already?")
    )
  )
