/**
 * How an order stands, by the rows of its payments.
 */
import type { PaymentRow, Terms } from "./PaymentRow.js"
import type { ChangedOrder, Order } from "./Order.plain.js"
import { hasMoney, progressOf } from "./PaymentProgress.js"

type PresentOrder = Exclude<Order, ChangedOrder>

/** The payment that an order stands by: one that money has come for, the one on offer, the last one. */
export const presentOf = (rows: ReadonlyArray<PaymentRow>): PaymentRow | undefined => {
  const own = rows.filter(({ parent_id, status }) => parent_id === null && status !== "lost" && status !== "unknown")
  const of = (...progresses: ReadonlyArray<string>) =>
    own.find((row) => hasMoney(row) && progresses.includes(progressOf(row) ?? ""))
  return (
    of("paid", "partiallyRefunded") ?? of("authorized") ?? own.find(({ offered }) => offered !== null) ?? own.at(-1)
  )
}

/** How an order stands by a payment of it. */
export const orderOf = (row: PaymentRow): PresentOrder => {
  const { gw_url, offered, order_number: orderNumber, payment_id, refunded, status } = row
  if (status === "creating") return { status: "pending", orderNumber, message: "Its payment is being created." }
  const progress = progressOf(row)
  if (payment_id === null || progress === undefined) {
    const message = "Its payment was sent with a stored card, and whether the gateway took it is not known."
    return { status: "inDoubt", orderNumber, message }
  }
  const details = { orderNumber, paymentId: Number(payment_id) }
  switch (progress) {
    case "open":
      if (isExpired(row) || offered === null || gw_url === null) {
        return { status: "expired", ...details, message: "Its payment is offered no more, and is not closed." }
      }
      return { status: "open", ...details, gwUrl: gw_url, message: "Its payment waits for the payer." }
    case "closed":
      return { status: "closed", ...details, message: `Its payment is ${row.state}.` }
    case "authorized":
    case "paid":
    case "partiallyRefunded":
    case "refunded":
      return { status: progress, ...details, refunded, message: `Its payment is ${row.state}.` }
  }
}

/** Whether the address of its pay page is given out no more. */
export const isExpired = ({ now, pay_until }: PaymentRow): boolean => pay_until !== null && pay_until <= now

/** Whether a payment is what is asked for. */
export const isAsAsked = ({ terms }: PaymentRow, asked: Terms): boolean => canonical(terms) === canonical(asked)

const canonical = ({ amount, currency, preauthorization = false, recurrence }: Terms): string => {
  const { recurrence_cycle, recurrence_date_to, recurrence_period } = recurrence ?? {}
  return JSON.stringify([amount, currency, preauthorization, recurrence_cycle, recurrence_period, recurrence_date_to])
}

/** An order that was asked for with other terms than its payment has. */
export const changedOf = (row: PaymentRow): ChangedOrder => {
  const { amount, currency } = row.terms
  return {
    status: "changed",
    orderNumber: row.order_number,
    present: orderOf(row),
    amount,
    currency,
    message: `It has a payment of other terms: ${amount} ${currency} in minor units.`
  }
}
