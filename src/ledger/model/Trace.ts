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
 * span of the client, `error.type` is the reason of a failure. The payment and the order that a call has found or made
 * are there as well, and what became of a change.
 */
export const traced =
  (merchant: Readonly<Record<string, string>>): Trace =>
  (name, attributes = {}) =>
  (program) =>
    Effect.onExit(program, (exit) =>
      Effect.annotateCurrentSpan(
        Exit.isFailure(exit) ? { "error.type": endOf(exit.cause) } : { ...resultAttributes(exit.value), ...attributes }
      )
    ).pipe(
      Effect.withSpan(name, { attributes: { ...merchant, ...attributes } }),
      Effect.annotateLogs({ ...merchant, ...present(attributes) })
    )

const present = (attributes: Readonly<Record<string, string | null>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(attributes).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))

/** What became of a change: the `_tag` of its outcome. */
export const outcomeAttribute = "gopay.ledger.outcome"

const resultAttributes = (result: unknown): Readonly<Record<string, string>> => {
  const paymentId = Predicate.hasProperty(result, "paymentId") ? canonicalId(result.paymentId) : undefined
  const orderNumber = Predicate.hasProperty(result, "orderNumber") ? result.orderNumber : undefined
  const isOutcome = Predicate.hasProperty(result, "_tag") && Predicate.hasProperty(result, "key")
  return {
    ...(paymentId === undefined ? undefined : { "gopay.payment_id": String(paymentId) }),
    ...(Predicate.isString(orderNumber) ? { "gopay.order_number": orderNumber } : undefined),
    ...(isOutcome ? { [outcomeAttribute]: String(result._tag) } : undefined)
  }
}

/** Runs a program without a span: callers with promises have no tracer. */
export const untraced: Trace = () => (program) => program
