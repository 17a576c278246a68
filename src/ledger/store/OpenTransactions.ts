/**
 * The time until which everything that was recorded is visible. A transaction that is still open, such as that of a
 * slow handler, commits rows with earlier times than those that others have committed meanwhile.
 */
import * as Effect from "effect/Effect"
import { hour } from "../../basics/Milliseconds.js"
import type { ReadableDatabase, StoreError } from "./Database.js"
import { numberIn } from "./Rows.js"
import * as Statements from "./Statements.js"

/**
 * PostgreSQL: when the oldest open transaction that has written to one of the tables began; `Infinity` if there is
 * none. If this role may not see the session, its start is unknown and counts as an hour ago.
 */
export const openSince = (
  database: ReadableDatabase,
  ...tables: ReadonlyArray<string>
): Effect.Effect<number, StoreError> => {
  const { now, one } = Statements.make(database)
  return Effect.map(
    one(
      `SELECT MIN(COALESCE(FLOOR(EXTRACT(EPOCH FROM xact_start) * 1000)::bigint, ${now} - ${hour})) AS since
       FROM pg_locks LEFT JOIN pg_stat_activity ON pg_stat_activity.pid = pg_locks.pid
       WHERE relation IN (${tables.map((table) => `to_regclass('${table}')`).join(", ")})
         AND locktype = 'relation' AND mode = 'RowExclusiveLock'
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
    ),
    (found) => numberIn(found, "since") ?? Infinity
  )
}

/** The time, in milliseconds, before which no more changes and payments will be recorded. */
export const recordedUntil = (database: ReadableDatabase): Effect.Effect<number, StoreError> => {
  const { now, one } = Statements.make(database)
  const time = Effect.map(one(`SELECT ${now} AS now`), (found) => numberIn(found, "now") ?? 0)
  if (database.dialect === "sqlite") {
    // SQLite has one writer at a time: whoever may write sees everything that was written before. If the file stays
    // busy, there is a writer.
    const writing = one(`UPDATE gopay_ledger SET version = version WHERE id = 1 RETURNING ${now} AS now`)
    return Effect.catch(
      Effect.map(writing, (found) => numberIn(found, "now") ?? 0),
      () => Effect.map(time, (at) => at - hour)
    )
  }
  // The time is read first, so that later writers have later times.
  return Effect.flatMap(time, (at) =>
    Effect.map(openSince(database, "gopay_change", "gopay_payment"), (since) => Math.min(at, since))
  )
}
