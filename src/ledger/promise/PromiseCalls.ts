/**
 * The calls of a ledger and its operator as promises.
 */
import * as Effect from "effect/Effect"
import type { GatewayError } from "../../client/error/YieldableGatewayError.js"
import type { NotificationError } from "../../client/notification/NotificationError.js"
import { mapCalls } from "../model/LedgerCalls.js"
import type { LedgerError } from "../model/LedgerError.js"

/** What a call fails with. */
export type Failure = LedgerError | GatewayError | NotificationError

/** Runs a call that does not belong within a transaction. */
export type Run = <A>(program: Effect.Effect<A, Failure>) => Promise<A>

const runs = new WeakMap<object, Run>()

/** Says how the calls of a ledger are run, for its operator. */
export const runBy = (ledger: object, run: Run): void => void runs.set(ledger, run)

/** How the calls of a ledger are run. */
export const runOf = (ledger: object): Run => {
  const run = runs.get(ledger)
  if (run === undefined) throw new TypeError("An operator is made of a ledger of createLedger, of the same version.")
  return run
}

/** Calls as promises, but for those that are left out. */
export const promisesOf = <Calls extends object>(
  calls: Calls,
  run: Run,
  leftOut: ReadonlyArray<keyof Calls> = []
): Readonly<Record<string, unknown>> =>
  mapCalls(
    calls,
    (call) =>
      (...args: ReadonlyArray<unknown>) =>
        run(Effect.isEffect(call) ? call : Effect.suspend(() => call(...args))),
    leftOut
  )
