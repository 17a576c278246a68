/**
 * The reasons of failed calls. The outcome of a failed change is unknown unless the gateway certainly did not make it.
 */
import { afterLoss } from "../../contract/ChangeFacts.js"
import type { ErrorItem, GatewayId } from "../../contract/Messages.js"
import {
  handedOverAfterLook,
  handedOverAgain,
  heldBack,
  type TransportFailure,
  unsentByClient,
  waitingEnded
} from "../transport/TransportFailure.js"
import type { AnyReason, LostOutcome, SentChange } from "../error/AnyReason.js"
import type { InvalidField, InvalidRequest, OperationRefused } from "../error/GatewayError.js"
import { describeFields } from "../../basics/InvalidFields.js"

/** The id that a call is about, under the name that it has in a record and in an error. */
export interface CallSubject {
  readonly paymentId?: GatewayId
  readonly cardId?: GatewayId
  readonly refundId?: string
  readonly recurrenceId?: string
}

export interface FailedCall<out Name extends string = string> {
  readonly operation: Name
  readonly subject: CallSubject | undefined
  /** What was sent, if it is a change. */
  readonly change: SentChange | undefined
  /** Path and query of the request. */
  readonly path?: string | undefined
  /** What to do about the change when its outcome is unknown, if its API says so. */
  readonly advice?: string | undefined
}

/** A response that is not a success. */
export interface Refusal {
  readonly status: number
  /** The errors in the gateway's own body, if it could be read; only the first ones if there are very many. */
  readonly errors: ReadonlyArray<ErrorItem> | undefined
  /** The codes of all its errors; empty if there is no such body. */
  readonly codes: ReadonlySet<number>
  /** The path that the body says was requested, if the API says it. */
  readonly path?: string | undefined
  /** Milliseconds, from `Retry-After`. */
  readonly retryAfter: number | undefined
}

/** Whether a code of v3 says that fields of the request are wrong. */
export const isOfFields = (code: number): boolean => (code >= 110 && code <= 116) || code === 360

export const invalidRequest = (errors: ReadonlyArray<InvalidField>): InvalidRequest => ({
  _tag: "InvalidRequest",
  refusedBy: "client",
  isRetryable: false,
  message: `Nothing was sent. ${describeFields(errors)}.`,
  errors
})

/** The reason of an operation that the gateway accepted and failed to carry out. */
export const failed = (status: number, description: string): OperationRefused => ({
  _tag: "OperationRefused",
  isRetryable: false,
  goalReached: false,
  message: `The gateway answered that it failed${description === "" ? "" : `: ${description.replace(/\.$/, "")}`}.`,
  status
})

export const unanswered = (
  call: FailedCall,
  { code, isTimeout, name, wasSent }: TransportFailure,
  limit: string
): AnyReason => {
  const cause = code ?? name
  const system = cause === undefined ? "" : ` (${cause})`
  const details = code === undefined ? undefined : { code }
  if (wasSent === "certainly not") {
    const what =
      cause === heldBack.name
        ? isTimeout
          ? `The application did not say within ${limit} whether to send it (beforeSend)`
          : "The application held the request back (beforeSend)"
        : cause === unsentByClient.name
          ? `The HttpClient ${isTimeout ? `did not send the request within ${limit}` : "failed before it sent the request"}`
          : `No connection to the gateway${isTimeout ? ` within ${limit}` : ""}${system}`
    return {
      _tag: "GatewayUnavailable",
      isRetryable: true,
      message: `${what}: nothing was sent.`,
      ...details
    }
  }
  const what = isTimeout
    ? `no complete response within ${limit}`
    : cause === handedOverAgain.name
      ? "the HttpClient began to send it a second time, and was stopped"
      : cause === waitingEnded.name
        ? "the HttpClient gave up waiting for the response"
        : cause === handedOverAfterLook.name
          ? "the HttpClient made another request of it, which was stopped. Let it pass on the request that it is given, changed at most by HttpClientRequest"
          : `the connection broke before the response was complete${system}`
  return call.change === undefined
    ? { _tag: "GatewayUnavailable", isRetryable: true, message: `The gateway is not available: ${what}.`, ...details }
    : outcomeUnknown(call.change, what, details, call.advice, cause !== handedOverAfterLook.name)
}

/** The reason of a call whose response claims success but cannot be used. */
export const unusable = (call: FailedCall, status: number, problem: string): AnyReason =>
  call.change === undefined
    ? {
        _tag: "UnexpectedResponse",
        isRetryable: false,
        message: `The response (status ${status}) cannot be used: ${problem}.`,
        status
      }
    : outcomeUnknown(call.change, `the response (status ${status}) cannot be used: ${problem}`, { status }, call.advice)

/** The reason of a change of which it is unknown whether the gateway accepted it. */
export const outcomeUnknown = <Change extends SentChange>(
  change: Change,
  why: string,
  details?: { readonly status?: number; readonly errors?: ReadonlyArray<ErrorItem>; readonly code?: string },
  advice: string = adviceOn(change),
  wasSeenSent = true
): LostOutcome<Change> => ({
  _tag: "OutcomeUnknown",
  isRetryable: false,
  message: `It ${wasSeenSent ? "was" : "may have been"} sent, and whether the gateway took it is unknown: ${why}. ${asSentence(advice)}`,
  change,
  ...details
})

/** What to do about a change whose outcome is unknown. */
export const adviceOn = ({ operation, usesStoredCard = false }: SentChange): string =>
  ({
    makeAgain: "create it again, and send the payer only to the newest address",
    findOut: "do not repeat it, find out"
  })[afterLoss(operation, usesStoredCard)]

const asSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
