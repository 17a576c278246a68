/**
 * The store of a ledger: a database that the shop has anyway.
 */

/** A value that is bound to a placeholder. */
export type SqlValue = string | number | null

/** A row by the names of its columns. Whole numbers may come as numbers, bigints or text. */
export interface SqlRow {
  /** A column of the row. */
  readonly [column: string]: unknown
}

/**
 * Runs one statement and resolves with its rows: those of a `SELECT`, or those that `RETURNING` gives. It rejects when
 * the statement failed, and also when it is unknown whether it did.
 */
export type SqlQuery = (sql: string, values: ReadonlyArray<SqlValue>) => Promise<ReadonlyArray<SqlRow>>

/** The same on a connection that is synchronous, as those of SQLite are. */
export type SqlQuerySync = (sql: string, values: ReadonlyArray<SqlValue>) => ReadonlyArray<SqlRow>

/** Options of the stores over an ORM or a query builder. */
export interface SharedStoreOptions {
  /**
   * Runs the ledger's own statements, on connections of their own to the same database: `pgStore(pool).query`. Without
   * it they wait for the same pool as the shop's open transactions: where each of those waits for the ledger in turn, all
   * stand still until one gives up. `onPayment` and `submit` keep to the shop's client. Default: the shop's client.
   */
  readonly query?: SqlQuery | undefined
}

/**
 * A database, as a ledger uses it. `fileStore`, `pgStore`, `prismaStore` and others make one; `Tx` is the type of the shop's own
 * transaction.
 */
export interface LedgerStore<in out Tx> {
  /** Decides about placeholders (`?` for SQLite, `$1` for PostgreSQL), the clock and the types of columns. */
  readonly dialect: "sqlite" | "postgres"
  /**
   * Runs one statement in a transaction of its own, which is committed when the promise resolves. Never in a
   * transaction that someone else may roll back: a ledger sees to that and refuses to work.
   */
  readonly query: SqlQuery
  /** The statements of the shop's own transaction. */
  readonly queryIn: (tx: Tx) => SqlQuery
  /** The same where the connection of the transaction is synchronous; `undefined` where it is not. Default: none is. */
  readonly queryInSync?: (tx: Tx) => SqlQuerySync | undefined
  /**
   * Begins a transaction, runs, and commits; rolls back when it rejects. It resolves only when the transaction is
   * committed: PostgreSQL answers the `COMMIT` of one in which a statement has failed with `ROLLBACK`, and no error. Over
   * SQLite, what is sent through `tx` after `run` has ended must be refused. A connection is not given back before `run`
   * has ended.
   */
  readonly transaction: <A>(run: (tx: Tx) => Promise<A>) => Promise<A>
  /**
   * `true` where PostgreSQL may end the connection of a transaction, and its client takes that for a failed statement
   * and opens another one. Then the connection of an `onPayment` that never ends is taken away from it after ten
   * minutes; otherwise it stays with it. Default: `false`.
   */
  readonly survivesTermination?: boolean
  /**
   * `false` where `transaction` is none, and each statement is committed for itself. Then `Tx` is `undefined`, and
   * `onPayment` is called at least once for each event, not exactly once. Default: `true`.
   */
  readonly hasTransactions?: boolean
  /**
   * How many connections there are at most, where that is known. One of them is left to the ledger's own statements:
   * handlers that hang in their transactions hold the others. Default: `Infinity`.
   */
  readonly connections?: number
  /** The SQL for the time in milliseconds since 1970, in place of the database's own clock: for tests. */
  readonly now?: string
  /**
   * Why the store must not be used any more until the process restarts, where it has found such a reason: `fileStore` finds a
   * second SQLite library of the process on its file. Then nothing is sent, and an operator is notified.
   */
  readonly problem?: () => string | undefined
  /** Closes what the store opened itself. */
  readonly close: () => Promise<void>
}
