/**
 * The error that programs fail with.
 */
import { brandError, isInstance } from "../../basics/AnyRealm.js"
import { withName } from "../../contract/ReasonName.js"
import * as Data from "effect/Data"
import { type GatewayErrorJson, type GatewayErrorReason, helpFor } from "./GatewayError.js"
import type { OperationName } from "../../contract/GatewayOperations.js"

/**
 * The error of every operation: its name, and the reason of the failure, which `Effect.catchReason` and
 * `Effect.catchReasons` tell apart. It can be yielded in `Effect.gen`.
 *
 * It holds no credential, token, request or response body or card number, however it is printed, and the texts that the call
 * sent are kept out when the gateway repeats them. What the gateway says of its own accord is shown without e-mail addresses,
 * card and account numbers; a name in it is shown: see SECURITY.md. `instanceof` also recognises an error that comes from
 * another entry of this package.
 */
export class GatewayError<out Reason extends GatewayErrorReason = GatewayErrorReason> extends Data.Error<{
  /** The operation and the problem, in words. */
  readonly message: string
  /** A cause besides the reason, such as what an `AbortSignal` was aborted with. */
  readonly cause?: unknown
}> {
  /** Always `GatewayError`. */
  readonly _tag = "GatewayError"
  /** The operation that failed. */
  readonly operation: OperationName
  /** The reason of the failure; its `_tag` says which. */
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
    this.reason = withName(reason)
  }

  static {
    brandError(this, "GatewayError")
  }

  /** Recognises the errors of every entry of this package. */
  static override [Symbol.hasInstance](value: unknown): value is GatewayError {
    return isInstance(this, value, "GatewayError")
  }

  /** Whether it is safe to repeat the same call now, and may help: see the reason. */
  get isRetryable(): boolean {
    return this.reason.isRetryable
  }

  /**
   * The section of this package's documentation that says what to do: about the gateway's code, such as
   * `node_modules/effect-gopay/docs/errors.md#332`, or about the reason.
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
