/**
 * The amounts of a payment, from its row: the one place that decides what is held, captured and refundable.
 */
import type { PaymentAmounts } from "../model/Order.js"
import type { Progress } from "./PaymentProgress.js"
import type { PaymentRow } from "../store/PaymentTable.js"

/** The amounts of a payment with this progress, of which `refunded` is refunded. */
export const amountsOf = (
  { captured, terms: { amount, preauthorization } }: Pick<PaymentRow, "captured" | "terms">,
  progress: Progress | undefined,
  refunded: number
): PaymentAmounts => {
  switch (progress) {
    case undefined:
    case "open":
    case "closed":
      return { held: 0, captured: 0, refunded, refundable: { amount: 0, isUpperBound: false } }
    case "authorized":
      return { held: amount, captured: 0, refunded, refundable: { amount: 0, isUpperBound: false } }
    case "paid":
    case "partiallyRefunded":
    case "refunded": {
      const isUpperBound = preauthorization === true && captured === null
      const taken = captured ?? amount
      return {
        held: 0,
        captured: isUpperBound ? "unknown" : taken,
        refunded,
        refundable: { amount: progress === "refunded" ? 0 : Math.max(0, taken - refunded), isUpperBound }
      }
    }
  }
}

/** The payer's money in a payment, held or captured and not returned. The upper bound if it is not known exactly. */
export const moneyIn = ({ held, refundable }: PaymentAmounts): number => held + refundable.amount
