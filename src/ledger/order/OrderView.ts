/**
 * The status of an order, from the rows of its payments, and the list entries of payments that need an operator.
 */
import { withoutUndefined } from "../../basics/Nulls.js"
import type { AttentionItem } from "../model/Attention.js"
import { paymentDecisionsFor } from "../model/Decisions.js"
import { hasItem, type SeenItem } from "../store/Items.js"
import { listed } from "../store/ItemTable.js"
import type { OrderRead, OrderRow } from "../store/OrderTable.js"
import { nameOf, paymentNameOf, type PaymentRow, type Terms } from "../store/PaymentTable.js"
import { amountsOf } from "./PaymentAmounts.js"
import type { ChangedOrder, Order } from "../model/Order.js"
import { hasMoney, isMoneyLeft, progressOf } from "./PaymentProgress.js"

type PresentOrder = Exclude<Order, ChangedOrder>

/** An order of the shop with its payments. */
export type OrderWithPayments = OrderRead<PaymentRow>

/**
 * The payment that decides the order's status: the one that the shop was notified of while its money is there; else one
 * that can or may be paid; else the last one. Lost payments and payments that the ledger does not know are ignored.
 */
export const presentOf = ({ order, payments }: OrderWithPayments): PaymentRow | undefined => {
  const own = payments.filter(({ status }) => status !== "unknown" && status !== "lost")
  const reported = own.find(({ payment_id }) => payment_id !== null && payment_id === order.payment_id)
  if (isMoneyLeft(order.status)) return reported ?? own.find(hasMoney)
  return (
    own.find(({ status }) => status === "inDoubt") ??
    own.find(({ offered }) => offered !== null) ??
    reported ??
    own.findLast((row) => progressOf(row) === "open") ??
    own.at(-1)
  )
}

/**
 * The payment that decides the order's status. As long as a payment has arrived that the ledger does not know, that one
 * decides.
 */
export const standingOf = (read: OrderWithPayments): PaymentRow | undefined =>
  (isMoneyLeft(read.order.status) ? undefined : read.payments.find((row) => hasItem(row, "UnknownPayment"))) ??
  presentOf(read)

/**
 * The status of an order of which at least this much is refunded, in minor units. `undefined` if it has no payment and
 * is not withdrawn.
 */
export const standsAs = (read: OrderWithPayments, refundedAtLeast = 0): PresentOrder | undefined => {
  const row = standingOf(read)
  if (!isWithdrawn(read.order)) return row && orderOf(row, refundedAtLeast)
  const present = row && orderOf(row)
  if (present?.status === "inDoubt") return present
  if (read.payments.some(isCharging)) return pendingOf(read.order.order_number)
  const { paymentId, reference } = present ?? {}
  return {
    status: "withdrawn",
    orderNumber: read.order.order_number,
    ...withoutUndefined({ reference, paymentId }),
    message: "The order was withdrawn."
  }
}

/** Whether a payment with a stored card is in flight: the card may be charged even if the shop no longer wants that. */
export const isCharging = ({ needs_payer, status }: PaymentRow): boolean => status === "creating" && needs_payer === 0

const pendingOf = (orderNumber: string) => ({
  status: "pending" as const,
  orderNumber,
  message: "Its payment is being created."
})

/** Whether an order is withdrawn, and no money has come for it. */
export const isWithdrawn = ({ status, withdrawn_at }: OrderRow): boolean =>
  withdrawn_at !== null && (status === "open" || status === "closed")

/** The order as its payment has left it, with at least this much refunded, in minor units. */
export const orderOf = (row: PaymentRow, refundedAtLeast = 0): PresentOrder => {
  const { gw_url, offered, order_number: orderNumber, payment_id, reference, status } = row
  const own = { orderNumber, ...(reference === null ? undefined : { reference }) }
  const paymentId = payment_id === null ? undefined : { paymentId: Number(payment_id) }
  if (status === "unknown") {
    const message = `Payment ${payment_id} of it was paid, and the ledger does not know it. See adoptPayment.`
    return { status: "inDoubt", ...own, ...paymentId, message }
  }
  if (status === "creating") return { ...pendingOf(orderNumber), ...own }
  const progress = progressOf(row)
  if (paymentId === undefined || progress === undefined) {
    const message =
      "Its payment was sent with a stored card, or may have been, and whether the gateway took it is not known."
    return { status: "inDoubt", ...own, message }
  }
  const details = { ...own, ...paymentId }
  switch (progress) {
    case "open":
      if (isExpired(row) || offered === null || gw_url === null) {
        return { status: "expired", ...details, message: "Its payment is no longer offered, and is not closed." }
      }
      return { status: "open", ...details, gwUrl: gw_url, message: "Its payment waits for the payer." }
    case "closed":
      return { status: "closed", ...details, message: `Its payment is ${row.state}.` }
    case "authorized":
    case "paid":
    case "partiallyRefunded":
    case "refunded": {
      const amounts = amountsOf(row, progress, Math.max(row.refunded, refundedAtLeast))
      if (refundedAtLeast <= row.refunded) {
        return { status: progress, ...details, ...amounts, message: `Its payment is ${row.state}.` }
      }
      const { amount, isUpperBound } = amounts.refundable
      const returned = amount === 0 && !isUpperBound ? "refunded" : "partiallyRefunded"
      const message = `Its payment was ${row.state} when it was read last. The ledger has refunded ${refundedAtLeast} of it.`
      return { status: returned, ...details, ...amounts, message }
    }
  }
}

/** Whether the address of its pay page is no longer given out. */
export const isExpired = ({ now, pay_until }: PaymentRow): boolean => pay_until !== null && pay_until <= now

export const matchesRequest = ({ terms }: PaymentRow, asked: Terms): boolean => canonical(terms) === canonical(asked)

const canonical = ({ amount, currency, preauthorization = false, recurrence }: Terms): string => {
  const { recurrence_cycle, recurrence_date_to, recurrence_period } = recurrence ?? {}
  return JSON.stringify([amount, currency, preauthorization, recurrence_cycle, recurrence_period, recurrence_date_to])
}

/** The order if the terms asked for differ from those of its payment. */
export const changedOf = (row: PaymentRow): ChangedOrder => {
  const { amount, currency } = row.terms
  const present = orderOf(row)
  const { orderNumber, paymentId, reference } = present
  const message = `It has a payment of other terms: ${amount} ${currency} in minor units.`
  const known = withoutUndefined({ reference, paymentId })
  return { status: "changed", orderNumber, ...known, present, amount, currency, message }
}

export const itemOf = (row: PaymentRow, item: SeenItem): AttentionItem => ({
  ...item,
  key: nameOf(row),
  orderNumber: row.order_number,
  ...(row.payment_id === null ? undefined : { paymentId: Number(row.payment_id) }),
  operation: "createPayment",
  amount: row.terms.amount,
  decisions: paymentDecisionsFor(item.kind),
  since: new Date(row.created_at).toISOString()
})

/** The list entries of the items of payments. */
export const itemsOf = listed(itemOf, ({ raw, seq }) => ({
  key: paymentNameOf(String(raw["order_number"]), seq),
  orderNumber: String(raw["order_number"]),
  operation: "createPayment"
}))
