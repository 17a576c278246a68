/**
 * The error that programs fail with.
 */
import { brandError, isInstance } from "../../contract/AnyRealm.js"
import * as Data from "effect/Data"
import { type GatewayErrorJson, type GatewayErrorReason, helpFor } from "./GatewayError.js"
import type { OperationName } from "../../contract/GatewayOperations.js"

/**
 * The error of every operation: its name, and the reason of the failure, which `Effect.catchReason` and
 * `Effect.catchReasons` tell apart. It can be yielded in `Effect.gen`.
 *
 * It holds no credential, token, request or response body, card number or contact, however it is printed. `instanceof`
 * also recognises an error that comes from another entry of this package.
 */
export class GatewayError<out Reason extends GatewayErrorReason = GatewayErrorReason> extends Data.Error<{
  /** The operation and the problem, in words. */
  readonly message: string
  /** Something beside the reason, such as what an `AbortSignal` was aborted with. */
  readonly cause?: unknown
}> {
  /** Always `GatewayError`. */
  readonly _tag = "GatewayError"
  /** The operation that failed. */
  readonly operation: OperationName
  /** The reason of the failure; its `_tag` tells which one. */
  readonly reason: Reason

  /** Makes an error of a failure. */
  constructor({
    cause,
    operation,
    reason
  }: {
    readonly operation: OperationName
    readonly reason: Reason
    readonly cause?: unknown
  }) {
    super({ message: `${operation}: ${reason.message}`, ...(cause === undefined ? undefined : { cause }) })
    this.operation = operation
    this.reason = reason
  }

  static {
    brandError(this, "GatewayError")
  }

  /** Recognises the errors of every entry of this package. */
  static override [Symbol.hasInstance](value: unknown): value is GatewayError {
    return isInstance(this, value, "GatewayError")
  }

  /**
   * The address of the page that says what to do about it: about the gateway's code, such as `errors.md#332`, or about
   * the reason.
   */
  get help(): string {
    return helpFor(this.reason)
  }

  /** A stable form without the stack and the cause, fit for logs. */
  override toJSON(): GatewayErrorJson<Reason> {
    const { _tag, help, message, operation, reason } = this
    return { _tag, operation, message, help, reason }
  }
}
