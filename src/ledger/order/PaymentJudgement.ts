/**
 * Whether a payment, as the gateway shows it, is the one that was asked for. Notifications, returns of payers and the sweep
 * judge by this alone.
 */
import { canonicalId } from "../../contract/CanonicalId.js"
import { isEchoOf } from "../../contract/EchoedText.js"
import type { GatewayId, PaymentResponse } from "../../contract/Messages.js"
import type { PaymentDifference } from "../../client/notification/Notification.js"
import type { PaymentRow } from "./PaymentRow.js"

/** What a payment is compared with, beside its row. */
export interface Expected {
  readonly goid: GatewayId
  /** The amounts, in minor units, that the ledger's own partial captures of the payment were sent with. */
  readonly captured: ReadonlyArray<number>
}

/** The part of a payment that is compared. A gateway may leave out any of it. */
type Shown = Pick<Partial<PaymentResponse>, "amount" | "currency" | "order_number" | "target">

/**
 * The fields in which a payment is another one than was asked for. What the gateway does not show proves nothing; order
 * numbers are compared as `isEchoOf` does; after a partial capture of the ledger's own the ordered and the captured amount
 * are both right.
 */
export const differencesIn = (
  { order_number: orderNumber, terms }: Pick<PaymentRow, "order_number" | "terms">,
  { amount, currency, order_number, target }: Shown,
  { captured, goid }: Expected
): ReadonlyArray<PaymentDifference> => {
  const isAmount = amount === undefined || amount === terms.amount || captured.includes(amount)
  const isGoid = target?.goid === undefined || canonicalId(target.goid) === canonicalId(goid)
  const isNumber = order_number === undefined || orderNumber === "" || isEchoOf(orderNumber, order_number)
  return [
    ...(isGoid ? [] : [{ field: "goid" as const, expected: goid, actual: target?.goid }]),
    ...(isNumber ? [] : [{ field: "order_number" as const, expected: orderNumber, actual: order_number }]),
    ...(isAmount ? [] : [{ field: "amount" as const, expected: terms.amount, actual: amount }]),
    ...(currency === undefined || currency === terms.currency
      ? []
      : [{ field: "currency" as const, expected: terms.currency, actual: currency }])
  ]
}

/** The differences in words, the same for each read that shows them. */
export const sentenceOf = (differences: ReadonlyArray<PaymentDifference>): string =>
  `The gateway shows another payment than was asked for: ${differences
    .map(({ actual, expected, field }) => `${field} ${String(actual)} in place of ${String(expected)}`)
    .join(", ")}.`
