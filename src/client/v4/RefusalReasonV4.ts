/**
 * The meaning of a response of API v4 that is not a success, and what it proves.
 *
 * v4 has no codes of its own: the status decides, and the wording "is not contractual" (GoPay's own tests).
 */
import * as Result from "effect/Result"
import * as SchemaParser from "effect/SchemaParser"
import { ownMember, withoutPrototype } from "../../basics/OwnMember.js"
import { changeFactsV4, type ChangeFactsV4 } from "../../contract/ChangeFactsV4.js"
import { basePathV4, type EndpointV4, endpointsV4 } from "../../contract/EndpointV4.js"
import type { ErrorItem } from "../../contract/Messages.js"
import { ErrorResponseV4, OldErrorResponseV4 } from "../../contract/ResponseSchemaV4.js"
import type { AnyReason, NotFound } from "../error/AnyReason.js"
import { type FailedCall, isOfFields, outcomeUnknown, type Refusal } from "../call/FailureReason.js"
import type { RefusalLanguage } from "../call/ResponseReader.js"

const decodeError = SchemaParser.decodeUnknownResult(ErrorResponseV4)
const decodeOldError = SchemaParser.decodeUnknownResult(OldErrorResponseV4)

const errorsIn = (json: unknown): ReadonlyArray<ErrorItem> | undefined => {
  const body = Result.getOrUndefined(decodeError(json))
  if (body !== undefined) {
    const { code, detail, error, message } = withoutPrototype(body)
    return [
      {
        error_code: code,
        error_name: error,
        ...(message === undefined ? undefined : { message }),
        ...(detail === undefined ? undefined : { description: detail })
      }
    ]
  }
  const old = Result.getOrUndefined(decodeOldError(json))
  if (old === undefined) return undefined
  const { error_code, error_name, message } = withoutPrototype(old)
  return message.map((field) => ({
    error_code,
    ...(error_name === undefined ? undefined : { error_name }),
    ...field
  }))
}

// ---------------------------------------------------------------------------------------------------------------------
// What it proves
// ---------------------------------------------------------------------------------------------------------------------

/**
 * The statuses that prove that a change was not made, and with which body. A status that is not here proves nothing: no source says
 * what it means, and a server on the way may send it after the gateway has taken the request.
 *
 * - `any`: 401 and 429 reject a request before it is processed (RFC 9110, 15.5.2; RFC 6585, 4), whatever the body says.
 * - `own or none`: a server in front of the gateway sends them for what it does not pass on (403, 413, 414, 431: see v3); of v4 also its
 *   router, which answers 405 and 415 before it reads the body (_observed_: GoPay's tests got 405 for a DELETE that the sandbox does not have,
 *   and 415 for a POST without a content type, whatever its address). By RFC 9110, 15.5.6 and 15.5.16, both refuse the request.
 *   v3 leaves 405 and 415 in doubt: no one has seen its router send them, and it answers a wrong content type with 500.
 * - `own`: only with the gateway's body, which says that they are of the gateway.
 */
const provenBy: { readonly [status: number]: "any" | "own or none" | "own" } = {
  400: "own",
  401: "any",
  403: "own or none",
  404: "own",
  405: "own or none",
  409: "own",
  413: "own or none",
  414: "own or none",
  415: "own or none",
  422: "own",
  429: "any",
  431: "own or none"
}

/** The message of RESTEasy, the framework of the API, for an unknown address (_observed_). */
const noResource = "RESTEASY003210"

const isNotOffered = (status: number, errors: Refusal["errors"]): boolean =>
  status === 405 ||
  (status === 404 &&
    errors?.some(({ description, message }) => `${message} ${description}`.includes(noResource)) === true)

/** Whether a code of the gateway's body says that it refused: a status, or in the older form a code of v3 about fields. */
const isOfRefusal = (code: number): boolean => Object.hasOwn(provenBy, code) || isOfFields(code)

const isRefusal = ({ codes, status }: Refusal): boolean => {
  const proof = ownMember<(typeof provenBy)[number]>(provenBy, String(status))
  if (proof === undefined || proof === "any") return proof === "any"
  return codes.size === 0 ? proof === "own or none" : [...codes].every(isOfRefusal)
}

/** The path in a body, relative to the API's own path. */
const relative = (path: string): string => {
  const [folders = ""] = path.split("?")
  const start = folders.indexOf(basePathV4)
  return (start === -1 ? folders : folders.slice(start + basePathV4.length)).replace(/\/+$/, "")
}

const patterns = Object.values(endpointsV4).map(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`))

/**
 * Whether a refusal is the response to another request, as when a response was duplicated on the way: its body names
 * another path that is known here. How the path is written is known from a single example, so any other text proves
 * nothing.
 */
const isOfAnother = ({ path: requested }: FailedCall, { path: named }: Refusal): boolean => {
  if (requested === undefined || named === undefined) return false
  const [own, other] = [relative(requested), relative(named)]
  return own !== other && patterns.some((pattern) => pattern.test(other))
}

// ---------------------------------------------------------------------------------------------------------------------
// What it means
// ---------------------------------------------------------------------------------------------------------------------

const describe = (errors: ReadonlyArray<ErrorItem>): string =>
  errors
    .slice(0, 5)
    .map(withoutPrototype)
    .map(({ description, error_code, error_name, field, message }) =>
      [
        field === undefined ? "" : `${field}: `,
        `${error_name ?? "error"} (${error_code})`,
        message === undefined ? "" : `, ${message.replace(/\.$/, "")}`,
        description === undefined ? "" : ` (${description})`
      ].join("")
    )
    .join("; ")

/** The missing subject of a call. */
const notFound = ({ operation, subject }: FailedCall): NotFound | undefined => {
  const { paymentId, recurrenceId, refundId } = subject ?? {}
  const reason = <Tag extends `${string}NotFound`>(_tag: Tag, message: string) => ({
    _tag,
    isRetryable: false,
    message
  })
  if (operation === "v4.getCharge") {
    return {
      ...reason("ChargeNotFound", `Payment ${paymentId} has no charge, or the gateway knows no such payment.`),
      ...subject
    }
  }
  if (paymentId !== undefined) {
    return { ...reason("PaymentNotFound", `The gateway knows no payment ${paymentId} of this merchant.`), ...subject }
  }
  if (refundId !== undefined) {
    return { ...reason("RefundNotFound", `The gateway knows no refund ${refundId} of this merchant.`), ...subject }
  }
  return recurrenceId === undefined
    ? undefined
    : {
        ...reason("RecurrenceNotFound", `The gateway knows no recurrence ${recurrenceId} of this merchant.`),
        ...subject
      }
}

/** Whether a 409 only refuses what is already so. */
const isGoal = (operation: string): boolean =>
  ownMember<ChangeFactsV4>(changeFactsV4, operation.replace(/^v4\./, ""))?.isDoneByConflict === true

/** Whether a 404 can only be about the shop, whose GoID is the path's only parameter. */
const isOfShop = (operation: string): boolean =>
  ownMember<EndpointV4>(endpointsV4, operation.replace(/^v4\./, ""))?.path.startsWith("/eshops/{goid}/") === true

const reasonOf = (call: FailedCall, refusal: Refusal): AnyReason => {
  const { errors, retryAfter, status } = refusal
  const details = { status, ...(errors === undefined ? undefined : { errors }) }
  const said = errors === undefined ? "" : `: ${describe(errors)}`
  const isAnother = isOfAnother(call, refusal)

  if (call.change !== undefined && (!isRefusal(refusal) || isAnother)) {
    const why = isAnother ? ", which is the refusal of another request" : ""
    return outcomeUnknown(call.change, `the response has status ${status}${said}${why}`, details, call.advice)
  }
  const invalid = (field?: string): AnyReason => ({
    _tag: "InvalidRequest",
    refusedBy: "gateway",
    isRetryable: false,
    status,
    message: `The gateway refused the request (status ${status})${said}.`,
    errors: (errors ?? [{}]).map((error) => ({
      message: `Refused with status ${status}`,
      ...(field === undefined ? undefined : { field }),
      ...error
    }))
  })
  const refused = (): AnyReason => ({
    _tag: "OperationRefused",
    isRetryable: false,
    goalReached: isGoal(call.operation),
    message: `${isGoal(call.operation) ? "Already so" : "The gateway refused it"}${said}.`,
    ...details
  })
  if (isNotOffered(status, errors)) {
    return {
      _tag: "OperationRefused",
      isRetryable: false,
      goalReached: false,
      message: `This gateway does not have the operation: GoPay brings those of v4 to its environments one by one${said}.`,
      ...details
    }
  }
  switch (status) {
    case 429:
      return {
        _tag: "RateLimited",
        isRetryable: true,
        message: `Too many requests${retryAfter === undefined ? "" : `, the gateway asks to wait ${retryAfter} ms`}${said}.`,
        ...details,
        ...(retryAfter === undefined ? undefined : { retryAfterMillis: retryAfter })
      }
    case 401:
      return {
        _tag: "AuthenticationFailed",
        isRetryable: false,
        message: `The gateway refused the credentials (status 401)${said}.`,
        ...details
      }
    case 403:
      return {
        _tag: "PermissionDenied",
        isRetryable: false,
        message:
          errors === undefined
            ? "Status 403 without the gateway's reason: something before it refused the request, as production does where an address is of this machine or a private network."
            : call.operation === "getAccessToken"
              ? `The gateway gives no token${said}. May these credentials have the configured scope?`
              : `The access token does not allow it${said}. Does the configured scope cover ${call.operation}?`,
        ...details
      }
    case 404: {
      if (errors === undefined) break
      const reason = notFound(call)
      if (reason !== undefined) return { ...reason, ...details }
      // The subject of a custom request is unknown.
      if (call.operation === "v4.sendRequest") return refused()
      if (isOfShop(call.operation)) return invalid("goid")
      break
    }
    case 409:
      if (errors === undefined) break
      return refused()
    case 400:
    case 422:
      if (errors === undefined) break
      return invalid()
    case 413:
    case 414:
    case 415:
    case 431:
      return invalid()
    default:
  }
  return status === 408 || status >= 500
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
        message: `Status ${status}${said === "" ? " without the gateway's reason. Is the configured address the gateway's?" : `${said}.`}`,
        ...details
      }
}

/** How API v4 expresses refusals. */
export const refusalsV4: RefusalLanguage = {
  errorsIn,
  pathIn: (json) => Result.getOrUndefined(decodeError(json))?.path,
  claimsErrors: (json) => (json["error"] ?? json["error_code"] ?? null) !== null,
  isName: (text) => errorNames.has(text),
  reasonOf
}

const errorNames: ReadonlySet<string> = new Set([
  "BAD_REQUEST",
  "UNAUTHORIZED",
  "FORBIDDEN",
  "NOT_FOUND",
  "CONFLICT",
  "REFUND_NOT_ALLOWED",
  "INTERNAL_SERVER_ERROR"
])
