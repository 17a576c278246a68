/**
 * Which handlers the processes of a merchant have. A row that a handler has to be notified of is left to the processes
 * that have it: if another process moved the row, the shop would never be notified. A handler that no process has any
 * more is given up by an operator, or after 30 days; that is reported a week before.
 */
import * as Effect from "effect/Effect"
import type { HandlerName } from "../model/LedgerOperations.js"
import { day } from "../../basics/Milliseconds.js"
import type { ReadableDatabase, StoreError } from "./Database.js"
import { numberIn } from "./Rows.js"
import * as Statements from "./Statements.js"

export type HandlerTable = ReturnType<typeof make>

/**
 * In milliseconds: for how long a handler that no process runs is kept, and how long before its end that is reported.
 */
const keptFor = 30 * day
const reportedFor = 7 * day

/** The most outcomes that one statement removes. */
const mostRemoved = 10_000

/** A handler that no process has run for a while. */
export interface IdleHandler {
  readonly name: string
  /** When a process last ran it, and when it is given up, in milliseconds since 1970. */
  readonly lastRunAt: number
  readonly endsAt: number
  /** How many outcomes wait for it. */
  readonly waiting: number
}

export const make = (database: ReadableDatabase, scope: number, own: ReadonlySet<HandlerName>) => {
  const { isBrief, now, nowOnce, one, run } = Statements.make(database)
  const claimOn = Statements.notificationClaims(database, "gopay_handler")
  const isNamed = (name: string): Statements.Condition => ({ sql: "scope = ? AND name = ?", values: [scope, name] })

  /** Removes the outcomes that no handler waits for. */
  const removeOutcomes: Effect.Effect<void, StoreError> = Effect.flatMap(
    run(
      `DELETE FROM gopay_event WHERE seq IN (SELECT seq FROM gopay_event WHERE scope = ? ORDER BY seq LIMIT ${mostRemoved})
         AND NOT EXISTS (SELECT 1 FROM gopay_handler WHERE scope = ? AND name = 'onChange') AND ${isBrief()}
       RETURNING seq`,
      [scope, scope]
    ),
    (removed) => (removed.length < mostRemoved ? Effect.void : removeOutcomes)
  )

  return {
    /** Records that a process with this one's handlers is running. */
    register: Effect.forEach(
      own,
      (name) =>
        run(
          `INSERT INTO gopay_handler (scope, name, last_run_at) SELECT ?, ?, ${now} WHERE ${isBrief()}
           ON CONFLICT (scope, name) DO UPDATE
             SET last_run_at = excluded.last_run_at, expiry_reported_at = NULL, notified = NULL, notifying_until = NULL`,
          [scope, name]
        ),
      { discard: true }
    ),

    /** Whether this process lacks a handler that others of the merchant have. */
    /** The condition of rows that this process may act on: it has a handler, or no process of the merchant has. */
    isNotLeft: (name: HandlerName): string =>
      own.has(name) ? "1 = 1" : `NOT EXISTS (SELECT 1 FROM gopay_handler WHERE scope = ${scope} AND name = '${name}')`,

    isLeftToOthers: (name: HandlerName): Effect.Effect<boolean, StoreError> =>
      own.has(name)
        ? Effect.succeed(false)
        : Effect.map(
            one("SELECT name FROM gopay_handler WHERE scope = ? AND name = ?", [scope, name]),
            (found) => found !== undefined
          ),

    /** The handlers that will be given up in a week, and of which that was not reported yet. */
    idle: Effect.map(
      run(
        `SELECT name, last_run_at, ${now} AS now, CASE WHEN name = 'onChange'
           THEN (SELECT COUNT(*) FROM gopay_event WHERE gopay_event.scope = gopay_handler.scope) ELSE 0 END AS waiting
         FROM gopay_handler
         WHERE scope = ? AND last_run_at <= ${nowOnce} - ${keptFor - reportedFor} AND expiry_reported_at IS NULL`,
        [scope]
      ),
      (found) =>
        found.map((row): IdleHandler => {
          const lastRunAt = numberIn(row, "last_run_at") ?? 0
          const endsAt = Math.max(lastRunAt + keptFor, (numberIn(row, "now") ?? 0) + reportedFor)
          return { name: String(row["name"]), lastRunAt, endsAt, waiting: numberIn(row, "waiting") ?? 0 }
        })
    ),

    /** The claim to report that a handler will be given up in a week. */
    notification: (name: string): Statements.NotificationClaim => {
      const claim = claimOn(isNamed(name), "HandlerIdle")
      const reported = run(
        `UPDATE gopay_handler SET expiry_reported_at = ${now} WHERE scope = ? AND name = ? AND notified IS NOT NULL AND ${isBrief()}`,
        [scope, name]
      )
      return {
        ...claim,
        end: (isReported) => Effect.andThen(isReported ? reported : Effect.void, claim.end(isReported))
      }
    },

    /** Gives up the handlers that no process has run for the time, a week after that was reported. */
    expire: Effect.andThen(
      run(
        `DELETE FROM gopay_handler WHERE scope = ? AND last_run_at <= ${now} - ${keptFor}
           AND expiry_reported_at <= ${now} - ${reportedFor} AND ${isBrief()}`,
        [scope]
      ),
      removeOutcomes
    ),

    /** Gives up a handler now. */
    retire: (name: HandlerName): Effect.Effect<void, StoreError> =>
      Effect.andThen(
        run(`DELETE FROM gopay_handler WHERE scope = ? AND name = ? AND ${isBrief()}`, [scope, name]),
        removeOutcomes
      )
  }
}
