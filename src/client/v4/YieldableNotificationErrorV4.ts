/**
 * The error that programs of API v4 fail with when a notification was not processed, or a payment not verified.
 */
import * as Data from "effect/Data"
import { brandError, isInstance } from "../../basics/AnyRealm.js"
import { withName } from "../../contract/ReasonName.js"
import { errorsPage } from "../../package/Documents.js"
import type { NotificationErrorJsonV4, NotificationErrorReasonV4, NotificationFailureV4 } from "./NotificationV4.js"

/**
 * The error of a notification of API v4 that was not processed, or of a payment not verified. `Effect.catchReason` tells its reasons
 * apart, and it can be yielded in `Effect.gen`. `instanceof` also recognises one that comes from another entry of this package.
 */
export class NotificationErrorV4<
  out Reason extends NotificationErrorReasonV4 = NotificationErrorReasonV4
> extends Data.Error<{
  /** The problem, in words. */
  readonly message: string
  /** The failure of the shop's own code. */
  readonly cause?: unknown
}> {
  /** Always `NotificationErrorV4`. */
  readonly _tag = "NotificationErrorV4"
  /** The reason of the error; its `_tag` says which. */
  readonly reason: Reason

  /** Makes an error of a failure. */
  constructor({ cause, reason }: NotificationFailureV4<Reason>) {
    super({ message: reason.message, ...(cause === undefined ? undefined : { cause }) })
    this.reason = withName(reason)
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
  override toJSON(): NotificationErrorJsonV4<Reason> {
    const { _tag, help, message, reason } = this
    return { _tag, message, help, reason }
  }
}
