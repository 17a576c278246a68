/**
 * The rows of orders, and the statements on them. A statement that moves or replaces a payment of an order, or
 * withdraws the order, names the version of the order that the decision was based on, and increases it. So the order's
 * payments are still as they were read.
 */
import { ownMember } from "../../basics/OwnMember.js"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlRow } from "../model/LedgerStore.js"
import { type Query, type ReadableDatabase, type StoreError, unavailable } from "./Database.js"
import { Integer } from "./Rows.js"
import * as Statements from "./Statements.js"

/** An order of the shop, or a charge of a first payment with an order number of its own. */
export interface OrderKey {
  readonly orderNumber: string
  /** The first payment of a charge; empty for an order of the shop. */
  readonly parentId: string
}

export const OrderRow = Schema.Struct({
  order_number: Schema.String,
  parent_id: Schema.String,
  version: Integer,
  status: Schema.Literals(["open", "closed", "authorized", "paid", "partiallyRefunded", "refunded"]),
  refunded: Integer,
  payment_id: Schema.NullOr(Schema.String),
  withdrawn_at: Schema.NullOr(Integer)
})
export type OrderRow = typeof OrderRow.Type

/** An order and its payments, oldest first, read at the same moment. */
export interface OrderRead<out Payment> {
  /** Its version is 0 if it has no row. */
  readonly order: OrderRow
  readonly payments: ReadonlyArray<Payment>
}

/**
 * The state of an order: what the shop was last notified of (`open` if of nothing), and the payment that this is true
 * of.
 */
export type OrderState = Pick<OrderRow, "status" | "refunded" | "payment_id">

/** What a statement does to an order: its new state, and whether it is withdrawn now. */
export interface OrderPatch extends OrderState {
  readonly withdraws?: true
}

const decodeOrder = Schema.decodeUnknownEffect(OrderRow)

export type OrderTable = ReturnType<typeof make>

export const make = (database: ReadableDatabase, scope: number) => {
  const statements = Statements.make(database)
  const { isBrief, now, run } = statements
  const isPostgres = database.dialect === "postgres"

  const isOrder = ({ order_number, parent_id, version }: OrderRow): Statements.Condition => ({
    sql: "scope = ? AND order_number = ? AND parent_id = ? AND version = ?",
    values: [scope, order_number, parent_id, version]
  })

  const patched = ({ payment_id, refunded, status, withdraws }: OrderPatch): Statements.Condition => ({
    sql: `status = ?, refunded = ?, payment_id = ?, version = version + 1${withdraws === true ? `, withdrawn_at = ${now}` : ""}`,
    values: [status, refunded, payment_id]
  })

  return {
    /** Reads an order with its payments in one statement, so that they are consistent. */
    read: Effect.fnUntraced(function* <Payment>(
      { orderNumber, parentId }: OrderKey,
      paymentsOf: (found: ReadonlyArray<SqlRow>) => Effect.Effect<ReadonlyArray<Payment>, StoreError>
    ): Effect.fn.Return<OrderRead<Payment>, StoreError> {
      const columns = ["order_number", "parent_id", "version", "status", "refunded", "payment_id", "withdrawn_at"]
      const found = yield* run(
        `SELECT gopay_payment.*, ${now} AS now, ${columns.map((column) => `gopay_order.${column} AS order_${column}`).join(", ")}
         FROM gopay_order LEFT JOIN gopay_payment ON gopay_payment.scope = gopay_order.scope
           AND gopay_payment.order_number = gopay_order.order_number
           AND COALESCE(gopay_payment.parent_id, '') = gopay_order.parent_id
         WHERE gopay_order.scope = ? AND gopay_order.order_number = ? AND gopay_order.parent_id = ?
         ORDER BY gopay_payment.seq`,
        [scope, orderNumber, parentId]
      )
      const [first] = found
      if (first === undefined) return { order: newOrder({ orderNumber, parentId }), payments: [] }
      const order = yield* Effect.mapError(
        decodeOrder(Object.fromEntries(columns.map((column) => [column, ownMember(first, `order_${column}`)]))),
        (error) =>
          unavailable(
            "The row of an order cannot be read. Was it edited by hand, or written by a newer release?",
            error
          )
      )
      return { order, payments: yield* paymentsOf(found.filter(({ seq }) => seq !== null)) }
    }),

    /**
     * Moves an order together with a statement that writes and returns one of its payments: both move, or neither.
     * SQLite needs two statements in a transaction; no one else can write after the first one.
     */
    moveWith: (
      order: OrderRow,
      patch: OrderPatch,
      writeIf: (onlyIf: Statements.Condition) => Statements.Condition,
      query = database.query
    ): Effect.Effect<ReadonlyArray<SqlRow>, StoreError> => {
      const { sql, values } = isOrder(order)
      const assigned = patched(patch)
      if (isPostgres) {
        const write = writeIf({ sql: "EXISTS (SELECT 1 FROM held)", values: [] })
        const isHeld = `scope = ? AND order_number = ? AND parent_id = ?`
        return run(
          `WITH held AS (SELECT version FROM gopay_order WHERE ${sql} AND ${isBrief(query)} FOR UPDATE),
             written AS (${write.sql}),
             moved AS (UPDATE gopay_order SET ${assigned.sql} WHERE ${isHeld} AND EXISTS (SELECT 1 FROM written))
           SELECT * FROM written`,
          [...values, ...write.values, ...assigned.values, ...values.slice(0, 3)],
          query
        )
      }
      const write = writeIf({ sql: `EXISTS (SELECT 1 FROM gopay_order WHERE ${sql})`, values })
      return Effect.tap(run(write.sql, write.values, query), (written) =>
        written.length === 0
          ? Effect.void
          : run(`UPDATE gopay_order SET ${assigned.sql} WHERE ${sql}`, [...assigned.values, ...values], query)
      )
    },

    /**
     * The `INSERT` of an order's next payment, if no payment of it has been recorded or has moved since it was read. In
     * PostgreSQL it locks the order; see the trigger.
     */
    insertionOf: (order: OrderRow, insertOf: (onlyIf: Statements.Condition) => Statements.Condition) => {
      const { sql, values } = isOrder(order)
      if (!isPostgres) {
        const isAs =
          order.version === 0
            ? {
                sql: `NOT EXISTS (SELECT 1 FROM gopay_order WHERE scope = ? AND order_number = ? AND parent_id = ?)`,
                values: values.slice(0, 3)
              }
            : { sql: `EXISTS (SELECT 1 FROM gopay_order WHERE ${sql})`, values }
        return insertOf(isAs)
      }
      const held =
        order.version === 0
          ? {
              sql: `INSERT INTO gopay_order (scope, order_number, parent_id) SELECT ?, ?, ? WHERE ${isBrief()} ON CONFLICT DO NOTHING RETURNING version`,
              values: values.slice(0, 3)
            }
          : { sql: `SELECT version FROM gopay_order WHERE ${sql} AND ${isBrief()} FOR UPDATE`, values }
      const insert = insertOf({ sql: "EXISTS (SELECT 1 FROM held)", values: [] })
      return { sql: `WITH held AS (${held.sql}) ${insert.sql}`, values: [...held.values, ...insert.values] }
    },

    /** Inserts the missing row of an order whose payments exist, as in a backup that was put together by hand. */
    ensure: ({ orderNumber, parentId }: OrderKey) =>
      run(
        `INSERT INTO gopay_order (scope, order_number, parent_id) SELECT ?, ?, ? WHERE ${isBrief()} ON CONFLICT DO NOTHING`,
        [scope, orderNumber, parentId]
      ),

    /** Withdraws an order that has no payment. Returns nothing if it has been asked for since it was read. */
    withdraw: ({ order_number, parent_id, version }: OrderRow) =>
      Effect.map(
        run(
          `INSERT INTO gopay_order (scope, order_number, parent_id, withdrawn_at) SELECT ?, ?, ?, ${now} WHERE ${isBrief()}
           ON CONFLICT (scope, order_number, parent_id) DO UPDATE SET withdrawn_at = excluded.withdrawn_at,
             version = gopay_order.version + 1 WHERE gopay_order.version = ? RETURNING version`,
          [scope, order_number, parent_id, version]
        ),
        (found) => found.length > 0
      ),

    /** Locks an order until the transaction ends, and increases its version. Returns whether it is withdrawn. */
    lock: ({ orderNumber, parentId }: OrderKey, query: Query) =>
      Effect.map(
        run(
          `UPDATE gopay_order SET version = version + 1 WHERE scope = ? AND order_number = ? AND parent_id = ? RETURNING withdrawn_at`,
          [scope, orderNumber, parentId],
          query
        ),
        ([found]) => ({ isWithdrawn: found !== undefined && found["withdrawn_at"] !== null })
      )
  }
}

const newOrder = ({ orderNumber, parentId }: OrderKey): OrderRow => ({
  order_number: orderNumber,
  parent_id: parentId,
  version: 0,
  status: "open",
  refunded: 0,
  payment_id: null,
  withdrawn_at: null
})

/** An order of the shop, by its number. */
export const shopOrder = (orderNumber: string): OrderKey => ({ orderNumber, parentId: "" })
