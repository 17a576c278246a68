/**
 * The spans of a ledger.
 */
import * as Effect from "effect/Effect"

/** Runs a program in a span, or as it is. */
export type Trace = (
  name: string,
  attributes?: Readonly<Record<string, string | null>>
) => <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** A span, where the program has a tracer. */
export const traced: Trace = (name, attributes = {}) => Effect.withSpan(name, { attributes })

/** No span: callers with promises have no tracer. */
export const untraced: Trace = () => (program) => program
