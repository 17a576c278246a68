/**
 * Watching calls: what is known of one while it runs, and who is told.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type { CallOutcome, CallEvent } from "./CallEvent.plain.js"
import type { GatewayError, GatewayErrorReason } from "../error/GatewayError.plain.js"
import type { ChangeRecord } from "../error/ChangeRecord.plain.js"
import type { Operation } from "./Operation.js"
import type { FailedCall } from "./FailureReason.js"

/** A call that runs, and what has happened to it so far. */
export interface RunningCall {
  readonly operation: Operation<unknown>
  /** The payment or card that it is about. */
  readonly subject: FailedCall["subject"]
  /** The requests that were sent for it. */
  attempts: number
  /** The status of the last attempt's answer. */
  status: number | undefined
  /** Why the last attempt got no answer: `timeout`, the system's error code or the error's name. */
  transportFailure: string | undefined
  /** The change that was handed over to be sent, unless it certainly was not taken. */
  inDoubt: ChangeRecord | undefined
}

/** Who watches calls. Neither what they do nor how they end may change by it. */
export interface CallObserver {
  /** Runs a call. */
  readonly call: <A>(call: RunningCall, run: Effect.Effect<A, GatewayError>) => Effect.Effect<A, GatewayError>
  /** Runs one attempt of it. */
  readonly attempt: <A>(
    call: RunningCall,
    run: Effect.Effect<A, GatewayErrorReason>
  ) => Effect.Effect<A, GatewayErrorReason>
}

/** Nobody watches. */
export const nobody: CallObserver = { call: (_, run) => run, attempt: (_, run) => run }

/** A call that begins. */
export const begin = (operation: Operation<unknown>, subject: FailedCall["subject"]): RunningCall => ({
  operation,
  subject,
  attempts: 0,
  status: undefined,
  transportFailure: undefined,
  inDoubt: undefined
})

/** Milliseconds since it was made, by a clock that does not jump. */
export const stopwatch = (fiber: Fiber.Fiber<unknown, unknown>): (() => number) => {
  const clock = fiber.getRef(Clock.Clock)
  const start = clock.monotonicTimeNanosUnsafe()
  return () => Number(clock.monotonicTimeNanosUnsafe() - start) / 1e6
}

/** How a call, or one attempt of it, ended. */
export const outcomeOf = (
  { inDoubt }: RunningCall,
  exit: Exit.Exit<unknown, GatewayError | GatewayErrorReason>
): CallOutcome => {
  if (Exit.isSuccess(exit)) return "success"
  const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  if (error !== undefined) return error._tag === "GatewayError" ? error.reason._tag : error._tag
  if (inDoubt !== undefined) return "OutcomeUnknown"
  return Cause.hasInterruptsOnly(exit.cause) ? "interrupted" : "defect"
}

/** What went wrong with the last attempt, or else with the whole call. */
export const errorTypeOf = ({ status, transportFailure }: RunningCall, outcome: CallOutcome): string | undefined => {
  if (outcome === "success") return undefined
  if (transportFailure !== undefined) return transportFailure
  return status !== undefined && status >= 400 ? String(status) : outcome
}

/** What is told of a call when it has ended after `duration` milliseconds. */
export const finish = (call: RunningCall, exit: Exit.Exit<unknown, GatewayError>, duration: number): CallEvent => {
  const { attempts, operation, status } = call
  const outcome = outcomeOf(call, exit)
  const errorType = errorTypeOf(call, outcome)
  return {
    operation: operation.name,
    ...(call.subject ?? (Exit.isSuccess(exit) ? created(operation, exit.value) : undefined)),
    outcome,
    attempts,
    ...(status === undefined ? undefined : { status }),
    ...(errorType === undefined ? undefined : { errorType }),
    duration
  }
}

/** A new payment has its id from the answer. */
const created = ({ name }: Operation<unknown>, answer: unknown): { readonly paymentId: number } | undefined =>
  name === "createPayment" && Predicate.isObject(answer) && typeof answer["id"] === "number"
    ? { paymentId: answer["id"] }
    : undefined
