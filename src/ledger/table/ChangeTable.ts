/**
 * The statements on the table of changes. Each names what it believes to be so: a row that is not as it says does not
 * move.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ChangeRecord } from "../../client/error/ChangeRecord.js"
import type { SqlValue } from "../store/LedgerStore.plain.js"
import { ChangeRequest, ChangeRow, Decision, type ChangeName, type Status } from "./ChangeRow.js"
import { type Database, unavailable } from "./Database.js"
import { migrations, schemaVersion, signing } from "./Dialect.plain.js"
import * as Statements from "./Statements.js"
import { type After, assignmentsOf, type Condition, isOpenIn } from "./Statements.js"

/** A change, as it was asked for. */
export interface NewChange {
  readonly key: string
  readonly paymentId: string
  readonly operation: ChangeName
  readonly request: ChangeRequest
  readonly hash: string
}

/** New values of a row. */
export interface Patch {
  readonly status?: Status
  readonly attempt?: null
  readonly holds?: null
  readonly request?: null
  readonly record?: ChangeRecord | null
  readonly entry?: string
  readonly decision?: Decision
  readonly problem?: string | null
  readonly attention?: ChangeRow["attention"]
  readonly tries?: number
  readonly sent_at?: After | null
  readonly decided_at?: After
  readonly next_at?: After | null
}

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(ChangeRow))
const encodeRecord = Schema.encodeSync(Schema.fromJsonString(ChangeRecord))
const encodeDecision = Schema.encodeSync(Schema.fromJsonString(Decision))
const encodeRequest = Schema.encodeSync(Schema.fromJsonString(ChangeRequest))

export type ChangeTable = ReturnType<typeof make>

/** The tables of one merchant in a store. */
export const make = <Tx>(database: Database<Tx>, scope: string, installation: string) => {
  const { isAlone, now, nowOnce, run } = Statements.make(database)
  const columns = `*, ${now} AS now`

  const rows = (sql: string, values: ReadonlyArray<SqlValue>, query = database.query) =>
    Effect.flatMap(run(query, sql, values), (found) =>
      Effect.mapError(decodeRows(found), (error) =>
        unavailable(`A row of gopay_change cannot be read: ${error.message}. Was it written by a newer release?`)
      )
    )

  const first = (sql: string, values: ReadonlyArray<SqlValue>, query = database.query) =>
    Effect.map(rows(sql, values, query), ([row]) => Option.fromUndefinedOr(row))

  const isOpen = isOpenIn(installation)

  const update = (key: string, { sql, values }: Condition, patch: Patch, more: ReadonlyArray<Condition> = []) => {
    const assignments = [...assignmentsOf(valuesOf(patch), now), ...more]
    return first(
      `UPDATE gopay_change SET ${assignments.map((assignment) => assignment.sql).join(", ")}, version = version + 1
       WHERE scope = ? AND key = ? AND ${sql} RETURNING ${columns}`,
      [...assignments.flatMap((assignment) => assignment.values), scope, key, ...values]
    )
  }

  const byVersion = ({ version }: ChangeRow): Condition => ({ sql: "version = ?", values: [version] })

  const byAttempt = (attempt: string, ...statuses: ReadonlyArray<Status>): Condition => ({
    sql: `attempt = ? AND status IN (${statuses.map((status) => `'${status}'`).join(", ")})`,
    values: [attempt]
  })

  return {
    scope,

    /** Makes the tables, and gives the database its name. */
    migrate: Effect.gen(function* () {
      for (const statement of migrations(database.dialect)) yield* run(database.query, statement, [])
      const [insert = "", update = ""] = signing("?")
      yield* run(database.query, insert, [installation])
      yield* run(database.query, update, [])
    }),

    /** Sees that the store is one that a ledger can rely on. */
    check: Effect.gen(function* () {
      const [found] = yield* run(database.query, "SELECT * FROM gopay_ledger WHERE id = 1", []).pipe(
        Effect.mapError((error) =>
          isTableMissing(error.cause)
            ? unavailable("The ledger's tables are not there: call migrate(), or run ledgerSchema().", error.cause)
            : error
        )
      )
      if (found === undefined) return yield* Effect.fail(unavailable("The ledger's tables are empty: call migrate()."))
      if (Number(found["min_reader"]) > schemaVersion) {
        return yield* Effect.fail(unavailable("The ledger's tables belong to a newer release of effect-gopay."))
      }
      if (Number(found["version"]) < schemaVersion) {
        return yield* Effect.fail(unavailable("The ledger's tables are those of an earlier release: call migrate()."))
      }
      if (found["installation"] !== installation) {
        return yield* Effect.fail(
          unavailable(
            "The database belongs to another installation than the configured one, as a copy of another environment does. Nothing is sent."
          )
        )
      }
      if (database.dialect === "sqlite") return
      // Whoever writes first and is still in the same transaction then would never commit a mark before it is sent.
      yield* run(database.query, "UPDATE gopay_ledger SET version = version WHERE id = 1", [])
      const [state] = yield* run(
        database.query,
        `SELECT ${isAlone} AS alone, current_setting('synchronous_commit') AS commits`,
        []
      )
      if (state?.["alone"] !== true) {
        return yield* Effect.fail(
          unavailable("The ledger's query does not commit: it runs in a transaction that somebody else may roll back.")
        )
      }
      if (state["commits"] === "off") {
        return yield* Effect.fail(unavailable("synchronous_commit is off: a crash would lose what was committed."))
      }
    }),

    /** Puts a change down, unless its key is there. */
    insert: ({ hash, key, operation, paymentId, request }: NewChange, query = database.query) =>
      first(
        `INSERT INTO gopay_change (scope, key, payment_id, operation, request, hash, status, created_at, next_at)
         VALUES (?, ?, ?, ?, ?, ?, 'queued', ${now}, ${now}) ON CONFLICT (scope, key) DO NOTHING RETURNING ${columns}`,
        [scope, key, paymentId, operation, encodeRequest(request), hash],
        query
      ),

    find: (key: string, query = database.query) =>
      first(`SELECT ${columns} FROM gopay_change WHERE scope = ? AND key = ?`, [scope, key], query),

    /** The rows of which something is due, longest due first. */
    due: (most: number) =>
      rows(`SELECT ${columns} FROM gopay_change WHERE scope = ? AND next_at <= ${nowOnce} ORDER BY next_at LIMIT ?`, [
        scope,
        most
      ]),

    /** Whether anything is not decided, and the time until something is due. */
    untilNext: Effect.map(
      run(
        database.query,
        `SELECT MIN(next_at) - ${nowOnce} AS wait FROM gopay_change WHERE scope = ? AND next_at IS NOT NULL`,
        [scope]
      ),
      ([found]) => (found?.["wait"] === null || found === undefined ? undefined : Number(found["wait"]))
    ),

    attention: rows(`SELECT ${columns} FROM gopay_change WHERE scope = ? AND attention IS NOT NULL ORDER BY seq`, [
      scope
    ]),

    /** The changes that are not decided: of each something is due, or somebody has to look at it. */
    open: rows(
      `SELECT ${columns} FROM gopay_change WHERE seq IN (
           SELECT seq FROM gopay_change WHERE scope = ? AND next_at IS NOT NULL UNION
           SELECT seq FROM gopay_change WHERE scope = ? AND attention IS NOT NULL)
         AND status NOT IN ('done', 'refused') ORDER BY seq LIMIT 500`,
      [scope, scope]
    ),

    /** Changes that were decided longer ago than that, in milliseconds, and of which nothing is due or open. */
    forgettable: (age: number, afterSeq: number) =>
      rows(
        `SELECT ${columns} FROM gopay_change WHERE scope = ? AND seq > ? AND decided_at <= ${nowOnce} - ?
           AND request IS NOT NULL AND next_at IS NULL AND COALESCE(holds, attention) IS NULL ORDER BY seq LIMIT 1000`,
        [scope, afterSeq, age]
      ),

    /** The refunds of a payment. */
    refundsOf: ({ payment_id }: ChangeRow) =>
      rows(
        `SELECT ${columns} FROM gopay_change
         WHERE scope = ? AND payment_id = ? AND operation = 'refundPayment' ORDER BY seq`,
        [scope, payment_id]
      ),

    /**
     * Locks the payment for a queued change that is due: nothing else of the payment is undecided, and nothing older is
     * queued. That two cannot hold it is seen to by the unique `holds`.
     */
    lock: ({ key, payment_id, version }: ChangeRow, attempt: string, lease: number) =>
      update(
        key,
        {
          sql: `version = ? AND status = 'queued' AND next_at <= ${now} AND ${isOpen.sql} AND NOT EXISTS (
            SELECT 1 FROM gopay_change other
            WHERE other.scope = gopay_change.scope AND other.payment_id = gopay_change.payment_id
              AND (other.holds IS NOT NULL OR (other.status = 'queued' AND other.seq < gopay_change.seq)))`,
          values: [version, ...isOpen.values]
        },
        { status: "locked", next_at: { after: lease } },
        [
          { sql: "attempt = ?", values: [attempt] },
          { sql: "holds = ?", values: [`${scope} ${payment_id}`] }
        ]
      ),

    /** The mark: committed before the change is handed over to be sent. */
    mark: (key: string, attempt: string, record: ChangeRecord, lease: number) =>
      update(
        key,
        {
          sql: `attempt = ? AND status = 'locked' AND next_at > ${now} AND ${isOpen.sql}`,
          values: [attempt, ...isOpen.values]
        },
        { status: "sending", record, sent_at: { after: 0 }, next_at: { after: lease } }
      ),

    /** The last look: whether the mark of this attempt is committed and its lease not over, by the database's clock. */
    maySend: (key: string, attempt: string) =>
      Effect.map(
        run(
          database.query,
          `SELECT 1 AS yes FROM gopay_change WHERE scope = ? AND key = ? AND attempt = ? AND status = 'sending'
             AND next_at > ${now} AND ${isOpen.sql} AND ${isAlone}`,
          [scope, key, attempt, ...isOpen.values]
        ),
        (found) => found.length === 1
      ),

    /** What only the process that made the attempt knows: how it ended. */
    ended: (key: string, attempt: string, patch: Patch) =>
      update(key, byAttempt(attempt, "sending", "unknown", "person"), patch),

    /** What only the process that made the attempt knows: that it was certainly not sent. */
    notSent: (key: string, attempt: string, patch: Patch) =>
      update(key, byAttempt(attempt, "locked", "sending", "unknown", "person"), {
        status: "queued",
        attempt: null,
        holds: null,
        record: null,
        sent_at: null,
        ...patch
      }),

    /** A late success of an attempt that a person has decided not to have been made. */
    contradict: (key: string, attempt: string, problem: string) =>
      update(key, byAttempt(attempt, "refused"), { attention: "DecisionContradicted", problem }),

    /** Moves a row that nobody has moved since it was read. */
    move: (row: ChangeRow, patch: Patch) => update(row.key, byVersion(row), patch),

    /** Has a payment of an order looked at, and soon again: a change of it is done. */
    wakePayment: ({ payment_id }: ChangeRow) =>
      run(
        database.query,
        `UPDATE gopay_payment SET next_at = ${now}, tries = 0, version = version + 1
         WHERE scope = ? AND payment_id = ? AND status = 'created'`,
        [scope, payment_id]
      ),

    /** Wakes the change of a payment that is next. */
    wakeNext: ({ payment_id }: ChangeRow) =>
      run(
        database.query,
        `UPDATE gopay_change SET next_at = ${now}, version = version + 1 WHERE seq = (
           SELECT MIN(seq) FROM gopay_change WHERE scope = ? AND payment_id = ? AND status = 'queued')`,
        [scope, payment_id]
      ),

    /** Stops all sending, in all processes, until `resume`. */
    pause: run(database.query, "UPDATE gopay_ledger SET paused = 1 WHERE id = 1", []),

    resume: Effect.andThen(
      run(database.query, "UPDATE gopay_ledger SET paused = 0 WHERE id = 1", []),
      run(
        database.query,
        `UPDATE gopay_change SET next_at = ${now}, version = version + 1 WHERE scope = ? AND status = 'queued'`,
        [scope]
      )
    )
  }
}

/** SQLite says that there is no such table, PostgreSQL has code 42P01, and database clients pass on either. */
const isTableMissing = (cause: unknown): boolean =>
  cause instanceof Error &&
  (/no such table|relation "gopay_ledger" does not exist|42P01/.test(cause.message) ||
    ("code" in cause && cause.code === "42P01") ||
    isTableMissing(cause.cause))

const valuesOf = ({ decision, record, ...plain }: Patch) => ({
  ...plain,
  ...(decision === undefined ? undefined : { decision: encodeDecision(decision) }),
  ...(record === undefined ? undefined : { record: record === null ? null : encodeRecord(record) })
})
