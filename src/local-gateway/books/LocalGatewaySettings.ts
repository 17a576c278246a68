/**
 * Settings of the local gateway, for behaviour that varies at the real one, or on which sources are silent or
 * contradict each other. They are plain data, the same in code, in a seed, on the control API and on the
 * dashboard.
 *
 * Each setting is declared once, in the table. Its type, its check, its field on the dashboard, its line in the
 * command's help and its row in the documentation are made from it; so is its declaration, by the build.
 */
import { aDay, anHour, choice, type Parameter, seconds, texts, wholeNumber } from "./Parameter.js"

/** The texts about a setting. */
interface SettingText {
  /** Its meaning, in a sentence. */
  readonly meaning: string
  /** Further information. */
  readonly more: string
}

/** A setting. @internal */
export type Setting = SettingText & Parameter

const setting = <P extends Parameter>(parameter: P, meaning: string, more = ""): SettingText & P => ({
  meaning,
  more,
  ...parameter
})

const course = choice(["finished", "failed", "acceptedThenFinished", "acceptedThenFailed"], "finished")

/** The settings by group, in the order in which they are shown. @internal */
export const settingGroups = {
  Payments: {
    timeToPaySeconds: setting(
      seconds(1, 12 * anHour),
      "Time to choose a method; then the payment is `TIMEOUTED`.",
      "The default is the 12 hours of GoPay's help."
    ),
    timeToPayByCardSeconds: setting(
      seconds(1, anHour),
      "Time to pay from the choice of the card.",
      "GoPay's help says that cards have the shortest time and transfers the longest, and not how long these are."
    ),
    timeToPayByTransferSeconds: setting(seconds(1, 5 * aDay), "Time to pay from the choice of a bank transfer."),
    timeToPayOtherwiseSeconds: setting(seconds(1, 12 * anHour), "Time to pay from the choice of any other method."),
    authorizationLifetimeSeconds: setting(seconds(1, 4 * aDay), "Time for which an authorized amount is held."),
    declinedAttempt: setting(
      choice(["allowsRetry", "cancelsPayment"], "allowsRetry"),
      "Whether the payer may try again after a declined attempt on the pay page.",
      "With `cancelsPayment` the payment is `CANCELED` at once."
    ),
    itemsSum: setting(
      choice(["ignored", "checked"], "ignored"),
      "Whether items that do not sum to the amount are refused with 360."
    ),
    orderChecks: setting(
      choice(["lenient", "documented"], "lenient"),
      "Whether orders must have all that the documentation requires.",
      "It is not known that GoPay insists: on an amount above 0, `order_description` and `items` of a charge, `items` of a partial capture."
    ),
    defaultLanguage: setting(
      choice(["CS", "EN", "SK", "DE", "PL", "HU", "RO"], "EN"),
      "The `lang` of a payment whose order has none."
    ),
    transferAccount: setting(
      choice(["shown", "omitted"], "shown"),
      "Whether a paid bank transfer shows the account that it came from.",
      "GoPay's own shop showed none."
    ),
    fractionalAmounts: setting(
      choice(["rounded", "cut", "refused"], "rounded"),
      "What becomes of an amount with a fraction, such as that of `19.99 * 100`.",
      "It is rounded or cut with a warning in the log, or refused with 111, as one in text is. GoPay's own plugins send such numbers; what GoPay does is unknown."
    ),
    jsonFullCapture: setting(
      choice(["accepted", "refused"], "accepted"),
      "Whether a capture whose JSON body is `null` or `{}` captures all.",
      "Accepted, it comes with a warning in the log. Clients of others send it; what GoPay does is unknown."
    ),
    textEcho: setting(
      choice(["asSent", "encodedParams", "encoded"], "asSent"),
      "Whether `additional_params`, or `order_number` too, come back HTML-encoded.",
      "Then `&`, `<`, `>` and quotes are entities (`&#34;`). A client's authors saw `additional_params` so at the sandbox; of `order_number` it is unknown."
    ),
    unicodeEscapes: setting(
      choice(["accepted", "refused"], "accepted"),
      "Whether JSON with `\\uXXXX` escapes is refused with a firewall's 403, an HTML page."
    )
  },
  "The payer's return": {
    notificationTiming: setting(
      choice(["notificationFirst", "returnFirst", "whilePending", "never", "varied"], "varied"),
      "Whether the payer returns to the shop before or after the notification.",
      "Or while the payment is still `PAYMENT_METHOD_CHOSEN` (`whilePending`), or `never`; `varied` is one of these, by the seed of the random generator."
    ),
    returnLeadSeconds: setting(
      seconds(0, 3),
      "The payer's lead when they return first.",
      "Over the notification, or over the payment's new state."
    )
  },
  Notifications: {
    notificationAttempts: setting(wholeNumber(1, 1000, 20), "The most attempts until one is answered with 200."),
    notificationRetryDelaySeconds: setting(
      seconds(0, 60),
      "The pause before the second attempt; it doubles each time."
    ),
    notificationMaxRetryDelaySeconds: setting(seconds(0, anHour), "The longest pause between two attempts."),
    notificationTimeoutSeconds: setting(seconds(1, 10), "Time limit for the receiver's response."),
    notificationDelaySeconds: setting(seconds(0, 0), "The delay after a change of state."),
    notificationCopies: setting(wholeNumber(0, 10, 1), "Deliveries of each notification: 0 drops it, 2 duplicates it."),
    notificationOrder: setting(
      choice(["inOrder", "reversed"], "inOrder"),
      "The order in which notifications pending at the same time are sent."
    ),
    notificationParentId: setting(
      choice(["sent", "omitted"], "sent"),
      "Whether the notification of a charge has `parent_id`."
    ),
    notificationHosts: setting(
      texts,
      "Hosts besides loopback that may be notified, separated by commas.",
      "Such as `shop.test` or `shop.test:8080`."
    )
  },
  Operations: {
    refund: setting(
      course,
      "The result of `refundPayment`: at once, or accepted first.",
      "The response says `FINISHED`, `FAILED` or `ACCEPTED`."
    ),
    capture: setting(course, "The result of captures."),
    voidAuthorization: setting(course, "The result of `voidAuthorization`."),
    voidRecurrence: setting(course, "The result of `voidRecurrence`."),
    timeToProcessSeconds: setting(seconds(0, 60), "Time after `ACCEPTED` until an operation finishes or fails."),
    partialRefundDelaySeconds: setting(
      seconds(0, aDay),
      "Time after the payment during which it cannot be refunded in part.",
      "A part is refused with 330; all of it can be refunded at once. The default is the 24 hours of GoPay's plugins."
    ),
    refundableForSeconds: setting(
      seconds(1, 365 * aDay),
      "Time after the payment from which it is refunded no more (331).",
      "Whatever its state. The default is a year: the expectations of two official SDKs about one payment, 2023 and 2024. A card of the payer may be out of reach earlier."
    ),
    refusedRefund: setting(
      choice(["unlisted", "listed"], "unlisted"),
      "Whether a refund that is refused is listed all the same: `REQUESTED`, then `FAILED`.",
      "It fails after `timeToProcessSeconds`. A test of GoPay's client for v4 says so; of v3 it is unknown."
    ),
    unknownRefund: setting(
      choice(["byCheckDigit", "asField"], "byCheckDigit"),
      "The refusal of a refund of an unknown payment: by its id, or always on the field `id`.",
      "By its id: 304 for one that could be a payment's (a multiple of 13), else 111 on `id`. `asField` is always 111."
    ),
    amountAfterCapture: setting(
      choice(["ordered", "captured"], "ordered"),
      "The `amount` of a payment after a partial capture."
    )
  },
  Recurrences: {
    recurrenceChild: setting(
      choice(["paid", "declined", "pending"], "paid"),
      "The outcome of a recurrence's charges.",
      "`pending`: nothing happens until you act as the payer. The response to `createRecurrence` says `CREATED` in every case; the next `getPayment` shows the outcome."
    ),
    voidUnpaidRecurrence: setting(
      choice(["refused", "accepted"], "refused"),
      "Whether a recurrence can be voided while its first payment is unpaid.",
      "Refused with 340."
    )
  },
  Tokens: {
    tokenLifetimeSeconds: setting(seconds(1, 1800), "The lifetime of a token.", "The default is as recorded."),
    refusedTokenStatus: setting(
      choice([401, 403], 403),
      "Status of the response to an expired or unknown token.",
      "Its code is 200."
    ),
    scopes: setting(
      choice(["ignored", "enforced"], "ignored"),
      "Whether a token of scope `payment-create` allows nothing but `createPayment`.",
      "All else is refused with 403, code 200."
    )
  },
  "API v4": {
    v4Rows: setting(
      choice(["all", "sandbox2026"], "all"),
      "Which operations of API v4 are there: all that are built, or those of GoPay's sandbox in September 2026.",
      "There, by GoPay's tests, recurrences were refused with 404, cancelling with 405, a negative amount with 422."
    ),
    v4NotificationMethod: setting(
      choice(["POST", "GET"], "POST"),
      "How the shop is notified of a payment of API v4: POST with JSON, or GET.",
      "Either way the address has the id, too. A README of GoPay's says POST, and no source says with what."
    ),
    v4NotificationIdName: setting(
      choice(["id", "payment_id"], "id"),
      "The name of the payment's id in a notification of API v4.",
      "No source says it."
    ),
    v4Refund: setting(
      choice(["successAfterReads", "failedAfterReads", "successLater", "failedLater"], "successAfterReads"),
      "How a refund of API v4 ends, and when: with its second read, or after `timeToProcessSeconds`.",
      "Its own response says `REQUESTED`. `AfterReads` ends it after `timeToProcessSeconds`, too."
    )
  },
  Statements: {
    statementContentType: setting(
      choice(["binary", "ofFormat"], "binary"),
      "Content type of a statement: the general one, or the format's own.",
      "The general one is `application/octet-stream`."
    ),
    statementEncoding: setting(choice(["utf-8", "windows-1250"], "windows-1250"), "Encoding of CSV statements."),
    clearings: setting(
      choice(["never", "daily", "weekly", "monthly"], "never"),
      "When, at midnight, all that is on the account is paid out, less the fee.",
      "Midnight in Prague. Statements are written as if the setting had always been so."
    ),
    paymentFeeBasisPoints: setting(
      wholeNumber(0, 10_000, 0),
      "What a clearing keeps of each payment, in hundredths of a percent.",
      "190 is 1.9 %."
    ),
    refundFee: setting(wholeNumber(0, 1_000_000, 0), "What is booked beside each refund, in minor units.")
  }
} satisfies { readonly [group: string]: { readonly [name: string]: Setting } }

/** The settings by their names. @internal */
export const settings = {
  ...settingGroups.Payments,
  ...settingGroups["The payer's return"],
  ...settingGroups.Notifications,
  ...settingGroups.Operations,
  ...settingGroups.Recurrences,
  ...settingGroups.Tokens,
  ...settingGroups["API v4"],
  ...settingGroups.Statements
}

/** Settings of the local gateway. Times are in seconds. */
export type LocalGatewaySettings = { readonly [Name in keyof typeof settings]: (typeof settings)[Name]["default"] }

/** When the shop is notified, relative to the payer's return. */
export type NotificationTiming = Exclude<LocalGatewaySettings["notificationTiming"], "varied">

/** Settings to change: only those that are given. */
export type SettingsChange = Partial<LocalGatewaySettings>

/**
 * The settings under which the local gateway refuses all that GoPay is said to refuse, unless GoPay's own material
 * contradicts it: for tests of a shop, where a false alarm costs less than a surprise. Without them such a call is
 * accepted, and the log has a warning about it.
 *
 * - orders have all that the documentation requires (110, 111);
 * - JSON with `\uXXXX` escapes meets a firewall (403, by an official client);
 * - a part of a payment is refunded after a day only (330; a shop plugin and the README of newer clients): the default, too.
 *
 * Items that do not sum to the amount (`itemsSum`), and a token of scope `payment-create` that does more than create
 * (`scopes`), are only warned of: tests of GoPay's clients do both.
 */
export const strictSettings = {
  orderChecks: "documented",
  unicodeEscapes: "refused",
  partialRefundDelaySeconds: aDay
} as const satisfies SettingsChange
