/**
 * The error that programs fail with when a notification was not processed, or a payment not verified.
 */
import { brandError, isInstance } from "../../basics/AnyRealm.js"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { withName } from "../../contract/ReasonName.js"
import { errorsPage } from "../../package/Documents.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import {
  type InvalidNotification,
  isNotificationFailure,
  type PaymentNotification,
  type NotificationErrorJson,
  type NotificationErrorReason,
  type NotificationFailure,
  type NotificationSource,
  readNotification
} from "./Notification.js"

/**
 * The error of a notification that was not processed, or of a payment not verified. `Effect.catchReason` tells its
 * reasons apart, and it can be yielded in `Effect.gen`. `instanceof` also recognises an error that comes from another
 * entry of this package.
 */
export class NotificationError<
  out Reason extends NotificationErrorReason = NotificationErrorReason
> extends Data.Error<{
  /** The problem, in words. */
  readonly message: string
  /** The failure of the shop's own code. */
  readonly cause?: unknown
}> {
  /** Always `NotificationError`. */
  readonly _tag = "NotificationError"
  /** The reason of the error; its `_tag` says which. */
  readonly reason: Reason

  /** Makes an error of a failure. */
  constructor({ cause, reason }: NotificationFailure<Reason>) {
    super({ message: reason.message, ...(cause === undefined ? undefined : { cause }) })
    this.reason = withName(reason)
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
  override toJSON(): NotificationErrorJson<Reason> {
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
 * Fails with the reason `InvalidNotification`, which names the parameter: if `id` is missing, or a parameter is
 * repeated, has anything but digits, or is above `Number.MAX_SAFE_INTEGER`. An empty `parent_id` counts as absent.
 *
 * ```ts
 * const { id } = yield* parseNotification(request.url)
 * ```
 */
export const parseNotification = (
  source: NotificationSource
): Effect.Effect<PaymentNotification, NotificationError<InvalidNotification>> => {
  const reading = readNotification(source)
  return reading._tag === "InvalidNotification"
    ? Effect.fail(new NotificationError(reading.failure))
    : Effect.succeed(reading.notification)
}

/** Makes an error from a notification's failure. The failure of a gateway operation stays as it is. */
export const toNotificationError = <Reason extends NotificationErrorReason, E extends GatewayFailure>(
  failure: NotificationFailure<Reason> | E
): NotificationError<Reason> | E => (isNotificationFailure(failure) ? new NotificationError(failure) : failure)
