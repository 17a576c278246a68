/**
 * Any database client that runs SQL.
 */
import type { LedgerStore, SqlQuery } from "./LedgerStore.plain.js"

/**
 * The functions of a database client that a ledger needs.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface SqlStoreOptions<in out Tx> {
  /** Runs one PostgreSQL statement with `$1` placeholders, outside every transaction of the shop, and commits it. */
  readonly query: SqlQuery
  /** Runs one statement in the shop's transaction. */
  readonly queryIn: (tx: Tx) => SqlQuery
  /** Begins a transaction, runs, and commits; rolls back when it rejects. */
  readonly transaction: <A>(run: (tx: Tx) => Promise<A>) => Promise<A>
}

/**
 * A store in PostgreSQL (12 or newer) over any client that has no store of its own here. For SQLite there is `fileStore`.
 *
 * @category ledger
 * @since 0.1.0
 */
export const sqlStore = <Tx>({ query, queryIn, transaction }: SqlStoreOptions<Tx>): LedgerStore<Tx> => ({
  dialect: "postgres",
  query,
  queryIn,
  transaction,
  close: async () => {}
})
