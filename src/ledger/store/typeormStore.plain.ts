/**
 * PostgreSQL through TypeORM.
 */
import { confirming } from "./confirming.plain.js"
import type { LedgerStore, SharedStoreOptions, SqlQuery } from "./LedgerStore.plain.js"
import { rowsOf } from "./rowsOf.plain.js"

/**
 * An `EntityManager` of TypeORM, as far as a ledger uses it.
 *
 * @category ledger
 */
export interface TypeormTransaction {
  /** The connection of a transaction. */
  readonly queryRunner?: { readonly isTransactionActive: boolean } | undefined
  /** Runs one statement. */
  query(sql: string, values?: Array<unknown>): Promise<unknown>
}

/**
 * A `DataSource` of TypeORM, as far as a ledger uses it.
 *
 * @category ledger
 */
export interface TypeormDatabase<Tx extends TypeormTransaction> {
  /** Its manager, outside of transactions. */
  readonly manager: Tx
  /** Runs one statement. */
  query(sql: string, values?: Array<unknown>): Promise<unknown>
  /** Runs in a transaction. */
  transaction<A>(run: (manager: Tx) => Promise<A>): Promise<A>
}

/**
 * A store in PostgreSQL (12 or newer) through a `DataSource` of TypeORM. `submit` takes the manager that
 * `dataSource.transaction(async (manager) => …)` hands over; given another one it throws a `TypeError`. With `query` the ledger
 * has connections of its own.
 *
 * @category ledger
 */
export const typeormStore = <Tx extends TypeormTransaction>(
  dataSource: TypeormDatabase<Tx>,
  { query }: SharedStoreOptions = {}
): LedgerStore<Tx> => {
  const queryOf =
    (client: Pick<TypeormTransaction, "query">): SqlQuery =>
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
