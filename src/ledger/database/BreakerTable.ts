/**
 * What all processes know of a gateway that is away: the payments for which it did not answer, one after the other.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Integer, jsonColumn } from "./Columns.js"
import type { Database, StoreError } from "./Database.js"
import * as Statements from "./Statements.js"

/** The payments that failed, with their times, and since when none has worked. */
const Failing = Schema.Struct({
  since: Schema.Int,
  payments: Schema.Array(Schema.Struct({ id: Schema.String, at: Schema.Int }))
})
export type Failing = typeof Failing.Type

const decode = Schema.decodeUnknownOption(jsonColumn(Failing))
const encode = Schema.encodeSync(jsonColumn(Failing))
const decodeTime = Schema.decodeUnknownSync(Integer)

/** So many payments in a row, since one payment's failures say nothing of the others. */
const failuresInARow = 3

/** In milliseconds: what failed longer ago is not in a row with what fails now. */
const inARow = 120_000

/** In milliseconds: the pause between two probes. */
const probeEvery = 10_000

/** What was noted of failures, if it can be read. */
export const failingIn = (text: unknown): Failing | undefined => Option.getOrUndefined(decode(text))

export type BreakerTable = ReturnType<typeof make>

export const make = <Tx>(database: Database<Tx>) => {
  const { isBrief, now, run } = Statements.make(database)

  return {
    /** The gateway did not answer for a payment. With the third in a row nothing more is begun. */
    failed: (paymentId: string): Effect.Effect<void, StoreError> =>
      Effect.gen(function* () {
        const [row] = yield* run(database.query, `SELECT failing, ${now} AS now FROM gopay_ledger WHERE id = 1`, [])
        if (row === undefined) return
        const time = decodeTime(row["now"])
        const known = failingIn(row["failing"])
        const others = (known?.payments ?? []).filter(({ at, id }) => id !== paymentId && at > time - inARow)
        const payments = [...others, { id: paymentId, at: time }].slice(-failuresInARow)
        const since = others.length === 0 ? time : (known?.since ?? time)
        yield* run(
          database.query,
          `UPDATE gopay_ledger SET failing = ?${payments.length < failuresInARow ? "" : `, probe_at = COALESCE(probe_at, ${now} + ${probeEvery})`}
           WHERE id = 1 AND COALESCE(failing, '') = ? AND ${isBrief()}`,
          [encode({ since, payments }), typeof row["failing"] === "string" ? row["failing"] : ""]
        )
      }),

    /** The gateway has answered. */
    worked: Effect.asVoid(
      run(
        database.query,
        `UPDATE gopay_ledger SET failing = NULL, probe_at = NULL
         WHERE id = 1 AND (failing IS NOT NULL OR probe_at IS NOT NULL) AND ${isBrief()}`,
        []
      )
    ),

    /** Whether it is this process's turn to ask whether the gateway is back. */
    mayProbe: Effect.map(
      run(
        database.query,
        `UPDATE gopay_ledger SET probe_at = ${now} + ${probeEvery} WHERE id = 1 AND probe_at <= ${now} AND ${isBrief()} RETURNING id`,
        []
      ),
      (found) => found.length === 1
    )
  }
}
