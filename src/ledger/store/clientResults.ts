/**
 * What database clients give: rows, and errors of whatever make with the SQLSTATE of PostgreSQL's in them,
 * https://www.postgresql.org/docs/current/errcodes-appendix.html.
 */
import type { SqlRow } from "../model/LedgerStore.js"

/** Whether an error is of one of these states, or was caused by one. Some clients keep the state only in the message. */
export const hasSqlState = (error: unknown, ...states: ReadonlyArray<string>): boolean => {
  let current = error
  for (let depth = 0; depth < 8 && typeof current === "object" && current !== null; depth++) {
    const { cause, code, message, meta, reason }: ClientError = current
    if (states.some((state) => code === state || (typeof message === "string" && message.includes(state)))) return true
    if (isObject(meta) && states.some((state) => meta["code"] === state)) return true
    current = cause ?? reason
  }
  return false
}

interface ClientError {
  readonly cause?: unknown
  readonly code?: unknown
  readonly message?: unknown
  /** Prisma's. */
  readonly meta?: unknown
  /** That of Effect's `SqlError`. */
  readonly reason?: unknown
}

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null

/** The rows of a list; anything else has none. */
export const rowsOf = (result: unknown): ReadonlyArray<SqlRow> => (Array.isArray(result) ? result.filter(isRow) : [])

const isRow = (value: unknown): value is SqlRow => typeof value === "object" && value !== null
