/**
 * The statements on a merchant's circuits. A circuit has a row while failures are on record.
 */
import * as Effect from "effect/Effect"
import type { SqlRow } from "../model/LedgerStore.js"
import type { ReadableDatabase, StoreError } from "./Database.js"
import { type Failing, failingIn, numberIn } from "./Rows.js"
import * as Statements from "./Statements.js"

/** The circuit of reads. The other circuits are named after their operations. */
export const reads = "reads"

/** A circuit whose calls fail. */
export interface FailedCircuit {
  readonly failing: Failing
  /** Whether it is open, so that its calls are stopped. */
  readonly isOpen: boolean
}

export type BreakerTable = ReturnType<typeof make>

/**
 * `pauseAfter` returns the pause before the next probe of an operation, in milliseconds, from the number of probes so
 * far.
 */
export const make = (database: ReadableDatabase, scope: number, pauseAfter: (tries: number) => number) => {
  const { isBrief, now, one, run } = Statements.make(database)
  return {
    /** Replaces the failures on record for a circuit. Returns it, and whether it is open. */
    fail: Effect.fnUntraced(function* (
      circuit: string,
      after: (known: Failing | undefined, now: number) => Failing
    ): Effect.fn.Return<FailedCircuit, StoreError> {
      // Several calls that wait for the same token fail together, and one of them writes first. The third failure opens
      // the circuit.
      for (let attempt = 1; ; attempt++) {
        const ofCircuit = "FROM gopay_breaker WHERE scope = ? AND circuit = ?"
        const row = yield* one(
          `SELECT ${now} AS now, (SELECT failing ${ofCircuit}) AS failing, (SELECT probe_at ${ofCircuit}) AS probe_at`,
          [scope, circuit, scope, circuit]
        )
        const known = row?.["failing"]
        const failing = after(failingIn(known), numberIn(row, "now") ?? 0)
        const written = yield* run(
          `INSERT INTO gopay_breaker (scope, circuit, failing) SELECT ?, ?, ? WHERE ${isBrief()}
             ON CONFLICT (scope, circuit) DO UPDATE SET failing = excluded.failing WHERE gopay_breaker.failing = ?
             RETURNING circuit`,
          [scope, circuit, JSON.stringify(failing), typeof known === "string" ? known : ""]
        )
        if (written.length > 0 || attempt === 3) {
          return { failing, isOpen: numberIn(row, "probe_at") !== undefined }
        }
      }
    }),

    /** Opens a circuit: no new call of its kind begins until a probe works. */
    open: (circuit: string): Effect.Effect<unknown, StoreError> =>
      run(
        `UPDATE gopay_breaker SET probe_at = ${now} + ?, tries = 0
         WHERE scope = ? AND circuit = ? AND probe_at IS NULL AND ${isBrief()}`,
        [pauseAfter(0), scope, circuit]
      ),

    /** Calls of these kinds have worked. Returns whether one of their circuits was open. */
    forget: (operation: string = reads): Effect.Effect<boolean, StoreError> =>
      Effect.map(
        run(`DELETE FROM gopay_breaker WHERE scope = ? AND circuit IN (?, ?) AND ${isBrief()} RETURNING probe_at`, [
          scope,
          reads,
          operation
        ]),
        (removed) => removed.some((row) => row["probe_at"] !== null)
      ),

    /**
     * Claims the circuits that are due for a probe. No other process probes them for a pause that grows with each
     * probe.
     */
    takeProbes: (operation: string): Effect.Effect<ReadonlyArray<SqlRow>, StoreError> =>
      run(
        `UPDATE gopay_breaker SET tries = tries + 1, probe_at = ${now} + CASE WHEN circuit = ? THEN ${pauseAfter(0)}
           ${[0, 1, 2, 3].map((tries) => `WHEN tries = ${tries} THEN ${pauseAfter(tries + 1)}`).join(" ")} ELSE ${pauseAfter(5)} END
         WHERE scope = ? AND circuit IN (?, ?) AND probe_at <= ${now} AND ${isBrief()} RETURNING circuit, failing`,
        [reads, scope, reads, operation]
      ),

    /** A probe: the oldest waiting payment, else the newest, that has not failed before. */
    otherPayment: Effect.fnUntraced(function* (
      failed: ReadonlyArray<string>
    ): Effect.fn.Return<string | undefined, StoreError> {
      const others = failed.length === 0 ? "" : `AND NOT ${Statements.isOneOf("payment_id", failed)}`
      const waiting = yield* one(
        `SELECT payment_id FROM gopay_change WHERE scope = ? AND next_at IS NOT NULL AND status = 'queued' ${others}
           ORDER BY next_at LIMIT 1`,
        [scope, ...failed]
      )
      const found =
        waiting ??
        (yield* one(
          `SELECT payment_id FROM gopay_payment WHERE scope = ? AND payment_id IS NOT NULL ${others} ORDER BY seq DESC LIMIT 1`,
          [scope, ...failed]
        ))
      return found && String(found["payment_id"])
    })
  }
}
