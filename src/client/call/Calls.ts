/**
 * Calls of operations: prepared, observed, sent with a token, and retried if that is certainly safe.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Attempt from "./Attempt.js"
import * as TokenRecovery from "./TokenRecovery.js"
import type { CallObserver, Doubt } from "./CallObserver.js"
import { invalidRequest, outcomeUnknown } from "./FailureReason.js"
import type { Api } from "./Api.js"
import type { Operation } from "./ApiOperation.js"
import { settingsIn } from "./Language.js"
import { reportDoubt } from "./OnUnknownOutcome.js"
import { retried } from "./RetryPolicy.js"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import type { AnyReason, ApiTypes } from "../error/AnyReason.js"
import type { GatewayUnavailable } from "../error/GatewayError.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import type { TokenCache } from "./TokenCache.js"
import { limited } from "../transport/RequestLimit.js"
import type { Transport } from "../transport/Transport.js"

export type CallOperation<Types extends ApiTypes> = <Response, Reason extends Types["reason"]>(
  operation: Operation<Response, Reason, Types>,
  args: ReadonlyArray<unknown>
) => Effect.Effect<Response, GatewayFailure<Reason, Types["name"]>>

/** Makes calls for one merchant, over a transport. */
export const make = <Types extends ApiTypes>(
  api: Api<Types>,
  settings: GatewaySettings,
  tokens: TokenCache,
  transport: Transport,
  observe: CallObserver<Types>,
  isClosed: () => boolean
): CallOperation<Types> => {
  const inTurn = limited(transport, settings.maxConcurrentRequests)
  const attempt = Attempt.make(api, settings, inTurn, "Bearer")
  const withToken = TokenRecovery.make(api, tokens)

  return (operation, args) =>
    Effect.withFiber((fiber) => {
      const doubt: Doubt<Types> = { change: undefined }
      const failed = failureOf(operation, doubt)
      const refused = (reason: AnyReason) =>
        observe({ operation, subject: undefined, extraFields: [], doubt }, () => Effect.fail(failed(reason)))
      if (isClosed()) return refused(closed)
      const localized = settingsIn(fiber, settings)
      const prepared = Result.flatMap(localized, (own) => operation.prepare(args, own))
      if (Result.isFailure(prepared)) return refused(invalidRequest(prepared.failure))
      const request = prepared.success
      const language = Result.isSuccess(localized) ? localized.success.language : settings.language
      const { extraFields, subject } = request
      const isRead = request.recordOf === undefined
      const observedCall = observe({ operation, subject, extraFields, doubt }, (observed) => {
        const sent = withToken(operation, attempt(operation, { request, doubt, observed, language }))
        return isRead
          ? retried(Effect.mapError(sent, failed), api.shownToPolicy, ({ isFinal }) => isFinal)
          : Effect.mapError(keepingDoubt(sent, operation, doubt), failed)
      })
      // This is around the observer too, since a callback of it may interrupt a call that already has its result.
      return isRead
        ? observedCall
        : Effect.onExit(observedCall, (exit) => reportDoubt(api.unknownOutcomes, exit, doubt))
    })
}

/**
 * The reason of a call to a gateway whose scope has ended: its transport may be closed, and its token is no longer
 * kept.
 */
const closed: GatewayUnavailable = {
  _tag: "GatewayUnavailable",
  isRetryable: false,
  message: "This gateway is closed: its scope has ended. Nothing was sent."
}

/** A defect of the client itself or of the caller's `HttpClient` must not hide that the change may have been made. */
const keepingDoubt = <A, E>(
  sent: Effect.Effect<A, E>,
  { advice }: { readonly advice?: string },
  doubt: Doubt
): Effect.Effect<A, E | AnyReason> =>
  Effect.catchDefect(sent, (defect): Effect.Effect<never, AnyReason> => {
    if (doubt.change === undefined) return Effect.die(defect)
    doubt.cause = defect
    return Effect.fail(outcomeUnknown(doubt.change, "the client failed to read the response", undefined, advice))
  })

/** A failure. It is final if nothing is left to retry: the token call retries by itself. */
interface CallFailure<out Reason extends AnyReason, out Name extends string> extends GatewayFailure<Reason, Name> {
  readonly isFinal: boolean
}

const failureOf =
  <Reason extends AnyReason, Types extends ApiTypes>(
    { isReason, name }: Operation<unknown, Reason, Types>,
    doubt: Doubt<Types>
  ) =>
  (failure: AnyReason | TokenRecovery.NoToken): CallFailure<Reason, Types["name"]> => {
    const isFinal = failure._tag === "NoToken"
    const reason = isFinal ? failure.reason : failure
    // The endpoint never creates such a reason: see `ReasonOf`.
    if (!isReason(reason)) throw new TypeError(`${name} does not fail with ${reason._tag}`)
    const { cause } = failure._tag === "NoToken" ? failure : doubt
    return { operation: name, reason, isFinal, ...(cause === undefined ? undefined : { cause }) }
  }
