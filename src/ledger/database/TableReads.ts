/**
 * The reads that both tables of a ledger share. A row that cannot be read keeps nothing but its own payment waiting.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlRow, SqlValue } from "../store/LedgerStore.plain.js"
import type { Database, StoreError } from "./Database.js"
import { type Rows, unreadableFailure } from "./Rows.js"
import * as Statements from "./Statements.js"
import type { Condition } from "./Statements.js"

/** Where a page begins. */
export interface Place {
  readonly table: "change" | "payment"
  readonly seq: number
  /** In milliseconds since 1970. */
  readonly createdAt: number
}

/** Which of the rows of the same time come later: changes come before payments. */
const laterThan = (table: "gopay_change" | "gopay_payment", { seq, table: last }: Place): string =>
  table === `gopay_${last}` ? `seq > ${seq}` : table === "gopay_payment" ? "1 = 1" : "1 = 0"

/** How many rows that cannot be read are passed by in one read of those that are due. */
const mostAside = 1_000

/** The reads of one merchant's rows in a table. */
export const make = <Tx, Row>(
  database: Database<Tx>,
  scope: string,
  table: "gopay_change" | "gopay_payment",
  read: (found: ReadonlyArray<SqlRow>) => Rows<Row>
) => {
  const { isBrief, now, nowOnce, run, skipLocked } = Statements.make(database)
  const columns = `*, ${now} AS now`

  /** Rows, and those that cannot be read. */
  const readable = (sql: string, values: ReadonlyArray<SqlValue>, query = database.query) =>
    Effect.map(run(query, sql, values), read)

  /** Rows of which those are left out that cannot be read. */
  const readableRows = (sql: string, values: ReadonlyArray<SqlValue>) =>
    Effect.map(readable(sql, values), ({ rows }) => rows)

  /** Rows that are all needed. */
  const rows = (sql: string, values: ReadonlyArray<SqlValue>, query = database.query) =>
    Effect.flatMap(readable(sql, values, query), ({ rows, unreadable: [unreadable] }) =>
      unreadable === undefined ? Effect.succeed(rows) : Effect.fail(unreadableFailure(unreadable))
    )

  const first = (sql: string, values: ReadonlyArray<SqlValue>, query = database.query) =>
    Effect.map(rows(sql, values, query), ([row]) => Option.fromUndefinedOr(row))

  /** The row is left as it is: the release that can read it goes on with it. */
  const setAside = (seq: number) =>
    run(
      database.query,
      `UPDATE ${table} SET attention = 'UnreadableRow' WHERE seq = ? AND attention IS NULL AND ${isBrief()}`,
      [seq]
    )

  /** The rows that are due, longest due first, past those that cannot be read, which are set aside for an operator. */
  const due = (most: number, aside: ReadonlyArray<number> = []): Effect.Effect<ReadonlyArray<Row>, StoreError> =>
    Effect.gen(function* () {
      const { rows, unreadable } = yield* readable(
        `SELECT ${columns} FROM ${table} WHERE scope = ? AND next_at <= ${nowOnce}
           ${aside.length === 0 ? "" : `AND seq NOT IN (${aside.join(", ")})`} ORDER BY next_at LIMIT ? ${skipLocked}`,
        [scope, most]
      )
      for (const { raw, seq } of unreadable) if (raw["attention"] === null) yield* setAside(seq)
      return unreadable.length === 0 || rows.length >= most || aside.length > mostAside
        ? rows
        : yield* due(most, [...aside, ...unreadable.map(({ seq }) => seq)])
    })

  return {
    columns,
    readable,
    readableRows,
    rows,
    first,
    due: (most: number) => due(most),

    /** Rows by their numbers, some at a time. */
    page: (afterSeq: number) =>
      readableRows(`SELECT ${columns} FROM ${table} WHERE scope = ? AND seq > ? ORDER BY seq LIMIT 1000`, [
        scope,
        afterSeq
      ]),

    /** Rows that fit conditions, after one by its number. */
    search: (conditions: ReadonlyArray<Condition>, afterSeq: number, limit: number) =>
      readableRows(
        `SELECT ${columns} FROM ${table} WHERE scope = ? AND seq > ? ${conditions.map(({ sql }) => `AND ${sql}`).join(" ")}
           ORDER BY seq LIMIT ?`,
        [scope, afterSeq, ...conditions.flatMap(({ values }) => values), limit]
      ),

    /** The rows that need an operator, by the time at which they were asked for, after an item of either table. */
    attention: (after: Place | undefined, limit: number) => {
      const isLater =
        after === undefined ? "1 = 1" : `(created_at > ? OR (created_at = ? AND ${laterThan(table, after)}))`
      return readable(
        `SELECT ${columns} FROM ${table} WHERE scope = ? AND attention IS NOT NULL AND ${isLater}
           ORDER BY created_at, seq LIMIT ?`,
        [scope, ...(after === undefined ? [] : [after.createdAt, after.createdAt]), limit]
      )
    },

    /** Rows that need an operator who has not been notified. */
    unnotified: readable(
      `SELECT ${columns} FROM ${table} WHERE scope = ? AND attention IS NOT NULL AND COALESCE(notified, '') <> attention
       ORDER BY seq LIMIT 50`,
      [scope]
    ),

    /** An operator was notified of a row. */
    markNotified: (seq: number, kind: string) =>
      Effect.asVoid(
        run(database.query, `UPDATE ${table} SET notified = ? WHERE seq = ? AND attention = ? AND ${isBrief()}`, [
          kind,
          seq,
          kind
        ])
      )
  }
}
