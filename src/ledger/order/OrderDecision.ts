/**
 * Decides the state of an order from a payment that moves. Nothing here reads or writes.
 */
import type { OrderState } from "../store/OrderTable.js"
import { isMoneyLeft, type Progress } from "./PaymentProgress.js"

/** The facts about a payment that matter to its order. */
export interface OrderPayment extends Pick<OrderState, "payment_id" | "refunded"> {
  /** `undefined` while it is unknown whether the payment exists. */
  readonly progress: Progress | undefined
  /** Whether it is the payment that the shop asked for last and offers. */
  readonly isOffered: boolean
}

/**
 * The state of an order after one of its payments has moved, in view of its other payments:
 *
 * - The first payment that was reported to have its money decides, until none of it is left; then another payment with
 *   money. - After a refund of the order, new money counts only if it comes by a payment that the shop has asked for
 *   since. - The order is closed only when none of its other payments can be paid. A hold that is released is reported
 *   at once, even if another payment can be paid, since the shop believes that it has the money.
 */
export const decideOrder = (
  order: OrderState,
  moved: OrderPayment,
  others: ReadonlyArray<OrderPayment>
): OrderState => {
  const isStanding = order.payment_id === moved.payment_id
  const hadMoney = isMoneyLeft(order.status)
  if (hadMoney && !isStanding) return order
  if (isMoneyLeft(moved.progress)) {
    return order.status === "refunded" && !isStanding && !moved.isOffered ? order : standingBy(moved, order)
  }
  const withMoney = hadMoney ? others.filter(({ progress }) => isMoneyLeft(progress)) : []
  const next = withMoney.find(({ progress }) => progress !== "authorized") ?? withMoney[0]
  if (next !== undefined) return standingBy(next, order)
  if (order.status === "refunded" && !isStanding) return order
  const isPayable = !hadMoney && others.some(({ progress }) => progress === "open")
  return moved.progress === "open" || (moved.progress === "closed" && isPayable) ? order : standingBy(moved, order)
}

/** Whether two states are reported alike. */
export const isSameState = (one: OrderState, other: OrderState): boolean =>
  one.status === other.status && one.refunded === other.refunded && one.payment_id === other.payment_id

const standingBy = ({ payment_id, progress, refunded }: OrderPayment, order: OrderState): OrderState =>
  progress === undefined ? order : { status: progress, refunded, payment_id }
