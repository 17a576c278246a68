/**
 * The client's one error class and its reasons.
 */
import { brandError, isInstance } from "../../basics/AnyRealm.js"
import type { ErrorCode, ErrorScope } from "../../contract/CodeLists.js"
import { errorsPage } from "../../package/Documents.js"
import type { ErrorItem, GatewayId } from "../../contract/Messages.js"
import type { ChangeRecord } from "./ChangeRecord.js"
import type { OperationName } from "../../contract/GatewayOperations.js"

/** Members of every reason. */
interface ReasonDetails<out Tag extends string> {
  /** The name of the reason. */
  readonly _tag: Tag
  /** The problem and its remedy, in words. */
  readonly message: string
  /**
   * Whether it is safe to repeat the same call now, and may help. For a change, only if the gateway certainly did not
   * carry it out.
   */
  readonly isRetryable: boolean
}

/** Members of every reason that comes from a response of the gateway. */
interface ResponseDetails {
  /** HTTP status of the gateway's response; not that of a response of yours that passes this error on. */
  readonly status?: number
  /** The gateway's own error elements, when its body could be read. */
  readonly errors?: ReadonlyArray<ErrorItem>
}

/** One field that is wrong. */
export interface InvalidField {
  /** The path of the field, such as `items[0].amount`. Absent when the gateway did not name a field. */
  readonly field?: string
  /** The problem, in words. */
  readonly message: string
  /** The gateway's code, when the gateway refused it. */
  readonly error_code?: ErrorCode
  /** The gateway's symbolic name of the code. Not known for every code. */
  readonly error_name?: string
  /** `F`: about one field. `G`: about the whole request. */
  readonly scope?: ErrorScope
  /** The gateway's technical details. */
  readonly description?: string
}

/** The request is invalid. Nothing was done. Correct the fields. */
export interface InvalidRequest extends ReasonDetails<"InvalidRequest"> {
  /** `client`: nothing was sent. `gateway`: it refused the request (codes 110–116 and 360, or a too large request). */
  readonly refusedBy: "client" | "gateway"
  /** The fields that are wrong. */
  readonly errors: ReadonlyArray<InvalidField>
  /** The HTTP status, when the gateway refused it. */
  readonly status?: number
}

/**
 * The credentials were refused (codes 201–203, status 401, or the gateway's own 403 of the token call), or a fresh
 * token was (401).
 */
export interface AuthenticationFailed extends ReasonDetails<"AuthenticationFailed">, ResponseDetails {}

/**
 * A fresh token does not grant access (code 200: its scope), or something in front of the gateway refused the request
 * (403 without the gateway's body).
 */
export interface PermissionDenied extends ReasonDetails<"PermissionDenied">, ResponseDetails {}

/** The gateway knows no such payment (code 304). */
export interface PaymentNotFound extends ReasonDetails<"PaymentNotFound">, ResponseDetails {
  /** The requested id. */
  readonly paymentId: GatewayId
}

/** The gateway knows no such card (code 304). */
export interface CardNotFound extends ReasonDetails<"CardNotFound">, ResponseDetails {
  /** The requested id. */
  readonly cardId: GatewayId
}

/** A business rule of the gateway forbids it. This call has done nothing. For a read, also an unlisted code. */
export interface OperationRefused extends ReasonDetails<"OperationRefused">, ResponseDetails {
  /** Base decisions on this code; see `ErrorCodes`. Absent if the gateway answered `result: "FAILED"`. */
  readonly code?: ErrorCode
  /**
   * Whether the goal of the call was already reached by an earlier call or another actor: already captured, voided or
   * stopped.
   */
  readonly goalReached: boolean
}

/** Too many requests (429). Nothing was done. */
export interface RateLimited extends ReasonDetails<"RateLimited">, ResponseDetails {
  /** Milliseconds to wait, when the gateway said so. */
  readonly retryAfterMillis?: number
}

/** No connection could be made; for a read also: no response in time, a broken connection, status 408 or 5xx. */
export interface GatewayUnavailable extends ReasonDetails<"GatewayUnavailable">, ResponseDetails {
  /** The system's error code, such as `ECONNREFUSED`. */
  readonly code?: string
  /** Milliseconds to wait, when the gateway said so. */
  readonly retryAfterMillis?: number
}

/**
 * A change was sent, and it is unknown whether the gateway carried it out: there was no response, or one that does not
 * prove it, such as a refusal with an unlisted code. Do not repeat it: find out with `reconcile`. Only a payment
 * without a stored card is simply created again.
 */
export interface OutcomeUnknown extends ReasonDetails<"OutcomeUnknown">, ResponseDetails {
  /** Never: repeating it may do it twice. */
  readonly isRetryable: false
  /**
   * The record of what was sent: pass it to `reconcile`, with anything else that you know about it, or store it as
   * JSON.
   */
  readonly change: ChangeRecord
  /** The system's error code, such as `ECONNRESET`. */
  readonly code?: string
}

/** The response to a read cannot be used. */
export interface UnexpectedResponse extends ReasonDetails<"UnexpectedResponse">, ResponseDetails {}

/** All reasons; tell them apart by `_tag`. */
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

/** The reasons for which the gateway's code says more than the reason itself. */
const decidedByCode: ReadonlyArray<string> = [
  "InvalidRequest",
  "AuthenticationFailed",
  "PermissionDenied",
  "OperationRefused"
] satisfies ReadonlyArray<GatewayErrorReason["_tag"]>

/** The codes in `ErrorCodes`, without the list: bundles need not carry it. */
const isListed = /^(1(00|1[0-6])|20[0-3]|30[1-5]|321|33[0-3]|34[0-3]|35[0-3]|360|500)$/

/**
 * The section of the documentation that says what to do: about the gateway's code, or else about the reason. @internal
 */
export const helpFor = (reason: GatewayErrorReason): string => {
  const code = ("code" in reason ? reason.code : undefined) ?? reason.errors?.[0]?.error_code
  const isByCode = decidedByCode.includes(reason._tag) && isListed.test(String(code))
  return errorsPage(isByCode ? String(code) : reason._tag)
}

/** The result of `toJSON` of a `GatewayError`. */
export interface GatewayErrorJson<out Reason extends GatewayErrorReason = GatewayErrorReason> {
  /** Always `GatewayError`. */
  readonly _tag: "GatewayError"
  /** The operation that failed. */
  readonly operation: OperationName
  /** The operation and the problem, in words. */
  readonly message: string
  /** The section of the documents that says what to do about it. */
  readonly help: string
  /** The reason of the failure. */
  readonly reason: Reason
}

/**
 * The error of every operation: its name, and the reason of the failure.
 *
 * It holds no credential, token, request or response body or card number, however it is printed, and the texts that the call
 * sent are kept out when the gateway repeats them. What the gateway says of its own accord is shown without e-mail addresses,
 * card and account numbers; a name in it is shown: see SECURITY.md. `instanceof` also recognises an error that comes from
 * another entry of this package.
 */
export class GatewayError extends Error {
  /** Always `GatewayError`. */
  readonly _tag = "GatewayError"
  /** The operation that failed. */
  readonly operation: OperationName
  /** The reason of the failure; its `_tag` says which. */
  readonly reason: GatewayErrorReason

  /** Makes an error of a failure. */
  constructor({
    cause,
    operation,
    reason
  }: {
    readonly operation: OperationName
    readonly reason: GatewayErrorReason
    readonly cause?: unknown
  }) {
    super(`${operation}: ${reason.message}`, cause === undefined ? undefined : { cause })
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
  toJSON(): GatewayErrorJson {
    const { _tag, help, message, operation, reason } = this
    return { _tag, operation, message, help, reason }
  }
}
