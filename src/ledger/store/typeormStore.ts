/**
 * PostgreSQL through TypeORM.
 */
import { confirming } from "./confirming.js"
import type { LedgerStore, SharedStoreOptions, SqlQuery } from "../model/LedgerStore.js"
import { rowsOf } from "./rowsOf.js"

/**
 * A store in PostgreSQL (12 or newer) through a `DataSource` of TypeORM. `submit` takes the manager that
 * `dataSource.transaction(async (manager) => …)` hands over; given another one it throws a `TypeError`. With `query` the ledger
 * has connections of its own.
 *
 * @category ledger
 */
export const typeormStore = <
  Tx extends {
    readonly queryRunner?: { readonly isTransactionActive: boolean } | undefined
    query(sql: string, values?: Array<unknown>): Promise<unknown>
  }
>(
  dataSource: {
    readonly manager: Tx
    query(sql: string, values?: Array<unknown>): Promise<unknown>
    transaction<A>(run: (manager: Tx) => Promise<A>): Promise<A>
  },
  { query }: SharedStoreOptions = {}
): LedgerStore<Tx> => {
  const queryOf =
    (client: Pick<typeof dataSource, "query">): SqlQuery =>
    async (sql, values) => {
      const result = await client.query(sql, [...values])
      // Those of UPDATE and DELETE come with their number.
      return rowsOf(Array.isArray(result) && Array.isArray(result[0]) ? result[0] : result)
    }
  const queryIn = (manager: Tx): SqlQuery => {
    // Its type is that of a transaction too.
    if (manager.queryRunner?.isTransactionActive !== true) {
      throw new TypeError("This manager has no transaction: take the one of dataSource.transaction.")
    }
    return queryOf(manager)
  }
  return {
    dialect: "postgres",
    query: query ?? queryOf(dataSource),
    queryIn,
    transaction: (run) => dataSource.transaction(confirming(queryIn, run)),
    survivesTermination: true,
    close: async () => {}
  }
}
