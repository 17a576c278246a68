/**
 * The spans of a ledger, and what its log messages are about.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import { endOf } from "../../client/call/CallObserver.js"
import { canonicalId } from "../../contract/CanonicalId.js"

/** Runs a program in a span, or without one. */
export type Trace = (
  name: string,
  attributes?: Readonly<Record<string, string | null>>
) => <A, E extends { readonly reason: { readonly _tag: string } }, R>(
  program: Effect.Effect<A, E, R>
) => Effect.Effect<A, E, R>

/**
 * Runs a program in a span of this merchant, if it has a tracer; its log messages have the same attributes. As in a
 * span of the client, `error.type` is the reason of a failure, and the payment that a call has found or made is there
 * as well.
 */
export const traced =
  (merchant: Readonly<Record<string, string>>): Trace =>
  (name, attributes = {}) =>
  (program) =>
    Effect.onExit(program, (exit) => {
      if (Exit.isFailure(exit)) return Effect.annotateCurrentSpan("error.type", endOf(exit.cause))
      const paymentId = "gopay.payment_id" in attributes ? undefined : paymentIn(exit.value)
      return paymentId === undefined ? Effect.void : Effect.annotateCurrentSpan("gopay.payment_id", paymentId)
    }).pipe(
      Effect.withSpan(name, { attributes: { ...merchant, ...attributes } }),
      Effect.annotateLogs({ ...merchant, ...present(attributes) })
    )

const present = (attributes: Readonly<Record<string, string | null>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(attributes).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))

const paymentIn = (result: unknown): string | undefined =>
  Predicate.hasProperty(result, "paymentId") ? canonicalId(result.paymentId)?.toString() : undefined

/** Runs a program without a span: callers with promises have no tracer. */
export const untraced: Trace = () => (program) => program
