/**
 * The meaning of a response of API v3 that is not a success, and what it proves.
 */
import * as Result from "effect/Result"
import * as SchemaParser from "effect/SchemaParser"
import { changeFacts, changeFactsOf } from "../../contract/ChangeFacts.js"
import { ErrorCodes } from "../../contract/CodeLists.js"
import type { ErrorItem } from "../../contract/Messages.js"
import * as ResponseSchema from "../../contract/ResponseSchema.js"
import { ownMember, withoutPrototype } from "../../basics/OwnMember.js"
import type { AnyReason, LostOutcome, SentChange } from "../error/AnyReason.js"
import type { GatewayErrorReason, OutcomeUnknown } from "../error/GatewayError.js"
import { type FailedCall, isOfFields, outcomeUnknown, type Refusal } from "./FailureReason.js"
import type { RefusalLanguage } from "./ResponseReader.js"

/** The reasons that API v3 gives for a call that was refused. The caller narrows the type of a lost change. */
type RefusedReason = Exclude<GatewayErrorReason, OutcomeUnknown> | LostOutcome<SentChange>

export const refused = (call: FailedCall, { codes, errors, retryAfter, status }: Refusal): RefusedReason => {
  const details = { status, ...(errors === undefined ? undefined : { errors }) }
  const said = errors === undefined ? "" : `: ${describe(errors)}`
  const isDecisive = errors !== undefined && !hasSystemError(codes)

  if (call.change !== undefined && !provesNotTaken(call.operation, status, codes)) {
    const why = isOfAnother(call.operation, codes) ? ", which is the refusal of another operation" : ""
    return outcomeUnknown(call.change, `the response has status ${status}${said}${why}`, details, call.advice)
  }
  if (status === 429) {
    return {
      _tag: "RateLimited",
      isRetryable: true,
      message: `Too many requests${retryAfter === undefined ? "" : `, the gateway asks to wait ${retryAfter} ms`}${said}.`,
      ...details,
      ...(retryAfter === undefined ? undefined : { retryAfterMillis: retryAfter })
    }
  }
  if (status === 401 || (status === 403 && call.operation === "getAccessToken" && errors !== undefined)) {
    return authenticationFailed(said, details)
  }
  if (status === 403 && !isDecisive) {
    return {
      _tag: "PermissionDenied",
      isRetryable: false,
      message: `Status 403 without the gateway's reason${said}: something before it, such as a firewall or a proxy, refused the request.`,
      ...details
    }
  }
  if (isDecisive) return refusedByCode(call, errors, said, details)
  if (status === 413 || status === 414 || status === 431) {
    const message = `The request is too large (status ${status})`
    return {
      _tag: "InvalidRequest",
      refusedBy: "gateway",
      isRetryable: false,
      status,
      message: `${message}.`,
      errors: [{ message }]
    }
  }
  return status === 408 || status >= 500 || errors !== undefined
    ? {
        _tag: "GatewayUnavailable",
        isRetryable: true,
        message: `The gateway failed (status ${status})${said}.`,
        ...details,
        ...(retryAfter === undefined ? undefined : { retryAfterMillis: retryAfter })
      }
    : {
        _tag: "UnexpectedResponse",
        isRetryable: false,
        message: `Status ${status} without the gateway's reason. Is the configured address the gateway's?`,
        ...details
      }
}

/**
 * Whether a response proves that the gateway did not carry out a change. It proves nothing if one of its codes can only
 * belong to another operation, since it is then the response to another request.
 */
const provesNotTaken = (operation: string, status: number, codes: ReadonlySet<number>): boolean =>
  isRefusal(status, codes) && (turnedAway.has(status) || !isOfAnother(operation, codes))

/**
 * Whether a response is the gateway's refusal of a request: a 4xx other than 408 with its own body, in which each error
 * has a code that is listed as a refusal. The meaning of unlisted codes is unknown. It is not a refusal, whatever the
 * status, if one of the codes says that the gateway itself failed.
 */
const isRefusal = (status: number, codes: ReadonlySet<number>): boolean => {
  if (status < 400 || status > 499 || status === 408 || hasSystemError(codes)) return false
  if (turnedAway.has(status)) return true
  if (codes.size === 0) return turnedAwayBefore.has(status)
  return [...codes].every((code) => Object.hasOwn(ErrorCodes, code))
}

/** The codes that only some changes are refused with. */
const ownRefusals: ReadonlySet<number> = new Set(Object.values(changeFacts).flatMap((facts) => facts.ownRefusals))

/**
 * Whether one of the codes can only belong to another operation. Nothing is known about a request of the caller's own.
 */
const isOfAnother = (operation: string, codes: ReadonlySet<number>): boolean => {
  if (operation === "sendRequest") return false
  const own: ReadonlyArray<number> = changeFactsOf(operation)?.ownRefusals ?? []
  return [...codes].some((code) => ownRefusals.has(code) && !own.includes(code))
}

/**
 * Whether a change is in doubt only because its response is the refusal of another operation, as when a response was
 * duplicated on the way.
 */
export const isRefusalOfAnother = (operation: string, reason: AnyReason): boolean => {
  if (reason._tag !== "OutcomeUnknown" || reason.errors === undefined) return false
  const codes = new Set(reason.errors.map(({ error_code }) => error_code))
  return isRefusal(reason.status ?? 0, codes) && isOfAnother(operation, codes)
}

/**
 * Statuses that prove it whatever the gateway's body says:
 *
 * - 401: the request "has not been applied" for want of credentials (RFC 9110, 15.5.2)
 * - 429: the request is turned away before it is processed (RFC 6585, 4)
 */
const turnedAway: ReadonlySet<number> = new Set([401, 429])

/**
 * Statuses that prove it if they come without the gateway's body, from a server in front of it:
 *
 * - 403: it "refuses to fulfill" the request (RFC 9110, 15.5.4), as a firewall in front of the gateway does
 * - 413, 414, 431: the request, its address or its headers are too large to be read (RFC 9110, 15.5.14 and 15.5.15; RFC
 *   6585, 5)
 *
 * 405 and 415 are not among them, as they are of v4: no one has seen what this API sends for a wrong method, and it
 * answers a wrong content type with 500. So without its body they may be anyone's.
 */
const turnedAwayBefore: ReadonlySet<number> = new Set([403, 413, 414, 431])

/** Whether one of the codes is a failure of the gateway itself, which says nothing about the request. */
const hasSystemError = (codes: ReadonlySet<number>): boolean => codes.has(100) || codes.has(500)

interface Details {
  readonly status: number
  readonly errors?: ReadonlyArray<ErrorItem>
}

const authenticationFailed = (said: string, details: Details): RefusedReason => ({
  _tag: "AuthenticationFailed",
  isRetryable: false,
  message: `The gateway refused the credentials (status ${details.status})${said}.`,
  ...details
})

const refusedByCode = (
  { operation, subject }: FailedCall,
  errors: ReadonlyArray<ErrorItem>,
  said: string,
  details: Details
): RefusedReason => {
  const code = errors[0]?.error_code ?? 0
  if (code === 200) {
    return {
      _tag: "PermissionDenied",
      isRetryable: false,
      message: `The access token does not allow it${said}. Does the configured scope cover ${operation}?`,
      ...details
    }
  }
  if (code >= 201 && code <= 203) return authenticationFailed(said, details)
  if (code === 304 && subject?.paymentId !== undefined) {
    const { paymentId } = subject
    return {
      _tag: "PaymentNotFound",
      isRetryable: false,
      message: `The gateway knows no payment ${paymentId} of this merchant.`,
      paymentId,
      ...details
    }
  }
  if (code === 304 && subject?.cardId !== undefined) {
    const { cardId } = subject
    return {
      _tag: "CardNotFound",
      isRetryable: false,
      message: `The gateway knows no card ${cardId} of this merchant.`,
      cardId,
      ...details
    }
  }
  if (isOfFields(code)) {
    return {
      _tag: "InvalidRequest",
      refusedBy: "gateway",
      isRetryable: false,
      message: `The gateway refused the request${said}.`,
      status: details.status,
      errors: errors.map((error) => ({
        ...error,
        message: withoutPrototype(error).message ?? meaning(error.error_code)
      }))
    }
  }
  const goalReached = changeFactsOf(operation)?.madeBefore === code
  return {
    _tag: "OperationRefused",
    isRetryable: false,
    goalReached,
    code,
    message: `${goalReached ? "Already so" : "The gateway refused it"}${said}.`,
    ...details
  }
}

const meanings: { readonly [code: number]: { readonly meaning: string } } = ErrorCodes

const meaning = (code: number): string => meanings[code]?.meaning ?? "The gateway gave no message."

const describe = (errors: ReadonlyArray<ErrorItem>): string =>
  errors
    .slice(0, 5)
    .map(withoutPrototype)
    .map(({ description, error_code, error_name, field, message }) =>
      [
        field === undefined ? "" : `${field}: `,
        `${error_name ?? "error"} (${error_code}), `,
        (message ?? meaning(error_code)).replace(/\.$/, ""),
        description === undefined ? "" : ` (${description})`
      ].join("")
    )
    .join("; ")
    .concat(errors.length > 5 ? `; and ${errors.length - 5} more` : "")

const decodeErrors = SchemaParser.decodeUnknownResult(ResponseSchema.ErrorResponse)

const names: { readonly [code: string]: { readonly name: string | null } } = ErrorCodes

/** How API v3 expresses refusals. */
export const refusalsV3: RefusalLanguage = {
  errorsIn: (json) => Result.getOrUndefined(decodeErrors(json))?.errors,
  claimsErrors: (json) => (json["errors"] ?? json["error_code"] ?? null) !== null,
  isName: (text, code) => ownMember(names, String(code))?.name === text,
  reasonOf: refused
}
