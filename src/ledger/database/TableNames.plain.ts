/**
 * The names of the tables, in a schema of PostgreSQL.
 */

/** A name that has its schema is left as it is. */
const tables =
  /(?<!\.)\bgopay_(?:change|payment|refund|ledger|history|event|scope|tally|subscription|period|breaker)\b/g
const functions = /\bFUNCTION (?=gopay_)/g

/** A statement on the tables of a schema. Without one they are found by the connection's `search_path`. */
export const inSchema = (sql: string, schema: string | undefined): string =>
  schema === undefined ? sql : sql.replace(tables, `"${schema}".$&`).replace(functions, `$&"${schema}".`)

/** What is wrong with the name of a schema. It stands in statements. */
export const schemaProblem = (schema: string): string | undefined =>
  /^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(schema)
    ? undefined
    : "schema must have 1 to 63 letters, digits and underscores, and begin with none of the digits"
