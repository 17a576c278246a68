/**
 * The cache of the access token that all calls of a client share.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import { isSilent, type Lease, renewed, RequestBound } from "../transport/Lease.js"
import { monotonicMillis } from "../transport/MonotonicTime.js"
import { brokenOff } from "../transport/TransportFailure.js"
import { keepAlive, WaitUntil } from "../transport/WaitUntil.js"
import { AttemptTimeout } from "./AttemptTimeout.js"
import type { CachedToken } from "./CachedToken.js"
import { RetryPolicy } from "./RetryPolicy.js"
import type { TokenSource } from "./TokenSource.js"

/** The source of the token for the calls of a client. */
export interface TokenCache {
  /**
   * Returns a token to use now. However many callers wait, one request is made; interrupting one of them fails none.
   */
  readonly get: Effect.Effect<CachedToken, GatewayFailure>
  /** The current token, if any; does not request one. */
  readonly held: Effect.Effect<CachedToken | undefined>
  /** Drops a token that the gateway refused, unless it has already been replaced. */
  readonly drop: (token: CachedToken) => Effect.Effect<void>
}

/** In milliseconds: wrong credentials (code 202) and failed refreshes are not tried again for this long. */
const rememberedFailure = 5_000

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
const maxFlights = 3

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

/** The token and its request, which callers share, at the moment one of them looks. */
interface Seen {
  /** The token, unless it has expired. */
  readonly usable: CachedToken | undefined
  readonly running: Flight | undefined
  /** Whether the running request shows no signs of life. */
  readonly isDoubtful: boolean
  readonly recentFailure: GatewayFailure | undefined
  readonly policy: RetryPolicy
}

/** What a caller without a token does next. */
type Step =
  | { readonly do: "end"; readonly result: Result.Result<CachedToken, GatewayFailure> }
  | { readonly do: "start"; readonly dead: Flight | undefined; readonly wait: Omit<Wait, "flight"> }
  | { readonly do: "wait"; readonly pause: number; readonly wait: Wait }

const stepOf = (wait: Wait | undefined, seen: Seen): Step => {
  const result = wait?.flight.result
  if (wait !== undefined && result !== undefined) {
    // Another caller may have wanted fewer attempts than this one.
    const isFinal = wait.flight.policy === seen.policy || wait.flights >= maxFlights
    if (isFinal || Result.isSuccess(result) || !result.failure.reason.isRetryable) return { do: "end", result }
  } else if (seen.usable !== undefined) {
    return { do: "end", result: Result.succeed(seen.usable) }
  }
  const { isDoubtful, recentFailure, running } = seen
  if (recentFailure !== undefined && isWrongCredentials(recentFailure)) {
    return { do: "end", result: Result.fail(recentFailure) }
  }
  const flights = (wait?.flights ?? 0) + (wait === undefined || result !== undefined ? 1 : 0)
  const waited = wait?.waited ?? 0
  // Checks twice: after a pause of the whole process, its renewals are as late as this check.
  if (running === undefined || (isDoubtful && wait?.flight === running && wait.isDoubtful)) {
    return { do: "start", dead: running, wait: { flights, waited, isDoubtful: false } }
  }
  const pause = Math.min(Math.max(waited / 20, 2), 25)
  return { do: "wait", pause, wait: { flight: running, flights, waited: waited + pause, isDoubtful } }
}

/**
 * Keeps one token in memory, requested from a source by one caller at a time. Requests in flight end with the scope.
 *
 * Callers share only values, which each of them reads: the token, and the request for one. Usually a waiting caller is
 * woken when the request ends, and reads again. Where fibers are bound to requests (`RequestBound`), it polls with its
 * own timers, and takes over when the token request shows no more signs of life.
 */
export const keep = (source: TokenSource, scope: Scope.Scope): TokenCache => new KeptToken(source, scope)

class KeptToken implements TokenCache {
  readonly #source: TokenSource
  readonly #scope: Scope.Scope
  #current: CachedToken | undefined
  #flight: Flight | undefined
  #failure: { readonly error: GatewayFailure; readonly since: number } | undefined

  constructor(source: TokenSource, scope: Scope.Scope) {
    this.#source = source
    this.#scope = scope
  }

  readonly get: TokenCache["get"] = Effect.withFiber((caller) => {
    const current = this.#current
    if (current === undefined) return this.#obtain()
    const now = nowOf(caller)
    if (now >= current.expiresAt) return this.#obtain()
    // A time before it was obtained means that the clock was set back, so its age is unknown.
    return now >= current.refreshAt || now < current.obtainedAt ? this.#refresh(current) : Effect.succeed(current)
  })

  readonly held: TokenCache["held"] = Effect.sync(() => this.#current)

  readonly drop: TokenCache["drop"] = (refused) =>
    Effect.suspend(() => {
      if (this.#current !== refused) return Effect.void
      this.#current = undefined
      return this.#source.discard(refused)
    })

  /** Makes one step after another until there is a token, or a failure that concerns this caller. */
  #obtain(wait?: Wait): Effect.Effect<CachedToken, GatewayFailure> {
    return Effect.withFiber((caller) => {
      const step = stepOf(wait, this.#seenBy(caller))
      switch (step.do) {
        case "end":
          return Effect.fromResult(step.result)
        case "start":
          return Effect.flatMap(this.#start(step.dead), (flight) =>
            flight === undefined
              ? this.#obtain(wait)
              : Effect.andThen(Deferred.await(flight.settled), this.#obtain({ ...step.wait, flight }))
          )
        case "wait":
          return Effect.andThen(
            caller.getRef(RequestBound) ? Effect.sleep(step.pause) : Deferred.await(step.wait.flight.settled),
            this.#obtain(step.wait)
          )
      }
    })
  }

  /** The current token stays in use meanwhile, unless the call itself must refresh it. */
  #refresh(due: CachedToken): Effect.Effect<CachedToken> {
    return Effect.withFiber((caller) => {
      const isBound = caller.getRef(RequestBound)
      const { isDoubtful, recentFailure, running } = this.#seenBy(caller)
      const isTried = recentFailure !== undefined && (isBound || isWrongCredentials(recentFailure))
      if (isTried || (running !== undefined && !isDoubtful)) return Effect.succeed(due)
      return Effect.flatMap(this.#start(running), (started) => {
        if (started === undefined) return Effect.succeed(due)
        const end = Deferred.await(started.settled)
        const isLeftBehind = keepAlive(caller.getRef(WaitUntil), end) || !isBound
        if (isLeftBehind) return Effect.succeed(due)
        const refreshed = Effect.map(end, () => this.#current ?? due)
        return Effect.timeoutOrElse(refreshed, { duration: refreshPatience, orElse: () => Effect.succeed(due) })
      })
    })
  }

  #seenBy(caller: Fiber.Fiber<unknown, unknown>): Seen {
    const [current, failure, flight] = [this.#current, this.#failure, this.#flight]
    const now = nowOf(caller)
    return {
      usable: current !== undefined && now < current.expiresAt ? current : undefined,
      running: flight,
      isDoubtful:
        flight !== undefined && caller.getRef(RequestBound) && isSilent(flight, caller.getRef(Clock.Clock), deadAfter),
      // Setting the clock back does not prolong it.
      recentFailure:
        failure !== undefined && Math.abs(now - failure.since) < rememberedFailure ? failure.error : undefined,
      policy: caller.getRef(RetryPolicy)
    }
  }

  /**
   * Requests a token from the source, unless another request is in flight; a dead one does not count. Even if the
   * caller that starts it is interrupted, or the scope ends, the request is settled, since others may wait for it.
   */
  #start(dead: Flight | undefined): Effect.Effect<Flight | undefined> {
    return Effect.uninterruptible(
      Effect.withFiber((caller) => {
        if (this.#flight !== dead) return Effect.undefined
        const clock = caller.getRef(Clock.Clock)
        const started: Flight = {
          settled: Deferred.makeUnsafe(),
          policy: caller.getRef(RetryPolicy),
          aliveAt: monotonicMillis(clock),
          result: undefined
        }
        this.#flight = started
        // All callers share the token: one caller's short timeout must not fail the others.
        const request = Effect.provideService(this.#source.fetch, AttemptTimeout, undefined)
        const forked = caller.getRef(RequestBound)
          ? Effect.forkDetach(Effect.andThen(Effect.forkChild(renewed(started)), request))
          : Effect.forkIn(request, this.#scope)
        return Effect.map(forked, (request) => {
          request.addObserver((exit) => this.#settle(started, exit, clock))
          return started
        })
      })
    )
  }

  #settle(started: Flight, exit: Exit.Exit<CachedToken, GatewayFailure>, clock: Clock.Clock): void {
    if (this.#flight === started) this.#flight = undefined
    if (Exit.isSuccess(exit)) {
      this.#current = exit.value
      this.#failure = undefined
      started.result = Result.succeed(exit.value)
    } else {
      this.#failure = { error: failureOf(exit.cause), since: clock.currentTimeMillisUnsafe() }
      started.result = Result.fail(this.#failure.error)
    }
    Deferred.doneUnsafe(started.settled, Exit.void)
  }
}

/** In milliseconds since 1970. */
const nowOf = (caller: Fiber.Fiber<unknown, unknown>): number => caller.getRef(Clock.Clock).currentTimeMillisUnsafe()
