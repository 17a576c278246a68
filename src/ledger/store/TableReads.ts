/**
 * The reads that the tables of a ledger share. A row that cannot be read delays only its own payment.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlRow, SqlValue } from "../model/LedgerStore.js"
import { type Query, type ReadableDatabase, type StoreError, unavailable } from "./Database.js"
import { type ItemTable, isAside } from "./ItemTable.js"
import type { RowWithItems } from "./Items.js"
import { type Rows, unreadableMessage } from "./Rows.js"
import * as Statements from "./Statements.js"
import type { Condition } from "./Statements.js"

/** How many unreadable rows one read of due rows skips. */
const mostAside = 1_000

/** In milliseconds: how long due changes are left to the process that has read them. */
const claimTime = 5_000

export type TableReads<Row> = ReturnType<typeof make<Row>>

export const make = <Row>(
  database: ReadableDatabase,
  scope: number,
  table: string,
  read: (found: ReadonlyArray<SqlRow>) => Rows<Row>
) => {
  const { now, run } = Statements.make(database)
  const columns = `*, ${now} AS now`

  /** The rows of a statement, all of which are needed: fails if one cannot be read. */
  const rowsOf = (found: ReadonlyArray<SqlRow>): Effect.Effect<ReadonlyArray<Row>, StoreError> => {
    const { rows, unreadable } = read(found)
    const [failure] = unreadable
    return failure === undefined ? Effect.succeed(rows) : Effect.fail(unavailable(unreadableMessage(failure)))
  }

  /** The rows that meet a condition, with the rest of the query, such as an order. */
  const select = (where: string, values: ReadonlyArray<SqlValue>, query = database.query) =>
    run(`SELECT ${columns} FROM ${table} WHERE scope = ? AND ${where}`, [scope, ...values], query)

  const rows = (where: string, values: ReadonlyArray<SqlValue>, query?: Query) =>
    Effect.flatMap(select(where, values, query), rowsOf)

  /** The rows that can be read, and those that cannot. */
  const readable = (where: string, values: ReadonlyArray<SqlValue>) => Effect.map(select(where, values), read)

  /** Ordered rows that meet a condition, up to a number. Unreadable rows do not count, so others take their places. */
  const someReadable = Effect.fnUntraced(function* (
    { sql, values }: Condition,
    order: string,
    most: number
  ): Effect.fn.Return<ReadonlyArray<Row>, StoreError> {
    const { rows, unreadable } = yield* readable(`${sql} ORDER BY ${order} LIMIT ?`, [...values, most])
    if (unreadable.length === 0) return rows
    const others = { sql: `seq NOT IN (${unreadable.map(({ seq }) => seq).join(", ")}) AND ${sql}`, values }
    return yield* someReadable(others, order, most)
  })

  return {
    columns,
    rowsOf,
    rows,
    readable,
    someReadable,

    /** Rows without those that cannot be read. */
    readableRows: (where: string, values: ReadonlyArray<SqlValue>) =>
      Effect.map(select(where, values), (found) => read(found).rows),

    first: (where: string, values: ReadonlyArray<SqlValue>, query?: Query) =>
      Effect.map(rows(where, values, query), ([row]) => Option.fromUndefinedOr(row)),

    /** The row that a statement has written, if it has written one. */
    written: ({ sql, values }: Condition, query = database.query) =>
      Effect.map(Effect.flatMap(run(sql, values, query), rowsOf), ([row]) => Option.fromUndefinedOr(row))
  }
}

/** The reads of a table whose rows have items. */
export const attending = <Row extends RowWithItems & { readonly seq: number }>(
  database: ReadableDatabase,
  scope: number,
  table: "gopay_change" | "gopay_payment",
  read: (found: ReadonlyArray<SqlRow>) => Rows<Row>,
  { endAside, setAside }: Pick<ItemTable<Row>, "endAside" | "setAside">
) => {
  const { now, nowOnce, run, skipLocked } = Statements.make(database)
  const { dialect } = database
  const reads = make(database, scope, table, read)
  const { columns, rowsOf } = reads

  /**
   * Runs a statement that writes a row, and returns it with others, oldest first. In PostgreSQL that is one statement,
   * so the others are as they were before it.
   */
  const writeAndRead = Effect.fnUntraced(function* (write: Condition, others: Condition, query = database.query) {
    if (dialect === "sqlite") {
      const written = Option.getOrUndefined(yield* reads.written(write, query))
      const found = yield* reads.rows(`${others.sql} ORDER BY seq`, others.values, query)
      return { written, others: found.filter(({ seq }) => seq !== written?.seq) }
    }
    const found = yield* run(
      `WITH written AS (${write.sql})
         SELECT written.*, true AS is_written FROM written UNION ALL
         SELECT ${columns}, false FROM ${table} WHERE scope = ? AND (${others.sql}) AND seq NOT IN (SELECT seq FROM written)`,
      [...write.values, scope, ...others.values],
      query
    )
    const [written] = yield* rowsOf(found.filter((row) => row["is_written"] === true))
    const unsorted = yield* rowsOf(found.filter((row) => row["is_written"] !== true))
    return { written, others: unsorted.toSorted((one, other) => one.seq - other.seq) }
  })

  const isDue = (also: string, aside: ReadonlyArray<number>): string =>
    `scope = ? AND next_at <= ${nowOnce} AND ${also} ${aside.length === 0 ? "" : `AND seq NOT IN (${aside.join(", ")})`}`

  /**
   * Rows that are due. In PostgreSQL no other process gets the same changes for some seconds. That does not extend a
   * lease, and rows that this release cannot read are left to releases that can.
   */
  const dueRows = (also: string, aside: ReadonlyArray<number>): string =>
    table === "gopay_payment" || dialect === "sqlite"
      ? `SELECT ${columns}, ${isAside(table)} AS is_aside FROM ${table} WHERE ${isDue(also, aside)} ORDER BY next_at LIMIT ? ${skipLocked}`
      : `WITH due AS (
           SELECT seq, status, ${isAside(table)} AS is_aside FROM ${table} WHERE ${isDue(also, aside)} ORDER BY next_at LIMIT ? FOR UPDATE SKIP LOCKED),
         claimed AS (
           UPDATE ${table} SET next_at = ${now} + ${claimTime} WHERE seq IN (
             SELECT seq FROM due WHERE status NOT IN ('locked', 'sending') AND NOT is_aside))
         SELECT ${columns}, (SELECT is_aside FROM due WHERE due.seq = ${table}.seq) AS is_aside
         FROM ${table} WHERE seq IN (SELECT seq FROM due) ORDER BY next_at`

  /**
   * The rows that are due, longest due first. Unreadable rows are set aside, and others are read in their place. A row
   * that was read is not read again, since it has been claimed.
   */
  const due = Effect.fnUntraced(function* (
    most: number,
    also: string,
    before: ReadonlyArray<number> = []
  ): Effect.fn.Return<ReadonlyArray<Row>, StoreError> {
    const raws = yield* run(dueRows(also, before), [scope, most])
    const aside = new Set(raws.flatMap((raw) => (Number(raw["is_aside"]) === 1 ? Number(raw["seq"]) : [])))
    const { rows, unreadable } = read(raws)
    for (const row of unreadable) if (!aside.has(row.seq)) yield* setAside(row)
    for (const { seq } of rows) if (aside.has(seq)) yield* endAside(seq)
    const left = most - rows.length
    if (unreadable.length === 0 || left <= 0 || before.length > mostAside) return rows
    const found = [...rows, ...unreadable].map(({ seq }) => seq)
    return [...rows, ...(yield* due(left, also, [...before, ...found]))]
  })

  return {
    ...reads,
    writeAndRead,
    /** The due rows that also meet a condition. */
    due: (most: number, also = "1 = 1") => due(most, also)
  }
}

export interface Place {
  readonly table: "change" | "payment"
  readonly seq: number
  /** In milliseconds since 1970. */
  readonly createdAt: number | string
}

/** The place before the first row. */
const start: Place = { table: "change", seq: 0, createdAt: 0 }

export const listing = <Row extends RowWithItems>(
  database: ReadableDatabase,
  scope: number,
  reads: TableReads<Row>,
  items: Pick<ItemTable<Row>, "list">,
  table: Place["table"]
) => ({
  /** The place of a row in the lists, even if the row cannot be read. */
  placeOf: ({ sql, values }: Condition): Effect.Effect<Place | undefined, StoreError> =>
    Effect.map(
      Statements.make(database).one(`SELECT seq, created_at FROM gopay_${table} WHERE scope = ? AND ${sql}`, [
        scope,
        ...values
      ]),
      (found) => {
        if (found === undefined) return undefined
        const { created_at: at, seq } = found
        // A value that was edited and is not a time still has a place in the database's order.
        return { table, seq: Number(seq), createdAt: typeof at === "string" ? at : Number(at) }
      }
    ),

  /** Rows that meet conditions, ordered by the time of their request, after one of them. */
  search: (conditions: ReadonlyArray<Condition>, after: Place | undefined, limit: number) => {
    const { createdAt, seq } = after ?? start
    const sql = `${conditions.map((condition) => `${condition.sql} AND `).join("")}(created_at, seq) > (?, ?)`
    const values = [...conditions.flatMap((condition) => condition.values), createdAt, seq]
    return reads.someReadable({ sql, values }, "created_at, seq", limit)
  },

  /** The rows that need an operator, ordered by the time of their request, after an item of either table. */
  attention: (after: Place | undefined, limit: number) =>
    items.list(isAfterPlace(table, after), `gopay_${table}.created_at, gopay_${table}.seq`, limit)
})

/** The rows of a table that come after a place, which may be in the other table. */
export const isAfterPlace = (table: Place["table"], place = start): Condition => ({
  sql: `(gopay_${table}.created_at > ? OR (gopay_${table}.created_at = ? AND ${laterThan(table, place)}))`,
  values: [place.createdAt, place.createdAt]
})

/** Which rows with the same time come later: changes come before payments. */
const laterThan = (table: Place["table"], { seq, table: last }: Place): string =>
  table === last ? `gopay_${table}.seq > ${seq}` : table === "payment" ? "1 = 1" : "1 = 0"
