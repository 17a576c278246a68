/**
 * The differences between SQLite and PostgreSQL.
 */
import type { LedgerStore } from "../model/LedgerStore.js"

export const dialectOf = ({ dialect, now: given }: Pick<LedgerStore<never>, "dialect" | "now">) => {
  const now =
    given ??
    (dialect === "sqlite"
      ? "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)"
      : "FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint")
  return {
    /** The database's time, in milliseconds since 1970. In PostgreSQL it moves on within a transaction too. */
    now,
    /** The same as a subquery, which is computed once and can use an index. */
    nowOnce: `(SELECT ${now})`,
    /** Turns `?` into the placeholders of the database. */
    placeholders: dialect === "sqlite" ? (sql: string) => sql : numbered,
    /** True where the statement is not part of a transaction that has written before: one that may be rolled back. */
    isAlone: dialect === "sqlite" ? "1 = 1" : "txid_current_if_assigned() IS NULL",
    /**
     * True while the lease of a row has not expired. `COALESCE` keeps PostgreSQL from the index of what is due: it takes that for
     * empty when it has not counted it for long, and would read all of it to find one row.
     */
    isLeased: `COALESCE(next_at, 0) > ${now}`
  }
}

const numbered = (sql: string): string => {
  let count = 0
  return sql.replace(/\?/g, () => `$${++count}`)
}
