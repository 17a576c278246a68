/**
 * The ledgers of this process with their parts, so that an operator can be made of one. A ledger shows none of them.
 */
import * as Effect from "effect/Effect"
import type { GatewayError } from "../client/error/YieldableGatewayError.js"
import type { NotificationError } from "../client/notification/NotificationError.js"
import type { LedgerError } from "./model/YieldableLedgerError.js"
import { mapCalls } from "./model/LedgerService.js"
import type { WiredLedger } from "./wireLedger.js"

export type Failure = LedgerError | GatewayError | NotificationError

/** Runs a call that does not belong within a transaction. */
export type Run = <A>(program: Effect.Effect<A, Failure>) => Promise<A>

interface Parts extends Pick<WiredLedger<never>, "guard" | "parts"> {
  /** How the calls of a ledger of promises are run. */
  readonly run?: Run
}

const wiredLedgers = new WeakMap<object, Parts>()

/** Remembers the parts of a ledger, and gives it back. */
export const remember = <Ledger extends object>(ledger: Ledger, parts: Parts): Ledger => {
  wiredLedgers.set(ledger, parts)
  return ledger
}

export const partsOf = (ledger: object): Parts => {
  const found = wiredLedgers.get(ledger)
  if (found === undefined) {
    throw new TypeError(
      "An operator is made from the ledger itself, not from a copy or a stand-in, and with the same version."
    )
  }
  return found
}

/** Calls as promises, but for those that are left out. */
export const promisesOf = <Calls extends object>(calls: Calls, run: Run, leftOut: ReadonlyArray<keyof Calls> = []) =>
  mapCalls(
    calls,
    (call) =>
      (...args: ReadonlyArray<unknown>) =>
        run(Effect.isEffect(call) ? call : Effect.suspend(() => call(...args))),
    leftOut
  )
