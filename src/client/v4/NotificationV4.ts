/**
 * Notifications of API v4: the order that a shop expects a payment to match, and the reasons why it may not.
 */
import { brandError, isInstance } from "../../basics/AnyRealm.js"
import type { PaymentIdV4, PaymentResponseV4 } from "../../contract/MessagesV4.js"
import { errorsPage } from "../../package/Documents.js"
import type {
  ExpectationFailed,
  ExpectedPayment,
  HandlerFailed,
  InvalidNotification,
  NotificationLimits,
  NotificationRequest,
  PaymentBusy,
  PaymentMismatch,
  TooManyReads,
  UnknownPayment
} from "../notification/Notification.js"

/**
 * What the shop has known about a payment since it created it. A payment does not say whose it is, so no merchant is
 * compared.
 */
export type ExpectedPaymentV4 = Pick<ExpectedPayment, "order_number" | "amount" | "currency">

/** A payment, read from the gateway and found to be the one that the shop expects. */
export interface VerifiedPaymentV4<out Order extends ExpectedPaymentV4 = ExpectedPaymentV4> {
  /** As the gateway has just answered. Its `state` may be any: check it. */
  readonly payment: PaymentResponseV4
  /** The payment as the shop expected it. */
  readonly order: Order
}

/** A request that may be a notification: a `Request`, or one of Node or a framework with its parsed body. */
export interface NotificationRequestV4 extends NotificationRequest {
  /** The body: a stream, a text, or what a framework has parsed. At most 10,000 bytes of a stream are read. */
  readonly body?: unknown
  /**
   * Reads the body if it is not a stream and has not been read yet. It may reject if there are more than `maxBytes`.
   */
  readonly text?: ((maxBytes?: number) => Promise<string>) | undefined
}

/** Limits of the reads that notifications may cause. A payment that the shop does not know is never read. */
export type NotificationLimitsV4 = Pick<NotificationLimits, "knownReadsPerMinute">

/** A reason about a payment of API v4. */
type About<Reason> = Omit<Reason, "paymentId"> & {
  /** The payment that the notification names. */
  readonly paymentId: PaymentIdV4
}

/** The notification names no payment, or more than one. Nothing was read. */
export interface InvalidNotificationV4 extends Omit<InvalidNotification, "parameter"> {}

/** The shop does not know this payment. Nothing was read. */
export interface UnknownPaymentV4 extends About<UnknownPayment> {}

/** A payment is not what the shop expects. Do not deliver the order. */
export interface PaymentMismatchV4 extends About<PaymentMismatch> {}

/** The shop's own function that finds the expected order has failed, or returned an order that cannot be compared. */
export interface ExpectationFailedV4 extends About<ExpectationFailed> {}

/** The shop's own handler has failed; the error's `cause` is what it failed with. */
export interface HandlerFailedV4 extends About<HandlerFailed> {}

/**
 * The limit of the payment's reads has been reached, and the next read is too far away to wait for. Nothing was read.
 */
export interface TooManyReadsV4 extends About<TooManyReads> {}

/** An earlier notification of the same payment is still being processed after half a minute. Nothing was read. */
export interface PaymentBusyV4 extends About<PaymentBusy> {}

/** The reasons that a payment could not be verified for; tell them apart by `_tag`. */
export type VerificationErrorReasonV4 =
  | InvalidNotificationV4
  | UnknownPaymentV4
  | PaymentMismatchV4
  | ExpectationFailedV4

/** The reasons that a notification was not processed for; tell them apart by `_tag`. */
export type NotificationErrorReasonV4 = VerificationErrorReasonV4 | HandlerFailedV4 | TooManyReadsV4 | PaymentBusyV4

/** The parts of a notification's error. */
export interface NotificationFailureV4<out Reason extends NotificationErrorReasonV4 = NotificationErrorReasonV4> {
  /** The reason of the failure. */
  readonly reason: Reason
  /** The failure of the shop's own code. */
  readonly cause?: unknown
}

/** A notification error as JSON. */
export interface NotificationErrorJsonV4<out Reason extends NotificationErrorReasonV4 = NotificationErrorReasonV4> {
  /** Always `NotificationErrorV4`. */
  readonly _tag: "NotificationErrorV4"
  /** The problem, in words. */
  readonly message: string
  /** The section of the documents that says what to do about it. */
  readonly help: string
  /** The reason of the error. */
  readonly reason: Reason
}

/**
 * The error of a notification of API v4 that was not processed, or of a payment not verified. `instanceof` also recognises one that
 * comes from another entry of this package.
 */
export class NotificationErrorV4<
  out Reason extends NotificationErrorReasonV4 = NotificationErrorReasonV4
> extends Error {
  /** Always `NotificationErrorV4`. */
  readonly _tag = "NotificationErrorV4"
  /** The reason of the error; its `_tag` says which. */
  readonly reason: Reason

  /** Makes an error of a failure. */
  constructor({ cause, reason }: NotificationFailureV4<Reason>) {
    super(reason.message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }

  static {
    brandError(this, "NotificationErrorV4")
  }

  /** Recognises the errors of every entry of this package. */
  static override [Symbol.hasInstance](value: unknown): value is NotificationErrorV4 {
    return isInstance(this, value, "NotificationErrorV4")
  }

  /** The section of this package's documentation that says what to do about it. */
  get help(): string {
    return errorsPage(this.reason._tag)
  }

  /** A stable form without the stack and the cause, fit for logs. */
  toJSON(): NotificationErrorJsonV4<Reason> {
    const { _tag, help, message, reason } = this
    return { _tag, message, help, reason }
  }
}
