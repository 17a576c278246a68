/**
 * What all processes of a merchant know of a gateway that fails: one row for its reads, and one for the changes of each
 * operation, while there is something to know.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { jsonColumn, numberIn } from "./Rows.js"
import type { Database, StoreError } from "./Database.js"
import * as Statements from "./Statements.js"

/** The payments whose calls failed, with their times, and since when none has worked. */
const Failing = Schema.Struct({
  since: Schema.Int,
  payments: Schema.Array(Schema.Struct({ id: Schema.String, at: Schema.Int }))
})
export type Failing = typeof Failing.Type

const decode = Schema.decodeUnknownOption(jsonColumn(Failing))

/** The failures on record, if they can be read. */
export const failingIn = (text: unknown): Failing | undefined => Option.getOrUndefined(decode(text))

/** A circuit whose turn it is to be tried. */
export interface Probe {
  readonly circuit: string
  readonly failing: Failing | undefined
}

export type BreakerTable = ReturnType<typeof make>

export const make = <Tx>(database: Database<Tx>, scope: number) => {
  const { isBrief, now, one, run } = Statements.make(database)

  return {
    /** Records a failure, as a function says that it follows those before. Gives what is on record then. */
    failed: Effect.fnUntraced(function* (
      circuit: string,
      next: (known: Failing | undefined, now: number) => Failing
    ): Effect.fn.Return<Failing | undefined, StoreError> {
      const row = yield* one(
        `SELECT ${now} AS now, (SELECT failing FROM gopay_breaker WHERE scope = ? AND circuit = ?) AS failing`,
        [scope, circuit]
      )
      const known = row?.["failing"]
      const failing = next(failingIn(known), numberIn(row, "now") ?? 0)
      yield* run(
        `INSERT INTO gopay_breaker (scope, circuit, failing) SELECT ?, ?, ? WHERE ${isBrief()}
           ON CONFLICT (scope, circuit) DO UPDATE SET failing = excluded.failing WHERE gopay_breaker.failing = ?`,
        [scope, circuit, JSON.stringify(failing), typeof known === "string" ? known : ""]
      )
      return failing
    }),

    /** Begins nothing more of a kind; in so many milliseconds it is tried. */
    open: (circuit: string, pause: number) =>
      Effect.asVoid(
        run(
          `UPDATE gopay_breaker SET probe_at = ${now} + ?, tries = 0
           WHERE scope = ? AND circuit = ? AND probe_at IS NULL AND ${isBrief()}`,
          [pause, scope, circuit]
        )
      ),

    /** Calls of these kinds have worked. Gives whether one of them had been stopped. */
    worked: (reads: string, operation: string | undefined): Effect.Effect<boolean, StoreError> =>
      Effect.map(
        run(`DELETE FROM gopay_breaker WHERE scope = ? AND circuit IN (?, ?) AND ${isBrief()} RETURNING probe_at`, [
          scope,
          reads,
          operation ?? reads
        ]),
        (removed) => removed.some((row) => row["probe_at"] !== null)
      ),

    /** The circuits that it is this process's turn to try: no other one does for a pause that grows with each. */
    claimProbes: (
      reads: string,
      operation: string,
      pauses: { readonly first: number; readonly longest: number }
    ): Effect.Effect<ReadonlyArray<Probe>, StoreError> =>
      Effect.map(
        run(
          `UPDATE gopay_breaker SET tries = tries + 1, probe_at = ${now} + CASE
             WHEN circuit = ? THEN ? WHEN tries >= 4 THEN ? ELSE ? * (2 << tries) END
           WHERE scope = ? AND circuit IN (?, ?) AND probe_at <= ${now} AND ${isBrief()} RETURNING circuit, failing`,
          [reads, pauses.first, pauses.longest, pauses.first, scope, reads, operation]
        ),
        (found) => found.map(({ circuit, failing }) => ({ circuit: String(circuit), failing: failingIn(failing) }))
      ),

    /** A payment that waits, or else the newest one, that is none of those that failed. */
    otherPayment: Effect.fnUntraced(function* (
      failed: ReadonlyArray<string>
    ): Effect.fn.Return<string | undefined, StoreError> {
      const others = failed.length === 0 ? "" : `AND NOT ${Statements.isOneOf("payment_id", failed)}`
      const first = (sql: string) =>
        Effect.map(one(sql, [scope, ...failed]), (found) => found && String(found["payment_id"]))
      const waiting = yield* first(
        `SELECT payment_id FROM gopay_change WHERE scope = ? AND next_at IS NOT NULL AND status = 'queued' ${others}
           ORDER BY next_at LIMIT 1`
      )
      return (
        waiting ??
        (yield* first(
          `SELECT payment_id FROM gopay_payment WHERE scope = ? AND payment_id IS NOT NULL ${others} ORDER BY seq DESC LIMIT 1`
        ))
      )
    })
  }
}
