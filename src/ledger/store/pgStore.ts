/**
 * PostgreSQL through `pg`, or whatever has its `query` and `connect`.
 */
import type { LedgerStore, SqlQuery, SqlRow } from "../model/LedgerStore.js"
import { confirming, TransactionLost } from "./clientResults.js"

/** A connection of `pg`: a `Client`, or one that a `Pool` has lent. */
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

/** Options of `pgStore`. */
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
  query: prepare ? preparing(pool) : queryOf(pool),
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

/** A statement that was run so often is prepared: what is run once is not worth it, and connections keep what they have. */
const worthIt = 3
const mostNames = 200

/**
 * Runs statements prepared by name, where they come again. Each of these failures comes before the statement is carried
 * out, so that it is run as it is, outside every transaction:
 *
 * - 26000 and 42P05: a pooler has given the statement another connection than the one that has prepared it.
 * - 0A000: the tables have changed since.
 */
const preparing = (pool: PgConnection): SqlQuery => {
  const plain = queryOf(pool)
  const times = new Map<string, number>()
  // No other process has these names, on whatever connection it comes.
  const prefix = `gopay_${globalThis.crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`
  const names = new Map<string, string>()
  let count = 0
  let isPossible = true

  const nameOf = (text: string): string | undefined => {
    const known = names.get(text)
    if (known !== undefined || !isPossible || count >= mostNames) return known
    const used = (times.get(text) ?? 0) + 1
    if (used < worthIt) {
      if (times.size < 10 * mostNames) times.set(text, used)
      return undefined
    }
    times.delete(text)
    return named(text)
  }

  const named = (text: string): string => {
    const name = `${prefix}_${++count}`
    names.set(text, name)
    return name
  }

  return async (text, values) => {
    const name = nameOf(text)
    if (name === undefined) return plain(text, values)
    try {
      return (await pool.query({ name, text, values: [...values] })).rows
    } catch (error) {
      const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined
      if (code === "26000" || code === "42P05") isPossible = false
      else if (code !== "0A000") throw error
      if (isPossible) named(text)
      else names.clear()
      return plain(text, values)
    }
  }
}
