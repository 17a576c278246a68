/**
 * The rows among what a database client gives.
 */
import type { SqlRow } from "../model/LedgerStore.js"

/** The rows of a list; anything else has none. */
export const rowsOf = (result: unknown): ReadonlyArray<SqlRow> => (Array.isArray(result) ? result.filter(isRow) : [])

const isRow = (value: unknown): value is SqlRow => typeof value === "object" && value !== null
