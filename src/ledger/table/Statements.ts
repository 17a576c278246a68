/**
 * Statements on the tables of a ledger. Each is a transaction of its own, unless it is given that of the shop.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { LedgerStore, SqlQuery, SqlRow, SqlValue } from "../store/LedgerStore.plain.js"
import { type Dialect, dialectOf } from "./Dialect.plain.js"
import { LedgerError, type LedgerUnavailable } from "./LedgerError.plain.js"

/** The failure of a statement: whether it took effect is unknown. */
export type StoreError = LedgerError<LedgerUnavailable>

/** The failure of a statement, or of what cannot be read of its rows. */
export const unavailable = (message: string, cause?: unknown): StoreError =>
  new LedgerError({ reason: { _tag: "LedgerUnavailable", message }, ...(cause === undefined ? undefined : { cause }) })

/** The time that one statement may take. */
const statementTime = "30 seconds"

/** Runs it until the store responds. */
export const insist = <A>(statement: Effect.Effect<A, StoreError>): Effect.Effect<A, StoreError> =>
  Effect.retry(statement, again)

const again = Schedule.exponential("100 millis").pipe(
  Schedule.modifyDelay(({ duration }) => Effect.succeed(Duration.min(duration, Duration.seconds(5))))
)

/** A statement without its ending, and the values of its placeholders. */
export interface Condition {
  readonly sql: string
  readonly values: ReadonlyArray<SqlValue>
}

/** Milliseconds from now, by the database's clock. */
export interface After {
  readonly after: number
}

/** A new value of a column. */
export type NewValue = SqlValue | After | undefined

/** Runs statements on a store. */
export interface Statements extends Dialect {
  readonly query: SqlQuery
  readonly run: (
    query: SqlQuery,
    sql: string,
    values: ReadonlyArray<SqlValue>
  ) => Effect.Effect<ReadonlyArray<SqlRow>, StoreError>
}

/** The statements of a store. */
export const make = <Tx>(store: LedgerStore<Tx>): Statements => {
  const dialect = dialectOf(store)
  return {
    ...dialect,
    query: store.query,
    run: (query, sql, values) =>
      Effect.tryPromise({
        try: () => query(dialect.placeholders(sql), values),
        catch: (cause) => unavailable("The ledger's store failed, or cannot be reached.", cause)
      }).pipe(
        Effect.timeoutOrElse({
          duration: statementTime,
          orElse: () => Effect.fail(unavailable(`The ledger's store did not respond within ${statementTime}.`))
        })
      )
  }
}

/** The assignments of an `UPDATE`. Columns without a value stay as they are. */
export const assignmentsOf = (columns: Readonly<Record<string, NewValue>>, now: string): ReadonlyArray<Condition> =>
  Object.entries(columns).flatMap(([column, value]): ReadonlyArray<Condition> => {
    if (value === undefined) return []
    if (value === null) return [{ sql: `${column} = NULL`, values: [] }]
    return typeof value === "object"
      ? [{ sql: `${column} = ${now} + ?`, values: [Math.round(value.after)] }]
      : [{ sql: `${column} = ?`, values: [value] }]
  })

/** One row at most, or more, by a condition that holds in no other installation, and not in a pause. */
export const isOpenIn = (installation: string): Condition => ({
  sql: "EXISTS (SELECT 1 FROM gopay_ledger WHERE installation = ? AND paused = 0)",
  values: [installation]
})
