/**
 * The calls of a ledger, each made into something else in the same way.
 */
import type * as Effect from "effect/Effect"
import type { LedgerOperations } from "./LedgerOperations.js"
import type { LedgerCore } from "./LedgerCore.js"
import type { LedgerErrorOf } from "./LedgerService.js"

/** A call as a program, with the error that any of them may have. */
type Program = Effect.Effect<unknown, LedgerErrorOf<keyof LedgerOperations>>

/** A call of a ledger: without parameters it is the program itself. */
export type Call = Program | ((...args: ReadonlyArray<unknown>) => Program)

/** Makes something of each call but `submit`, by its name; the books are among them where they are by pages. */
export const mapCalls = <Tx>(
  core: Omit<LedgerCore<Tx>, "pageOfBookedOrders">,
  make: (call: Call, name: string) => unknown
): Readonly<Record<string, unknown>> => {
  const { notificationHandler: _handler, runWorker: _worker, submit: _submit, ...calls } = core
  return Object.fromEntries(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no type follows the parameters of each
    Object.entries(calls as Readonly<Record<string, Call>>).map(([name, call]) => [name, make(call, name)])
  )
}
