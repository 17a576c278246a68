/**
 * The counts of a ledger's rows, and how long they have waited.
 */
import * as Effect from "effect/Effect"
import type { ReadableDatabase, StoreError } from "./Database.js"
import { isUndecided, isUnsettled } from "./Sql.js"
import { numberIn } from "./Rows.js"
import * as Statements from "./Statements.js"

export type Counts = Effect.Success<ReturnType<typeof counting>>

/** How many tallies are added up by one statement. */
const mostAdded = 10_000

/** In milliseconds: how often a worker records that it is running. */
const tickEvery = 60_000

/** Records that a worker is running. From time to time one of them adds up the tallies. */
export const ticking = (database: ReadableDatabase): Effect.Effect<void, StoreError> => {
  const { isBrief, now, one, run } = Statements.make(database)

  /** Adds up some tallies of all merchants in PostgreSQL; no other process gets the same ones. Returns how many. */
  const addUpSome = Effect.map(
    one(`WITH added AS (
         DELETE FROM gopay_tally WHERE seq IN (SELECT seq FROM gopay_tally ORDER BY seq LIMIT ${mostAdded} FOR UPDATE SKIP LOCKED)
           AND ${isBrief()} RETURNING scope, subject, status, count),
       sums AS (
         INSERT INTO gopay_tally (scope, subject, status, count)
         SELECT scope, subject, status, SUM(count) FROM added GROUP BY scope, subject, status HAVING SUM(count) <> 0)
       SELECT COUNT(*) AS added FROM added`),
    (found) => numberIn(found, "added") ?? 0
  )

  /**
   * Adds up the tallies in SQLite: the first one of each kind becomes their sum. A transaction would wait for those of
   * the shop.
   */
  const addUpAll = Effect.andThen(
    run(`UPDATE gopay_tally SET count = CASE WHEN gopay_tally.seq = sums.first THEN sums.sum ELSE 0 END
       FROM (SELECT scope, subject, status, MIN(seq) AS first, SUM(count) AS sum FROM gopay_tally
         GROUP BY scope, subject, status) AS sums
       WHERE gopay_tally.scope = sums.scope AND gopay_tally.subject = sums.subject AND gopay_tally.status = sums.status`),
    run("DELETE FROM gopay_tally WHERE count = 0")
  )

  const addUp: Effect.Effect<void, StoreError> =
    database.dialect === "sqlite"
      ? Effect.asVoid(addUpAll)
      : Effect.flatMap(addUpSome, (added) => (added < mostAdded ? Effect.void : addUp))

  return Effect.flatMap(
    run(`UPDATE gopay_ledger SET ticked_at = ${now} WHERE id = 1 AND COALESCE(ticked_at, 0) <= ${now} - ${tickEvery}
         AND ${isBrief()} RETURNING id`),
    (ticked) => (ticked.length === 0 ? Effect.void : addUp)
  )
}

export const counting = (database: ReadableDatabase, scope: number) => {
  const { nowOnce, one, run } = Statements.make(database)
  const countOf = (rows: string, values: ReadonlyArray<number>) =>
    Effect.map(one(`SELECT COUNT(*) AS count FROM ${rows}`, values), (found) => numberIn(found, "count") ?? 0)

  return Effect.gen(function* () {
    const due = yield* one(
      `SELECT COUNT(*) AS due, ${nowOnce} - MIN(next_at) AS oldest FROM (
           SELECT next_at FROM gopay_change WHERE scope = ? AND next_at <= ${nowOnce} UNION ALL
           SELECT next_at FROM gopay_payment WHERE scope = ? AND next_at <= ${nowOnce}) AS waiting`,
      [scope, scope]
    )
    const attention = yield* countOf("gopay_item WHERE scope = ?", [scope])
    const unreported = yield* countOf("gopay_event WHERE scope = ?", [scope])
    const ledger = yield* one("SELECT ticked_at FROM gopay_ledger WHERE id = 1")
    // Settled rows are counted by their tallies, all others directly.
    const found = yield* run(
      `SELECT subject, status, SUM(count) AS count FROM (
       SELECT 'change' AS subject, status, COUNT(*) AS count FROM gopay_change
         WHERE scope = ? AND ${isUndecided} GROUP BY status
       UNION ALL SELECT 'payment', status, COUNT(*) FROM gopay_payment WHERE scope = ? AND ${isUnsettled} GROUP BY status
       UNION ALL SELECT subject, status, count FROM gopay_tally WHERE scope = ?) AS counted
     GROUP BY subject, status HAVING SUM(count) <> 0`,
      [scope, scope, scope]
    )
    const countsOf = (subject: string) =>
      Object.fromEntries(
        found.filter((row) => row["subject"] === subject).map((row) => [String(row["status"]), Number(row["count"])])
      )
    return {
      changes: countsOf("change"),
      payments: countsOf("payment"),
      due: numberIn(due, "due") ?? 0,
      /** In milliseconds: how long the oldest due row has waited. */
      oldestDue: numberIn(due, "oldest") ?? 0,
      attention,
      unreported,
      /** When a worker ran last, in milliseconds since 1970. */
      tickedAt: numberIn(ledger, "ticked_at")
    }
  })
}
