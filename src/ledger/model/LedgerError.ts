/**
 * The error of a ledger and its reasons.
 */
import { brandError, isInstance } from "../../basics/AnyRealm.js"
import { errorsPage } from "../../package/Documents.js"

/** Members of every reason. */
interface LedgerReasonDetails<out Tag extends string> {
  /** The name of the reason. */
  readonly _tag: Tag
  /** The problem and its remedy, in words. */
  readonly message: string
}

/** The key belongs to another change. Nothing was sent. */
export interface KeyReused extends LedgerReasonDetails<"KeyReused"> {
  /** The key that was given before with another change. */
  readonly key: string
}

/**
 * The store cannot be used at present, or not as it is: it cannot be reached, is not migrated, belongs to another
 * installation, or does not commit. A change may have been recorded: it is safe to repeat the same call with the same
 * key, which returns its outcome.
 */
export interface LedgerUnavailable extends LedgerReasonDetails<"LedgerUnavailable"> {}

/** An argument is wrong. Nothing was recorded. */
export interface InvalidArgument extends LedgerReasonDetails<"InvalidArgument"> {}

/**
 * Nothing was decided: the change has moved since the operator saw it, a process is working on it, or the key does not
 * exist.
 */
export interface NotResolved extends LedgerReasonDetails<"NotResolved"> {
  /** The key that the decision was about. */
  readonly key: string
}

/** The reason of a failed call; tell them apart by `_tag`. */
export type LedgerErrorReason = KeyReused | LedgerUnavailable | InvalidArgument | NotResolved

/** The one error of a ledger. The outcome of a change is not an error but a value, a `ChangeOutcome`. */
export class LedgerError<out Reason extends LedgerErrorReason = LedgerErrorReason> extends Error {
  /** Always `LedgerError`. */
  readonly _tag = "LedgerError"
  /** The reason of the failure; its `_tag` says which. */
  readonly reason: Reason

  /** Makes an error of a reason. */
  constructor(details: { readonly reason: Reason; readonly cause?: unknown }) {
    super(details.reason.message, details.cause === undefined ? undefined : { cause: details.cause })
    this.reason = details.reason
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
  toJSON(): Pick<LedgerError<Reason>, "_tag" | "message" | "help" | "reason"> {
    const { _tag, help, message, reason } = this
    return { _tag, message, help, reason }
  }
}
