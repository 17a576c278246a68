/**
 * Sending a request with a token, and recovery when the gateway refuses the token.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { AttemptTimeout } from "./AttemptTimeout.js"
import type { AttemptOutcome } from "./CallObserver.js"
import type { Api } from "./Api.js"
import type { Operation } from "./ApiOperation.js"
import { RetryPolicy } from "./RetryPolicy.js"
import type { AnyReason, ApiTypes } from "../error/AnyReason.js"
import type { CachedToken } from "./CachedToken.js"
import type { TokenCache } from "./TokenCache.js"

/** No token could be obtained: the gateway was asked as often as the policy allows. */
export interface NoToken {
  readonly _tag: "NoToken"
  readonly reason: AnyReason
  /** A defect of the caller's code. */
  readonly cause?: unknown
}

type Send<Response> = (token: CachedToken) => Effect.Effect<AttemptOutcome<Response>>

/**
 * Makes the function that sends requests with a token. A refused token is dropped. If the refusal proves that the
 * request was not carried out, it is sent once more with another token:
 *
 * | the refused token is   | the refusal                                  | then                                            |
 * | ---------------------- | -------------------------------------------- | ----------------------------------------------- |
 * | new, for this call     | 401                                          | the token is dropped, the call fails            |
 * | new, for this call     | 403                                          | the denial is remembered, the call fails        |
 * | older, or from a store | 403, denied to a new token within the minute | the call fails: another one would be refused too |
 * | older, or from a store | 403 to a change, without code 200            | the token is dropped, the call fails            |
 * | older, or from a store | 401 or 403 that leaves a change in doubt      | the token is dropped, the call fails            |
 * | older, or from a store | any other, and `renewToken` is off           | the token is dropped, the call may be repeated  |
 * | older, or from a store | any other                                    | the token is dropped, another one is tried      |
 *
 * The other token is new when the gateway has just issued it to this process or, after a 403, has issued it to another
 * process within the last minute.
 */
export const make = <Types extends ApiTypes>(
  { isPermissionDenied }: Pick<Api<Types>, "isPermissionDenied">,
  tokens: TokenCache
) => {
  /** A 403 without the gateway's own code may come from a proxy, which may have checked more than the token. */
  const provesNotTaken = (refusal: TokenRefusal): boolean => refusal.status === 401 || isPermissionDenied(refusal)

  const denials = rememberedDenials()

  const recover = Effect.fnUntraced(function* <Response>(
    operation: Operation<Response, AnyReason, Types>,
    send: Send<Response>,
    first: { readonly token: CachedToken; readonly refusal: TokenRefusal; readonly isNew: boolean }
  ): Effect.fn.Return<Response, AnyReason | NoToken> {
    let { isNew, refusal, token } = first
    for (let renewals = 1; ; renewals++) {
      if (isNew) {
        yield* refusal.status === 401 ? tokens.drop(token) : denials.remember(token, operation, refusal)
        return yield* Effect.fail(refusal)
      }
      if (yield* denials.has(token, operation, refusal)) return yield* Effect.fail(refusal)
      yield* tokens.drop(token)
      if (operation.kind === "change" && !provesNotTaken(refusal)) return yield* Effect.fail(refusal)
      const { renewToken } = yield* RetryPolicy
      if (!renewToken) return yield* Effect.fail({ ...refusal, isRetryable: true })
      token = yield* tokenFrom(tokens)
      const { result } = yield* send(token)
      if (Result.isSuccess(result)) return result.success
      if (!isTokenRefusal(result.failure)) return yield* Effect.fail(result.failure)
      refusal = result.failure
      // A token from the store may be as old as the refused one; then a new one is requested from the gateway, once.
      isNew = !token.isFromStore || renewals > 1 || (refusal.status === 403 && (yield* isRecent(token.obtainedAt)))
    }
  })

  return <Response>(
    operation: Operation<Response, AnyReason, Types>,
    send: Send<Response>
  ): Effect.Effect<Response, AnyReason | NoToken> =>
    Effect.flatMap(tokens.held, (held) =>
      Effect.flatMap(tokenFrom(tokens), (token) =>
        Effect.flatMap(send(token), ({ result }): Effect.Effect<Response, AnyReason | NoToken> => {
          if (Result.isSuccess(result)) return Effect.succeed(result.success)
          const refusal = result.failure
          const isNew = token !== held && !token.isFromStore
          if (isTokenRefusal(refusal)) return recover(operation, send, { token, refusal, isNew })
          const isSuspect = refusal._tag === "OutcomeUnknown" && isUnauthorized(refusal) && !isNew
          return Effect.andThen(isSuspect ? tokens.drop(token) : Effect.void, Effect.fail(refusal))
        })
      )
    )
}

/** Waits for a token no longer than one attempt may take. */
const tokenFrom = (tokens: TokenCache): Effect.Effect<CachedToken, NoToken> =>
  Effect.flatMap(AttemptTimeout, (duration) =>
    Effect.mapError(
      duration === undefined
        ? tokens.get
        : Effect.timeoutOrElse(tokens.get, { duration, orElse: () => Effect.fail(tooSlow(duration)) }),
      ({ cause, reason }: Omit<NoToken, "_tag">): NoToken => ({
        _tag: "NoToken",
        cause,
        reason: { ...reason, message: `No access token, nothing was sent: ${reason.message}` }
      })
    )
  )

const tooSlow = (duration: Duration.Input): Omit<NoToken, "_tag"> => ({
  reason: {
    _tag: "GatewayUnavailable",
    isRetryable: true,
    message: `The gateway issued none within ${Duration.toSeconds(duration)} s.`
  }
})

type TokenRefusal = Exclude<AnyReason, { readonly _tag: "OutcomeUnknown" | "InvalidRequest" }>

const isTokenRefusal = (reason: AnyReason): reason is TokenRefusal =>
  reason._tag !== "OutcomeUnknown" && reason._tag !== "InvalidRequest" && isUnauthorized(reason)

const isUnauthorized = ({ status }: { readonly status?: number }): boolean => status === 401 || status === 403

/** In milliseconds: how long a permission that a new token lacked counts as denied. */
const rememberedDenial = 60_000

const isRecent = (time: number): Effect.Effect<boolean> =>
  Effect.map(Clock.currentTimeMillis, (now) => Math.abs(now - time) < rememberedDenial)

interface Named {
  readonly name: string
}

/**
 * The operations that a new token was denied (403). Another new token would be denied as well, so none is requested for
 * a while. Permissions may change, so denials are not remembered for long.
 */
const rememberedDenials = () => {
  const denials = new WeakMap<CachedToken, Map<string, number>>()
  const key = ({ name }: Named, { errors }: TokenRefusal) => `${name} ${errors?.[0]?.error_code}`
  return {
    has: (token: CachedToken, operation: Named, refusal: TokenRefusal): Effect.Effect<boolean> =>
      Effect.suspend(() => {
        const since = denials.get(token)?.get(key(operation, refusal))
        return refusal.status === 403 && since !== undefined ? isRecent(since) : Effect.succeed(false)
      }),
    remember: (token: CachedToken, operation: Named, refusal: TokenRefusal): Effect.Effect<void> =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        denials.set(token, (denials.get(token) ?? new Map<string, number>()).set(key(operation, refusal), now))
      })
  }
}
