/**
 * PostgreSQL through `pg`, or whatever has its `query` and `connect`.
 */
import { confirming } from "./confirming.js"
import type { LedgerStore, SqlQuery, SqlRow } from "../model/LedgerStore.js"
import { preparing } from "./preparing.js"
import { TransactionLost } from "../model/StoreFailure.js"

/**
 * A connection of `pg`: a `Client`, or one that a `Pool` has lent.
 *
 * @category ledger
 */
export interface PgConnection {
  /** Runs one statement. One with a name is for `prepare` only. */
  query(
    sql: string | { readonly name: string; readonly text: string; readonly values: Array<unknown> },
    values?: Array<unknown>
  ): Promise<{
    readonly rows: ReadonlyArray<SqlRow>
    /** What was carried out, such as `COMMIT`. */
    readonly command?: string
  }>
}

/**
 * Options of `pgStore`.
 *
 * @category ledger
 */
export interface PgStoreOptions {
  /**
   * Whether the ledger's statements are prepared once in each connection, so that PostgreSQL need not plan them each time:
   * about a third of its work. The pool has to be one of `pg`. Where a pooler between gives each statement another
   * connection, as PgBouncer before 1.21 does, the ledger notices at the first one, and prepares none from then on.
   * Default: `false`.
   */
  readonly prepare?: boolean | undefined
}

/**
 * A store in PostgreSQL (12 or newer), over a `Pool` of `pg`. Listen to the pool's `error` events: `pg` ends the
 * process for a broken idle connection that no one listens to. `Tx` is a connection within a transaction: the one that
 * `submit` takes.
 *
 * @category ledger
 */
export const pgStore = <Client extends PgConnection>(
  pool: PgConnection & {
    /** Lends a connection. */
    connect(): Promise<
      Client & {
        /** Gives it back; with `true` it is not lent again. */
        release(error?: boolean): void
        on?(event: "error", listener: () => void): unknown
        removeListener?(event: "error", listener: () => void): unknown
      }
    >
    /** What it was made with: `max` is the number of connections that it lends at most. */
    readonly options?: { readonly max?: number | undefined }
    /** The same with a callback, as `pg` has it. It is not used: the type of the connection is found by it. */
    connect(callback: (...args: ReadonlyArray<never>) => void): void
  },
  { prepare = false }: PgStoreOptions = {}
): LedgerStore<Client> => ({
  dialect: "postgres",
  query: prepare ? preparing(queryOf(pool), async (statement) => (await pool.query(statement)).rows) : queryOf(pool),
  queryIn: queryOf,
  transaction: async (run) => {
    const client = await pool.connect()
    // The statement under way fails too, and tells. Without a listener the whole process would end.
    const ignore = (): void => {}
    client.on?.("error", ignore)
    let isBroken = true
    try {
      await client.query("BEGIN")
      try {
        const result = await confirming(queryOf, run)(client)
        const { command } = await client.query("COMMIT")
        isBroken = false
        if (command === "ROLLBACK") throw new TransactionLost()
        return result
      } catch (error) {
        isBroken = true
        // Where that fails too, the first failure is the one to tell.
        await client.query("ROLLBACK").then(
          () => (isBroken = false),
          () => {}
        )
        throw error
      }
    } finally {
      client.removeListener?.("error", ignore)
      // A connection whose transaction did not end must not be lent again.
      client.release(isBroken)
    }
  },
  survivesTermination: true,
  ...(pool.options?.max === undefined ? undefined : { connections: pool.options.max }),
  close: async () => {}
})

const queryOf =
  (client: PgConnection): SqlQuery =>
  async (sql, values) =>
    (await client.query(sql, [...values])).rows
