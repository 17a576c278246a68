/**
 * Any database client that runs SQL.
 */
import { confirming } from "./confirming.js"
import type { LedgerStore, SqlQuery } from "../model/LedgerStore.js"

/**
 * The functions of a database client that a ledger needs.
 *
 * @category ledger
 */
export interface PgQueryStoreOptions<in out Tx> {
  /** Runs one PostgreSQL statement with `$1` placeholders, outside every transaction of the shop, and commits it. */
  readonly query: SqlQuery
  /** Runs one statement in the shop's transaction. */
  readonly queryIn: (tx: Tx) => SqlQuery
  /**
   * Begins a transaction, runs, and commits; rolls back when it rejects. It gives no connection back before `run` has
   * ended.
   */
  readonly transaction: <A>(run: (tx: Tx) => Promise<A>) => Promise<A>
  /**
   * `false` for a database that one can talk to only by single statements, such as over HTTP, with `queryIn: () =>
   * query` and `transaction: (run) => run(undefined)`. Then `submit` commits by itself, and `onPayment` is called at
   * least once for each event, not exactly once. Default: `true`.
   */
  readonly hasTransactions?: boolean
  /** See `LedgerStore`. Default: `false`. */
  readonly survivesTermination?: boolean
}

/**
 * A store in PostgreSQL (12 or newer) over any client that has no store of its own here. For SQLite there is `fileStore`.
 *
 * @category ledger
 */
export const pgQueryStore = <Tx>(options: PgQueryStoreOptions<Tx>): LedgerStore<Tx> => ({
  dialect: "postgres",
  ...options,
  transaction: (run) => options.transaction(options.hasTransactions === false ? run : confirming(options.queryIn, run)),
  close: async () => {}
})
