/**
 * The differences between SQLite and PostgreSQL, and the tables.
 */
import type { LedgerStore } from "../store/LedgerStore.plain.js"

/** The dialect of a store. */
export interface Dialect {
  /** The database's time, in milliseconds since 1970. In PostgreSQL it moves on within a transaction too. */
  readonly now: string
  /** The same as a subquery, which is computed once and can use an index. */
  readonly nowOnce: string
  /** Turns `?` into the placeholders of the database. */
  readonly placeholders: (sql: string) => string
  /** True where the statement is not part of a transaction that has written before: one that may be rolled back. */
  readonly isAlone: string
}

/** The dialect of a store. */
export const dialectOf = ({ dialect, now: given }: Pick<LedgerStore<never>, "dialect" | "now">): Dialect => {
  const now =
    given ??
    (dialect === "sqlite"
      ? "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)"
      : "FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint")
  return {
    now,
    nowOnce: `(SELECT ${now})`,
    placeholders: dialect === "sqlite" ? (sql) => sql : numbered,
    isAlone: dialect === "sqlite" ? "1 = 1" : "txid_current_if_assigned() IS NULL"
  }
}

const numbered = (sql: string): string => {
  let count = 0
  return sql.replace(/\?/g, () => `$${++count}`)
}

/** The version of the tables that this release writes, and the oldest release that may still work with them. */
export const schemaVersion = 2

const tables = (seq: string, integer: string): ReadonlyArray<string> => [
  `CREATE TABLE IF NOT EXISTS gopay_ledger (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL,
  min_reader INTEGER NOT NULL,
  installation TEXT NOT NULL,
  paused INTEGER NOT NULL DEFAULT 0
)`,
  `CREATE TABLE IF NOT EXISTS gopay_change (
  seq ${seq},
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  payment_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  request TEXT,
  hash TEXT NOT NULL,
  status TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  attempt TEXT,
  holds TEXT UNIQUE,
  record TEXT,
  entry TEXT,
  decision TEXT,
  problem TEXT,
  attention TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  created_at ${integer} NOT NULL,
  sent_at ${integer},
  decided_at ${integer},
  next_at ${integer},
  UNIQUE (scope, key)
)`,
  `CREATE TABLE IF NOT EXISTS gopay_payment (
  seq ${seq},
  scope TEXT NOT NULL,
  order_number TEXT NOT NULL,
  attempt TEXT NOT NULL,
  status TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  offered TEXT UNIQUE,
  terms TEXT NOT NULL,
  needs_payer INTEGER NOT NULL DEFAULT 1,
  payment_id TEXT,
  parent_id TEXT,
  gw_url TEXT,
  state TEXT,
  refunded ${integer} NOT NULL DEFAULT 0,
  moves INTEGER NOT NULL DEFAULT 0,
  hold TEXT,
  decisions TEXT,
  problem TEXT,
  attention TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  created_at ${integer} NOT NULL,
  pay_until ${integer},
  hold_until ${integer},
  looked_at ${integer},
  moved_at ${integer},
  next_at ${integer},
  UNIQUE (scope, attempt),
  UNIQUE (scope, payment_id)
)`,
  `CREATE INDEX IF NOT EXISTS gopay_payment_order ON gopay_payment (scope, order_number)`,
  `CREATE INDEX IF NOT EXISTS gopay_payment_next ON gopay_payment (scope, next_at) WHERE next_at IS NOT NULL`,
  `CREATE INDEX IF NOT EXISTS gopay_payment_attention ON gopay_payment (scope, seq) WHERE attention IS NOT NULL`,
  `CREATE INDEX IF NOT EXISTS gopay_change_payment ON gopay_change (scope, payment_id, seq)`,
  `CREATE INDEX IF NOT EXISTS gopay_change_next ON gopay_change (scope, next_at) WHERE next_at IS NOT NULL`,
  `CREATE INDEX IF NOT EXISTS gopay_change_attention ON gopay_change (scope, seq) WHERE attention IS NOT NULL`
]

const statements = {
  sqlite: tables("INTEGER PRIMARY KEY AUTOINCREMENT", "INTEGER"),
  postgres: tables("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "BIGINT")
}

/** Puts down which tables these are, and whose. Bind the installation's name, or give it as a literal. */
export const signing = (installation: string): ReadonlyArray<string> => [
  `INSERT INTO gopay_ledger (id, version, min_reader, installation)
VALUES (1, ${schemaVersion}, 1, ${installation}) ON CONFLICT (id) DO NOTHING`,
  `UPDATE gopay_ledger SET version = ${schemaVersion} WHERE id = 1 AND version < ${schemaVersion}`
]

/**
 * The statements that make the tables of a ledger, for whatever migrates the shop's database: those of an earlier
 * release are brought up to date. They may be run again, and `migrate` does the same. The ledger itself then needs no
 * right to make tables. `installation` is that of the ledger's options. Default: `main`.
 *
 * @category ledger
 * @since 0.1.0
 */
export const ledgerSchema = (dialect: "sqlite" | "postgres", installation = "main"): ReadonlyArray<string> => [
  ...statements[dialect],
  ...signing(`'${installation.replaceAll("'", "''")}'`)
]

/** The statements of a migration. PostgreSQL runs them under a lock: several processes may migrate at once. */
export const migrations = (dialect: "sqlite" | "postgres"): ReadonlyArray<string> =>
  dialect === "sqlite"
    ? statements.sqlite
    : [`DO $ledger$ BEGIN PERFORM pg_advisory_xact_lock(7108371); ${statements.postgres.join("; ")}; END $ledger$`]
