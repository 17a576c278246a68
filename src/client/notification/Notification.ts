/**
 * Notifications about a payment, the order that a shop expects it to match, and the reasons why they may not match.
 */
import { brandError, isInstance, isUrl } from "../../basics/AnyRealm.js"
import { canonicalId } from "../../contract/CanonicalId.js"
import type { Currency } from "../../contract/CodeLists.js"
import { isEchoOf } from "../../contract/EchoedText.js"
import { errorsPage } from "../../package/Documents.js"
import type { GatewayId, PaymentResponse } from "../../contract/Messages.js"
import type { InvalidField } from "../error/GatewayError.js"

/**
 * The content of a notification: check this payment. Anyone can send one, so it proves nothing.
 *
 * Source: `parent_id` is known from production code that reads it, not from GoPay's documentation.
 */
export interface PaymentNotification {
  /** The payment that has changed. */
  readonly id: number
  /** For a charge of a recurrence: the recurrence's first payment. */
  readonly parent_id?: number
}

/**
 * The source of a notification's or a return's parameters: an address (with or without a host), or a request for it.
 */
export type NotificationSource = string | URL | { readonly url?: string | URL | undefined }

/**
 * The part of a request that a notification handler checks: a `Request`, or a request of Node or a framework with
 * `method` and `url`.
 */
export interface NotificationRequest {
  /** The HTTP method. A notification is a `GET`. */
  readonly method?: string | undefined
  /** The requested address, with its query; host and scheme may be missing. */
  readonly url?: string | URL | undefined
}

/**
 * What the shop has known about a payment since it created it. A payment is what it claims to be only if all of these
 * agree: anyone can put the id of a cheaper payment that was really paid into an address.
 */
export interface ExpectedPayment {
  /** The shop's identifier at GoPay. Default, also if it is `null`: that of the configured merchant. */
  readonly goid?: GatewayId | null | undefined
  /** As sent to `createPayment`. */
  readonly order_number: string
  /** As sent to `createPayment`: an integer in minor units. */
  readonly amount: number
  /** As sent to `createPayment`. */
  readonly currency: Currency
}

/** A payment, read from the gateway and found to be the one that the shop expects. */
export interface VerifiedPayment<out Order extends ExpectedPayment = ExpectedPayment> {
  /** As the gateway has just answered. Its `state` may be any: check it. */
  readonly payment: PaymentResponse
  /** The payment as the shop expected it. */
  readonly order: Order
  /**
   * The owner of `order`. `payment`: all of it was compared. `parent`: the shop does not know the payment itself, but
   * the first payment of its recurrence; the merchant was compared, and amount, currency and order number are whatever
   * `payment` says.
   */
  readonly orderOf: "payment" | "parent"
}

/**
 * Limits of the reads that notifications may cause. Half of a minute's reads may be made at once; the others are spread
 * evenly.
 *
 * A notification beyond a limit waits for the next read, and shares it with all that come for the same payment
 * meanwhile. If that read is more than 20 seconds away, the notification gets 503 at once, so that the gateway repeats
 * it. With the default limits this never befalls a known payment.
 */
export interface NotificationLimits {
  /**
   * Reads per minute for one payment that the shop knows, or for one charge after the gateway has confirmed that its
   * parent is such a payment. With fewer than 3, a notification may be refused; with 0, nothing is read. Default: 30.
   */
  readonly knownReadsPerMinute?: number | undefined
  /**
   * Reads per minute for all payments together that claim the same known payment as their parent, and that the gateway
   * has not confirmed. They never use up the reads of the known payment itself, or of its confirmed charges. They are
   * read one after another. With 0, nothing is read. Default: 300.
   */
  readonly claimedReadsPerMinute?: number | undefined
  /**
   * Reads per minute for all payments together of which the shop knows neither the id nor the claimed parent. They are
   * read because they may still be charges of a known recurrence. With 0, nothing is read. Default: 30.
   */
  readonly unknownReadsPerMinute?: number | undefined
}

/** Members of every reason. */
interface ReasonDetails<out Tag extends string> {
  /** The name of the reason. */
  readonly _tag: Tag
  /** The problem, in words. */
  readonly message: string
}

/** Members of every reason that is about a payment. */
interface PaymentReason<out Tag extends string> extends ReasonDetails<Tag> {
  /** The payment that the address names. */
  readonly paymentId: number
}

/** The address does not name a payment. Nothing was read. */
export interface InvalidNotification extends ReasonDetails<"InvalidNotification"> {
  /** The parameter that is missing, repeated or not an id. */
  readonly parameter: "id" | "parent_id"
}

/** The shop expects neither this payment nor the recurrence that it belongs to. */
export interface UnknownPayment extends PaymentReason<"UnknownPayment"> {}

/** A payment is not what the shop expects. Do not deliver the order. */
export interface PaymentMismatch extends PaymentReason<"PaymentMismatch"> {
  /** Every field that differs; never empty. */
  readonly differences: ReadonlyArray<PaymentDifference>
}

/** A field that differs. */
export interface PaymentDifference {
  /** The name of the field. */
  readonly field: "goid" | "order_number" | "amount" | "currency" | "parent_id"
  /** The shop's value. */
  readonly expected: string | number | undefined
  /** The gateway's value; `undefined` when its response does not have the field. */
  readonly actual: string | number | undefined
}

/**
 * The shop's own function that finds the expected order has failed, and the error's `cause` says why; or it returned an
 * order that cannot be compared, and `errors` names its fields.
 */
export interface ExpectationFailed extends PaymentReason<"ExpectationFailed"> {
  /**
   * The fields of the order that do not have the declared type, such as an amount that the database returns as text or
   * as `bigint`.
   */
  readonly errors?: ReadonlyArray<InvalidField>
}

/** The shop's own handler has failed; the error's `cause` is what it failed with. */
export interface HandlerFailed extends PaymentReason<"HandlerFailed"> {}

/** A limit has been reached, and the next read is too far away to wait for. Nothing was read. */
export interface TooManyReads extends PaymentReason<"TooManyReads"> {
  /** The limit that has been reached. */
  readonly limit: keyof NotificationLimits
}

/**
 * After half a minute, an earlier notification of the same payment is still being processed: a function of the shop
 * hangs or is slow. Nothing was read.
 */
export interface PaymentBusy extends PaymentReason<"PaymentBusy"> {}

/** The reasons that a payment could not be verified for; tell them apart by `_tag`. */
export type VerificationErrorReason = InvalidNotification | UnknownPayment | PaymentMismatch | ExpectationFailed

/** The reasons that a notification was not processed for; tell them apart by `_tag`. */
export type NotificationErrorReason = VerificationErrorReason | HandlerFailed | TooManyReads | PaymentBusy

/**
 * A notification that was not processed, or a payment that was not verified, as data. It becomes a `NotificationError`
 * where it leaves the package.
 */
export interface NotificationFailure<out Reason extends NotificationErrorReason = NotificationErrorReason> {
  /** The reason of the failure. */
  readonly reason: Reason
  /** The failure of the shop's own code. */
  readonly cause?: unknown
}

const notificationReasons: { readonly [Tag in NotificationErrorReason["_tag"]]: true } = {
  InvalidNotification: true,
  UnknownPayment: true,
  PaymentMismatch: true,
  ExpectationFailed: true,
  HandlerFailed: true,
  TooManyReads: true,
  PaymentBusy: true
}

/** Whether a reason is that of a notification, in any API. @internal */
export const isNotificationTag = (tag: string): boolean => Object.hasOwn(notificationReasons, tag)

/** Distinguishes a notification's failure from that of a gateway operation, by the tag of its reason. @internal */
export const isNotificationFailure = <Reason extends NotificationErrorReason>(
  failure: NotificationFailure<Reason> | { readonly reason: { readonly _tag: string } }
): failure is NotificationFailure<Reason> => isNotificationTag(failure.reason._tag)

/** A notification error as JSON. */
export interface NotificationErrorJson<out Reason extends NotificationErrorReason = NotificationErrorReason> {
  /** Always `NotificationError`. */
  readonly _tag: "NotificationError"
  /** The problem, in words. */
  readonly message: string
  /** The section of the documents that says what to do about it. */
  readonly help: string
  /** The reason of the error. */
  readonly reason: Reason
}

/**
 * The error of a notification that was not processed, or of a payment not verified. `instanceof` also recognises an
 * error that comes from another entry of this package.
 */
export class NotificationError<out Reason extends NotificationErrorReason = NotificationErrorReason> extends Error {
  /** Always `NotificationError`. */
  readonly _tag = "NotificationError"
  /** The reason of the error; its `_tag` says which. */
  readonly reason: Reason

  /** Makes an error of a failure. */
  constructor({ cause, reason }: NotificationFailure<Reason>) {
    super(reason.message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }

  static {
    brandError(this, "NotificationError")
  }

  /** Recognises the errors of every entry of this package. */
  static override [Symbol.hasInstance](value: unknown): value is NotificationError {
    return isInstance(this, value, "NotificationError")
  }

  /** The section of the documents in this package that says what to do about it, such as `errors.md#unknownpayment`. */
  get help(): string {
    return errorsPage(this.reason._tag)
  }

  /** A stable form without the stack and the cause, fit for logs. */
  toJSON(): NotificationErrorJson<Reason> {
    const { _tag, help, message, reason } = this
    return { _tag, message, help, reason }
  }
}

/**
 * Reads which payment a notification, or a return to the shop, is about. Nothing else of the address or the request is
 * checked, and nothing is sent.
 *
 * The id is a claim. To act on it, verify the payment (`verifyPayment`).
 *
 * @throws NotificationError with the reason `InvalidNotification`, which names the parameter: if `id` is missing, or a
 * parameter is repeated, has anything but digits, or is above `Number.MAX_SAFE_INTEGER`. An empty `parent_id` counts as
 * absent.
 */
export const parseNotification = (source: NotificationSource): PaymentNotification => {
  const reading = readNotification(source)
  if (reading._tag === "InvalidNotification") throw new NotificationError(reading.failure)
  return reading.notification
}

/** What an address says about a payment. @internal */
export type NotificationReading =
  | { readonly _tag: "Notification"; readonly notification: PaymentNotification }
  | { readonly _tag: "InvalidNotification"; readonly failure: NotificationFailure<InvalidNotification> }

/** Reads which payment the address names, or why it names none. @internal */
export const readNotification = (source: NotificationSource): NotificationReading => {
  const parameters = new URLSearchParams(queryOf(source))
  const [id, ...otherIds] = parameters.getAll("id")
  const [parentId = "", ...otherParents] = parameters.getAll("parent_id")
  if (id === undefined) return invalid("id", "is missing")
  if (otherIds.length > 0) return invalid("id", "is there more than once")
  const paymentId = canonicalId(id)
  if (paymentId === undefined) return invalid("id", notAPaymentId)
  if (otherParents.length > 0) return invalid("parent_id", "is there more than once")
  if (parentId === "") return { _tag: "Notification", notification: { id: paymentId } }
  const parent = canonicalId(parentId)
  if (parent === undefined) return invalid("parent_id", notAPaymentId)
  return { _tag: "Notification", notification: { id: paymentId, parent_id: parent } }
}

const queryOf = (source: NotificationSource): string => /^[^?#]*\?([^#]*)/.exec(addressOf(source))?.[1] ?? ""

/** The address of a source; empty if it has none or reading it throws. @internal */
export const addressOf = (source: NotificationSource): string => {
  try {
    const address = typeof source === "string" || isUrl(source) ? source : source?.url
    return typeof address === "string" || isUrl(address) ? String(address) : ""
  } catch {
    return ""
  }
}

const notAPaymentId = "must be the id of a payment, digits only"

const invalid = (parameter: "id" | "parent_id", problem: string): NotificationReading => ({
  _tag: "InvalidNotification",
  failure: {
    reason: {
      _tag: "InvalidNotification",
      parameter,
      message: `Not a notification or return of the gateway: the parameter ${parameter} ${problem}.`
    }
  }
})

/** How a payment differs from the expected one. A field that the gateway did not send differs. @internal */
export const differencesFrom = (
  expected: ExpectedPayment,
  goid: GatewayId,
  payment: PaymentResponse
): ReadonlyArray<PaymentDifference> => [
  ...goidDifferences(expected, goid, payment.target?.goid),
  ...termDifferences(expected, payment)
]

/** How a payment's terms differ from the expected ones, in any API. @internal */
export const termDifferences = (
  expected: Pick<ExpectedPayment, "order_number" | "amount" | "currency">,
  { amount, currency, order_number }: Pick<PaymentResponse, "order_number" | "amount" | "currency">
): ReadonlyArray<PaymentDifference> => [
  ...(isEchoOf(expected.order_number, order_number)
    ? []
    : [{ field: "order_number" as const, expected: expected.order_number, actual: order_number }]),
  ...differing("amount", expected.amount, amount),
  ...differing("currency", expected.currency, currency)
]

/** Whether a payment belongs to another merchant than expected. @internal */
export const goidDifferences = (
  expected: ExpectedPayment,
  configured: GatewayId,
  actual: number | undefined
): ReadonlyArray<PaymentDifference> => {
  const goid = expected.goid ?? configured
  return actual !== undefined && canonicalId(goid) === actual ? [] : [{ field: "goid", expected: goid, actual }]
}

const differing = (
  field: PaymentDifference["field"],
  expected: string | number,
  actual: string | number | undefined
): ReadonlyArray<PaymentDifference> =>
  actual !== undefined && actual === expected ? [] : [{ field, expected, actual }]
