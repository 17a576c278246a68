/**
 * The store of a ledger: a database that the shop already has.
 */

/** A value that is bound to a placeholder. */
export type SqlValue = string | number | null

/** A row by the names of its columns. Whole numbers may come as numbers, bigints or text. */
export interface SqlRow {
  /** A column of the row. */
  readonly [column: string]: unknown
}

/**
 * Runs one statement and resolves with its rows: those of a `SELECT` or of a `RETURNING`. It rejects if the statement
 * failed, and also if it is unknown whether it did.
 */
export type SqlQuery = (sql: string, values: ReadonlyArray<SqlValue>) => Promise<ReadonlyArray<SqlRow>>

/** The same on a synchronous connection, as SQLite has. */
export type SqlQuerySync = (sql: string, values: ReadonlyArray<SqlValue>) => ReadonlyArray<SqlRow>

/** Options of the stores over an ORM or a query builder. */
export interface SharedStoreOptions {
  /**
   * Runs the ledger's own statements, on separate connections to the same database: `pgStore(pool).query`. Without it,
   * they use the same pool as the shop's open transactions: if each of those waits for the ledger, all of them are
   * stuck until one gives up. `onPayment` and `submit` always use the shop's client. Default: the shop's client.
   */
  readonly query?: SqlQuery | undefined
}

/**
 * A database, as a ledger uses it. `fileStore`, `pgStore`, `prismaStore` and others make one; `Tx` is the type of the
 * shop's own transaction.
 */
export interface LedgerStore<in out Tx> {
  /** Determines the placeholders (`?` for SQLite, `$1` for PostgreSQL), the clock and the types of columns. */
  readonly dialect: "sqlite" | "postgres"
  /**
   * Runs one statement in a transaction of its own, which is committed when the promise resolves. It must not run in a
   * transaction that may be rolled back: a ledger checks that and refuses to work.
   */
  readonly query: SqlQuery
  /** The statements of the shop's own transaction. */
  readonly queryIn: (tx: Tx) => SqlQuery
  /** The same if the connection of the transaction is synchronous; otherwise `undefined`. Default: no connection is. */
  readonly queryInSync?: (tx: Tx) => SqlQuerySync | undefined
  /**
   * Begins a transaction, runs, and commits; rolls back if `run` rejects. It resolves only if the transaction is
   * committed: PostgreSQL answers the `COMMIT` of a transaction in which a statement has failed with `ROLLBACK`, and no
   * error. Over SQLite, statements sent through `tx` after `run` has ended must be refused. The connection must not be
   * returned before `run` has ended.
   */
  readonly transaction: <A>(run: (tx: Tx) => Promise<A>) => Promise<A>
  /**
   * `true` if PostgreSQL may end the connection of a transaction: its client then reports a failed statement and opens
   * another connection. The ledger uses that to take the connection from an `onPayment` that has not ended after ten
   * minutes; otherwise such a handler keeps it. Default: `false`.
   */
  readonly survivesTermination?: boolean
  /**
   * `false` if `transaction` does not make a transaction, so that each statement is committed on its own. Then `Tx` is
   * `undefined`, and `onPayment` is called at least once for each event, not exactly once. Default: `true`.
   */
  readonly hasTransactions?: boolean
  /**
   * The most connections that there are, if known. One of them is reserved for the ledger's own statements, since
   * handlers that hang in transactions occupy the others. Default: `Infinity`.
   */
  readonly connections?: number
  /** The SQL for the time in milliseconds since 1970, instead of the database's own clock: for tests. */
  readonly now?: string
  /**
   * Why the store must not be used until the process restarts; `undefined` if it may. `fileStore` detects a second
   * SQLite library of the process on its file. Nothing is sent then, and an operator is notified.
   */
  readonly problem?: () => string | undefined
  /** Closes what the store opened itself. */
  readonly close: () => Promise<void>
}
