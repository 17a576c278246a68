/**
 * The error that the programs of a ledger fail with.
 */
import * as Data from "effect/Data"
import { brandError, isInstance } from "../../basics/AnyRealm.js"
import { withName } from "../../contract/ReasonName.js"
import { errorsPage } from "../../package/Documents.js"
import type { LedgerErrorReason } from "./LedgerError.js"

/**
 * The one error of a ledger, whose reasons `Effect.catchReason` and `Effect.catchReasons` tell apart. It can be yielded
 * in `Effect.gen`. The outcome of a change is not an error but a value, a `ChangeOutcome`.
 */
export class LedgerError<out Reason extends LedgerErrorReason = LedgerErrorReason> extends Data.Error<{
  /** The problem and its remedy, in words. */
  readonly message: string
  /** What the store failed with. */
  readonly cause?: unknown
}> {
  /** Always `LedgerError`. */
  readonly _tag = "LedgerError"
  /** The reason of the failure; its `_tag` says which. */
  readonly reason: Reason

  /** Makes an error of a reason. */
  constructor({ cause, reason }: { readonly reason: Reason; readonly cause?: unknown }) {
    super({ message: reason.message, ...(cause === undefined ? undefined : { cause }) })
    this.reason = withName(reason)
  }

  static {
    brandError(this, "LedgerError")
  }

  /** Recognises the errors of every entry of this package. */
  static override [Symbol.hasInstance](value: unknown): value is LedgerError {
    return isInstance(this, value, "LedgerError")
  }

  /** Whether repeating the same call with the same key may help, since the store could not be used. */
  get isRetryable(): boolean {
    return this.reason._tag === "LedgerUnavailable"
  }

  /** The section of the documents in this package that says what to do about it, such as `errors.md#keyreused`. */
  get help(): string {
    return errorsPage(this.reason._tag)
  }

  /** A stable form without the stack and the cause, fit for logs. */
  override toJSON(): Pick<LedgerError<Reason>, "_tag" | "message" | "help" | "reason"> {
    const { _tag, help, message, reason } = this
    return { _tag, message, help, reason }
  }
}
