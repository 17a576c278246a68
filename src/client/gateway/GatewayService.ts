/**
 * Running calls: with a token, once, and once more where that is certain to be right.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { TokenCache, Token } from "../token/TokenCache.js"
import * as Attempt from "../call/Attempt.js"
import { begin, type CallObserver, type RunningCall } from "../call/CallObserver.js"
import { limited } from "../transport/RequestLimit.js"
import type { Transport } from "../transport/Transport.js"
import {
  GatewayError,
  type GatewayErrorReason,
  type InvalidRequest,
  type OutcomeUnknown
} from "../error/GatewayError.plain.js"
import type { OperationName } from "../error/OperationName.plain.js"
import type { ChangeRecord } from "../error/ChangeRecord.plain.js"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import type { Call, Operation, PreparedRequest } from "../call/Operation.js"
import { invalidRequest } from "../call/FailureReason.js"
import { retried, RetryPolicy } from "../call/RetryPolicy.js"
import { OnUnknownOutcome } from "../call/OnUnknownOutcome.js"

/** Runs the operations of one merchant at one gateway. */
export interface GatewayService {
  readonly settings: GatewaySettings
  /** Sends what a call has prepared, with a token, and reads the answer. */
  readonly run: <Response>(call: Call<Response>) => Effect.Effect<Response, GatewayError>
}

/** Runs the operations of one merchant over a transport. */
export const make = (
  settings: GatewaySettings,
  tokens: TokenCache,
  transport: Transport,
  watcher: CallObserver
): GatewayService => {
  const send = sender(tokens, Attempt.make(settings, limited(transport, settings.maxConcurrentRequests), watcher))
  return {
    settings,
    run: ({ operation, prepared }) =>
      Effect.suspend(() => {
        if (Result.isFailure(prepared)) {
          return watcher.call(begin(operation, undefined), fail(operation, invalidRequest(prepared.failure)))
        }
        const call = begin(operation, prepared.success.subject)
        return watcher.call(call, send(operation, prepared.success, call))
      })
  }
}

const fail = ({ name }: Named, reason: GatewayErrorReason) => Effect.fail(new GatewayError({ operation: name, reason }))

/**
 * Sends prepared requests with a token. A token that the gateway refuses is given up, and where that proves that the
 * request was not taken, it is sent once more with a new one.
 */
const sender = (tokens: TokenCache, attempt: ReturnType<typeof Attempt.make>) => {
  const permissions = tokenPermissions()

  return <Response>(
    operation: Operation<Response>,
    prepared: PreparedRequest,
    call: RunningCall
  ): Effect.Effect<Response, GatewayError> =>
    Effect.flatMap(tokens.held, (held) => {
      let noToken: GatewayError | undefined

      const send = ({ value }: Token): Effect.Effect<Response, GatewayErrorReason> => {
        if (prepared.change === undefined) {
          return attempt(operation, { call, prepared, scheme: "Bearer", credentials: value, change: undefined })
        }
        const unsent = prepared.change
        return Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const change = { ...unsent, sentAt: new Date(now).toISOString() }
          call.inDoubt = change
          return Effect.tapError(
            attempt(operation, { call, prepared, scheme: "Bearer", credentials: value, change }),
            (reason) =>
              Effect.sync(() => {
                if (reason._tag !== "OutcomeUnknown") call.inDoubt = undefined
              })
          )
        })
      }

      const token = Effect.mapError(withinAttemptTimeout(tokens.get), ({ reason }) => {
        const message = `No access token, nothing was sent: ${reason.message}`
        noToken = new GatewayError({ operation: operation.name, reason: { ...reason, message } })
        return noToken
      })

      /** The refusal of a token that was obtained for this very call: it is not replaced within it. */
      const refusedAnew = (token: Token, reason: GatewayErrorReason): Effect.Effect<never, GatewayError> => {
        if (!isTokenRefusal(reason)) return fail(operation, reason)
        return Effect.andThen(
          reason.status === 401 ? tokens.drop(token) : permissions.deny(token, operation, reason),
          fail(operation, reason)
        )
      }

      const sendRenewed = (renewed: Token) => Effect.catch(send(renewed), (reason) => refusedAnew(renewed, reason))

      /** One out of the store may be as old as the one that was refused: then the gateway is asked for another. */
      const renewAndSend = Effect.flatMap(token, (renewed) =>
        renewed.isFromStore
          ? Effect.catch(send(renewed), (reason) =>
              isTokenRefusal(reason) && reason.status === 401 && (operation.kind === "read" || provesNotTaken(reason))
                ? Effect.andThen(tokens.drop(renewed), Effect.flatMap(token, sendRenewed))
                : refusedAnew(renewed, reason)
            )
          : sendRenewed(renewed)
      )

      const recover = (token: Token, reason: GatewayErrorReason): Effect.Effect<Response, GatewayError> => {
        if (!isTokenRefusal(reason)) return fail(operation, reason)
        if (token !== held && !token.isFromStore) return refusedAnew(token, reason)
        return Effect.flatMap(permissions.isDenied(token, operation, reason), (isDenied) => {
          if (isDenied) return fail(operation, reason)
          return Effect.flatMap(Effect.andThen(tokens.drop(token), RetryPolicy), ({ renewToken }) => {
            if (operation.kind === "change" && !provesNotTaken(reason)) return fail(operation, reason)
            return renewToken ? renewAndSend : fail(operation, { ...reason, isRetryable: true })
          })
        })
      }

      const sendWithToken = Effect.flatMap(token, (token) =>
        Effect.catch(send(token), (reason) => recover(token, reason))
      )

      // A token call that failed has been tried again already.
      return operation.kind === "read"
        ? retried(sendWithToken, (error) => error === noToken)
        : Effect.onInterrupt(sendWithToken, () => tell(call.inDoubt))
    })
}

const withinAttemptTimeout = <A>(token: Effect.Effect<A, GatewayError>): Effect.Effect<A, GatewayError> =>
  Effect.flatMap(Attempt.AttemptTimeout, (duration) =>
    duration === undefined
      ? token
      : Effect.timeoutOrElse(token, {
          duration,
          orElse: () =>
            fail(
              { name: "getAccessToken" },
              {
                _tag: "GatewayUnavailable",
                isRetryable: true,
                message: `The gateway gave none within ${Duration.format(Duration.fromInputUnsafe(duration))}.`
              }
            )
        })
  )

const tell = (inDoubt: ChangeRecord | undefined): Effect.Effect<void> =>
  inDoubt === undefined ? Effect.void : Effect.flatMap(OnUnknownOutcome, (tell) => tell(inDoubt))

type TokenRefusal = Exclude<GatewayErrorReason, OutcomeUnknown | InvalidRequest>

const isTokenRefusal = (reason: GatewayErrorReason): reason is TokenRefusal =>
  reason._tag !== "OutcomeUnknown" &&
  reason._tag !== "InvalidRequest" &&
  (reason.status === 401 || reason.status === 403)

/** A 403 without the gateway's code 200 may come from something before it that saw more than a token. */
const provesNotTaken = ({ errors, status }: TokenRefusal): boolean => status === 401 || errors?.[0]?.error_code === 200

type Named = { readonly name: OperationName }

/** How long a permission that a new token did not have is taken for denied. */
const rememberedDenial = 60_000

/**
 * What a new token was not allowed (403): for a while another new one would not be either, so none is asked for. A denial
 * may pass, so it is not remembered for long.
 */
const tokenPermissions = () => {
  const denials = new WeakMap<Token, Map<string, number>>()
  const key = ({ name }: Named, { errors }: TokenRefusal) => `${name} ${errors?.[0]?.error_code}`
  return {
    isDenied: (token: Token, operation: Named, refusal: TokenRefusal): Effect.Effect<boolean> =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const since = denials.get(token)?.get(key(operation, refusal))
        return refusal.status === 403 && since !== undefined && Math.abs(now - since) < rememberedDenial
      }),
    deny: (token: Token, operation: Named, refusal: TokenRefusal): Effect.Effect<void> =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        denials.set(token, (denials.get(token) ?? new Map<string, number>()).set(key(operation, refusal), now))
      })
  }
}
