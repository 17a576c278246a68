/**
 * The statements on the outcomes to be reported to the shop.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AttentionItem } from "../model/Attention.js"
import type { SqlRow } from "../model/LedgerStore.js"
import type { Query, ReadableDatabase, StoreError } from "./Database.js"
import type { UnnotifiedItem } from "./ItemTable.js"
import { Integer, reader, type Rows } from "./Rows.js"
import * as Statements from "./Statements.js"

const EventRow = Schema.Struct({
  seq: Integer,
  change_seq: Integer,
  version: Integer,
  tries: Integer,
  next_at: Integer
})
export type EventRow = typeof EventRow.Type

const read = reader("gopay_event", EventRow)

/** In milliseconds: how long an outcome that cannot be read is left alone. */
const asideTime = 600_000

export type EventTable = ReturnType<typeof make>

export const make = (database: ReadableDatabase, scope: number) => {
  const { isBrief, now, nowOnce, run } = Statements.make(database)
  const claimOn = Statements.notificationClaims(database, "gopay_event")
  return {
    /** The outcomes that are due: only the oldest one of each change, since they are reported in order. */
    due: (most: number): Effect.Effect<Rows<EventRow>, StoreError> =>
      Effect.map(
        run(
          `SELECT *, ${now} AS now FROM gopay_event WHERE scope = ? AND next_at <= ${nowOnce}
       AND NOT EXISTS (SELECT 1 FROM gopay_event older
         WHERE older.change_seq = gopay_event.change_seq AND older.seq < gopay_event.seq)
     ORDER BY seq LIMIT ?`,
          [scope, most]
        ),
        read
      ),

    /** Takes an outcome with a lease. Returns nothing if another process has taken it. */
    take: (event: EventRow, lease: Duration.Duration): Effect.Effect<Option.Option<EventRow>, StoreError> =>
      Effect.map(
        run(
          `UPDATE gopay_event SET next_at = ${now} + ? WHERE seq = ? AND next_at = ? AND ${isBrief()} RETURNING seq`,
          [Math.round(Duration.toMillis(lease)), event.seq, event.next_at]
        ),
        ([taken]) => (taken === undefined ? Option.none() : Option.some(event))
      ),

    /** Postpones an outcome for which the shop's handler has failed. */
    postpone: ({ seq }: EventRow, after: number): Effect.Effect<unknown, StoreError> =>
      run(`UPDATE gopay_event SET next_at = ${now} + ?, tries = tries + 1 WHERE seq = ? AND ${isBrief()}`, [
        after,
        seq
      ]),

    /** Postpones an outcome that cannot be read for some minutes. Returns the item that reports it. */
    setAside: (seq: number, item: AttentionItem): Effect.Effect<UnnotifiedItem, StoreError> =>
      Effect.as(run(`UPDATE gopay_event SET next_at = ${now} + ? WHERE seq = ? AND ${isBrief()}`, [asideTime, seq]), {
        item,
        claim: claimOn(Statements.ofSeq(seq), "UnreadableRow")
      }),

    /** Removes an outcome. Returns nothing if another process has removed it. */
    remove: ({ seq }: EventRow, query: Query): Effect.Effect<Option.Option<SqlRow>, StoreError> =>
      Effect.map(
        run(`DELETE FROM gopay_event WHERE seq = ? AND ${isBrief(query)} RETURNING seq`, [seq], query),
        ([removed]) => Option.fromUndefinedOr(removed)
      )
  }
}
