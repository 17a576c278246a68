/**
 * Spans, metrics and log messages for the calls of an Effect program. `docs/observability.md` lists their names.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as LogLevel from "effect/LogLevel"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Result from "effect/Result"
import * as Tracer from "effect/Tracer"
import type { AnyReason, ApiTypes } from "../error/AnyReason.js"
import type { GatewaySettings } from "../config/GatewayOptions.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import type { Api } from "./Api.js"
import { discreet } from "./DiscreetTracer.js"
import { measuredFor, merchantAttribute } from "./merchantAttribute.js"
import { isOnlyLogged, logChange, type UnknownOutcomes } from "./OnUnknownOutcome.js"
import { subjectAttributes } from "./subjectAttributes.js"
import {
  attemptLog,
  type AttemptOutcome,
  type AttemptLog,
  type Call,
  callEvent,
  type CallObserver,
  type Doubt,
  endInDoubt,
  errorTypeOf,
  type EventOf,
  type ObservedAttempt
} from "./CallObserver.js"
import * as HttpClientTransport from "../transport/HttpClientTransport.js"
import { stopwatch } from "../transport/MonotonicTime.js"

/** The parts of an API that appear in spans and logs. */
interface Reported<in out Types extends ApiTypes> extends Pick<Api<Types>, "unknownOutcomes"> {
  /** The error that callers get. */
  readonly toError: (failure: GatewayFailure<Types["reason"], Types["name"]>) => Error
  /** See `MerchantId`. */
  readonly merchantId?: string | undefined
}

/**
 * Observes the calls of one merchant's client: always by metrics; by a span if the program has a tracer; by debug
 * messages for attempts; and by a warning if the outcome of a change is unknown.
 */
export const make = <Types extends ApiTypes>(
  settings: GatewaySettings,
  { merchantId, toError, unknownOutcomes }: Reported<Types>
): CallObserver<Types> => {
  const { pathname } = new URL(settings.baseUrl)
  const count = counted(metrics())
  const merchant = merchantAttribute(settings.goid, merchantId)
  const attributesOf = spanAttributes(settings, merchant)
  return (call, run) =>
    Effect.withFiber((fiber) => {
      const elapsed = stopwatch(fiber)
      const attempts = attemptLog()
      const template = pathname + call.operation.path
      const observed = Effect.suspend(() => run(observedAttempts(call, attempts, { merchant, template })))
      const watched = (span: Tracer.Span | undefined) =>
        Effect.onExit(observed, (exit) => {
          const event = callEvent(call, attempts, exit, elapsed())
          if (call.doubt.change !== undefined) call.doubt.annotations = { ...merchant, ...lastAttributes(event) }
          return Effect.all(
            [
              harmless(() => Effect.sync(() => count(event, measuredFor(merchantId, fiber.context)))),
              harmless(() => Effect.sync(() => span && annotate(span, event))),
              harmless(() =>
                Exit.isSuccess(exit) ? Effect.void : warnOfUnknownOutcome(exit.cause, call.doubt, unknownOutcomes)
              )
            ],
            { discard: true }
          )
        })
      if (!isTraced(fiber)) return watched(undefined)
      const start = Effect.makeSpan(`gopay.${call.operation.name}`, { kind: "client", attributes: attributesOf(call) })
      return Effect.acquireUseRelease(
        Effect.catchCause(start, () => Effect.undefined),
        (span) =>
          span === undefined
            ? watched(undefined)
            : Effect.withParentSpan(watched(span), span, { captureStackTrace: false }),
        (span, exit) =>
          harmless(() => Effect.sync(() => span?.end(endTime(fiber), Exit.asVoid(Exit.mapError(exit, toError)))))
      )
    })
}

interface AttemptFacts {
  readonly merchant: ReturnType<typeof merchantAttribute>
  /** The path of the request, with its parameters in braces. */
  readonly template: string
}

/** Reports each attempt in an event of the call's span and in the log, if they are enabled. */
const observedAttempts =
  (
    { doubt, operation: { name }, subject }: Call<ApiTypes>,
    attempts: AttemptLog,
    { merchant, template }: AttemptFacts
  ): ObservedAttempt =>
  (attempt) =>
    Effect.withFiber((fiber) => {
      const tracer = fiber.getRef(Tracer.Tracer)
      const logged = attempts.observed(
        hasHttpSpans(fiber) ? Effect.provideService(attempt, Tracer.Tracer, discreet(tracer, template)) : attempt
      )
      const span = isTraced(fiber) ? Context.getOrUndefined(fiber.context, Tracer.ParentSpan) : undefined
      const isLogged = LogLevel.isLessThanOrEqualTo(fiber.getRef(References.MinimumLogLevel), "Debug")
      if (span === undefined && !isLogged) return logged
      const elapsed = stopwatch(fiber)
      return Effect.onExit(logged, (exit) =>
        harmless(() => {
          const duration = elapsed()
          const last = attempts.last()
          const count = attempts.count()
          const outcome = Exit.isSuccess(exit) ? resultOf(exit.value) : endInDoubt(exit.cause, doubt)
          const attributes = {
            "gopay.attempt": count,
            "gopay.attempt.duration": duration / 1000,
            ...endAttributes({ outcome, status: last?.status, errorType: errorTypeOf(last, outcome) })
          }
          if (span?._tag === "Span") {
            span.event("gopay.attempt", fiber.getRef(Clock.Clock).currentTimeNanosUnsafe(), attributes)
          }
          const end = last?.transportFailure ?? (last?.status === undefined ? outcome : `status ${last.status}`)
          return Effect.logDebug(`${name}: attempt ${count}, ${end}, ${Math.round(duration)} ms`).pipe(
            Effect.annotateLogs({
              "gopay.operation": name,
              ...merchant,
              ...subjectAttributes(subject ?? {}),
              ...attributes
            })
          )
        })
      )
    })

const resultOf = ({ result }: AttemptOutcome<unknown>): string =>
  Result.isSuccess(result) ? "success" : result.failure._tag

/** A failure to report must not fail the call: a completed refund would look failed. */
const harmless = (report: () => Effect.Effect<unknown>): Effect.Effect<void> =>
  Effect.catchCause(Effect.asVoid(Effect.suspend(report)), () => Effect.void)

// ---------------------------------------------------------------------------------------------------------------------
// Spans
// ---------------------------------------------------------------------------------------------------------------------

/** The spans of Effect's default tracer are never exported. */
const isTraced = (fiber: Fiber.Fiber<unknown, unknown>): boolean =>
  fiber.getRef(Tracer.Tracer) !== Tracer.nativeTracer && fiber.getRef(References.TracerEnabled)

/** Whether the program has turned on the spans that Effect makes of requests. */
const hasHttpSpans = (fiber: Fiber.Fiber<unknown, unknown>): boolean =>
  isTraced(fiber) && HttpClientTransport.hasHttpSpans(fiber.context)

/** The end of a span by the program's clock; zero if the program has turned tracer timing off. */
const endTime = (fiber: Fiber.Fiber<unknown, unknown>): bigint =>
  fiber.getRef(References.TracerTimingEnabled) ? fiber.getRef(Clock.Clock).currentTimeNanosUnsafe() : 0n

/** The attributes known before a call runs. The path appears only as a template; query, headers and body never do. */
const spanAttributes = ({ baseUrl }: GatewaySettings, merchant: AttemptFacts["merchant"]) => {
  const { hostname, pathname, port, protocol } = new URL(baseUrl)
  const server = {
    "server.address": hostname,
    "server.port": port === "" ? (protocol === "https:" ? 443 : 80) : Number(port)
  }
  return ({ extraFields, operation, subject }: Call<ApiTypes>) => ({
    "gopay.operation": operation.name,
    ...merchant,
    ...subjectAttributes(subject ?? {}),
    ...(extraFields.length === 0 ? undefined : { "gopay.extra_fields": extraFields.join(",") }),
    "http.request.method": operation.method,
    ...server,
    "url.template": pathname + operation.path
  })
}

interface Ended {
  readonly errorType?: string | undefined
  readonly outcome: string
  readonly status?: number | undefined
}

const endAttributes = (ended: Ended) => ({ "gopay.outcome": ended.outcome, ...lastAttributes(ended) })

/** How the last attempt ended. */
const lastAttributes = ({ errorType, status }: Omit<Ended, "outcome">) => ({
  ...(status === undefined ? undefined : { "http.response.status_code": status }),
  ...(errorType === undefined ? undefined : { "error.type": errorType })
})

const annotate = (span: Tracer.Span, finished: EventOf<ApiTypes>): void => {
  const attributes = {
    ...subjectAttributes(finished),
    ...endAttributes(finished),
    "gopay.attempts": finished.attempts,
    ...(finished.attempts > 1 ? { "http.request.resend_count": finished.attempts - 1 } : undefined)
  }
  for (const [name, value] of Object.entries(attributes)) span.attribute(name, value)
}

// ---------------------------------------------------------------------------------------------------------------------
// Metrics
// ---------------------------------------------------------------------------------------------------------------------

/** In seconds: OpenTelemetry's boundaries for HTTP, extended since refunds may take minutes. */
const durationBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60, 120]

const counter = (name: string, description: string) => Metric.counter(name, { description, incremental: true })

const metrics = () => {
  const calls = counter("gopay.client.calls", "Calls that ended")
  const duration = Metric.histogram("gopay.client.call.duration", {
    description: "How long calls took, with the wait for a token and all attempts",
    boundaries: durationBoundaries,
    attributes: { unit: "s" }
  })
  const retries = counter("gopay.client.retries", "Attempts of calls after the first")
  const unknownOutcomes = counter(
    "gopay.client.unknown_outcomes",
    "Changes of which no one knows whether they were taken"
  )
  return {
    tokenRefreshes: counter("gopay.client.token_refreshes", "Access tokens that the gateway gave"),
    ofOperation: remembered((operation: string) => {
      const attributes = { "gopay.operation": operation }
      return {
        retries: Metric.withAttributes(retries, attributes),
        unknownOutcomes: Metric.withAttributes(unknownOutcomes, attributes),
        ofOutcome: remembered((outcome: string) => {
          const both = { ...attributes, "gopay.outcome": outcome }
          return { calls: Metric.withAttributes(calls, both), duration: Metric.withAttributes(duration, both) }
        })
      }
    })
  }
}

const remembered = <Key, Value>(make: (key: Key) => Value): ((key: Key) => Value) => {
  const values = new Map<Key, Value>()
  return (key) => {
    const known = values.get(key)
    if (known !== undefined) return known
    const value = make(key)
    values.set(key, value)
    return value
  }
}

const counted =
  ({ ofOperation, tokenRefreshes }: ReturnType<typeof metrics>) =>
  ({ attempts, durationMillis, operation, outcome }: EventOf<ApiTypes>, context: Context.Context<never>): void => {
    const { ofOutcome, retries, unknownOutcomes } = ofOperation(operation)
    const series = ofOutcome(outcome)
    series.calls.updateUnsafe(1, context)
    series.duration.updateUnsafe(durationMillis / 1000, context)
    if (attempts > 1) retries.updateUnsafe(attempts - 1, context)
    if (outcome === "OutcomeUnknown") unknownOutcomes.updateUnsafe(1, context)
    if (operation === "getAccessToken" && outcome === "success") tokenRefreshes.updateUnsafe(1, context)
  }

// ---------------------------------------------------------------------------------------------------------------------
// Log messages
// ---------------------------------------------------------------------------------------------------------------------

/** What `OnUnknownOutcome` does by default for a change that failed. */
const warnOfUnknownOutcome = <Types extends ApiTypes>(
  cause: Cause.Cause<GatewayFailure<AnyReason, string>>,
  { annotations, change }: Doubt<Types>,
  outcomes: UnknownOutcomes<Types["change"]>
): Effect.Effect<void> => {
  const reason = Option.getOrUndefined(Cause.findErrorOption(cause))?.reason
  if (reason?._tag !== "OutcomeUnknown" || change === undefined) return Effect.void
  return Effect.withFiber((fiber) =>
    isOnlyLogged(fiber, outcomes)
      ? Effect.annotateLogs(
          logChange("Warn", "The outcome of a change is unknown", change, outcomes.adviceOn(change)),
          annotations ?? {}
        )
      : Effect.void
  )
}
