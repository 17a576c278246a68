/**
 * The spans of a ledger.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { canonicalId } from "../../contract/CanonicalId.js"

/** Runs a program in a span, or without one. */
export type Trace = (
  name: string,
  attributes?: Readonly<Record<string, string | null>>
) => <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * Runs a program in a span of this merchant, if it has a tracer. As in a span of the client, `error.type` is the reason
 * of a failure, and the payment that a call has found or made is there as well.
 */
export const traced =
  (merchant: Readonly<Record<string, string>>): Trace =>
  (name, attributes = {}) =>
  (program) =>
    Effect.onExit(program, (exit) => {
      if (Exit.isFailure(exit)) return Effect.annotateCurrentSpan("error.type", errorType(exit.cause))
      const paymentId = "gopay.payment_id" in attributes ? undefined : paymentIn(exit.value)
      return paymentId === undefined ? Effect.void : Effect.annotateCurrentSpan("gopay.payment_id", paymentId)
    }).pipe(Effect.withSpan(name, { attributes: { ...merchant, ...attributes } }))

const paymentIn = (result: unknown): string | undefined =>
  Predicate.hasProperty(result, "paymentId") ? canonicalId(result.paymentId)?.toString() : undefined

const errorType = (cause: Cause.Cause<unknown>): string => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (Predicate.hasProperty(error, "reason") && Predicate.hasProperty(error.reason, "_tag")) {
    return String(error.reason._tag)
  }
  return Cause.hasInterruptsOnly(cause) ? "interrupted" : "defect"
}

/** Runs a program without a span: callers with promises have no tracer. */
export const untraced: Trace = () => (program) => program
