/**
 * How much there is in the tables of a ledger, and how long it has waited.
 */
import * as Effect from "effect/Effect"
import type { SqlRow } from "../store/LedgerStore.plain.js"
import type { Database, StoreError } from "./Database.js"
import * as Statements from "./Statements.js"

/** What is counted. */
export interface Counts {
  readonly changes: Readonly<Record<string, number>>
  readonly payments: Readonly<Record<string, number>>
  readonly due: number
  /** In milliseconds: how long what is due has waited. */
  readonly oldestDue: number
  readonly attention: number
  readonly untold: number
  /** When a worker ran last, in milliseconds since 1970. */
  readonly tickedAt: number | undefined
}

/** In milliseconds: how often a worker says that it runs. */
const tickEvery = 60_000

export type MetricsTable = ReturnType<typeof make>

/** The counts of one merchant's rows. */
export const make = <Tx>(database: Database<Tx>, scope: string) => {
  const { isBrief, now, nowOnce, run } = Statements.make(database)

  const byStatus = (table: "gopay_change" | "gopay_payment") =>
    Effect.map(
      run(database.query, `SELECT status, COUNT(*) AS count FROM ${table} WHERE scope = ? GROUP BY status`, [scope]),
      (found) => Object.fromEntries(found.map((row) => [String(row["status"]), Number(row["count"])]))
    )

  const one = (sql: string, ...values: ReadonlyArray<string>): Effect.Effect<SqlRow, StoreError> =>
    Effect.map(run(database.query, sql, values), ([found]) => found ?? {})

  return {
    /** A worker says that it runs. */
    tick: Effect.asVoid(
      run(
        database.query,
        `UPDATE gopay_ledger SET ticked_at = ${now} WHERE id = 1 AND COALESCE(ticked_at, 0) <= ${now} - ${tickEvery} AND ${isBrief()}`,
        []
      )
    ),

    counts: Effect.gen(function* (): Effect.fn.Return<Counts, StoreError> {
      const due = yield* one(
        `SELECT COUNT(*) AS due, ${nowOnce} - MIN(next_at) AS oldest FROM (
           SELECT next_at FROM gopay_change WHERE scope = ? AND next_at <= ${nowOnce} UNION ALL
           SELECT next_at FROM gopay_payment WHERE scope = ? AND next_at <= ${nowOnce}) AS waiting`,
        scope,
        scope
      )
      const attention = yield* one(
        `SELECT COUNT(*) AS count FROM (
           SELECT seq FROM gopay_change WHERE scope = ? AND attention IS NOT NULL UNION ALL
           SELECT seq FROM gopay_payment WHERE scope = ? AND attention IS NOT NULL) AS listed`,
        scope,
        scope
      )
      const untold = yield* one("SELECT COUNT(*) AS count FROM gopay_event WHERE scope = ?", scope)
      const { ticked_at } = yield* one("SELECT ticked_at FROM gopay_ledger WHERE id = 1")
      return {
        changes: yield* byStatus("gopay_change"),
        payments: yield* byStatus("gopay_payment"),
        due: Number(due["due"]),
        oldestDue: Number(due["oldest"] ?? 0),
        attention: Number(attention["count"]),
        untold: Number(untold["count"]),
        tickedAt: ticked_at === null || ticked_at === undefined ? undefined : Number(ticked_at)
      }
    })
  }
}
