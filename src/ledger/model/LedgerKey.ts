/**
 * The keys of a ledger's own.
 */

/** The beginning of the keys of the payments of orders. */
export const orderKeyPrefix = "order:"

/** The beginning of the keys of the charges of subscriptions. */
export const subscriptionKeyPrefix = "subscription:"

/** Whether a key is the ledger's own. */
export const isLedgerKey = (key: string): boolean =>
  key.startsWith(orderKeyPrefix) || key.startsWith(subscriptionKeyPrefix)

/** An attempt to charge a period of a subscription. */
export interface PeriodAttempt {
  readonly subscription: string
  readonly period: string
  /** Counted from 1. */
  readonly attempt: number
}

/** The key of the charge that an attempt makes. */
export const attemptKey = ({ attempt, period, subscription }: PeriodAttempt): string =>
  `${subscriptionKeyPrefix}${subscription}:${period}:${attempt}`

/** The attempt that a key belongs to; nothing for all other keys. */
export const attemptOfKey = (key: string): PeriodAttempt | undefined => {
  const [, subscription, period, attempt] = /^subscription:(.+):([^:]+):(\d+)$/s.exec(key) ?? []
  return subscription === undefined || period === undefined
    ? undefined
    : { subscription, period, attempt: Number(attempt) }
}

/** Whether a key names the payment of an order: `order:`, the order's number, and the payment's. */
export const isPaymentKey = (key: string): boolean => key.startsWith(orderKeyPrefix) && /:\d+$/.test(key)
