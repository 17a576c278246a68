/**
 * The amounts of a payment, by its row: the one place that says what is held, captured and refundable.
 */
import type { PaymentAmounts } from "../model/Order.js"
import type { Progress } from "./PaymentProgress.js"
import type { PaymentRow } from "../store/PaymentTable.js"

/** The amounts of a payment that has come so far, of which so much is refunded. */
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

/** What a payment has of the payer's money, held or captured and not returned; at most, where it is not known. */
export const moneyIn = ({ held, refundable }: PaymentAmounts): number => held + refundable.amount
