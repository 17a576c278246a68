/**
 * The results of database clients: rows, and errors of any kind that contain an SQLSTATE of PostgreSQL,
 * https://www.postgresql.org/docs/current/errcodes-appendix.html; and the failures that a store explains itself.
 */
import type { SqlRow } from "../model/LedgerStore.js"

/** Whether an error has this SQLSTATE, or one of its causes has. Some clients have the state only in the message. */
export const hasSqlState = (error: unknown, state: string): boolean =>
  causesOf(error).some(
    ({ code, message }) => code === state || (typeof message === "string" && message.includes(state))
  )

/**
 * The states whose messages name tables, roles and settings, but no values: refused rights, connections and schemas,
 * and a database that is read-only, full or missing; and all of SQLite's.
 */
const speaking = /^(?:25|28|3D|3F|42|53)\w{3}$|^(?:ERR_)?SQLITE_/

/** The database's own message, if it is safe to show. */
export const saidBy = (error: unknown): string | undefined => {
  for (const { code, message } of causesOf(error)) {
    if (typeof code === "string" && speaking.test(code) && typeof message === "string") return message
  }
  return undefined
}

/** An error and its causes, nested as in each client: `meta` is Prisma's, `reason` that of Effect's `SqlError`. */
const causesOf = (error: unknown, depth = 0): ReadonlyArray<Members> => {
  if (depth === 8 || !isObject(error)) return []
  const { cause, meta, reason } = error
  return [error, ...[meta].filter(isObject), ...causesOf(cause ?? reason, depth + 1)]
}

type Members = Readonly<Record<string, unknown>>

/** The rows of a result; empty if the result is not a list. */
export const rowsOf = (result: unknown): ReadonlyArray<SqlRow> => (Array.isArray(result) ? result.filter(isObject) : [])

const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null

/** A failure that a store explains itself, with what to do about it. The driver's own error is the `cause`. */
export class StoreFailure extends Error {
  override readonly name: string = "StoreFailure"
}

/**
 * The database has rolled back a transaction because one of its statements failed, and the handler had caught that
 * failure.
 */
export class TransactionLost extends StoreFailure {
  override readonly name: string = "TransactionLost"

  constructor(cause?: unknown) {
    super(
      "Nothing of this transaction is written: one of its statements failed, and the failure was caught. Avoid the failure (ON CONFLICT DO NOTHING), or run the statement in a SAVEPOINT of its own.",
      { cause }
    )
  }
}
