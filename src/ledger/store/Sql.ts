/**
 * The SQL that migrations and statements share: what differs between SQLite and PostgreSQL, the names of the tables in a
 * schema, and the conditions of partial indexes.
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

export const tableNames = [
  "gopay_ledger",
  "gopay_scope",
  "gopay_change",
  "gopay_payment",
  "gopay_order",
  "gopay_refund",
  "gopay_release",
  "gopay_history",
  "gopay_event",
  "gopay_tally",
  "gopay_subscription",
  "gopay_period",
  "gopay_breaker"
] as const

/** A name that has its schema is left as it is. */
const tables = new RegExp(String.raw`(?<!\.)\b(?:${tableNames.join("|")})\b`, "g")
const functions = /\bFUNCTION (?=gopay_)/g

/** A statement on the tables of a schema. Without one they are found by the connection's `search_path`. */
export const inSchema = (sql: string, schema: string | undefined): string =>
  schema === undefined ? sql : sql.replace(tables, `"${schema}".$&`).replace(functions, `$&"${schema}".`)

/** What is wrong with the name of a schema. It stands in statements. */
export const schemaProblem = (schema: string): string | undefined =>
  /^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(schema)
    ? undefined
    : "schema must have 1 to 63 letters, digits and underscores, and begin with none of the digits"

// A statement that is to use a partial index has its condition word for word: SQLite compares them so.

export const isUndecided = "status NOT IN ('done', 'refused', 'failed')"

/** A change that has come to nothing, or not to anything yet. */
export const isNotDone = "status <> 'done'"

export const hasDetails = "request IS NOT NULL"

/** When a payment ended, where it has. */
export const endedAt = "COALESCE(moved_at, created_at)"

/** A payment that ended without money. */
export const isUnpaid = "next_at IS NULL AND (status = 'lost' OR state IN ('CANCELED', 'TIMEOUTED'))"

/** A payment of which more is said than how it stands. */
export const hasWords = `next_at IS NULL AND (problem IS NOT NULL OR REPLACE(decisions, '"by":""', '') LIKE '%"by":%')`

/** An acknowledgement that says by whom it is, or why. */
export const isSigned = "(acknowledged_by <> '' OR note <> '')"

/** The status of a row of changes that is decided: those are counted by tallies. */
export const isDecidedStatus = (row: string): string => `${row}.status IN ('done', 'refused', 'failed')`

/** The status of a row of payments that is counted by tallies. */
export const isSettledStatus = (row: string): string => `${row}.status IN ('created', 'lost')`

export const isNotCreated = "status <> 'created'"

/** A payment whose status is counted by no tally. */
export const isUnsettled = `status IN ('creating', 'inDoubt', 'unknown') AND ${isNotCreated}`
