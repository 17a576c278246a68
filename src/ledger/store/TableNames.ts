/**
 * The names of the tables, in a schema of PostgreSQL.
 */

export const tableNames = [
  "gopay_ledger",
  "gopay_scope",
  "gopay_change",
  "gopay_payment",
  "gopay_refund",
  "gopay_release",
  "gopay_history",
  "gopay_event",
  "gopay_tally",
  "gopay_subscription",
  "gopay_period",
  "gopay_breaker"
] as const

/** A name that has its schema is left as it is. */
const tables = new RegExp(String.raw`(?<!\.)\b(?:${tableNames.join("|")})\b`, "g")
const functions = /\bFUNCTION (?=gopay_)/g

/** A statement on the tables of a schema. Without one they are found by the connection's `search_path`. */
export const inSchema = (sql: string, schema: string | undefined): string =>
  schema === undefined ? sql : sql.replace(tables, `"${schema}".$&`).replace(functions, `$&"${schema}".`)

/** What is wrong with the name of a schema. It stands in statements. */
export const schemaProblem = (schema: string): string | undefined =>
  /^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(schema)
    ? undefined
    : "schema must have 1 to 63 letters, digits and underscores, and begin with none of the digits"
