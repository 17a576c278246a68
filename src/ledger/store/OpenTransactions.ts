/**
 * Until when everything that was recorded can be read: a transaction that is still open, such as that of a slow handler,
 * commits what has earlier times than what others have committed meanwhile.
 */
import * as Effect from "effect/Effect"
import { hour } from "../../basics/Milliseconds.js"
import type { ReadableDatabase, StoreError } from "./Database.js"
import { numberIn } from "./Rows.js"
import * as Statements from "./Statements.js"

/**
 * PostgreSQL: when the oldest transaction began that is open and has written to one of the tables; `Infinity` where none is.
 * When one began whose session this role may not see is not known: it counts as an hour old.
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

/** The time, in milliseconds, before which nothing is recorded any more of changes and payments. */
export const recordedUntil = (database: ReadableDatabase): Effect.Effect<number, StoreError> => {
  const { now, one } = Statements.make(database)
  const time = Effect.map(one(`SELECT ${now} AS now`), (found) => numberIn(found, "now") ?? 0)
  if (database.dialect === "sqlite") {
    // SQLite has one writer at a time: whoever may write has all that was written before. A file that stays busy has one.
    const writing = one(`UPDATE gopay_ledger SET version = version WHERE id = 1 RETURNING ${now} AS now`)
    return Effect.catch(
      Effect.map(writing, (found) => numberIn(found, "now") ?? 0),
      () => Effect.map(time, (at) => at - hour)
    )
  }
  // The time is read first: what begins to write later has later times.
  return Effect.flatMap(time, (at) =>
    Effect.map(openSince(database, "gopay_change", "gopay_payment"), (since) => Math.min(at, since))
  )
}
