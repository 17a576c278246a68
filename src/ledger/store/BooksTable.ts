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

  const events = (sql: string, values: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<OrderEvent>, StoreError> =>
    Effect.map(run(sql, values), (found) =>
      found.map((row) => ({ orderNumber: String(row["order_number"]), at: Number(row["at"]), seq: Number(row["seq"]) }))
    )

  /** What is not found by an earlier kind of event already: none of these times is in the books' time. */
  const unlessIn = (times: ReadonlyArray<string>, { before, from }: EventPlace) => ({
    sql: times.map((time) => ` AND (${time} IS NULL OR ${time} < ? OR ${time} >= ?)`).join(""),
    values: times.flatMap(() => [from, before])
  })

  const ofPayments =
    (time: "created_at" | "paid_at", earlier: ReadonlyArray<string>) => (place: EventPlace, limit: number) => {
      const after = isAfter(time, place)
      const { sql, values } = unlessIn(earlier, place)
      return events(
        `SELECT order_number, ${time} AS at, seq FROM gopay_payment
         WHERE scope = ? AND ${after.sql} AND ${time} < ?${sql} ORDER BY ${time}, seq LIMIT ?`,
        [scope, ...after.values, place.before, ...values, limit]
      )
    }

  const ofChanges =
    (time: "created_at" | "decided_at", condition: string, earlier: ReadonlyArray<string>) =>
    (place: EventPlace, limit: number, before = place.before) => {
      const after = isAfter(time, place)
      const { sql, values } = unlessIn(["p.created_at", "p.paid_at", ...earlier], place)
      return events(
        `SELECT p.order_number, c.${time} AS at, c.seq
         FROM (SELECT * FROM gopay_change WHERE scope = ? AND ${after.sql} AND ${time} < ? AND ${condition}) c
         JOIN gopay_payment p ON p.scope = c.scope AND p.payment_id = c.payment_id
         WHERE 1 = 1${sql} ORDER BY c.${time}, c.seq LIMIT ?`,
        [scope, ...after.values, before, ...values, limit]
      )
    }

  const undecided = ofChanges("created_at", isUndecided, ["c.created_at"])

  return {
    /** The database's time, in milliseconds. */
    now: Effect.map(run(`SELECT ${now} AS now`), ([found]) => Number(found?.["now"])),

    created: ofPayments("created_at", []),
    paid: ofPayments("paid_at", ["created_at"]),
    submitted: (place: EventPlace, limit: number) => ofChanges("created_at", "1 = 1", [])(place, limit),
    decided: (place: EventPlace, limit: number) => ofChanges("decided_at", hasDetails, ["c.created_at"])(place, limit),

    /** Changes that are not decided, whenever they were submitted. */
    open: (place: EventPlace, limit: number) =>
      undecided(
        place.at === place.from && place.seq === 0 ? { ...place, at: 0 } : place,
        limit,
        Number.MAX_SAFE_INTEGER
      )
  }
}
