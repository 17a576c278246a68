/**
 * Observing calls: the observer, and the event made of each call that ended.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Result from "effect/Result"
import type { ChangeRecord } from "../error/ChangeRecord.js"
import type { GatewayErrorReason } from "../error/GatewayError.js"
import type { GatewayFailure } from "../error/GatewayFailure.js"
import type { CallEvent, CallOutcome } from "./CallEvent.js"
import type { FailedCall } from "./FailureReason.js"
import type { Operation } from "./Operation.js"

export interface Call {
  readonly operation: Operation<unknown>
  /** The payment or card that it is about. */
  readonly subject: FailedCall["subject"]
  readonly extraFields: ReadonlyArray<string>
  readonly doubt: Doubt
}

/** What is lost when a call ends here: the one value that its attempts write, and whoever reports its end reads. */
export interface Doubt {
  /** The change that may have been sent, unless it certainly was not taken. */
  change: ChangeRecord | undefined
  /** What the caller's own code failed with, which held the change back or left it in doubt. */
  cause?: unknown
}

export interface AttemptOutcome<out Response> {
  readonly result: Result.Result<Response, GatewayErrorReason>
  /** The status of the response, when there was one. */
  readonly status: number | undefined
  /** Why there was none: `timeout`, the system's error code or the error's name. */
  readonly transportFailure: string | undefined
}

export type ObservedAttempt = <Response>(
  attempt: Effect.Effect<AttemptOutcome<Response>>
) => Effect.Effect<AttemptOutcome<Response>>

/** Runs a call, observed. Neither what it does nor how it ends may change by it. */
export type CallObserver = <A, E extends GatewayFailure>(
  call: Call,
  run: (observed: ObservedAttempt) => Effect.Effect<A, E>
) => Effect.Effect<A, E>

export const unobserved: CallObserver = (_, run) => run((attempt) => attempt)

/** An attempt that has ended, or one that is still under way. */
type LoggedAttempt = Omit<AttemptOutcome<unknown>, "result">

/** A log without entries. It has the attempt that is in flight too: an interruption may end the call there. */
export const attemptLog = () => {
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

export type AttemptLog = ReturnType<typeof attemptLog>

const outcomeOf = (exit: Exit.Exit<unknown, GatewayFailure>, doubt: Doubt): CallOutcome => {
  if (Exit.isSuccess(exit)) return "success"
  const failure = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  return failure === undefined ? endOf(exit, doubt) : failure.reason._tag
}

/** How a call or an attempt ended that neither succeeded nor failed. */
export const endOf = (exit: Exit.Failure<unknown, unknown>, doubt: Doubt): CallOutcome => {
  if (doubt.change !== undefined) return "OutcomeUnknown"
  return Cause.hasInterruptsOnly(exit.cause) ? "interrupted" : "defect"
}

/** What went wrong with the last attempt, or else with the whole call. */
export const errorTypeOf = (last: LoggedAttempt | undefined, outcome: CallOutcome): string | undefined => {
  if (outcome === "success") return undefined
  if (last?.transportFailure !== undefined) return last.transportFailure
  return last?.status !== undefined && last.status >= 400 ? String(last.status) : outcome
}

export const callEvent = (
  { doubt, operation, subject }: Call,
  attempts: AttemptLog,
  exit: Exit.Exit<unknown, GatewayFailure>,
  durationMillis: number
): CallEvent => {
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
const created = ({ name }: Operation<unknown>, response: unknown): { readonly paymentId: number } | undefined =>
  name === "createPayment" && Predicate.isObject(response) && typeof response["id"] === "number"
    ? { paymentId: response["id"] }
    : undefined
