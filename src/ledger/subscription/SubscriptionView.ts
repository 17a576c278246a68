/**
 * A subscription and its periods as they are shown, from their rows.
 */
import { attemptKey } from "../model/LedgerKey.js"
import type { Subscription, SubscriptionPeriod } from "../model/Subscription.js"
import type { PeriodRow, SubscriptionRow } from "./SubscriptionTable.js"

export const subscriptionOf = (row: SubscriptionRow): Subscription => {
  const { awaits, card_expires, currency, maximum, name, order_number, payment_id, status } = row
  return {
    name,
    status,
    maximum,
    currency,
    ...(payment_id === null ? undefined : { paymentId: Number(payment_id) }),
    ...(order_number === null ? undefined : { orderNumber: order_number }),
    ...(awaits === null || status === "cancelled" ? undefined : { awaitedOrder: awaits }),
    ...(card_expires === null ? undefined : { cardExpires: card_expires })
  }
}

export const periodOf = (row: PeriodRow): SubscriptionPeriod => {
  const { amount, attempts, failure, next_at, order_number, payment_id, period, status } = row
  const key = keyOf(row)
  return {
    period,
    status: status === "waiting" ? (attempts === 0 ? "due" : "retrying") : status,
    amount,
    orderNumber: order_number,
    attempts,
    ...(key === undefined ? undefined : { attemptKey: key }),
    ...(status === "waiting" && next_at !== null && row.needs_card === 0
      ? { nextAttemptAt: new Date(Math.max(next_at, row.due_at)).toISOString() }
      : undefined),
    ...(failure === null ? undefined : { failure }),
    ...(payment_id === null ? undefined : { paymentId: Number(payment_id) })
  }
}

/** The key of the last attempt; nothing before the first. */
export const keyOf = ({
  attempts,
  period,
  subscription
}: Pick<PeriodRow, "attempts" | "period" | "subscription">): string | undefined =>
  attempts === 0 ? undefined : attemptKey({ subscription, period, attempt: attempts })
