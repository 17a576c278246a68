/**
 * The attempt to create a payment, by which a ledger recognises it.
 */
import type { CreatePaymentRequest, PaymentResponse } from "../../api/Messages.plain.js"

/** The name of the parameter that names the attempt to create a payment. The gateway gives it back in each response. */
const parameter = "effect-gopay"

/** A request that names the attempt. */
export const withAttempt = (request: CreatePaymentRequest, attempt: string): CreatePaymentRequest => ({
  ...request,
  additional_params: [...(request.additional_params ?? []), { name: parameter, value: attempt }]
})

/** The attempt of a ledger that created the payment. */
export const attemptOf = ({ additional_params = [] }: PaymentResponse): string | undefined =>
  additional_params.find(({ name }) => name === parameter)?.value
