/**
 * The history of the rows. Triggers write it: see the migrations.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlValue } from "../model/LedgerStore.js"
import { kindsColumn } from "./Items.js"
import { Integer, numberIn, type Rows, reader } from "./Rows.js"
import type { ReadableDatabase, StoreError } from "./Database.js"
import { openSince } from "./OpenTransactions.js"
import * as Statements from "./Statements.js"
import { day } from "../../basics/Milliseconds.js"

/** A step of a row, with the members of the row that never change. */
export const HistoryRow = Schema.Struct({
  seq: Integer,
  subject: Schema.Literals(["change", "payment"]),
  subject_seq: Integer,
  version: Integer,
  at: Integer,
  process: Schema.NullOr(Schema.String),
  attempt: Schema.NullOr(Schema.String),
  status: Schema.String,
  state: Schema.NullOr(Schema.String),
  refunded: Schema.NullOr(Integer),
  /** The id of the refund, or of the payment. */
  entry: Schema.NullOr(Schema.String),
  decision: Schema.NullOr(Schema.String),
  message: Schema.NullOr(Schema.String),
  attention: kindsColumn,
  /** The refunds that were listed before a send, as JSON. */
  listed_before: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String),
  payment_id: Schema.NullOr(Schema.String),
  operation: Schema.NullOr(Schema.String),
  asked: Schema.NullOr(Schema.String)
})
export type HistoryRow = typeof HistoryRow.Type

const read = reader("gopay_history", HistoryRow)

const reading =
  (database: ReadableDatabase, scope: number) =>
  (condition: string, values: ReadonlyArray<SqlValue>): Effect.Effect<Rows<HistoryRow>, StoreError> =>
    Effect.map(
      Statements.make(database).run(
        `SELECT h.*, COALESCE(c.key, p.order_number) AS name, COALESCE(c.payment_id, p.payment_id) AS payment_id,
         c.operation AS operation, COALESCE(c.request, p.terms) AS asked
       FROM gopay_history h
       LEFT JOIN gopay_change c ON h.subject = 'change' AND c.seq = h.subject_seq
       LEFT JOIN gopay_payment p ON h.subject = 'payment' AND p.seq = h.subject_seq
       WHERE COALESCE(c.scope, p.scope) = ? AND ${condition}`,
        [scope, ...values]
      ),
      read
    )

/** The step that brought a change to a version, and the step before it. */
export const changeSteps = (database: ReadableDatabase, scope: number) => {
  const stepsIn = reading(database, scope)
  return (changeSeq: number, version: number) =>
    Effect.map(
      stepsIn(
        `h.subject = 'change' AND h.subject_seq = ? AND (h.version = ? OR h.seq = (
           SELECT MAX(seq) FROM gopay_history WHERE subject = 'change' AND subject_seq = ? AND version < ?))
         ORDER BY h.seq`,
        [changeSeq, version, changeSeq, version]
      ),
      ({ rows, unreadable }) => ({
        unreadable,
        // A row that was edited by hand has no entry for its version.
        step: Option.fromUndefinedOr(rows.find((row) => row.version === version)),
        before: Option.fromUndefinedOr(rows.findLast((row) => row.version < version))
      })
    )
}

export type HistoryTable = ReturnType<typeof make>

export const make = (database: ReadableDatabase, scope: number) => {
  const { isBrief, now, one, run } = Statements.make(database)
  const stepsIn = reading(database, scope)

  /**
   * Steps with this time or a later one may still be preceded by steps that are not committed yet. SQLite has one
   * writer at a time, so its steps come in order.
   */
  const openSinceNow: Effect.Effect<number, StoreError> =
    database.dialect === "sqlite"
      ? Effect.succeed(Infinity)
      : Effect.flatMap(one(`SELECT ${now} AS now`), (found) =>
          Effect.map(openSince(database, "gopay_history"), (since) =>
            Math.min(since, numberIn(found, "now") ?? Infinity)
          )
        )

  return {
    /** The steps of a row, oldest first. */
    of: (subject: HistoryRow["subject"], seq: number) =>
      stepsIn("h.subject = ? AND h.subject_seq = ? ORDER BY h.seq", [subject, seq]),

    /**
     * A page of the steps of all rows, oldest first. It ends before the first step that another one may still precede.
     */
    page: Effect.fnUntraced(function* (after: number, limit: number) {
      // Read before the steps: whatever is written since then comes after them.
      const since = yield* openSinceNow
      const { rows, unreadable } = yield* stepsIn("h.seq > ? ORDER BY h.seq LIMIT ?", [after, limit])
      // A time that is days ahead is not that of a step: the row was edited, or a clock was wrong.
      const end = rows.find(({ at }) => at >= since && at < since + day)?.seq ?? Infinity
      return {
        rows: rows.filter(({ seq }) => seq < end),
        unreadable: unreadable.filter(({ seq }) => seq < end)
      }
    }),

    /** Erases the texts of a row's steps, unless the row has moved since it was read. */
    erase: (subject: HistoryRow["subject"], { seq, version }: { readonly seq: number; readonly version: number }) =>
      Effect.asVoid(
        run(
          `UPDATE gopay_history SET decision = NULL, message = NULL, listed_before = NULL
           WHERE subject = ? AND subject_seq = ? AND ${isBrief()}
             AND EXISTS (SELECT 1 FROM gopay_${subject} WHERE seq = ? AND version = ?)`,
          [subject, seq, seq, version]
        )
      )
  }
}
