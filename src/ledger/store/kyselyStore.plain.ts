/**
 * PostgreSQL through Kysely.
 */
import { confirming } from "./confirming.plain.js"
import type { LedgerStore, SharedStoreOptions, SqlQuery } from "./LedgerStore.plain.js"
import { rowsOf } from "./rowsOf.plain.js"

/**
 * A compiled query of Kysely, as `CompiledQuery.raw` makes it.
 *
 * @category ledger
 */
export interface KyselyQuery {
  /** The statement, for plugins. */
  readonly query: {
    readonly kind: "RawNode"
    readonly sqlFragments: ReadonlyArray<string>
    readonly parameters: ReadonlyArray<never>
  }
  /** A name for the log. */
  readonly queryId: { readonly queryId: string }
  /** The statement. */
  readonly sql: string
  /** The values of its placeholders. */
  readonly parameters: ReadonlyArray<unknown>
}

/**
 * A `Transaction` of Kysely, as far as a ledger uses it.
 *
 * @category ledger
 */
export interface KyselyTransaction {
  /** Whether it is a transaction. */
  readonly isTransaction: boolean
  /** The same without plugins, which may change the names of columns. */
  withoutPlugins(): KyselyTransaction
  /** Runs one statement. */
  executeQuery(query: KyselyQuery): Promise<{ readonly rows: ReadonlyArray<unknown> }>
}

/**
 * A `Kysely`, as far as a ledger uses it.
 *
 * @category ledger
 */
export interface KyselyDatabase<Tx extends KyselyTransaction> extends KyselyTransaction {
  /** Runs in a transaction. */
  transaction(): { execute<A>(run: (tx: Tx) => Promise<A>): Promise<A> }
}

/**
 * A store in PostgreSQL (12 or newer) through Kysely. `submit` takes what `db.transaction().execute(async (tx) => …)`
 * hands over. With `query` the ledger has connections of its own.
 *
 * @throws TypeError when it is given a transaction in place of the database
 * @category ledger
 */
export const kyselyStore = <Tx extends KyselyTransaction>(
  db: KyselyDatabase<Tx>,
  { query }: SharedStoreOptions = {}
): LedgerStore<Tx> => {
  if (db.isTransaction) throw new TypeError("kyselyStore: this is a transaction. A ledger needs the database.")
  const queryOf = (client: KyselyTransaction): SqlQuery => {
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
