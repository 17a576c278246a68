/**
 * What the local gateway can be told to do otherwise: where sources about the real one disagree or are silent, and where
 * its behaviour varies. All of it is plain data, the same in code, in a seed file, on the control API and on the dashboard.
 *
 * This module imports nothing, so that declarations without Effect can name it; `SettingsSchema` checks.
 */

/**
 * How an operation ends: at once, done or failed; or taken, to be done or to fail later. The answer says `FINISHED`,
 * `FAILED`, or `ACCEPTED`.
 */
export type OperationResult = "finished" | "failed" | "acceptedThenFinished" | "acceptedThenFailed"

/** What becomes of a recurrence's further payments once they are created. */
export type RecurrenceChild = "paid" | "declined" | "pending"

/** When the payer comes back to the shop, and whether the shop has been notified by then. */
export type ReturnOrder = "notificationFirst" | "returnFirst" | "whilePending" | "never"

/** Settings of the local gateway. Times are in seconds. */
export interface Settings {
  /** Whether items that do not sum to the amount are refused with 360. Default: `"ignored"`. */
  readonly itemsSum: "ignored" | "checked"
  /** Whether a token of scope `payment-create` is refused (403, 200) all but `createPayment`. Default: `"ignored"`. */
  readonly scopes: "ignored" | "enforced"
  /** Status of the answer to an expired or unknown token; its code is 200. Default: 403. */
  readonly refusedTokenStatus: 401 | 403
  /** How long a token holds. Default: 1800, as recorded. */
  readonly tokenLifetime: number
  /** Whether JSON that escapes characters as `\uXXXX` gets a firewall's 403, an HTML page. Default: `"accepted"`. */
  readonly unicodeEscapes: "accepted" | "refused"
  /** What `lang` of a payment is when the order has none. Default: `"EN"`. */
  readonly defaultLanguage: "CS" | "EN" | "SK" | "DE" | "PL" | "HU" | "RO"
  /** How long the payer has to pay before the payment is `TIMEOUTED`. Default: 43200, which is 12 hours. */
  readonly timeToPay: number
  /** How long an authorized amount is held. Default: 345600, which is 4 days. */
  readonly authorizationLifetime: number
  /**
   * What a declined attempt on the pay page does: the payer may try again (`"allowsRetry"`, the default), or the payment
   * is `CANCELED` at once (`"cancelsPayment"`).
   */
  readonly declinedAttempt: "allowsRetry" | "cancelsPayment"
  /** How `refundPayment` ends. Default: `"finished"`. */
  readonly refund: OperationResult
  /** How captures end. Default: `"finished"`. */
  readonly capture: OperationResult
  /** How `voidAuthorization` ends. Default: `"finished"`. */
  readonly voidAuthorization: OperationResult
  /** How `voidRecurrence` ends. Default: `"finished"`. */
  readonly voidRecurrence: OperationResult
  /** How long after the answer `ACCEPTED` an operation is done or fails. Default: 60. */
  readonly timeToProcess: number
  /** How long after the payment a part of it cannot be refunded yet (330). Default: 0; a source says 86400. */
  readonly partialRefundDelay: number
  /**
   * How a refund of an unknown payment is refused: `"byCheckDigit"` (the default) with 111 on `id` when the id cannot be a
   * payment's, being no multiple of 13, else with 304; `"asField"` always with 111 on `id`.
   */
  readonly unknownRefund: "byCheckDigit" | "asField"
  /** What `amount` says after a partial capture: what was ordered (`"ordered"`, the default), or what was captured. */
  readonly amountAfterCapture: "ordered" | "captured"
  /** Whether a recurrence whose first payment is not paid can be voided. Default: `"refused"`, with 340. */
  readonly voidUnpaidRecurrence: "refused" | "accepted"
  /**
   * What becomes of a payment that a recurrence has brought about: it is charged at once (`"paid"`, the default), the card
   * is declined (`"declined"`), or nothing happens until you act as the payer (`"pending"`). The answer to
   * `createRecurrence` says `CREATED` in every case; the next `getPayment` tells.
   */
  readonly recurrenceChild: RecurrenceChild
  /** Content type of a statement: `application/octet-stream` (`"binary"`, the default), or the format's own. */
  readonly statementContentType: "binary" | "ofFormat"
  /** Encoding of CSV statements; ABO is always windows-1250. Default: `"utf-8"`. */
  readonly statementEncoding: "utf-8" | "windows-1250"
  /**
   * What the payer does after paying on the pay page: returns after the shop was notified (`"notificationFirst"`), before
   * it (`"returnFirst"`), while the payment is still `PAYMENT_METHOD_CHOSEN` (`"whilePending"`), or `"never"`. Default:
   * `"varied"`, one of these by the seed of the random generator.
   */
  readonly returnOrder: ReturnOrder | "varied"
  /** How long the payer is ahead of the notification, or of the payment's state, when they return first. Default: 3. */
  readonly returnLead: number
  /** How often a notification is sent until it is answered with 200. Default: 20. */
  readonly notificationAttempts: number
  /** The pause before a notification is repeated; it doubles each time. Default: 60. */
  readonly notificationRetryDelay: number
  /** The longest pause between two attempts. Default: 3600. */
  readonly notificationMaxRetryDelay: number
  /** How long a receiver may take to answer. Default: 10. */
  readonly notificationTimeout: number
  /** How long after the change of state a notification is sent. Default: 0. */
  readonly notificationDelay: number
  /** How often each notification is delivered: 0 drops it, 2 duplicates it. Default: 1. */
  readonly notificationCopies: number
  /** Whether notifications that wait at the same time are sent last come first. Default: `"inOrder"`. */
  readonly notificationOrder: "inOrder" | "reversed"
  /** Whether the notification of a recurrence's further payment says `parent_id`. Default: `"sent"`. */
  readonly notificationParentId: "sent" | "omitted"
  /** Hosts beside loopback that may be notified, such as `shop.test` or `shop.test:8080`. Default: none. */
  readonly notificationHosts: ReadonlyArray<string>
}

/** Settings to change: those that are named. */
export type SettingsChange = Partial<Settings>

/** The settings that a local gateway begins with. */
export const defaultSettings: Settings = {
  itemsSum: "ignored",
  scopes: "ignored",
  refusedTokenStatus: 403,
  tokenLifetime: 1800,
  unicodeEscapes: "accepted",
  defaultLanguage: "EN",
  timeToPay: 12 * 3600,
  authorizationLifetime: 4 * 24 * 3600,
  declinedAttempt: "allowsRetry",
  refund: "finished",
  capture: "finished",
  voidAuthorization: "finished",
  voidRecurrence: "finished",
  timeToProcess: 60,
  partialRefundDelay: 0,
  unknownRefund: "byCheckDigit",
  amountAfterCapture: "ordered",
  voidUnpaidRecurrence: "refused",
  recurrenceChild: "paid",
  statementContentType: "binary",
  statementEncoding: "utf-8",
  returnOrder: "varied",
  returnLead: 3,
  notificationAttempts: 20,
  notificationRetryDelay: 60,
  notificationMaxRetryDelay: 3600,
  notificationTimeout: 10,
  notificationDelay: 0,
  notificationCopies: 1,
  notificationOrder: "inOrder",
  notificationParentId: "sent",
  notificationHosts: []
}
