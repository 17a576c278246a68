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
  /** Its name in words. */
  readonly label: string
  /** Its meaning, in a sentence. */
  readonly meaning: string
  /** Further information. */
  readonly more: string
}

/** A setting. @internal */
export type Setting = SettingText & Parameter

const setting = <P extends Parameter>(parameter: P, label: string, meaning: string, more = ""): SettingText & P => ({
  label,
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
      "Time to choose a method",
      "Time to choose a method; then the payment is `TIMEOUTED`.",
      "The default is the 12 hours of GoPay's help."
    ),
    timeToPayByCardSeconds: setting(
      seconds(1, anHour),
      "Time to pay by card",
      "Time to pay from the choice of the card.",
      "GoPay's help says that cards have the shortest time and transfers the longest, and not how long these are."
    ),
    timeToPayByTransferSeconds: setting(
      seconds(1, 5 * aDay),
      "Time to pay by bank transfer",
      "Time to pay from the choice of a bank transfer."
    ),
    timeToPayOtherwiseSeconds: setting(
      seconds(1, 12 * anHour),
      "Time to pay by another method",
      "Time to pay from the choice of any other method."
    ),
    authorizationLifetimeSeconds: setting(
      seconds(1, 4 * aDay),
      "How long a hold lasts",
      "Time for which an authorized amount is held."
    ),
    declinedAttempt: setting(
      choice(["allowsRetry", "cancelsPayment"], "allowsRetry"),
      "After a declined attempt",
      "Whether the payer may try again after a declined attempt on the pay page.",
      "With `cancelsPayment` the payment is `CANCELED` at once, as a payment of API v4 always is."
    ),
    itemsSum: setting(
      choice(["ignored", "checked"], "ignored"),
      "Sum of the items",
      "Whether items that do not sum to the amount are refused with 360."
    ),
    orderChecks: setting(
      choice(["lenient", "documented"], "lenient"),
      "Strictness of order checks",
      "Whether an order must contain everything that the documentation requires.",
      "It is not known that GoPay insists: on an amount above 0, `order_description` and `items` of a charge, `items` of a partial capture."
    ),
    defaultLanguage: setting(
      choice(["CS", "EN", "SK", "DE", "PL", "HU", "RO"], "EN"),
      "Default language",
      "The language of a payment whose order does not name one."
    ),
    transferAccount: setting(
      choice(["shown", "omitted"], "shown"),
      "Account of a bank transfer",
      "Whether a paid bank transfer shows the account that it came from.",
      "GoPay's own shop showed none."
    ),
    fractionalAmounts: setting(
      choice(["rounded", "cut", "refused"], "rounded"),
      "Amounts with a fraction",
      "What happens to an amount with a fraction, such as the result of `19.99 * 100`.",
      "It is rounded or cut with a warning in the log, or refused with 111, as one in text is. GoPay's own plugins send such numbers; what GoPay does is unknown."
    ),
    jsonFullCapture: setting(
      choice(["accepted", "refused"], "accepted"),
      "Capture with an empty JSON body",
      "Whether a capture with the JSON body `null` or `{}` captures the whole amount.",
      "Accepted, it comes with a warning in the log. Clients of others send it; what GoPay does is unknown."
    ),
    textEcho: setting(
      choice(["asSent", "encodedParams", "encoded"], "asSent"),
      "Encoding of echoed texts",
      "Whether `additional_params`, or `order_number` too, come back HTML-encoded.",
      "Then `&`, `<`, `>` and quotes are entities (`&#34;`). A client's authors saw `additional_params` so at the sandbox; of `order_number` it is unknown."
    ),
    unicodeEscapes: setting(
      choice(["accepted", "refused"], "accepted"),
      "JSON with Unicode escapes",
      "Whether JSON with `\\uXXXX` escapes is refused with a firewall's 403, an HTML page."
    )
  },
  "The payer's return": {
    notificationTiming: setting(
      choice(["notificationFirst", "returnFirst", "whilePending", "never", "varied"], "varied"),
      "Notification before or after the return",
      "Whether the payer returns to the shop before or after the notification.",
      "With `whilePending` the payer returns while the payment is still `PAYMENT_METHOD_CHOSEN`, and with `never` not at all; `varied` is one of these, by the seed of the random generator."
    ),
    returnLeadSeconds: setting(
      seconds(0, 3),
      "Head start of the returning payer",
      "How long before the notification the payer returns, when the payer returns first.",
      "With `whilePending`, it is how long before the payment's new state."
    )
  },
  Notifications: {
    notificationAttempts: setting(
      wholeNumber(1, 1000, 20),
      "Attempts to notify",
      "How often a notification is tried at most until the shop answers with 200."
    ),
    notificationRetryDelaySeconds: setting(
      seconds(0, 60),
      "First pause between attempts",
      "The pause before the second attempt; it doubles each time."
    ),
    notificationMaxRetryDelaySeconds: setting(
      seconds(0, anHour),
      "Longest pause between attempts",
      "The longest pause between two attempts."
    ),
    notificationTimeoutSeconds: setting(
      seconds(1, 10),
      "Time limit of a notification",
      "Time limit for the receiver's response."
    ),
    notificationDelaySeconds: setting(seconds(0, 0), "Delay of notifications", "The delay after a change of state."),
    notificationCopies: setting(
      wholeNumber(0, 10, 1),
      "Copies of each notification",
      "How often each notification is delivered: 0 drops it, 2 duplicates it."
    ),
    notificationOrder: setting(
      choice(["inOrder", "reversed"], "inOrder"),
      "Order of notifications",
      "The order in which notifications pending at the same time are sent."
    ),
    notificationParentId: setting(
      choice(["sent", "omitted"], "sent"),
      "Parent id in notifications",
      "Whether the notification of a charge has `parent_id`."
    ),
    notificationHosts: setting(
      texts,
      "Other hosts to notify",
      "Hosts besides loopback that may be notified, separated by commas.",
      "For example `shop.test` or `shop.test:8080`."
    )
  },
  Operations: {
    refund: setting(
      course,
      "Result of refunds",
      "The result of `refundPayment`: at once, or accepted first.",
      "The response says `FINISHED`, `FAILED` or `ACCEPTED`."
    ),
    capture: setting(course, "Result of captures", "The result of captures."),
    voidAuthorization: setting(course, "Result of releasing a hold", "The result of `voidAuthorization`."),
    voidRecurrence: setting(course, "Result of stopping a recurrence", "The result of `voidRecurrence`."),
    timeToProcessSeconds: setting(
      seconds(0, 60),
      "Time to process an operation",
      "Time after `ACCEPTED` until an operation finishes or fails."
    ),
    partialRefundDelaySeconds: setting(
      seconds(0, aDay),
      "Wait before a partial refund",
      "How long after the payment a partial refund is refused.",
      "A part is refused with 330; all of it can be refunded at once. The default is the 24 hours of GoPay's plugins. Of API v4 a part waits only with `v4Rows: sandbox2026`."
    ),
    refundableForSeconds: setting(
      seconds(1, 365 * aDay),
      "How long refunds are possible",
      "How long after the payment it can be refunded; later refunds are refused with 331.",
      "That holds in every state. The default is a year: the expectations of two official SDKs about one payment, 2023 and 2024. A card of the payer may be out of reach earlier."
    ),
    refusedRefund: setting(
      choice(["unlisted", "listed"], "unlisted"),
      "Refused refunds in the list",
      "Whether a refused refund appears in the list of refunds, as `REQUESTED`, then `FAILED`.",
      "It fails after `timeToProcessSeconds`. A test of GoPay's client for v4 says so; of v3 it is unknown."
    ),
    unknownRefund: setting(
      choice(["byCheckDigit", "asField"], "byCheckDigit"),
      "Refund of an unknown payment",
      "How a refund of an unknown payment is refused: depending on its id, or always with an error on the field `id`.",
      "By its id: 304 for one that could be a payment's (a multiple of 13), else 111 on `id`. `asField` is always 111."
    ),
    amountAfterCapture: setting(
      choice(["ordered", "captured"], "ordered"),
      "Amount after a partial capture",
      "The `amount` of a payment after a partial capture."
    )
  },
  Recurrences: {
    recurrenceChild: setting(
      choice(["paid", "declined", "pending"], "paid"),
      "Outcome of charges",
      "The outcome of a recurrence's charges.",
      "`pending`: nothing happens until you act as the payer. The response to `createRecurrence` says `CREATED` in every case; the next `getPayment` shows the outcome. That to `nextPayment` of API v4 shows it at once."
    ),
    voidUnpaidRecurrence: setting(
      choice(["refused", "accepted"], "refused"),
      "Stopping an unpaid recurrence",
      "Whether a recurrence can be voided while its first payment is unpaid.",
      "The refusal has code 340."
    )
  },
  Tokens: {
    tokenLifetimeSeconds: setting(
      seconds(1, 1800),
      "Lifetime of a token",
      "The lifetime of a token.",
      "The default is as recorded."
    ),
    refusedTokenStatus: setting(
      choice([401, 403], 403),
      "Status for a refused token",
      "Status of the response to an expired or unknown token.",
      "Its code is 200."
    ),
    scopes: setting(
      choice(["ignored", "enforced"], "ignored"),
      "Scopes of tokens",
      "Whether a token with the scope `payment-create` allows only `createPayment`.",
      "All else is refused with 403, code 200."
    )
  },
  "API v4": {
    v4Rows: setting(
      choice(["all", "sandbox2026"], "all"),
      "Operations of API v4",
      "Which operations of API v4 exist: all that the local gateway has, or those that GoPay's sandbox had in September 2026.",
      "It refused recurrences with 404, cancelling with 405, a negative amount with 422 (GoPay's tests), and a part too early with 409 (a README)."
    ),
    v4NotificationMethod: setting(
      choice(["POST", "GET"], "POST"),
      "Notification method of API v4",
      "How the shop is notified of a payment of API v4: POST with JSON, or GET.",
      "Either way the address has the id, too. A README of GoPay's says POST, and no source says with what."
    ),
    v4NotificationIdName: setting(
      choice(["id", "payment_id"], "id"),
      "Name of the id in API v4 notifications",
      "The name of the payment's id in a notification of API v4.",
      "No source says it."
    ),
    v4Refund: setting(
      choice(["successAfterReads", "failedAfterReads", "successLater", "failedLater"], "successAfterReads"),
      "How refunds of API v4 end",
      "How a refund of API v4 ends, and when: with its second read, or after `timeToProcessSeconds`.",
      "Its own response says `REQUESTED`. `AfterReads` ends it after `timeToProcessSeconds`, too."
    )
  },
  Statements: {
    statementContentType: setting(
      choice(["binary", "ofFormat"], "binary"),
      "Content type of statements",
      "Content type of a statement: the general one, or the format's own.",
      "The general one is `application/octet-stream`."
    ),
    statementEncoding: setting(
      choice(["utf-8", "windows-1250"], "windows-1250"),
      "Encoding of CSV statements",
      "Encoding of CSV statements."
    ),
    clearings: setting(
      choice(["never", "daily", "weekly", "monthly"], "never"),
      "Clearings",
      "How often the whole balance is paid out at midnight, less the fee.",
      "Midnight is that of Prague. Statements are written as if the setting had always been so."
    ),
    paymentFeeBasisPoints: setting(
      wholeNumber(0, 10_000, 0),
      "Fee on payments",
      "The share of each payment that a clearing keeps, in hundredths of a percent.",
      "190 is 1.9 %."
    ),
    refundFee: setting(
      wholeNumber(0, 1_000_000, 0),
      "Fee on refunds",
      "The fee that is booked with each refund, in minor units."
    )
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
