/**
 * Settings of the local gateway, for behaviour that varies at the real one, or on which sources are silent or
 * contradict each other. They are plain data, the same in code, in a seed file, on the control API and on the
 * dashboard.
 */

/**
 * The course of an operation: done or failed at once, or accepted, to be done or to fail later. The response says
 * `FINISHED`, `FAILED` or `ACCEPTED`.
 *
 * @category local gateway
 */
export type OperationCourse = "finished" | "failed" | "acceptedThenFinished" | "acceptedThenFailed"

/**
 * The fate of a recurrence's further payments.
 *
 * @category local gateway
 */
export type RecurrenceChild = "paid" | "declined" | "pending"

/**
 * When the shop is notified, relative to the payer's return.
 *
 * @category local gateway
 */
export type NotificationTiming = "notificationFirst" | "returnFirst" | "whilePending" | "never"

/**
 * Settings of the local gateway. Times are in seconds.
 *
 * @category local gateway
 */
export interface LocalGatewaySettings {
  /** Whether items that do not sum to the amount are refused with 360. Default: `"ignored"`. */
  readonly itemsSum: "ignored" | "checked"
  /**
   * Whether orders must have all that the documentation requires, though it is not known that GoPay insists: an amount
   * above 0, `order_description` and `items` of a charge, `items` of a partial capture. Default: `"lenient"`.
   */
  readonly orderChecks: "lenient" | "documented"
  /** Whether a token of scope `payment-create` is refused (403, 200) all but `createPayment`. Default: `"ignored"`. */
  readonly scopes: "ignored" | "enforced"
  /** Status with which an expired or unknown token is refused; the code is 200. Default: 403. */
  readonly refusedTokenStatus: 401 | 403
  /** Lifetime of a token. Default: 1800, as recorded. */
  readonly tokenLifetimeSeconds: number
  /** Whether JSON that escapes characters as `\uXXXX` gets a firewall's 403, an HTML page. Default: `"accepted"`. */
  readonly unicodeEscapes: "accepted" | "refused"
  /**
   * What becomes of an amount that is a JSON number with a fraction, such as the 1998.9999999999998 that `19.99 * 100`
   * is in PHP and JavaScript: it is `"rounded"` (the default) or `"cut"`, with a warning in the log, or `"refused"` with
   * 111. GoPay's own plugins send such amounts; what GoPay does with them is unknown. Text is always refused.
   */
  readonly fractionalAmounts: "rounded" | "cut" | "refused"
  /**
   * Whether a capture whose JSON body is exactly `null` or `{}` captures all, with a warning in the log, as one with an
   * empty body does. Clients of others send it; what GoPay does is unknown. Default: `"accepted"`.
   */
  readonly jsonFullCapture: "accepted" | "refused"
  /**
   * How responses give back the shop's texts: as they were sent (`"asSent"`, the default), or with `&`, `<`, `>` and
   * quotes as HTML entities, such as `&#34;`, in the values of `additional_params` (`"encodedParams"`) or in
   * `order_number`, too (`"encoded"`). A client's authors saw the first of the two at the sandbox; of `order_number` it
   * is unknown.
   */
  readonly textEcho: "asSent" | "encodedParams" | "encoded"
  /** `lang` of a payment whose order has none. Default: `"EN"`. */
  readonly defaultLanguage: "CS" | "EN" | "SK" | "DE" | "PL" | "HU" | "RO"
  /** Time to choose a method before the payment is `TIMEOUTED`. Default: 43200, the 12 hours of GoPay's help. */
  readonly timeToPaySeconds: number
  /**
   * Time to pay from the choice of the card as the method. Default: 3600. GoPay's help says that cards have the
   * shortest time and transfers the longest, and not how long these are.
   */
  readonly timeToPayByCardSeconds: number
  /** Time to pay from the choice of a bank transfer. Default: 432000, which is 5 days. */
  readonly timeToPayByTransferSeconds: number
  /** Time to pay from the choice of any other method. Default: 43200, which is 12 hours. */
  readonly timeToPayOtherwiseSeconds: number
  /** Time for which an authorized amount is held. Default: 345600, which is 4 days. */
  readonly authorizationLifetimeSeconds: number
  /**
   * Effect of a declined attempt on the pay page: the payer may try again (`"allowsRetry"`, the default), or the
   * payment is `CANCELED` at once (`"cancelsPayment"`).
   */
  readonly declinedAttempt: "allowsRetry" | "cancelsPayment"
  /** End of `refundPayment`. Default: `"finished"`. */
  readonly refund: OperationCourse
  /** End of captures. Default: `"finished"`. */
  readonly capture: OperationCourse
  /** End of `voidAuthorization`. Default: `"finished"`. */
  readonly voidAuthorization: OperationCourse
  /** End of `voidRecurrence`. Default: `"finished"`. */
  readonly voidRecurrence: OperationCourse
  /** Time from `ACCEPTED` until the operation is done or fails. Default: 60. */
  readonly timeToProcessSeconds: number
  /** Time after the payment during which a part of it cannot be refunded (330). Default: 0; sources say 86400. */
  readonly partialRefundDelaySeconds: number
  /**
   * Time after the payment from which it is refunded no more, whatever its state (331). Default: 31536000, a year: the
   * expectations of two official SDKs about one payment, 2023 and 2024. A card of the payer may be out of reach
   * earlier.
   */
  readonly refundableForSeconds: number
  /**
   * The refusal of a refund of an unknown payment: `"byCheckDigit"` (the default) with 111 on `id` when the id cannot
   * be a payment's, being no multiple of 13, else with 304; `"asField"` always with 111 on `id`.
   */
  readonly unknownRefund: "byCheckDigit" | "asField"
  /**
   * Whether a refund that is refused, of a payment that was paid, is listed all the same: `REQUESTED`, then `FAILED`
   * after `timeToProcessSeconds`. A test of GoPay's client for v4 says so; of v3 it is unknown. Default: `"unlisted"`.
   */
  readonly refusedRefund: "unlisted" | "listed"
  /** `amount` after a partial capture: the amount ordered (`"ordered"`, the default), or the amount captured. */
  readonly amountAfterCapture: "ordered" | "captured"
  /** Whether a recurrence whose first payment is not paid can be voided. Default: `"refused"`, with 340. */
  readonly voidUnpaidRecurrence: "refused" | "accepted"
  /**
   * Fate of a payment that a recurrence has brought about: it is charged at once (`"paid"`, the default), the card
   * is declined (`"declined"`), or nothing happens until you act as the payer (`"pending"`). The response
   * to `createRecurrence` says `CREATED` in every case; the next `getPayment` shows the outcome.
   */
  readonly recurrenceChild: RecurrenceChild
  /**
   * Whether a paid bank transfer shows the account that it came from. Default: `"shown"`; GoPay's own shop showed none.
   */
  readonly transferAccount: "shown" | "omitted"
  /** Content type of a statement: `application/octet-stream` (`"binary"`, the default), or the format's own. */
  readonly statementContentType: "binary" | "ofFormat"
  /** Encoding of CSV statements. Default: `"windows-1250"`. */
  readonly statementEncoding: "utf-8" | "windows-1250"
  /**
   * When the account is cleared, at midnight in Prague: all that was booked is paid out, less the fee. Statements are
   * written as if the setting had always been so. Default: `"never"`.
   */
  readonly clearings: "never" | "daily" | "weekly" | "monthly"
  /** What a clearing keeps of each payment, in hundredths of a percent: 190 is 1.9 %. Default: 0. */
  readonly paymentFeeBasisPoints: number
  /** What is booked beside each refund, in minor units. Default: 0. */
  readonly refundFee: number
  /**
   * The payer's behaviour after paying on the pay page: returns after the shop was notified (`"notificationFirst"`),
   * before it (`"returnFirst"`), while the payment is still `PAYMENT_METHOD_CHOSEN` (`"whilePending"`), or `"never"`.
   * Default: `"varied"`, one of these by the seed of the random generator.
   */
  readonly notificationTiming: NotificationTiming | "varied"
  /** Lead of the payer over the notification, or over the payment's state, when they return first. Default: 3. */
  readonly returnLeadSeconds: number
  /** Attempts to deliver a notification: it is delivered once the shop responds with 200. Default: 20. */
  readonly notificationAttempts: number
  /** The pause before a notification is repeated; it doubles each time. Default: 60. */
  readonly notificationRetryDelaySeconds: number
  /** The longest pause between two attempts. Default: 3600. */
  readonly notificationMaxRetryDelaySeconds: number
  /** Time limit of each attempt. Default: 10. */
  readonly notificationTimeoutSeconds: number
  /** Delay between the change of state and its notification. Default: 0. */
  readonly notificationDelaySeconds: number
  /** Copies of each notification: 0 drops it, 2 duplicates it. Default: 1. */
  readonly notificationCopies: number
  /** Whether notifications that wait at the same time are sent last come first. Default: `"inOrder"`. */
  readonly notificationOrder: "inOrder" | "reversed"
  /** Whether the notification of a recurrence's further payment says `parent_id`. Default: `"sent"`. */
  readonly notificationParentId: "sent" | "omitted"
  /** Hosts beside loopback that may be notified, such as `shop.test` or `shop.test:8080`. Default: none. */
  readonly notificationHosts: ReadonlyArray<string>
}

/**
 * Settings to change: those that are named.
 *
 * @category local gateway
 */
export type SettingsChange = Partial<LocalGatewaySettings>

/**
 * The settings that a local gateway begins with.
 *
 * @category local gateway
 */
export const defaultSettings: LocalGatewaySettings = {
  itemsSum: "ignored",
  orderChecks: "lenient",
  scopes: "ignored",
  refusedTokenStatus: 403,
  tokenLifetimeSeconds: 1800,
  unicodeEscapes: "accepted",
  fractionalAmounts: "rounded",
  jsonFullCapture: "accepted",
  textEcho: "asSent",
  defaultLanguage: "EN",
  timeToPaySeconds: 12 * 3600,
  timeToPayByCardSeconds: 3600,
  timeToPayByTransferSeconds: 5 * 24 * 3600,
  timeToPayOtherwiseSeconds: 12 * 3600,
  authorizationLifetimeSeconds: 4 * 24 * 3600,
  declinedAttempt: "allowsRetry",
  refund: "finished",
  capture: "finished",
  voidAuthorization: "finished",
  voidRecurrence: "finished",
  timeToProcessSeconds: 60,
  partialRefundDelaySeconds: 0,
  refundableForSeconds: 365 * 24 * 3600,
  unknownRefund: "byCheckDigit",
  refusedRefund: "unlisted",
  amountAfterCapture: "ordered",
  voidUnpaidRecurrence: "refused",
  recurrenceChild: "paid",
  transferAccount: "shown",
  statementContentType: "binary",
  statementEncoding: "windows-1250",
  clearings: "never",
  paymentFeeBasisPoints: 0,
  refundFee: 0,
  notificationTiming: "varied",
  returnLeadSeconds: 3,
  notificationAttempts: 20,
  notificationRetryDelaySeconds: 60,
  notificationMaxRetryDelaySeconds: 3600,
  notificationTimeoutSeconds: 10,
  notificationDelaySeconds: 0,
  notificationCopies: 1,
  notificationOrder: "inOrder",
  notificationParentId: "sent",
  notificationHosts: []
}

/**
 * The settings under which the local gateway refuses all that GoPay is said to refuse, unless GoPay's own material
 * contradicts it: for tests of a shop, where a false alarm costs less than a surprise. Without them such a call is
 * accepted, and the log has a warning about it.
 *
 * - orders have all that the documentation requires (110, 111);
 * - JSON with `\uXXXX` escapes meets a firewall (403, by an official client);
 * - a part of a payment is refunded after a day only (330; a shop plugin and the README of newer clients).
 *
 * Items that do not sum to the amount (`itemsSum`), and a token of scope `payment-create` that does more than create
 * (`scopes`), are only warned of: tests of GoPay's clients do both.
 *
 * @category local gateway
 */
export const strictSettings = {
  orderChecks: "documented",
  unicodeEscapes: "refused",
  partialRefundDelaySeconds: 24 * 3600
} as const satisfies SettingsChange
