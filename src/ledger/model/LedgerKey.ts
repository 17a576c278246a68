/**
 * The ledger's own keys, and the attempts to create or charge a payment, by which it recognises the payments that they
 * made.
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

/** The attempt that a key belongs to; `undefined` for any other key. */
export const attemptOfKey = (key: string): PeriodAttempt | undefined => {
  const [, subscription, period, attempt] = /^subscription:(.+):([^:]+):(\d+)$/s.exec(key) ?? []
  return subscription === undefined || period === undefined
    ? undefined
    : { subscription, period, attempt: Number(attempt) }
}

/**
 * The payment of an order that a key names by `order:`, the order's number and the row's number; `undefined` for any
 * other key.
 */
export const paymentOfKey = (key: string): { readonly orderNumber: string; readonly seq: number } | undefined => {
  const [, orderNumber, seq] = /^order:(.*):([1-9]\d{0,14})$/s.exec(key) ?? []
  return orderNumber === undefined ? undefined : { orderNumber, seq: Number(seq) }
}

export const isPaymentKey = (key: string): boolean => paymentOfKey(key) !== undefined

/** The name of the parameter that contains the attempt to create a payment. The gateway returns it in each response. */
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

/** A charge without the attempt of its first payment, in case the gateway copied that payment's parameters. */
export const withoutAttempt = (payment: PaymentResponse, attempt: string | undefined): PaymentResponse => {
  const { additional_params } = payment
  return additional_params === undefined || attempt === undefined
    ? payment
    : {
        ...payment,
        additional_params: additional_params.filter(({ name, value }) => name !== parameter || value !== attempt)
      }
}

/** The attempt of a ledger that created the payment. */
export const attemptOf = ({ additional_params = [] }: PaymentResponse): string | undefined =>
  additional_params.find(({ name }) => name === parameter)?.value
