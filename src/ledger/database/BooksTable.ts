/**
 * The events of orders, by which the books of a time are found.
 */
import * as Effect from "effect/Effect"
import type { Database, StoreError } from "./Database.js"
import { hasDetails, isUndecided } from "./RowConditions.plain.js"
import * as Statements from "./Statements.js"
import type { TimePlace } from "./Statements.js"

/** An event of an order, with the number of its row. */
export interface OrderEvent extends TimePlace {
  readonly orderNumber: string
}

/** Where a page of events begins, and before which time it ends. */
interface EventPlace extends TimePlace {
  readonly before: number
}

export type BooksTable = ReturnType<typeof make>

/** The events of one merchant's orders. */
export const make = <Tx>(database: Database<Tx>, scope: number) => {
  const { now, run } = Statements.make(database)

  const events = (sql: string, values: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<OrderEvent>, StoreError> =>
    Effect.map(run(database.query, sql, values), (found) =>
      found.map((row) => ({ orderNumber: String(row["order_number"]), at: Number(row["at"]), seq: Number(row["seq"]) }))
    )

  const ofPayments =
    (time: "created_at" | "paid_at") =>
    ({ at, before, seq }: EventPlace, limit: number) =>
      events(
        `SELECT order_number, ${time} AS at, seq FROM gopay_payment
         WHERE scope = ? AND (${time}, seq) > (?, ?) AND ${time} < ? ORDER BY ${time}, seq LIMIT ?`,
        [scope, at, seq, before, limit]
      )

  const ofChanges =
    (time: "created_at" | "decided_at", condition: string) =>
    ({ at, before, seq }: EventPlace, limit: number) =>
      events(
        `SELECT p.order_number, c.${time} AS at, c.seq
         FROM (SELECT * FROM gopay_change WHERE scope = ? AND (${time}, seq) > (?, ?) AND ${time} < ? AND ${condition}) c
         JOIN gopay_payment p ON p.scope = c.scope AND p.payment_id = c.payment_id
         ORDER BY c.${time}, c.seq LIMIT ?`,
        [scope, at, seq, before, limit]
      )

  const undecided = ofChanges("created_at", isUndecided)

  return {
    /** The database's time, in milliseconds. */
    now: Effect.map(run(database.query, `SELECT ${now} AS now`, []), ([found]) => Number(found?.["now"])),

    /** Payments by the time at which they were created. */
    created: ofPayments("created_at"),

    /** Payments by the time at which they were paid. */
    paid: ofPayments("paid_at"),

    /** Changes by the time at which they were asked for. */
    submitted: ofChanges("created_at", "1 = 1"),

    /** Changes by the time at which they were decided. */
    decided: ofChanges("decided_at", hasDetails),

    /** Changes that are not decided, whenever they were asked for. */
    open: ({ at, from, seq }: EventPlace & { readonly from: number }, limit: number) =>
      undecided({ at: at === from && seq === 0 ? 0 : at, before: Number.MAX_SAFE_INTEGER, seq }, limit)
  }
}
