/**
 * The error that programs of API v4 fail with.
 */
import * as Data from "effect/Data"
import { brandError, isInstance } from "../../basics/AnyRealm.js"
import type { OperationNameV4 } from "../../contract/GatewayOperationsV4.js"
import { withName } from "../../contract/ReasonName.js"
import { type FailureV4, type GatewayErrorJsonV4, type GatewayErrorReasonV4, helpForV4 } from "./GatewayErrorV4.js"

/**
 * The error of every operation of API v4: its name, and the reason of the failure, which `Effect.catchReason` tells apart. It can be
 * yielded in `Effect.gen`. It holds no credential, token, secret of a payment, request or response body, however it is printed.
 */
export class GatewayErrorV4<out Reason extends GatewayErrorReasonV4 = GatewayErrorReasonV4> extends Data.Error<{
  /** The operation and the problem, in words. */
  readonly message: string
  /** A cause besides the reason. */
  readonly cause?: unknown
}> {
  /** Always `GatewayErrorV4`. */
  readonly _tag = "GatewayErrorV4"
  /** The operation that failed. */
  readonly operation: OperationNameV4
  /** The reason of the failure; its `_tag` says which. */
  readonly reason: Reason

  /** Makes an error of a failure. */
  constructor({ cause, operation, reason }: FailureV4<Reason>) {
    super({ message: `${operation}: ${reason.message}`, ...(cause === undefined ? undefined : { cause }) })
    this.operation = operation
    this.reason = withName(reason)
  }

  static {
    brandError(this, "GatewayErrorV4")
  }

  /** Recognises the errors of every entry of this package. */
  static override [Symbol.hasInstance](value: unknown): value is GatewayErrorV4 {
    return isInstance(this, value, "GatewayErrorV4")
  }

  /** Whether it is safe to repeat the same call now, and may help: see the reason. */
  get isRetryable(): boolean {
    return this.reason.isRetryable
  }

  /** The section of this package's documentation that says what to do about it. */
  get help(): string {
    return helpForV4(this.reason)
  }

  /** A stable form without the stack and the cause, fit for logs. */
  override toJSON(): GatewayErrorJsonV4<Reason> {
    const { _tag, help, message, operation, reason } = this
    return { _tag, operation, message, help, reason }
  }
}
