/**
 * The client's one error class and its reasons.
 *
 * This module does not depend on Effect, so that every entry of the package shows the same types.
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

/** Every reason that there is; tell them apart by `_tag`. */
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

/** Why a read may fail. */
export type ReadReason =
  | InvalidRequest
  | AuthenticationFailed
  | PermissionDenied
  | OperationRefused
  | RateLimited
  | GatewayUnavailable
  | UnexpectedResponse

/** Why a change may fail. `UnexpectedResponse` is about the token call: nothing was sent. */
export type ChangeReason = ReadReason | OutcomeUnknown

/** Why a read of a payment may fail. */
export type PaymentReadReason = ReadReason | PaymentNotFound

/** Why a change of a payment may fail. `UnexpectedResponse` is about the token call: nothing was sent. */
export type PaymentChangeReason = ChangeReason | PaymentNotFound

/** Why a read of a stored card may fail. */
export type CardReadReason = ReadReason | CardNotFound

/** Why a change of a stored card may fail. `UnexpectedResponse` is about the token call: nothing was sent. */
export type CardChangeReason = ChangeReason | CardNotFound

/** What a failed operation comes to, as data: a `GatewayError` is made of it where it leaves the client. */
export interface GatewayFailure<out Reason extends GatewayErrorReason = GatewayErrorReason> {
  readonly operation: OperationName
  readonly reason: Reason
  /** Something beside the reason, such as what an `AbortSignal` was aborted with. */
  readonly cause?: unknown
}

const brand = "~effect-gopay/GatewayError"

/** Says that instances of a class are gateway errors, and how they are named. */
export const brandGatewayError = (constructor: { readonly prototype: object }): void => {
  // Set explicitly: Node prints the class name, and a minifier would shorten it.
  Object.defineProperty(constructor, "name", { value: "GatewayError" })
  Object.defineProperty(constructor.prototype, "name", { value: "GatewayError" })
  Object.defineProperty(constructor.prototype, brand, { value: true })
}

/** Whether it is an error of this package, of any of its entries. */
export const isGatewayError = (value: unknown): value is GatewayError =>
  typeof value === "object" && value !== null && brand in value

/** What `toJSON` of a `GatewayError` gives. */
export interface GatewayErrorJson<out Reason extends GatewayErrorReason = GatewayErrorReason> {
  readonly _tag: "GatewayError"
  readonly operation: OperationName
  readonly message: string
  readonly reason: Reason
}

/**
 * The error of every operation: its name, and the reason of the failure.
 *
 * It holds no credential, token, request or response body, card number or contact, however it is printed. `instanceof`
 * also recognises an error that comes from another entry of this package.
 */
export class GatewayError<out Reason extends GatewayErrorReason = GatewayErrorReason> extends Error {
  readonly _tag = "GatewayError"
  readonly operation: OperationName
  readonly reason: Reason

  constructor({ cause, operation, reason }: GatewayFailure<Reason>) {
    super(`${operation}: ${reason.message}`, cause === undefined ? undefined : { cause })
    this.operation = operation
    this.reason = reason
  }

  static {
    brandGatewayError(this)
  }

  static override [Symbol.hasInstance](value: unknown): value is GatewayError {
    return this === GatewayError ? isGatewayError(value) : Function.prototype[Symbol.hasInstance].call(this, value)
  }

  /** A stable form without the stack and the cause, fit for logs. */
  toJSON(): GatewayErrorJson<Reason> {
    return { _tag: this._tag, operation: this.operation, message: this.message, reason: this.reason }
  }
}
