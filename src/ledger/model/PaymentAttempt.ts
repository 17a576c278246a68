/**
 * The attempt to create a payment or to charge one, by which a ledger recognises what came of it.
 */
import type { AdditionalParam, PaymentResponse } from "../../contract/Messages.js"

/** The name of the parameter that names the attempt to make a payment. The gateway gives it back in each response. */
const parameter = "effect-gopay"

/** A request that names the attempt. */
export const withAttempt = <
  Request extends { readonly additional_params?: ReadonlyArray<AdditionalParam> | undefined }
>(
  request: Request,
  attempt: string
): Request & { readonly additional_params: ReadonlyArray<AdditionalParam> } => ({
  ...request,
  additional_params: [...(request.additional_params ?? []), { name: parameter, value: attempt }]
})

/** A charge without the attempt of its first payment, whose parameters it may have been given. */
export const withoutAttempt = (payment: PaymentResponse, attempt: string | undefined): PaymentResponse => {
  const { additional_params } = payment
  return additional_params === undefined || attempt === undefined
    ? payment
    : {
        ...payment,
        additional_params: additional_params.filter(({ name, value }) => name !== parameter || value !== attempt)
      }
}

/** The attempt of a ledger that made the payment. */
export const attemptOf = ({ additional_params = [] }: PaymentResponse): string | undefined =>
  additional_params.find(({ name }) => name === parameter)?.value
