/**
 * PostgreSQL through Kysely.
 */
import { confirming } from "./confirming.js"
import type { LedgerStore, SharedStoreOptions, SqlQuery } from "../model/LedgerStore.js"
import { rowsOf } from "./rowsOf.js"

/**
 * A store in PostgreSQL (12 or newer) through Kysely. `submit` takes what `db.transaction().execute(async (tx) => …)`
 * hands over. With `query` the ledger has connections of its own.
 *
 * @throws TypeError when it is given a transaction in place of the database
 * @category ledger
 */
export const kyselyStore = <
  Plain extends {
    /** Takes what `CompiledQuery.raw` makes. */
    executeQuery(query: {
      readonly query: {
        readonly kind: "RawNode"
        readonly sqlFragments: ReadonlyArray<string>
        readonly parameters: ReadonlyArray<never>
      }
      readonly queryId: { readonly queryId: string }
      readonly sql: string
      readonly parameters: ReadonlyArray<unknown>
    }): Promise<{ readonly rows: ReadonlyArray<unknown> }>
  },
  Tx extends { withoutPlugins(): Plain }
>(
  db: {
    readonly isTransaction: boolean
    /** Plugins may change the names of columns. */
    withoutPlugins(): Plain
    transaction(): { execute<A>(run: (tx: Tx) => Promise<A>): Promise<A> }
  },
  { query }: SharedStoreOptions = {}
): LedgerStore<Tx> => {
  if (db.isTransaction) throw new TypeError("kyselyStore: this is a transaction. A ledger needs the database.")
  const queryOf = (client: { withoutPlugins(): Plain }): SqlQuery => {
    const plain = client.withoutPlugins()
    return async (sql, parameters) => {
      const query = { kind: "RawNode", sqlFragments: [sql], parameters: [] } as const
      return rowsOf((await plain.executeQuery({ query, queryId: { queryId: "ledger" }, sql, parameters })).rows)
    }
  }
  return {
    dialect: "postgres",
    query: query ?? queryOf(db),
    queryIn: queryOf,
    transaction: (run) => db.transaction().execute(confirming(queryOf, run)),
    close: async () => {}
  }
}
