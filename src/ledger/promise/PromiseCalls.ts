/**
 * The calls of a ledger and its operator as promises.
 */
import * as Effect from "effect/Effect"
import { mapCalls } from "../model/LedgerService.js"
import type { Run } from "../wiredLedgers.js"

/** Calls as promises, but for those that are left out. */
export const promisesOf = <Calls extends object>(calls: Calls, run: Run, leftOut: ReadonlyArray<keyof Calls> = []) =>
  mapCalls(
    calls,
    (call) =>
      (...args: ReadonlyArray<unknown>) =>
        run(Effect.isEffect(call) ? call : Effect.suspend(() => call(...args))),
    leftOut
  )
