/**
 * A file with SQLite.
 */
import type { LedgerStore, SqlQuery, SqlRow, SqlValue } from "./LedgerStore.plain.js"
import { rowsOf } from "./rowsOf.plain.js"

/**
 * A synchronous connection to SQLite, as `node:sqlite`, better-sqlite3 and libsql have it.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface SqliteConnection {
  /** Runs statements without rows. */
  exec(sql: string): unknown
  /** Prepares a statement. */
  prepare(sql: string): SqliteStatement
  /** Closes the connection. */
  close(): unknown
}

/**
 * A prepared statement of SQLite.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface SqliteStatement {
  /** Whether it has rows. Some drivers refuse `all` for a statement that has none; others do not tell. */
  readonly reader?: boolean
  /** Runs it and gives its rows. */
  all(...values: Array<SqlValue>): Array<unknown>
  /** Runs it without rows. */
  run(...values: Array<SqlValue>): unknown
}

/**
 * Options of `fileStore`.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface FileStoreOptions {
  /**
   * The class `Database` of better-sqlite3 or of libsql, for Node.js before 22.13. Default: `DatabaseSync` of
   * `node:sqlite`.
   */
  readonly driver?: (new (path: string) => SqliteConnection) | undefined
}

/**
 * A transaction in the file of a `fileStore`: the tables of the shop, if they are in the same file.
 *
 * @category ledger
 * @since 0.1.0
 */
export interface SqliteTransaction {
  /** Runs one statement in the transaction. */
  readonly query: SqlQuery
}

/** Its own two connections, and the one of the shop's transactions. */
type Use = "read" | "write" | "shop"

/** In milliseconds: how long a statement is tried while another process writes. */
const busyTime = 10_000

/**
 * A store in a file, for a shop on one machine, with as many processes as it likes. The file lies on a local disk. The
 * ledger has its own connections, so that no transaction of the shop can hold its rows; `transaction` begins one for
 * the shop's tables in the same file.
 *
 * Needs Node.js 22.13, or a `driver`.
 *
 * @throws TypeError when there is neither
 * @category ledger
 * @since 0.1.0
 */
export const fileStore = (path: string, { driver }: FileStoreOptions = {}): LedgerStore<SqliteTransaction> => {
  const Database = driver ?? nodeDriver()
  const connect = async (): Promise<SqliteConnection> => {
    const connection = new Database(path)
    // A synchronous wait would stop the whole process: whoever finds the file busy waits by a timer instead.
    connection.exec("PRAGMA busy_timeout = 0")
    await whileBusy(() => connection.exec("PRAGMA journal_mode = WAL"))
    connection.exec("PRAGMA synchronous = FULL")
    return connection
  }
  const connections = new Map<Use, Promise<SqliteConnection>>()
  const connectionFor = (use: Use): Promise<SqliteConnection> => {
    const connection = connections.get(use) ?? connect()
    connections.set(use, connection)
    return connection
  }
  /**
   * After a failure nobody knows what a driver has left open, such as a statement that keeps what follows from being
   * committed.
   */
  const discard = (use: Use, connection?: SqliteConnection): void => {
    connections.delete(use)
    connection?.close()
  }
  const using = async <A>(use: Use, work: (connection: SqliteConnection) => A | Promise<A>): Promise<A> => {
    let connection: SqliteConnection | undefined
    try {
      connection = await connectionFor(use)
      return await work(connection)
    } catch (error) {
      if (path !== ":memory:") discard(use, connection)
      throw error
    }
  }

  const read: SqlQuery = (sql, values) =>
    using(path === ":memory:" ? "write" : "read", (connection) => run(connection, sql, values))

  const write: SqlQuery = (sql, values) =>
    whileBusy(() =>
      using("write", (connection) => {
        // What can be busy is only the beginning. That it was committed is said by the database, not by the driver.
        connection.exec("BEGIN IMMEDIATE")
        try {
          const rows = run(connection, sql, values)
          connection.exec("COMMIT")
          return rows
        } catch (error) {
          connection.exec("ROLLBACK")
          throw error
        }
      })
    )

  // The shop's connection has one transaction at a time.
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <A>(work: () => Promise<A>): Promise<A> => {
    const result = turn.then(work, work)
    turn = result.catch(() => undefined)
    return result
  }

  return {
    dialect: "sqlite",
    // What is read has been committed: it is read on another connection than it was written on.
    query: (sql, values) => (/^\s*SELECT\b/i.test(sql) ? read(sql, values) : write(sql, values)),
    queryIn: (tx) => tx.query,
    transaction: (work) =>
      inTurn(() =>
        using("shop", async (connection) => {
          await whileBusy(() => connection.exec("BEGIN IMMEDIATE"))
          let isOpen = true
          const query: SqlQuery = async (sql, values) => {
            if (!isOpen) throw new Error("This transaction has ended.")
            return run(connection, sql, values)
          }
          try {
            const result = await work({ query })
            connection.exec("COMMIT")
            return result
          } catch (error) {
            connection.exec("ROLLBACK")
            throw error
          } finally {
            isOpen = false
          }
        })
      ),
    close: async () => {
      const open = await Promise.allSettled(connections.values())
      connections.clear()
      for (const connection of open) if (connection.status === "fulfilled") connection.value.close()
    }
  }
}

const run = (connection: SqliteConnection, sql: string, values: ReadonlyArray<SqlValue>): ReadonlyArray<SqlRow> => {
  const statement = connection.prepare(sql)
  if (statement.reader !== false) return rowsOf(statement.all(...values))
  statement.run(...values)
  return []
}

/** Tries again while another connection writes. A busy statement has done nothing. */
const whileBusy = async <A>(work: () => A | Promise<A>): Promise<A> => {
  const since = Date.now()
  for (let wait = 2; ; wait = Math.min(wait * 1.5, 50)) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || Date.now() - since > busyTime) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())))
  }
}

/** better-sqlite3 and libsql have a `code`, `node:sqlite` has an `errcode`; the first byte is the primary one. */
const isBusy = (error: unknown): boolean => {
  if (typeof error !== "object" || error === null) return false
  const { code, errcode }: { readonly code?: unknown; readonly errcode?: unknown } = error
  return (typeof code === "string" && /^SQLITE_(BUSY|LOCKED)/.test(code)) || [5, 6].includes(Number(errcode) & 255)
}

const nodeDriver = (): new (path: string) => SqliteConnection => {
  const { process }: { readonly process?: { readonly getBuiltinModule?: (name: string) => unknown } } = globalThis
  const sqlite = process?.getBuiltinModule?.("node:sqlite")
  if (hasDatabase(sqlite)) return sqlite.DatabaseSync
  throw new TypeError(
    "fileStore: this runtime has no node:sqlite, which Node.js has from version 22.13 on. Install better-sqlite3 or libsql and pass it: " +
      'import Database from "libsql"; fileStore(path, { driver: Database }).'
  )
}

const hasDatabase = (module: unknown): module is { readonly DatabaseSync: new (path: string) => SqliteConnection } =>
  typeof module === "object" && module !== null && "DatabaseSync" in module
