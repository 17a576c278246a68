/**
 * Observing calls: the observer, and the event made when a call has ended.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Result from "effect/Result"
import type { AnyReason, ApiTypes, ApiTypesV3 } from "../error/AnyReason.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import type { CallSubject, FailedCall } from "./FailureReason.js"
import type { Operation } from "./ApiOperation.js"

export interface Call<Api extends ApiTypes = ApiTypesV3> {
  readonly operation: Operation<unknown, AnyReason, Api>
  /** The payment or card that it is about. */
  readonly subject: FailedCall["subject"]
  readonly extraFields: ReadonlyArray<string>
  readonly doubt: Doubt<Api>
}

/** What would be lost if a call ended here. Its attempts write this value, and whoever reports its end reads it. */
export interface Doubt<Api extends ApiTypes = ApiTypes> {
  /** The change that may have been sent, unless it certainly was not carried out. */
  change: Api["change"] | undefined
  /** The failure of the caller's own code that held the change back or left it in doubt. */
  cause?: unknown
  /** The annotations of log messages about the change: whose it is, and how its last attempt ended. */
  annotations?: Readonly<Record<string, unknown>>
}

export interface AttemptOutcome<out Response> {
  readonly result: Result.Result<Response, AnyReason>
  /** The status of the response, when there was one. */
  readonly status: number | undefined
  /** Why there was no response: `timeout`, the system's error code or the error's name. */
  readonly transportFailure: string | undefined
}

export type ObservedAttempt = <Response>(
  attempt: Effect.Effect<AttemptOutcome<Response>>
) => Effect.Effect<AttemptOutcome<Response>>

/** Runs a call and observes it. It must not affect what the call does or how it ends. */
export type CallObserver<Api extends ApiTypes = ApiTypesV3> = <A, E extends GatewayFailure<Api["reason"], Api["name"]>>(
  call: Call<Api>,
  run: (observed: ObservedAttempt) => Effect.Effect<A, E>
) => Effect.Effect<A, E>

export const unobserved: CallObserver<ApiTypes> = (_, run) => run((attempt) => attempt)

/** An attempt that has ended or is still in progress. */
type LoggedAttempt = Omit<AttemptOutcome<unknown>, "result">

/** The attempts of a call. */
export interface AttemptLog {
  readonly count: () => number
  readonly last: () => LoggedAttempt | undefined
  readonly observed: ObservedAttempt
}

/** An empty log. It also has the attempt in flight, since an interruption may end the call there. */
export const attemptLog = (): AttemptLog => {
  let count = 0
  let last: LoggedAttempt | undefined
  const observed: ObservedAttempt = (attempt) =>
    Effect.suspend(() => {
      count++
      last = { status: undefined, transportFailure: undefined }
      return Effect.map(attempt, (outcome) => {
        last = outcome
        return outcome
      })
    })
  return { count: () => count, last: () => last, observed }
}

/** `success`, the `_tag` of the reason, or how else a call ended. */
type Outcome<Reason extends AnyReason> = "success" | End<Reason["_tag"]> | "OutcomeUnknown"

const outcomeOf = <Reason extends AnyReason>(
  exit: Exit.Exit<unknown, GatewayFailure<Reason, string>>,
  doubt: Doubt
): Outcome<Reason> => (Exit.isSuccess(exit) ? "success" : endInDoubt(exit.cause, doubt))

type End<Tag extends string> = Tag | "interrupted" | "defect"

/** How a program ended that did not succeed: the `_tag` of the reason that it failed for, or how else. */
export const endOf = <Tag extends string>(
  cause: Cause.Cause<{ readonly reason: { readonly _tag: Tag } }>
): End<Tag> => {
  const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (failure !== undefined) return failure.reason._tag
  return Cause.hasInterruptsOnly(cause) ? "interrupted" : "defect"
}

/** The same of a call or an attempt: if it did not fail, it may have left a change in doubt. */
export const endInDoubt = <Tag extends string>(
  cause: Cause.Cause<{ readonly reason: { readonly _tag: Tag } }>,
  { change }: Doubt
): End<Tag> | "OutcomeUnknown" => {
  const end = endOf(cause)
  return change !== undefined && (end === "interrupted" || end === "defect") ? "OutcomeUnknown" : end
}

/** The error of the last attempt, or else of the whole call. */
export const errorTypeOf = (last: LoggedAttempt | undefined, outcome: string): string | undefined => {
  if (outcome === "success") return undefined
  if (last?.transportFailure !== undefined) return last.transportFailure
  return last?.status !== undefined && last.status >= 400 ? String(last.status) : outcome
}

/** The event of a call of an API, a `CallEvent` in v3. */
export interface EventOf<out Api extends ApiTypes> extends CallSubject {
  readonly operation: Api["name"]
  readonly outcome: Outcome<Api["reason"]>
  readonly attempts: number
  readonly status?: number
  readonly errorType?: string
  readonly durationMillis: number
}

export const callEvent = <Api extends ApiTypes>(
  { doubt, operation, subject }: Call<Api>,
  attempts: AttemptLog,
  exit: Exit.Exit<unknown, GatewayFailure<Api["reason"], Api["name"]>>,
  durationMillis: number
): EventOf<Api> => {
  const last = attempts.last()
  const outcome = outcomeOf(exit, doubt)
  const errorType = errorTypeOf(last, outcome)
  return {
    operation: operation.name,
    ...(subject ?? (Exit.isSuccess(exit) ? created(operation, exit.value) : undefined)),
    outcome,
    attempts: attempts.count(),
    ...(last?.status === undefined ? undefined : { status: last.status }),
    ...(errorType === undefined ? undefined : { errorType }),
    durationMillis
  }
}

/** The id of a new payment is in the response. */
const created = ({ creates }: Operation<unknown, AnyReason, ApiTypes>, response: unknown): CallSubject | undefined => {
  if (creates === undefined || !Predicate.isObject(response)) return undefined
  const { id } = response
  return typeof id === "number" || typeof id === "string" ? { [creates]: id } : undefined
}
