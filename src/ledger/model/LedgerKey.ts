/**
 * The keys of a ledger's own, and the attempts to create a payment or to charge one, by which it recognises what came of
 * them.
 */
import type { AdditionalParam, PaymentResponse } from "../../contract/Messages.js"

export const orderKeyPrefix = "order:"

export const subscriptionKeyPrefix = "subscription:"

export const isLedgerKey = (key: string): boolean =>
  key.startsWith(orderKeyPrefix) || key.startsWith(subscriptionKeyPrefix)

export interface PeriodAttempt {
  readonly subscription: string
  readonly period: string
  /** Counted from 1. */
  readonly attempt: number
}

export const attemptKey = ({ attempt, period, subscription }: PeriodAttempt): string =>
  `${subscriptionKeyPrefix}${subscription}:${period}:${attempt}`

/** The attempt that a key belongs to; nothing for all other keys. */
export const attemptOfKey = (key: string): PeriodAttempt | undefined => {
  const [, subscription, period, attempt] = /^subscription:(.+):([^:]+):(\d+)$/s.exec(key) ?? []
  return subscription === undefined || period === undefined
    ? undefined
    : { subscription, period, attempt: Number(attempt) }
}

/** The payment of an order that a key names: `order:`, the order's number, and that of the row; nothing for all other keys. */
export const paymentOfKey = (key: string): { readonly orderNumber: string; readonly seq: number } | undefined => {
  const [, orderNumber, seq] = /^order:(.*):([1-9]\d{0,14})$/s.exec(key) ?? []
  return orderNumber === undefined ? undefined : { orderNumber, seq: Number(seq) }
}

export const isPaymentKey = (key: string): boolean => paymentOfKey(key) !== undefined

/** The name of the parameter that names the attempt to make a payment. The gateway gives it back in each response. */
const parameter = "effect-gopay"

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
