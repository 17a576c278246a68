/**
 * Calls of operations: prepared, observed, sent with a token, and retried where that is certainly safe.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Attempt from "./Attempt.js"
import { afterLastLook, lookedAt } from "./BeforeSend.js"
import type { CallObserver, ObservedAttempt } from "./CallObserver.js"
import { invalidRequest, outcomeUnknown } from "./FailureReason.js"
import { OnUnknownOutcome } from "./OnUnknownOutcome.js"
import type { Operation, PreparedRequest } from "./Operation.js"
import { retried } from "./RetryPolicy.js"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import type { ChangeRecord } from "../error/ChangeRecord.js"
import type { GatewayErrorReason } from "../error/GatewayError.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import type { CachedToken, TokenCache } from "./TokenCache.js"
import { limited } from "../transport/RequestLimit.js"
import type { Transport } from "../transport/Transport.js"
import * as TokenRecovery from "./TokenRecovery.js"

/** Calls an operation with its arguments. */
type CallOperation = <Response, Reason extends GatewayErrorReason>(
  operation: Operation<Response, Reason>,
  args: ReadonlyArray<unknown>
) => Effect.Effect<Response, GatewayFailure<Reason>>

/** Makes calls for one merchant, over a transport. */
export const make = (
  settings: GatewaySettings,
  tokens: TokenCache,
  transport: Transport,
  observe: CallObserver
): CallOperation => {
  const attempt = Attempt.make(settings, limited(afterLastLook(transport), settings.maxConcurrentRequests))
  const withToken = TokenRecovery.make(tokens)

  const read = <Response, Reason extends GatewayErrorReason>(
    operation: Operation<Response, Reason>,
    request: PreparedRequest,
    observed: ObservedAttempt
  ): Effect.Effect<Response, CallFailure<Reason>> => {
    const send = ({ value: credentials }: CachedToken) =>
      observed(attempt(operation, { request, scheme: "Bearer", credentials, change: undefined }))
    return retried(Effect.mapError(withToken(operation, send), failureOf(operation)), ({ isFinal }) => isFinal)
  }

  const change = <Response, Reason extends GatewayErrorReason>(
    operation: Operation<Response, Reason>,
    request: PreparedRequest,
    unsent: Omit<ChangeRecord, "sentAt">,
    observed: ObservedAttempt,
    doubt: Doubt
  ): Effect.Effect<Response, CallFailure<Reason>> => {
    const send = ({ value: credentials }: CachedToken) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const change = { ...unsent, sentAt: new Date(now).toISOString() }
        const onSend = () => {
          doubt.change = change
        }
        const options = { request, scheme: "Bearer" as const, credentials, change, onSend }
        const sent = observed(lookedAt(attempt(operation, options), change), () => doubt.change)
        return Effect.map(sent, (outcome) => {
          doubt.change = outcome.inDoubt
          return outcome
        })
      })
    return withToken(operation, send).pipe(
      Effect.mapError(failureOf(operation)),
      Effect.catchDefect((defect) =>
        doubt.change === undefined
          ? Effect.die(defect)
          : Effect.fail(failureOf(operation)(outcomeUnknown(doubt.change, "the client failed to read the response")))
      )
    )
  }

  return (operation, args) =>
    Effect.suspend(() => {
      const prepared = operation.prepare(args, settings)
      if (Result.isFailure(prepared)) {
        const failure = failureOf(operation)(invalidRequest(prepared.failure))
        return observe({ operation, subject: undefined, extraFields: [] }, () => Effect.fail(failure))
      }
      const request = prepared.success
      const { change: unsent, extraFields, subject } = request
      const observedCall = { operation, subject, extraFields }
      if (unsent === undefined) return observe(observedCall, (observed) => read(operation, request, observed))
      const doubt: Doubt = { change: undefined }
      return Effect.onInterrupt(
        observe(observedCall, (observed) => change(operation, request, unsent, observed, doubt)),
        // Around the observer, too: what it calls may interrupt a call that has its result.
        () => tell(doubt.change)
      )
    })
}

/** What is lost when a call is interrupted. */
interface Doubt {
  /** The change that may have been sent, unless it certainly was not taken. */
  change: ChangeRecord | undefined
}

/** A failure; final if there is nothing left to retry, since a token call retries by itself. */
interface CallFailure<out Reason extends GatewayErrorReason> extends GatewayFailure<Reason> {
  readonly isFinal: boolean
}

const failureOf =
  <Reason extends GatewayErrorReason>({ isReason, name }: Operation<unknown, Reason>) =>
  (failure: GatewayErrorReason | TokenRecovery.NoToken): CallFailure<Reason> => {
    const isFinal = failure._tag === "NoToken"
    const reason = isFinal ? failure.reason : failure
    // Such a reason is never created for the endpoint: see `ReasonOf`.
    if (!isReason(reason)) throw new TypeError(`${name} does not fail with ${reason._tag}`)
    return { operation: name, reason, isFinal }
  }

const tell = (change: ChangeRecord | undefined): Effect.Effect<void> =>
  change === undefined ? Effect.void : Effect.flatMap(OnUnknownOutcome, (tell) => tell(change))
