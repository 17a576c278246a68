/**
 * The tables of earlier versions as they were made then, with rows in them.
 */
import { createHash } from "node:crypto"
import type { SqlQuery } from "../../src/ledger/index.js"

type DialectName = "sqlite" | "postgres"

const tablesOf = (dialect: DialectName, version: 1 | 2): ReadonlyArray<string> => {
  const seq =
    dialect === "sqlite" ? "INTEGER PRIMARY KEY AUTOINCREMENT" : "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
  const integer = dialect === "sqlite" ? "INTEGER" : "BIGINT"
  const changes = [
    `CREATE TABLE gopay_ledger (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL, min_reader INTEGER NOT NULL,
       installation TEXT NOT NULL, paused INTEGER NOT NULL DEFAULT 0)`,
    `CREATE TABLE gopay_change (seq ${seq}, scope TEXT NOT NULL, key TEXT NOT NULL, payment_id TEXT NOT NULL,
       operation TEXT NOT NULL, request TEXT, hash TEXT NOT NULL, status TEXT NOT NULL,
       version INTEGER NOT NULL DEFAULT 1, attempt TEXT, holds TEXT UNIQUE, record TEXT, entry TEXT, decision TEXT,
       problem TEXT, attention TEXT, tries INTEGER NOT NULL DEFAULT 0, created_at ${integer} NOT NULL,
       sent_at ${integer}, decided_at ${integer}, next_at ${integer}, UNIQUE (scope, key))`,
    "CREATE INDEX gopay_change_payment ON gopay_change (scope, payment_id, seq)",
    "CREATE INDEX gopay_change_next ON gopay_change (scope, next_at) WHERE next_at IS NOT NULL",
    "CREATE INDEX gopay_change_attention ON gopay_change (scope, seq) WHERE attention IS NOT NULL"
  ]
  if (version === 1) return changes
  return [
    ...changes,
    `CREATE TABLE gopay_payment (seq ${seq}, scope TEXT NOT NULL, order_number TEXT NOT NULL, attempt TEXT NOT NULL,
       status TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 1, offered TEXT UNIQUE, terms TEXT NOT NULL,
       needs_payer INTEGER NOT NULL DEFAULT 1, payment_id TEXT, parent_id TEXT, gw_url TEXT, state TEXT,
       refunded ${integer} NOT NULL DEFAULT 0, moves INTEGER NOT NULL DEFAULT 0, hold TEXT, decisions TEXT, problem TEXT,
       attention TEXT, tries INTEGER NOT NULL DEFAULT 0, created_at ${integer} NOT NULL, pay_until ${integer},
       hold_until ${integer}, looked_at ${integer}, moved_at ${integer}, next_at ${integer},
       UNIQUE (scope, attempt), UNIQUE (scope, payment_id))`,
    "CREATE INDEX gopay_payment_order ON gopay_payment (scope, order_number)",
    "CREATE INDEX gopay_payment_next ON gopay_payment (scope, next_at) WHERE next_at IS NOT NULL",
    "CREATE INDEX gopay_payment_attention ON gopay_payment (scope, seq) WHERE attention IS NOT NULL"
  ]
}

const text = (value: string | null): string => (value === null ? "NULL" : `'${value}'`)

interface EarlierChange {
  readonly key: string
  /** As it was spelled. */
  readonly paymentId: string
  readonly status: string
  readonly holds?: boolean
  readonly attention?: string
  readonly nextAt?: number
}

/** What an earlier version has stored: all changes are refunds of 500. */
export interface EarlierRows {
  readonly scope: string
  readonly isPaused?: boolean
  readonly changes: ReadonlyArray<EarlierChange>
  /** Version 2 only: orders that are paid, by their payment's id. */
  readonly orders?: { readonly [orderNumber: string]: number }
}

const hashOf = (paymentId: string): string =>
  createHash("sha256")
    .update(JSON.stringify([1, "refundPayment", paymentId, { amount: 500 }]))
    .digest("hex")

/** Makes the tables of an earlier version, and fills them. */
export const makeEarlierTables = async (
  query: SqlQuery,
  dialect: DialectName,
  version: 1 | 2,
  { changes, isPaused = false, orders = {}, scope }: EarlierRows
): Promise<void> => {
  for (const statement of tablesOf(dialect, version)) await query(statement, [])
  await query(`INSERT INTO gopay_ledger VALUES (1, ${version}, 1, 'main', ${isPaused ? 1 : 0})`, [])
  for (const { attention = null, holds = false, key, nextAt, paymentId, status } of changes) {
    const held = holds ? `${scope} ${paymentId}` : null
    const decided =
      status === "done" ? `'{"outcome":"done","how":"answered","message":"The gateway has done it."}'` : "NULL"
    await query(
      `INSERT INTO gopay_change (scope, key, payment_id, operation, request, hash, status, holds, decision, attention,
         created_at, decided_at, next_at)
       VALUES ('${scope}', '${key}', '${paymentId}', 'refundPayment', '{"amount":500}', '${hashOf(paymentId)}',
         '${status}', ${text(held)}, ${decided}, ${text(attention)}, 1000, 1000, ${nextAt ?? "NULL"})`,
      []
    )
  }
  for (const [orderNumber, paymentId] of Object.entries(orders)) {
    await query(
      `INSERT INTO gopay_payment (scope, order_number, attempt, status, offered, terms, payment_id, state, created_at)
       VALUES ('${scope}', '${orderNumber}', 'attempt ${orderNumber}', 'created', '${scope} ${orderNumber}',
         '{"amount":100000,"currency":"CZK"}', '${paymentId}', 'PAID', 1000)`,
      []
    )
  }
}
