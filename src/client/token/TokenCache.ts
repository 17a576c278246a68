/**
 * Keeping the access token that all calls of a client share.
 */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Endpoint from "../../api/Endpoint.js"
import type { AccessTokenResponse } from "../../api/Messages.plain.js"
import * as Attempt from "../call/Attempt.js"
import type { CallObserver } from "../call/CallObserver.js"
import type { Transport } from "../transport/Transport.js"
import type { GatewayFailure } from "../error/GatewayError.plain.js"
import { basicCredentials, type GatewaySettings } from "../config/GatewayOptions.js"
import * as Operation from "../call/Operation.js"
import { invalidRequest } from "../call/FailureReason.js"
import { retried } from "../call/RetryPolicy.js"

/** An access token and its times, in milliseconds since 1970. */
export interface Token {
  readonly value: Redacted.Redacted<string>
  readonly obtainedAt: number
  /** From then on it is refreshed while still in use. */
  readonly refreshAt: number
  readonly expiresAt: number
  /** Another process may have obtained it, some time ago: a refusal of it says nothing of a new one. */
  readonly isFromStore: boolean
}

/** Where the calls of a client get their token. */
export interface TokenCache {
  /** A token to use now. However many callers wait, one request is made; interrupting one of them fails none. */
  readonly get: Effect.Effect<Token, GatewayFailure>
  /** The token in hand, if any, without asking for one. */
  readonly held: Effect.Effect<Token | undefined>
  /** Gives up a token that the gateway refused, unless it has been replaced already. */
  readonly drop: (token: Token) => Effect.Effect<void>
}

/** Where a token comes from when there is none in hand. */
export interface TokenSource {
  readonly fetch: Effect.Effect<Token, GatewayFailure>
  /** Told of a token that the gateway refused. */
  readonly discard: (refused: Token) => Effect.Effect<void>
}

/** How long wrong credentials (code 202) are taken for wrong without asking again. */
const rememberedRefusal = 5_000

/** A minute, for a gateway that says nothing credible about the lifetime. */
const assumedLifetime = 60_000

/** A day: the gateway's tokens live half an hour, so more than that is not believed. */
const longestLifetime = 86_400_000

/** A token that lives for a time in milliseconds. */
export const token = (
  text: string,
  { isFromStore, lifetime, obtainedAt }: Pick<Token, "isFromStore" | "obtainedAt"> & { readonly lifetime: number }
): Token => ({
  value: Redacted.make(text, { label: "access token" }),
  obtainedAt,
  refreshAt: obtainedAt + lifetime - Math.min(60_000, lifetime / 10),
  expiresAt: obtainedAt + lifetime,
  isFromStore
})

const lifetime = ({ expires_in }: AccessTokenResponse): number =>
  expires_in === undefined || expires_in < 1 ? assumedLifetime : Math.min(expires_in * 1000, longestLifetime)

const getAccessToken = Operation.make(Endpoint.getAccessToken)

/** Asks the gateway. */
export const gatewaySource = (settings: GatewaySettings, transport: Transport, observe: CallObserver): TokenSource => ({
  fetch: fetchToken(settings, transport, observe),
  discard: () => Effect.void
})

const fetchToken = (
  settings: GatewaySettings,
  transport: Transport,
  observe: CallObserver
): Effect.Effect<Token, GatewayFailure> => {
  const attempt = Attempt.make(settings, transport)
  const prepared = getAccessToken.prepare([{ grant_type: "client_credentials", scope: settings.scope }], settings)
  const credentials = basicCredentials(settings)
  return observe({ operation: getAccessToken, subject: undefined, extraFields: [] }, (observed) => {
    const response = Effect.fromResult(prepared).pipe(
      Effect.mapError(invalidRequest),
      Effect.flatMap((request) =>
        observed(attempt(getAccessToken, { request, scheme: "Basic", credentials, change: undefined }), undefined)
      ),
      Effect.flatMap(({ result }) => Effect.fromResult(result)),
      Effect.mapError((reason): GatewayFailure => ({ operation: "getAccessToken", reason }))
    )
    // Its time began before the response arrived, which may have taken a while.
    const obtained = Effect.flatMap(Clock.currentTimeMillis, (obtainedAt) =>
      Effect.map(response, (response) =>
        token(response.access_token, { obtainedAt, lifetime: lifetime(response), isFromStore: false })
      )
    )
    return retried(obtained)
  })
}

const isWrongCredentials = ({ reason }: GatewayFailure): boolean =>
  reason._tag === "AuthenticationFailed" && reason.errors?.[0]?.error_code === 202

const ended: GatewayFailure = {
  operation: "getAccessToken",
  reason: {
    _tag: "GatewayUnavailable",
    isRetryable: false,
    message: "The request for it was ended, as happens when the client is closed."
  }
}

/** Asks the gateway for one token at a time and keeps it in memory. Requests under way end with the scope. */
export const make = (
  settings: GatewaySettings,
  transport: Transport,
  scope: Scope.Scope,
  observe: CallObserver
): TokenCache => keep(gatewaySource(settings, transport, observe), scope)

/** Keeps one token in memory, from a source that is asked by one at a time. What is under way ends with the scope. */
export const keep = ({ discard, fetch }: TokenSource, scope: Scope.Scope): TokenCache => {
  let current: Token | undefined
  let flight: Deferred.Deferred<Token, GatewayFailure> | undefined
  let refusal: { readonly error: GatewayFailure; readonly since: number } | undefined

  // Whatever becomes of the caller that starts it, and of the scope, the request is settled: others may wait for it.
  const start = Effect.uninterruptible(
    Effect.withFiber((caller) => {
      if (flight !== undefined) return Effect.succeed(flight)
      const started = Deferred.makeUnsafe<Token, GatewayFailure>()
      const clock = caller.getRef(Clock.Clock)
      flight = started
      return fetch.pipe(
        // The token is everybody's: one caller's haste must not fail the others.
        Effect.provideService(Attempt.AttemptTimeout, undefined),
        Effect.forkIn(scope),
        Effect.map((request) => {
          request.addObserver((exit) => {
            flight = undefined
            if (Exit.isSuccess(exit)) current = exit.value
            const error = Option.getOrUndefined(Exit.findErrorOption(exit))
            if (error !== undefined && isWrongCredentials(error)) {
              refusal = { error, since: clock.currentTimeMillisUnsafe() }
            }
            Deferred.doneUnsafe(started, Exit.isSuccess(exit) ? exit : Exit.fail(error ?? ended))
          })
          return started
        })
      )
    })
  )

  return {
    get: Effect.flatMap(Clock.currentTimeMillis, (now) => {
      // A clock that jumps back must not lengthen it.
      const isRemembered = refusal !== undefined && Math.abs(now - refusal.since) < rememberedRefusal
      const remembered = isRemembered ? refusal?.error : undefined
      if (current !== undefined && now < current.expiresAt) {
        // Before it was obtained: the clock has been put back, so nobody knows how old it is.
        const isDue = now >= current.refreshAt || now < current.obtainedAt
        return isDue && remembered === undefined ? Effect.as(start, current) : Effect.succeed(current)
      }
      return remembered !== undefined ? Effect.fail(remembered) : Effect.flatMap(start, Deferred.await)
    }),
    held: Effect.sync(() => current),
    drop: (refused) =>
      Effect.suspend(() => {
        if (current !== refused) return Effect.void
        current = undefined
        return discard(refused)
      })
  }
}
