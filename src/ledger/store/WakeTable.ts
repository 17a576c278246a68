/**
 * Wakes that are still to be carried out: their rows were locked, or must not be locked by the trigger. See `Wakes`.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ReadableDatabase, StoreError } from "./Database.js"
import * as Statements from "./Statements.js"
import { taken, wakes } from "./Wakes.js"

/** A wake that is due. */
export interface WakeRow {
  readonly seq: number
  readonly wake: string
  /** The number of the row that caused the wake. */
  readonly sourceSeq: number
  /** In milliseconds since 1970. */
  readonly nextAt: number
}

/** In milliseconds: the pause before a wake is retried if its rows are locked. */
const lockedPause = 1_000

export type WakeTable = ReturnType<typeof make>

export const make = (database: ReadableDatabase, scope: number) => {
  const { isBrief, now, nowOnce, run } = Statements.make(database)
  const statements = new Map(wakes.map((wake) => [wake.name, taken(wake, now, isBrief())]))
  const known = [...statements.keys()]
  return {
    /** The wakes that are due. A wake that only a newer release knows is left to that release. */
    due: (wanted: number): Effect.Effect<ReadonlyArray<WakeRow>, StoreError> =>
      Effect.map(
        run(
          `SELECT * FROM gopay_wake WHERE scope = ? AND next_at <= ${nowOnce} AND ${Statements.isOneOf("wake", known)}
           ORDER BY next_at, seq LIMIT ?`,
          [scope, ...known, wanted]
        ),
        (found) =>
          found.map(({ next_at, seq, source_seq, wake }) => ({
            seq: Number(seq),
            wake: String(wake),
            sourceSeq: Number(source_seq),
            nextAt: Number(next_at)
          }))
      ),

    /** Takes a wake for a moment. Returns nothing if another process has taken it. */
    take: (row: WakeRow): Effect.Effect<Option.Option<WakeRow>, StoreError> =>
      Effect.map(
        run(
          `UPDATE gopay_wake SET next_at = ${now} + ${lockedPause} WHERE seq = ? AND next_at = ? AND ${isBrief()} RETURNING seq`,
          [row.seq, row.nextAt]
        ),
        ([found]) => (found === undefined ? Option.none() : Option.some(row))
      ),

    /** Makes the rows of a wake due. Returns whether that is complete, so that none of them is still locked. */
    carryOut: ({ seq, sourceSeq, wake }: WakeRow): Effect.Effect<boolean, StoreError> => {
      const statement = statements.get(wake)
      return statement === undefined
        ? Effect.succeed(false)
        : Effect.map(run(statement, [sourceSeq, seq, sourceSeq]), (found) => found.length > 0)
    }
  }
}
