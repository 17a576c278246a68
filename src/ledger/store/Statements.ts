/**
 * Statements on the tables of a ledger. Each is a transaction of its own, unless it runs in the shop's.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { SqlRow, SqlValue } from "../model/LedgerStore.js"
import { storable } from "../model/LedgerArguments.js"
import { hasSqlState } from "./clientResults.js"
import { type ReadableDatabase, type Query, type StoreError, unavailable } from "./Database.js"
import { dialectOf } from "./Sql.js"
import { schemaVersion } from "./Migrations.js"

/** The time limit of a statement, including its waits for locked rows. */
const statementTime = "30 seconds"

/** In milliseconds: how much the difference between the gateway's clock and the database's may change. */
export const clockDrift = 600_000

/**
 * How long a statement in PostgreSQL waits for a locked row before it returns its connection. It is retried then: a row
 * that is locked has not moved.
 */
const lockTime = "500ms"

/** Retries the statement until the store responds. */
export const insist = <A>(statement: Effect.Effect<A, StoreError>): Effect.Effect<A, StoreError> =>
  Effect.retry(statement, growingTo("5 seconds"))

const growingTo = (longest: Duration.Input) =>
  Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced(longest)])

/** Whose rows a statement concerns, and which process writes. */
export interface TableOwner {
  readonly installation: string
  /** The name of this process in the history. */
  readonly processName: string
}

/** A condition or another part of a statement, with the values of its placeholders. */
export interface Condition {
  readonly sql: string
  readonly values: ReadonlyArray<SqlValue>
}

const always: Condition = { sql: "1 = 1", values: [] }

/** Milliseconds from now, by the database's clock. */
export interface After {
  readonly after: number
}

export const now: After = { after: 0 }

/** A new value of a column: text, a number, a time from now (`After`), or a value to store as JSON. */
type NewValue = SqlValue | object | undefined

export type NewValues = Readonly<Record<string, NewValue>>

type TimeColumn = `${string}_${"at" | "since" | "until"}`

/** New values of a row. Times may be relative to now. */
export type PatchOf<Row> = {
  readonly [Column in Exclude<keyof Row, "seq" | "version" | "created_at" | "now">]?: Column extends TimeColumn
    ? After | Extract<Row[Column], null>
    : Row[Column]
}

export type Statements = ReturnType<typeof make>

export const make = (database: ReadableDatabase) => {
  const dialect = dialectOf(database)
  const isPostgres = database.dialect === "postgres"
  /**
   * A condition for each statement that writes. It is always true, and limits how long the statement waits for locks,
   * unless it runs in a transaction, which has its own limit. Set this way, the limit does not stay in the session and
   * costs no round trip.
   */
  const isBrief = (query = database.query): string =>
    isPostgres && query === database.query
      ? `(SELECT set_config('lock_timeout', '${lockTime}', true)) IS NOT NULL`
      : "1 = 1"
  /** Runs a statement on its own or in the transaction of `query`. */
  const run = (sql: string, values: ReadonlyArray<SqlValue> = [], query = database.query): ReturnType<Query> => {
    const statement = query(
      dialect.placeholders(sql),
      values.map((value) => (typeof value === "string" ? storable(value) : value))
    )
    // If one statement of a transaction fails, the whole transaction has failed.
    const insistent = query === database.query ? Effect.retry(statement, whileLocked) : statement
    return query.isSynchronous === true
      ? insistent
      : Effect.timeoutOrElse(insistent, {
          duration: statementTime,
          orElse: () => Effect.fail(unavailable(`The ledger's store did not respond within ${statementTime}.`))
        })
  }
  const placed = (value: NewValue): Condition => {
    if (typeof value !== "object" || value === null) return { sql: "?", values: [value ?? null] }
    return "after" in value
      ? { sql: `${dialect.now} + ?`, values: [Math.round(Number(value.after))] }
      : { sql: "?", values: [JSON.stringify(value, storableMember)] }
  }
  return {
    ...dialect,
    run,
    isBrief,

    one: (sql: string, values?: ReadonlyArray<SqlValue>): Effect.Effect<SqlRow | undefined, StoreError> =>
      Effect.map(run(sql, values), ([found]) => found),

    /** The `INSERT` of a row, unless one like it exists or a condition does not hold. It returns the row. */
    insertOf: (table: string, columns: NewValues, onlyIf = always, query?: Query): Condition => {
      const given = Object.values(columns).map(placed)
      return {
        sql: `INSERT INTO ${table} (${Object.keys(columns).join(", ")})
         SELECT ${given.map(({ sql }) => sql).join(", ")} WHERE ${onlyIf.sql} AND ${isBrief(query)}
         ON CONFLICT DO NOTHING RETURNING *, ${dialect.now} AS now`,
        values: [...given.flatMap(({ values }) => values), ...onlyIf.values]
      }
    },

    /**
     * The `UPDATE` of the rows that meet a condition. It increases their version and returns them. Columns without a
     * value stay. The value of `attention` is an `ItemPatch`.
     */
    updateOf: (
      table: string,
      where: Condition,
      columns: NewValues,
      more: ReadonlyArray<Condition>,
      query?: Query
    ): Condition => {
      const set = Object.entries(columns).flatMap(([column, value]) => {
        const { sql, values } = placed(value)
        if (value === undefined) return []
        return [{ sql: `${column} = ${column === "attention" ? dialect.patchedItems : sql}`, values }]
      })
      const assignments = [...set, ...more]
      return {
        sql: `UPDATE ${table} SET ${assignments.map(({ sql }) => sql).join(", ")}, version = version + 1
         WHERE ${where.sql} AND ${isBrief(query)} RETURNING *, ${dialect.now} AS now`,
        values: [...assignments.flatMap(({ values }) => values), ...where.values]
      }
    },

    /** Ends a `SELECT` that leaves out rows which another transaction has locked, if those can wait. */
    skipLocked: isPostgres ? "FOR SHARE SKIP LOCKED" : "",

    /** Ends a `SELECT` that waits for rows which another transaction has locked, and sees what that has written. */
    awaitLocked: isPostgres ? "FOR SHARE" : ""
  }
}

/** The characters within a JSON text also have to be storable. */
const storableMember = (_: string, member: unknown): unknown => (typeof member === "string" ? storable(member) : member)

/** Retries while a statement is cancelled because another transaction has locked its row. */
const whileLocked = {
  while: ({ cause }: StoreError) => hasSqlState(cause, "55P03"),
  schedule: growingTo("2 seconds")
}

/** The claim of the one process that notifies an operator of a row. If that process ends, another one takes over. */
export type NotificationClaim = ReturnType<ReturnType<typeof notificationClaims>>

/** In milliseconds: how long the claim of a process lasts. */
export const notifyingTime = 60_000

/** Whether an operator was notified about a row, or is being notified. */
export const isNotified = ({ notified, notifying_until: until, now }: SqlRow, what: string): boolean =>
  notified === what && (until === null || Number(until) > Number(now))

/** The claims on the rows of a table, from the condition that names a row and the subject of the notification. */
export const notificationClaims =
  (database: ReadableDatabase, table: string) =>
  ({ sql, values }: Condition, what: string) => {
    const { isBrief, now, run } = make(database)
    const update = (assignments: string, condition: string, given: ReadonlyArray<SqlValue> = []) =>
      run(`UPDATE ${table} SET ${assignments} WHERE ${sql} AND ${condition} AND ${isBrief()} RETURNING notified`, [
        ...given,
        ...values,
        what
      ])
    const own = "notified = ? AND notifying_until IS NOT NULL"
    return {
      /** Takes the claim. Returns whether this process is the one to notify. */
      take: Effect.map(
        update(
          `notified = ?, notifying_until = ${now} + ${notifyingTime}`,
          `(COALESCE(notified, '') <> ? OR notifying_until <= ${now})`,
          [what]
        ),
        (found) => found.length === 1
      ),
      /** Extends the claim while `onAttention` is slow. */
      renew: Effect.asVoid(update(`notifying_until = ${now} + ${notifyingTime}`, own)),
      /** Ends the claim: an operator was notified, or could not be. */
      end: (isNotified: boolean) =>
        Effect.asVoid(update(`${isNotified ? "" : "notified = NULL, "}notifying_until = NULL`, own))
    }
  }

/**
 * Whether anything may be sent: not from a copy of another installation, not next to a newer release, and not in a
 * pause.
 */
export const isOpenIn = (installation: string): Condition => ({
  sql: `EXISTS (SELECT 1 FROM gopay_ledger WHERE installation = ? AND paused_at IS NULL AND min_reader <= ${schemaVersion})`,
  values: [installation]
})

/** A row by a time and its number, for pages ordered by time. */
export interface TimePlace {
  /** In milliseconds since 1970. */
  readonly at: number
  readonly seq: number
}

/** The row of a number. */
export const ofSeq = (seq: number): Condition => ({ sql: "seq = ?", values: [seq] })

export const isOneOf = (column: string, values: ReadonlyArray<unknown>): string =>
  `${column} IN (${values.map(() => "?").join(", ")})`

/**
 * A condition for the rows after a place. Both ends of a range can then use an index: of `(at, seq) > (?, ?) AND at <
 * ?`, SQLite uses only one.
 */
export const isAfter = (column: string, { at, seq }: TimePlace) => ({
  sql: `${column} >= ? AND (${column} > ? OR seq > ?)`,
  values: [at, at, seq]
})
