/**
 * The events of orders, by which the books of a time are found.
 */
import * as Effect from "effect/Effect"
import type { BooksPlace } from "../model/LedgerService.js"
import type { ReadableDatabase, StoreError } from "./Database.js"
import { hasDetails, isUndecided } from "./Sql.js"
import * as Statements from "./Statements.js"
import { isAfter, type TimePlace } from "./Statements.js"

/** An event of an order, with the number of its row. */
export interface OrderEvent extends TimePlace {
  readonly orderNumber: string
}

/** Where a page of events begins, and the time of the books. */
type EventPlace = Omit<BooksPlace, "kind">

export type BooksTable = ReturnType<typeof make>

/** The events of one merchant's orders. */
export const make = (database: ReadableDatabase, scope: number) => {
  const { now, run } = Statements.make(database)

  /** The events of one kind, unless the order is found by an earlier kind already: by one of these times within the books' time. */
  const eventsOf = (table: "payment" | "change", time: string, earlier: ReadonlyArray<string>, condition = "1 = 1") => {
    const [row, join] =
      table === "payment"
        ? ["p", ""]
        : ["c", "JOIN gopay_payment p ON p.scope = c.scope AND p.payment_id = c.payment_id"]
    const isNew = earlier.map((time) => ` AND (${time} IS NULL OR ${time} < ? OR ${time} >= ?)`).join("")
    return (
      place: EventPlace,
      limit: number,
      before = place.before
    ): Effect.Effect<ReadonlyArray<OrderEvent>, StoreError> => {
      const after = isAfter(time, place)
      const found = run(
        `SELECT p.order_number, ${row}.${time} AS at, ${row}.seq
         FROM (SELECT * FROM gopay_${table} WHERE scope = ? AND ${after.sql} AND ${time} < ? AND ${condition}) ${row} ${join}
         WHERE 1 = 1${isNew} ORDER BY ${row}.${time}, ${row}.seq LIMIT ?`,
        [scope, ...after.values, before, ...earlier.flatMap(() => [place.from, place.before]), limit]
      )
      return Effect.map(found, (rows) =>
        rows.map((row) => ({
          orderNumber: String(row["order_number"]),
          at: Number(row["at"]),
          seq: Number(row["seq"])
        }))
      )
    }
  }

  const undecided = eventsOf("change", "created_at", ["p.created_at", "p.paid_at", "c.created_at"], isUndecided)

  return {
    /** The database's time, in milliseconds. */
    now: Effect.map(run(`SELECT ${now} AS now`), ([found]) => Number(found?.["now"])),

    created: eventsOf("payment", "created_at", []),
    paid: eventsOf("payment", "paid_at", ["p.created_at"]),
    submitted: eventsOf("change", "created_at", ["p.created_at", "p.paid_at"]),
    decided: eventsOf("change", "decided_at", ["p.created_at", "p.paid_at", "c.created_at"], hasDetails),

    /** Changes that are not decided, whenever they were submitted. */
    open: (place: EventPlace, limit: number) => {
      const isFirst = place.at === place.from && place.seq === 0
      return undecided(isFirst ? { ...place, at: 0 } : place, limit, Number.MAX_SAFE_INTEGER)
    }
  }
}
