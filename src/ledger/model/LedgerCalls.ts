/**
 * The calls of a ledger or an operator, each made into something else in the same way, and their spans.
 */
import * as Effect from "effect/Effect"
import type { LedgerOperations, OperatorOperations } from "./LedgerOperations.js"
import type { LedgerErrorOf } from "./LedgerService.js"

/** A call as a program, with the error that any of them may have. */
type Program = Effect.Effect<unknown, LedgerErrorOf<keyof LedgerOperations | keyof OperatorOperations>>

/** A call of a ledger: without parameters it is the program itself. */
export type Call = Program | ((...args: ReadonlyArray<unknown>) => Program)

/** Makes something of each call, by its name, but for those that are left out. */
export const mapCalls = <Calls extends object>(
  calls: Calls,
  make: (call: Call, name: string) => unknown,
  leftOut: ReadonlyArray<keyof Calls> = []
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no type follows the parameters of each
    Object.entries(calls as Readonly<Record<string, Call>>)
      .filter(([name]) => !leftOut.some((other) => other === name))
      .map(([name, call]) => [name, make(call, name)])
  )

/** Runs a program in a span, or as it is. */
export type Trace = (
  name: string,
  attributes?: Readonly<Record<string, string | null>>
) => <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** A span, where the program has a tracer. */
export const traced: Trace = (name, attributes = {}) => Effect.withSpan(name, { attributes })

/** No span: callers with promises have no tracer. */
export const untraced: Trace = () => (program) => program
