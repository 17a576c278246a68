/**
 * Ids of API v4: digits as text. They are kept unchanged, and never become numbers.
 */
import type { PaymentIdV4, RecurrenceIdV4, RefundIdV4 } from "./MessagesV4.js"

export const notAnIdV4 = "must be an id of API v4: its digits as text"

/** Whether a value can be an id of API v4. Leading zeros make another one: it is text. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the kinds of ids differ in their types only
export const isIdV4 = <Id extends string>(value: unknown): value is Id =>
  typeof value === "string" && /^\d{1,40}$/.test(value)

const idOf =
  <Id extends string>(what: string) =>
  (text: string): Id => {
    if (!isIdV4<Id>(text)) throw new TypeError(`${what}: ${notAnIdV4}`)
    return text
  }

/**
 * The id of a payment of API v4, from a stored text.
 *
 * @throws TypeError when it is not digits as text
 */
export const paymentIdV4: (text: string) => PaymentIdV4 = /* @__PURE__ */ idOf<PaymentIdV4>("paymentIdV4")

/**
 * The id of a refund of API v4, from a stored text.
 *
 * @throws TypeError when it is not digits as text
 */
export const refundIdV4: (text: string) => RefundIdV4 = /* @__PURE__ */ idOf<RefundIdV4>("refundIdV4")

/**
 * The id of a recurrence of API v4, from a stored text.
 *
 * @throws TypeError when it is not digits as text
 */
export const recurrenceIdV4: (text: string) => RecurrenceIdV4 = /* @__PURE__ */ idOf<RecurrenceIdV4>("recurrenceIdV4")
