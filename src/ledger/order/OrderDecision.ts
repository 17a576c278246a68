/**
 * What a payment that moves makes of its order. Nothing here reads or writes.
 */
import type { OrderState } from "../store/OrderTable.js"
import { isMoneyLeft, type Progress } from "./PaymentProgress.js"

/** A payment of an order, as far as it matters to the order. */
export interface OrderPayment extends Pick<OrderState, "payment_id" | "refunded"> {
  /** `undefined` while it is not known whether it exists. */
  readonly progress: Progress | undefined
  /** Whether it is the one that the shop asked for last, and that it offers. */
  readonly isOffered: boolean
}

/**
 * How the order stands when a payment of it has moved, by its other payments:
 *
 * - It stands by the payment that was reported first to have its money, until nothing is left there, then by another with money.
 * - After it was refunded, money counts that comes by a payment which the shop has asked for since; other money does not.
 * - It is closed only when no other payment of it can be paid. What was held and is released is reported at once, whatever
 *   else can be paid: the shop believes that it has the money.
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

/** Whether two states are reported in the same way. */
export const isSameState = (one: OrderState, other: OrderState): boolean =>
  one.status === other.status && one.refunded === other.refunded && one.payment_id === other.payment_id

const standingBy = ({ payment_id, progress, refunded }: OrderPayment, order: OrderState): OrderState =>
  progress === undefined ? order : { status: progress, refunded, payment_id }
