/**
 * The one error of the client, and the reasons it can have.
 *
 * This module has no dependency on Effect, so that every entry of the package shows the same types.
 */
import type { ErrorCode, ErrorScope } from "../../api/CodeLists.plain.js"
import type { ErrorItem, Id } from "../../api/Messages.plain.js"
import type { ChangeRecord } from "./ChangeRecord.plain.js"
import type { OperationName } from "./OperationName.plain.js"

/** What every reason has. */
export interface ReasonDetails {
  /** What happened and what to do, for a person. */
  readonly message: string
  /**
   * Whether repeating this same call now is safe and may help. For a change that is so only when the gateway certainly
   * did not take it.
   */
  readonly isRetryable: boolean
}

/** What every reason has that comes from an answer of the gateway. */
export interface AnswerDetails {
  /** The HTTP status. */
  readonly status?: number
  /** The gateway's own error elements, when its body could be read. */
  readonly errors?: ReadonlyArray<ErrorItem>
}

/** One field that is wrong. */
export interface InvalidField {
  /** Where it is: `items[0].amount`. Absent when the gateway did not name a field. */
  readonly field?: string
  /** What is wrong with it. */
  readonly message: string
  /** The gateway's code, when the gateway refused it. */
  readonly error_code?: ErrorCode
  readonly error_name?: string
  readonly scope?: ErrorScope
  readonly description?: string
}

/** The request cannot be right. Nothing was done. Correct the fields. */
export interface InvalidRequest extends ReasonDetails {
  readonly _tag: "InvalidRequest"
  /** `client`: nothing was sent. `gateway`: it refused the request (codes 110–116 and 360, or a too large request). */
  readonly refusedBy: "client" | "gateway"
  readonly errors: ReadonlyArray<InvalidField>
  readonly status?: number
}

/** The credentials were refused (codes 201–203, status 401 or 403 of the token call), or a fresh token was (401). */
export interface AuthenticationFailed extends ReasonDetails, AnswerDetails {
  readonly _tag: "AuthenticationFailed"
}

/** A fresh token does not give access (code 200: its scope), or something before the gateway refused (403 without its body). */
export interface PermissionDenied extends ReasonDetails, AnswerDetails {
  readonly _tag: "PermissionDenied"
}

/** The gateway knows no such payment (code 304). */
export interface PaymentNotFound extends ReasonDetails, AnswerDetails {
  readonly _tag: "PaymentNotFound"
  readonly paymentId: Id
}

/** The gateway knows no such card (code 304). */
export interface CardNotFound extends ReasonDetails, AnswerDetails {
  readonly _tag: "CardNotFound"
  readonly cardId: Id
}

/** A business rule of the gateway forbids it. Nothing was done by this call. */
export interface OperationRefused extends ReasonDetails, AnswerDetails {
  readonly _tag: "OperationRefused"
  /** Decide on this code; see `ErrorCodes`. Absent when the gateway answered `result: "FAILED"`. */
  readonly code?: ErrorCode
  /** What was asked for is already so, by an earlier call or another actor: already captured, voided or stopped. */
  readonly goalReached: boolean
}

/** Too many requests (429). Nothing was done. */
export interface RateLimited extends ReasonDetails, AnswerDetails {
  readonly _tag: "RateLimited"
  /** Milliseconds to wait, when the gateway said so. */
  readonly retryAfter?: number
}

/** No connection was made; for a read also: no answer in time, a cut connection, status 408 or 5xx. */
export interface GatewayUnavailable extends ReasonDetails, AnswerDetails {
  readonly _tag: "GatewayUnavailable"
  /** The system's error code, such as `ECONNREFUSED`. */
  readonly code?: string
}

/** A change was sent, and whether the gateway took it is unknown. Do not repeat it: find out, with `reconcile`. */
export interface OutcomeUnknown extends ReasonDetails, AnswerDetails {
  readonly _tag: "OutcomeUnknown"
  readonly isRetryable: false
  /** What was sent: give it to `reconcile`, with what else you know of it, or store it as JSON. */
  readonly change: ChangeRecord
  /** The system's error code, such as `ECONNRESET`. */
  readonly code?: string
}

/** The answer to a read cannot be used. */
export interface UnexpectedResponse extends ReasonDetails, AnswerDetails {
  readonly _tag: "UnexpectedResponse"
}

/** Why an operation failed; tell them apart by `_tag`. */
export type GatewayErrorReason =
  | InvalidRequest
  | AuthenticationFailed
  | PermissionDenied
  | PaymentNotFound
  | CardNotFound
  | OperationRefused
  | RateLimited
  | GatewayUnavailable
  | OutcomeUnknown
  | UnexpectedResponse

const brand = "~effect-gopay/GatewayError"

/**
 * What every operation fails with: the operation's name, and the reason.
 *
 * It holds no credential, token, request or answer body, card number or contact, however it is printed. `instanceof`
 * also recognises an error that comes from another entry of this package.
 */
export class GatewayError extends Error {
  readonly _tag = "GatewayError"
  readonly operation: OperationName
  readonly reason: GatewayErrorReason

  constructor(details: {
    readonly operation: OperationName
    readonly reason: GatewayErrorReason
    readonly cause?: unknown
  }) {
    super(
      `${details.operation}: ${details.reason.message}`,
      details.cause === undefined ? undefined : { cause: details.cause }
    )
    this.operation = details.operation
    this.reason = details.reason
  }

  static {
    // Said, since a minifier shortens the class's own name, which Node prints.
    Object.defineProperty(this, "name", { value: "GatewayError" })
    Object.defineProperty(this.prototype, "name", { value: "GatewayError" })
    Object.defineProperty(this.prototype, brand, { value: true })
  }

  static override [Symbol.hasInstance](value: unknown): value is GatewayError {
    return this === GatewayError
      ? typeof value === "object" && value !== null && brand in value
      : Function.prototype[Symbol.hasInstance].call(this, value)
  }

  /** A stable form without the stack, fit for logs. */
  toJSON(): {
    readonly _tag: "GatewayError"
    readonly operation: OperationName
    readonly message: string
    readonly reason: GatewayErrorReason
  } {
    return { _tag: this._tag, operation: this.operation, message: this.message, reason: this.reason }
  }
}
