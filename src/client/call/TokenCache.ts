/**
 * The cache of the access token that all calls of a client share.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Endpoint from "../../contract/Endpoint.js"
import { ignoringFailure } from "../../basics/IgnoringFailure.js"
import type { AccessTokenResponse } from "../../contract/Messages.js"
import * as Attempt from "./Attempt.js"
import type { CallObserver } from "./CallObserver.js"
import { brokenOff } from "../transport/TransportFailure.js"
import { isSilent, type Lease, renewed, RequestBound } from "../transport/Lease.js"
import { monotonicMillis } from "../transport/MonotonicTime.js"
import type { Transport } from "../transport/Transport.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import { basicCredentials, type GatewaySettings } from "../config/GatewayOptions.js"
import * as Operation from "./Operation.js"
import { invalidRequest } from "./FailureReason.js"
import { retried, RetryPolicy } from "./RetryPolicy.js"

/** An access token and its times, in milliseconds since 1970. */
export interface CachedToken {
  /** The token itself. */
  readonly value: Redacted.Redacted<string>
  /** The time at which it was asked for. */
  readonly obtainedAt: number
  /** From then on it is refreshed while still in use. */
  readonly refreshAt: number
  /** From then on it is not used. */
  readonly expiresAt: number
  /** Another process may have obtained it, some time ago: a refusal of it says nothing of a new one. */
  readonly isFromStore: boolean
}

/** The source of the token for the calls of a client. */
export interface TokenCache {
  /** A token to use now. However many callers wait, one request is made; interrupting one of them fails none. */
  readonly get: Effect.Effect<CachedToken, GatewayFailure>
  /** The token in hand, if any, without asking for one. */
  readonly held: Effect.Effect<CachedToken | undefined>
  /** Gives up a token that the gateway refused, unless it has been replaced already. */
  readonly drop: (token: CachedToken) => Effect.Effect<void>
}

/** Where a token comes from when there is none in hand. */
export interface TokenSource {
  readonly fetch: Effect.Effect<CachedToken, GatewayFailure>
  /** Called with a token that the gateway refused. */
  readonly discard: (refused: CachedToken) => Effect.Effect<void>
}

/** In milliseconds: wrong credentials (code 202) and failed refreshes are not tried again for this long. */
const rememberedFailure = 5_000

/** A minute, if the gateway states no credible lifetime. */
const assumedLifetime = 60_000

/** A day: the gateway's tokens live half an hour, so a longer lifetime is not credible. */
const longestLifetime = 86_400_000

/** A token that lives for a time in milliseconds. */
export const token = (
  text: string,
  { isFromStore, lifetime, obtainedAt }: Pick<CachedToken, "isFromStore" | "obtainedAt"> & { readonly lifetime: number }
): CachedToken => ({
  value: Redacted.make(text, { label: "access token" }),
  obtainedAt,
  refreshAt: obtainedAt + lifetime - Math.min(60_000, lifetime / 10),
  expiresAt: obtainedAt + lifetime,
  isFromStore
})

const lifetime = ({ expires_in }: AccessTokenResponse): number =>
  expires_in === undefined || expires_in < 1 ? assumedLifetime : Math.min(expires_in * 1000, longestLifetime)

const getAccessToken = Operation.make(Endpoint.getAccessToken)

export const gatewaySource = (settings: GatewaySettings, transport: Transport, observe: CallObserver): TokenSource => ({
  fetch: fetchToken(settings, transport, observe),
  discard: () => Effect.void
})

const fetchToken = (
  settings: GatewaySettings,
  transport: Transport,
  observe: CallObserver
): Effect.Effect<CachedToken, GatewayFailure> => {
  const attempt = Attempt.make(settings, transport, "Basic")
  const prepared = getAccessToken.prepare([{ grant_type: "client_credentials", scope: settings.scope }], settings)
  const credentials = { value: basicCredentials(settings) }
  const doubt = { change: undefined }
  const { language } = settings
  return observe({ operation: getAccessToken, subject: undefined, extraFields: [], doubt }, (observed) => {
    const response = Effect.fromResult(prepared).pipe(
      Effect.mapError(invalidRequest),
      Effect.flatMap((request) => attempt(getAccessToken, { request, doubt, observed, language })(credentials)),
      Effect.flatMap(({ result }) => Effect.fromResult(result)),
      Effect.mapError((reason): GatewayFailure => ({ operation: "getAccessToken", reason }))
    )
    const obtained = Effect.withFiber((fiber) => {
      const clock = fiber.getRef(Clock.Clock)
      // The lifetime starts before the response arrives, which may take a while.
      const obtainedAt = clock.currentTimeMillisUnsafe()
      return Effect.tap(
        Effect.map(response, (response) =>
          token(response.access_token, { obtainedAt, lifetime: lifetime(response), isFromStore: false })
        ),
        () => (clock.currentTimeMillisUnsafe() === obtainedAt || fiber.getRef(RequestBound) ? Effect.void : nextTurn)
      )
    })
    return retried(obtained)
  })
}

/**
 * `fetch` has the connection back in the next turn of the event loop: a call that did not wait for it would open another
 * one. There is none to wait for when the response took no time, nor where the platform keeps the connections.
 */
const nextTurn = Effect.yieldNow

const isWrongCredentials = ({ reason }: GatewayFailure): boolean =>
  reason._tag === "AuthenticationFailed" && reason.errors?.[0]?.error_code === 202

/** The failure of a token request, whatever the cause. */
const failureOf = (cause: Cause.Cause<GatewayFailure>): GatewayFailure => {
  const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (failure !== undefined) return failure
  const unavailable = (message: string): GatewayFailure => ({
    operation: "getAccessToken",
    reason: { _tag: "GatewayUnavailable", isRetryable: false, message }
  })
  if (Cause.hasInterruptsOnly(cause)) {
    return unavailable("The request for one was aborted, as happens when the client is closed.")
  }
  const defect = Cause.squash(cause)
  const { code, name } = brokenOff(defect)
  const what = `The client itself failed while requesting one (${code ?? name ?? "no reason given"}).`
  return { ...unavailable(what), cause: defect }
}

/** The milliseconds of silence that mean that a token request is dead. */
const deadAfter = 3_000

/** The longest wait of a call that finds a token due and must refresh it itself. */
const refreshPatience = Duration.seconds(5)

/** After this many failed requests by callers with other retry policies, a caller fails with their error. */
const mostFlights = 3

/** A token request, shared by all callers that need a token meanwhile. */
interface Flight extends Lease {
  /** Wakes the waiting callers, except those that cannot be woken by another request. */
  readonly settled: Deferred.Deferred<void>
  /** The policy of the caller who started it: others may want more attempts. */
  readonly policy: RetryPolicy
  result: Result.Result<CachedToken, GatewayFailure> | undefined
}

interface Wait {
  readonly flight: Flight
  /** The number of requests it has waited for, including this one. */
  readonly flights: number
  /** In milliseconds, by its own timers. */
  readonly waited: number
  /** The request seemed dead when it was last read. */
  readonly isDoubtful: boolean
}

/**
 * Keeps one token in memory, from a source that is asked by one at a time. What is under way ends with the scope.
 *
 * What callers share is values, which each of them reads: the token, and the request for one. Usually who waits is
 * woken when the request ends, to read again. Where fibers are bound to requests (`RequestBound`) it reads again by its
 * own timers, and takes over when the request for a token shows no more signs of life.
 */
export const keep = ({ discard, fetch }: TokenSource, scope: Scope.Scope): TokenCache => {
  let current: CachedToken | undefined
  let flight: Flight | undefined
  let failure: { readonly error: GatewayFailure; readonly since: number } | undefined

  /**
   * Asks the source, unless someone else does by now; a request that is dead does not count. Whatever becomes of the
   * caller that starts it, and of the scope, the request is settled: others may wait for it.
   */
  const start = (dead: Flight | undefined): Effect.Effect<Flight | undefined> =>
    Effect.uninterruptible(
      Effect.withFiber((caller) => {
        if (flight !== dead) return Effect.undefined
        const clock = caller.getRef(Clock.Clock)
        const started: Flight = {
          settled: Deferred.makeUnsafe(),
          policy: caller.getRef(RetryPolicy),
          aliveAt: monotonicMillis(clock),
          result: undefined
        }
        flight = started
        // All callers share the token: one caller's short timeout must not fail the others.
        const request = Effect.provideService(fetch, Attempt.AttemptTimeout, undefined)
        const forked = caller.getRef(RequestBound)
          ? Effect.forkDetach(Effect.andThen(Effect.forkChild(renewed(started)), request))
          : Effect.forkIn(request, scope)
        return Effect.map(forked, (request) => {
          request.addObserver((exit) => {
            if (flight === started) flight = undefined
            if (Exit.isSuccess(exit)) {
              current = exit.value
              failure = undefined
              started.result = Result.succeed(exit.value)
            } else {
              failure = { error: failureOf(exit.cause), since: clock.currentTimeMillisUnsafe() }
              started.result = Result.fail(failure.error)
            }
            Deferred.doneUnsafe(started.settled, Exit.void)
          })
          return started
        })
      })
    )

  const isDead = (flight: Flight, caller: Fiber.Fiber<unknown, unknown>): boolean =>
    caller.getRef(RequestBound) && isSilent(flight, caller.getRef(Clock.Clock), deadAfter)

  /** The failure of the last token request, for a while. A clock set back does not prolong it. */
  const recentFailure = (now: number): GatewayFailure | undefined =>
    failure !== undefined && Math.abs(now - failure.since) < rememberedFailure ? failure.error : undefined

  const obtain = (wait?: Wait): Effect.Effect<CachedToken, GatewayFailure> =>
    Effect.withFiber((caller) => {
      const clock = caller.getRef(Clock.Clock)
      const now = clock.currentTimeMillisUnsafe()
      const isBound = caller.getRef(RequestBound)
      const result = wait?.flight.result
      if (wait !== undefined && result !== undefined) {
        // Another caller may have wanted fewer attempts than this one.
        const isFinal = wait.flight.policy === caller.getRef(RetryPolicy) || wait.flights >= mostFlights
        if (isFinal || Result.isSuccess(result) || !result.failure.reason.isRetryable) return Effect.fromResult(result)
      } else if (current !== undefined && now < current.expiresAt) {
        return Effect.succeed(current)
      }
      const refusal = recentFailure(now)
      if (refusal !== undefined && isWrongCredentials(refusal)) return Effect.fail(refusal)

      const flights = (wait?.flights ?? 0) + (wait === undefined || result !== undefined ? 1 : 0)
      const waited = wait?.waited ?? 0
      const running = flight
      const isDoubtful = running !== undefined && isDead(running, caller)
      // Checks twice: after a pause of the whole process, its renewals are as late as this check.
      if (running === undefined || (isDoubtful && wait?.flight === running && wait.isDoubtful)) {
        return Effect.flatMap(start(running), (flight) =>
          flight === undefined
            ? obtain(wait)
            : Effect.andThen(Deferred.await(flight.settled), obtain({ flight, flights, waited, isDoubtful: false }))
        )
      }
      const pause = Math.min(Math.max(waited / 20, 2), 25)
      return Effect.andThen(
        isBound ? Effect.sleep(pause) : Deferred.await(running.settled),
        obtain({ flight: running, flights, waited: waited + pause, isDoubtful })
      )
    })

  /** The current token stays in use meanwhile, unless the call itself must refresh it. */
  const refresh = (due: CachedToken): Effect.Effect<CachedToken> =>
    Effect.withFiber((caller) => {
      const isBound = caller.getRef(RequestBound)
      const failure = recentFailure(caller.getRef(Clock.Clock).currentTimeMillisUnsafe())
      const isTried = failure !== undefined && (isBound || isWrongCredentials(failure))
      if (isTried || (flight !== undefined && !isDead(flight, caller))) return Effect.succeed(due)
      return Effect.flatMap(start(flight), (started) => {
        if (started === undefined) return Effect.succeed(due)
        const isLeftBehind = keepAlive(caller.getRef(WaitUntil), started) || !isBound
        if (isLeftBehind) return Effect.succeed(due)
        const refreshed = Effect.map(Deferred.await(started.settled), () => current ?? due)
        return Effect.timeoutOrElse(refreshed, { duration: refreshPatience, orElse: () => Effect.succeed(due) })
      })
    })

  return {
    get: Effect.withFiber((caller) => {
      if (current === undefined) return obtain()
      const now = caller.getRef(Clock.Clock).currentTimeMillisUnsafe()
      if (now >= current.expiresAt) return obtain()
      // A time before it was obtained means that the clock was set back, so its age is unknown.
      return now >= current.refreshAt || now < current.obtainedAt ? refresh(current) : Effect.succeed(current)
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

/**
 * The platform's `waitUntil`, which keeps a request of a serverless function alive until a promise has settled. With it
 * an access token is refreshed behind the call that finds it due, as on a server.
 *
 * Without it, in Cloudflare Workers, that call refreshes the token itself: about one call in half an hour takes longer.
 *
 * ```ts
 * import { waitUntil } from "cloudflare:workers" // or from "@vercel/functions"
 *
 * getPayment(id).pipe(Effect.provideService(WaitUntil, waitUntil))
 * ```
 */
export const WaitUntil: Context.Reference<((work: Promise<unknown>) => void) | undefined> = Context.Reference<
  ((work: Promise<unknown>) => void) | undefined
>("effect-gopay/WaitUntil", { defaultValue: () => undefined })

/** Asks the platform to keep the caller's request alive until the token request ends; tells if it does. */
const keepAlive = (waitUntil: typeof WaitUntil.Service, { settled }: Flight): boolean => {
  if (waitUntil === undefined) return false
  try {
    const answer: unknown = waitUntil(Effect.runPromise(Deferred.await(settled)))
    ignoringFailure(() => answer)
    return true
  } catch {
    // Throws outside of a request.
    return false
  }
}
