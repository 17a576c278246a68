/**
 * What database clients give: rows, and errors of whatever make with the SQLSTATE of PostgreSQL's in them,
 * https://www.postgresql.org/docs/current/errcodes-appendix.html; and the failures that a store explains itself.
 */
import type { SqlRow } from "../model/LedgerStore.js"

/** Whether an error is of a state, or was caused by one. Some clients keep the state only in the message. */
export const hasSqlState = (error: unknown, state: string): boolean =>
  causesOf(error).some(
    ({ code, message }) => code === state || (typeof message === "string" && message.includes(state))
  )

/**
 * The states whose messages name tables, roles and settings, and no value: rights, connections and schemas that are refused, a
 * database that is read-only, full or missing; and all of SQLite's.
 */
const speaking = /^(?:25|28|3D|3F|42|53)\w{3}$|^(?:ERR_)?SQLITE_/

/** What the database says of an error, where that is fit to be shown. */
export const saidBy = (error: unknown): string | undefined => {
  for (const { code, message } of causesOf(error)) {
    if (typeof code === "string" && speaking.test(code) && typeof message === "string") return message
  }
  return undefined
}

/** An error and its causes, as each client nests them: `meta` is Prisma's, `reason` that of Effect's `SqlError`. */
const causesOf = (error: unknown, depth = 0): ReadonlyArray<Members> => {
  if (depth === 8 || !isObject(error)) return []
  const { cause, meta, reason } = error
  return [error, ...[meta].filter(isObject), ...causesOf(cause ?? reason, depth + 1)]
}

type Members = Readonly<Record<string, unknown>>

/** The rows of a list; anything else has none. */
export const rowsOf = (result: unknown): ReadonlyArray<SqlRow> => (Array.isArray(result) ? result.filter(isObject) : [])

const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null

/** A failure that a store explains itself, with what to do about it. The driver's own error is the `cause`. */
export class StoreFailure extends Error {
  override readonly name: string = "StoreFailure"
}

/** The database has rolled back a transaction in which nothing failed but a statement, and that failure was caught. */
export class TransactionLost extends StoreFailure {
  override readonly name: string = "TransactionLost"

  constructor(cause?: unknown) {
    super(
      "Nothing of this transaction is written: one of its statements failed, and the failure was caught. Avoid the failure (ON CONFLICT DO NOTHING), or run the statement in a SAVEPOINT of its own.",
      { cause }
    )
  }
}
