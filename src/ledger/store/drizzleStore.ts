/**
 * PostgreSQL through Drizzle.
 */
import { confirming } from "./confirming.js"
import type { LedgerStore, SharedStoreOptions, SqlQuery } from "../model/LedgerStore.js"
import { rowsOf } from "./rowsOf.js"

/**
 * A store in PostgreSQL (12 or newer) through Drizzle: `drizzleStore(db, sql)` with `sql` of drizzle-orm. `submit`
 * takes what `db.transaction(async (tx) => …)` hands over. With `query` the ledger has connections of its own.
 *
 * @category ledger
 */
export const drizzleStore = <Sql, Tx extends { execute(query: Sql): PromiseLike<unknown> }>(
  db: {
    execute(query: Sql): PromiseLike<unknown>
    transaction<A>(run: (tx: Tx) => Promise<A>): Promise<A>
  },
  sql: {
    (strings: TemplateStringsArray, ...values: Array<unknown>): Sql
    raw(sql: string): Sql
    join(pieces: Array<Sql>): Sql
  },
  { query }: SharedStoreOptions = {}
): LedgerStore<Tx> => {
  const queryOf =
    (client: { execute(query: Sql): PromiseLike<unknown> }): SqlQuery =>
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
