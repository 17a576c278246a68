/**
 * PostgreSQL through Drizzle.
 */
import { confirming } from "./confirming.plain.js"
import type { LedgerStore, SharedStoreOptions, SqlQuery } from "./LedgerStore.plain.js"
import { rowsOf } from "./rowsOf.plain.js"

/**
 * The function `sql` of drizzle-orm, as far as a ledger uses it.
 *
 * @category ledger
 */
export interface DrizzleSql<Sql> {
  /** SQL with values. */
  (strings: TemplateStringsArray, ...values: Array<unknown>): Sql
  /** SQL as it stands. */
  raw(sql: string): Sql
  /** One piece after the other. */
  join(pieces: Array<Sql>): Sql
}

/**
 * What `db.transaction(async (tx) => …)` hands over, as far as a ledger uses it.
 *
 * @category ledger
 */
export interface DrizzleTransaction<Sql> {
  /** Runs one statement. */
  execute(query: Sql): PromiseLike<unknown>
}

/**
 * A database of drizzle-orm, as far as a ledger uses it.
 *
 * @category ledger
 */
export interface DrizzleDatabase<Sql, Tx extends DrizzleTransaction<Sql>> extends DrizzleTransaction<Sql> {
  /** Runs in a transaction. */
  transaction<A>(run: (tx: Tx) => Promise<A>): Promise<A>
}

/**
 * A store in PostgreSQL (12 or newer) through Drizzle: `drizzleStore(db, sql)` with `sql` of drizzle-orm. `submit`
 * takes what `db.transaction(async (tx) => …)` hands over. With `query` the ledger has connections of its own.
 *
 * @category ledger
 */
export const drizzleStore = <Sql, Tx extends DrizzleTransaction<Sql>>(
  db: DrizzleDatabase<Sql, Tx>,
  sql: DrizzleSql<Sql>,
  { query }: SharedStoreOptions = {}
): LedgerStore<Tx> => {
  const queryOf =
    (client: DrizzleTransaction<Sql>): SqlQuery =>
    async (text, values) => {
      // Every second piece is the number of a value.
      const pieces = text
        .split(/\$(\d+)/)
        .map((piece, index) => (index % 2 === 0 ? sql.raw(piece) : sql`${values[Number(piece) - 1] ?? null}`))
      const result = await client.execute(sql.join(pieces))
      // Those of `pg` have members, those of postgres.js are the rows.
      return rowsOf(typeof result === "object" && result !== null && "rows" in result ? result.rows : result)
    }
  return {
    dialect: "postgres",
    query: query ?? queryOf(db),
    queryIn: queryOf,
    transaction: (run) => db.transaction(confirming(queryOf, run)),
    close: async () => {}
  }
}
