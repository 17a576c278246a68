/**
 * The error of API v4's client and its reasons.
 */
import { brandError, isInstance } from "../../basics/AnyRealm.js"
import type { OperationNameV4 } from "../../contract/GatewayOperationsV4.js"
import type { PaymentIdV4, RecurrenceIdV4, RefundIdV4 } from "../../contract/MessagesV4.js"
import { errorsPage } from "../../package/Documents.js"
import type { AnyReason, ApiTypes, LostOutcome } from "../error/AnyReason.js"
import type { PaymentNotFound } from "../error/GatewayError.js"
import type { ReadReason } from "../error/GatewayFailure.js"
import type { ChangeRecordV4 } from "./ChangeRecordV4.js"

/** The gateway knows no such payment. */
export interface PaymentNotFoundV4 extends Omit<PaymentNotFound, "paymentId"> {
  /** The requested id. */
  readonly paymentId: PaymentIdV4
}

/** The payment has no charge by card or wallet, or there is no such payment: the gateway's answer is the same. */
export interface ChargeNotFoundV4 extends Omit<PaymentNotFoundV4, "_tag"> {
  /** The name of the reason. */
  readonly _tag: "ChargeNotFound"
}

/** The gateway knows no such refund. */
export interface RefundNotFoundV4 extends Omit<PaymentNotFound, "_tag" | "paymentId"> {
  /** The name of the reason. */
  readonly _tag: "RefundNotFound"
  /** The requested id. */
  readonly refundId: RefundIdV4
}

/** The gateway knows no such recurrence. */
export interface RecurrenceNotFoundV4 extends Omit<PaymentNotFound, "_tag" | "paymentId"> {
  /** The name of the reason. */
  readonly _tag: "RecurrenceNotFound"
  /** The requested id. */
  readonly recurrenceId: RecurrenceIdV4
}

/**
 * A change was sent, and it is unknown whether the gateway carried it out. Do not repeat it: find out with `reconcile`.
 */
export interface OutcomeUnknownV4 extends LostOutcome<ChangeRecordV4> {
  /** The record of what was sent: pass it to `reconcile`, or store it as JSON. */
  readonly change: ChangeRecordV4
}

/**
 * All reasons; tell them apart by `_tag`. Those that v3 also has mean the same. The `error_code` of their `errors` is
 * the HTTP status, since v4 has no codes of its own.
 */
export type GatewayErrorReasonV4 =
  | ReadReason
  | PaymentNotFoundV4
  | ChargeNotFoundV4
  | RefundNotFoundV4
  | RecurrenceNotFoundV4
  | OutcomeUnknownV4

/** The types of the calls of API v4. */
export interface ApiTypesV4 extends ApiTypes {
  readonly name: OperationNameV4
  readonly reason: GatewayErrorReasonV4
  readonly change: ChangeRecordV4
}

/** The parts of an error. */
export interface FailureV4<out Reason extends GatewayErrorReasonV4 = GatewayErrorReasonV4> {
  /** The operation that failed. */
  readonly operation: OperationNameV4
  /** The reason of the failure. */
  readonly reason: Reason
  /** A cause besides the reason. */
  readonly cause?: unknown
}

/** The result of `toJSON` of a `GatewayErrorV4`. */
export interface GatewayErrorJsonV4<out Reason extends GatewayErrorReasonV4 = GatewayErrorReasonV4> {
  /** Always `GatewayErrorV4`. */
  readonly _tag: "GatewayErrorV4"
  /** The operation that failed. */
  readonly operation: OperationNameV4
  /** The operation and the problem, in words. */
  readonly message: string
  /** The section of the documents that says what to do about it. */
  readonly help: string
  /** The reason of the failure. */
  readonly reason: Reason
}

export const helpForV4 = ({ _tag }: GatewayErrorReasonV4): string => errorsPage(_tag)

/**
 * The error of every operation of API v4: its name, and the reason of the failure. It holds no credential, token,
 * secret of a payment, request or response body, however it is printed. `instanceof` also recognises one that comes
 * from another entry of this package; an error of v3 is not an instance.
 */
export class GatewayErrorV4 extends Error {
  /** Always `GatewayErrorV4`. */
  readonly _tag = "GatewayErrorV4"
  /** The operation that failed. */
  readonly operation: OperationNameV4
  /** The reason of the failure; its `_tag` says which. */
  readonly reason: GatewayErrorReasonV4

  /** Makes an error of a failure. */
  constructor({ cause, operation, reason }: FailureV4) {
    super(`${operation}: ${reason.message}`, cause === undefined ? undefined : { cause })
    this.operation = operation
    this.reason = reason
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
  toJSON(): GatewayErrorJsonV4 {
    const { _tag, help, message, operation, reason } = this
    return { _tag, operation, message, help, reason }
  }
}

/** The failure of a token request, which is the same in every API. */
interface TokenFailureV4 extends FailureV4<ReadReason> {
  readonly operation: "getAccessToken"
}

export const tokenFailureV4 = ({
  cause,
  reason
}: {
  readonly reason: AnyReason
  readonly cause?: unknown
}): TokenFailureV4 => ({
  operation: "getAccessToken",
  reason: isReadReason(reason)
    ? reason
    : { _tag: "GatewayUnavailable", isRetryable: reason.isRetryable, message: reason.message },
  ...(cause === undefined ? undefined : { cause })
})

const isReadReason = (reason: AnyReason): reason is ReadReason =>
  reason._tag !== "OutcomeUnknown" && !reason._tag.endsWith("NotFound")
