/**
 * The error that programs fail with when a notification was not processed, or a payment not verified.
 */
import { brandError, isInstance } from "../../contract/AnyRealm.js"
import * as Data from "effect/Data"
import { errorsPage } from "../../contract/Documents.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import {
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
  /** What the shop's own code failed with. */
  readonly cause?: unknown
}> {
  /** Always `NotificationError`. */
  readonly _tag = "NotificationError"
  /** The reason of the error; its `_tag` tells which one. */
  readonly reason: Reason

  /** Makes an error of a failure. */
  constructor({ cause, reason }: NotificationFailure<Reason>) {
    super({ message: reason.message, ...(cause === undefined ? undefined : { cause }) })
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
  override toJSON(): NotificationErrorJson<Reason> {
    const { _tag, help, message, reason } = this
    return { _tag, message, help, reason }
  }
}

export const parseNotification = (source: NotificationSource): PaymentNotification => {
  const reading = readNotification(source)
  if (reading._tag === "InvalidNotification") throw new NotificationError(reading.failure)
  return reading.notification
}

/** Makes an error of a notification's failure; what the gateway's operation failed with stays as it is. */
export const toNotificationError = <Reason extends NotificationErrorReason, E extends GatewayFailure>(
  failure: NotificationFailure<Reason> | E
): NotificationError<Reason> | E => (isNotificationFailure(failure) ? new NotificationError(failure) : failure)
