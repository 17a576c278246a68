/**
 * A store in an SQLite file.
 */
import { builtinModule, inTransaction } from "./asyncContext.js"
import type { LedgerStore, SqlQuery, SqlQuerySync, SqlRow, SqlValue } from "../model/LedgerStore.js"
import { rowsOf, StoreFailure, TransactionLost } from "./clientResults.js"
import { soleLibrary } from "./soleLibrary.js"

/** A synchronous connection to SQLite, as in `node:sqlite`, better-sqlite3 and libsql. */
export interface SqliteConnection {
  /** Runs statements without rows. */
  exec(sql: string): unknown
  /** Prepares a statement. */
  prepare(sql: string): {
    /** Whether it returns rows. Some drivers refuse `all` for a statement without rows; others have no such member. */
    readonly reader?: boolean
    /** Runs it and gives its rows. */
    // oxlint-disable-next-line typescript/no-explicit-any -- TypeScript 5 finds libsql's conditional types to fit nothing else
    all(...values: Array<any>): Array<unknown>
    /** Runs it without rows. */
    // oxlint-disable-next-line typescript/no-explicit-any -- TypeScript 5 finds libsql's conditional types to fit nothing else
    run(...values: Array<any>): unknown
  }
  /** Closes the connection. */
  close(): unknown
  /** Whether a transaction is open, in `node:sqlite`. */
  readonly isTransaction?: boolean | undefined
  /** Whether a transaction is open, in better-sqlite3 and libsql. */
  readonly inTransaction?: boolean | undefined
}

/** Options of `fileStore`. */
export interface FileStoreOptions {
  /**
   * The class `Database` of better-sqlite3 or of libsql, for Node.js before 22.13. Default: `DatabaseSync` of
   * `node:sqlite`.
   */
  readonly driver?: (new (path: string) => SqliteConnection) | undefined
}

/** A transaction in the file of a `fileStore`, for the shop's tables in the same file. */
export interface SqliteTransaction {
  /** Runs one statement in the transaction. */
  readonly query: SqlQuery
  /** Runs one statement synchronously, if the connection is the shop's own; see `sqliteTransaction`. */
  readonly querySync?: SqlQuerySync
}

/**
 * The open transaction of the shop's own connection to the ledger's file, for `submit` and `submitSync`. The connection
 * is one of `node:sqlite`, better-sqlite3 or libsql. Drizzle and TypeORM have it as `db.$client` and
 * `dataSource.driver`. With an asynchronous client, pass `{ query: (sql, values) => manager.query(sql, [...values]) }`
 * instead.
 */
export const sqliteTransaction = (
  connection: Pick<SqliteConnection, "exec" | "prepare">
): Required<SqliteTransaction> => {
  const querySync: SqlQuerySync = (sql, values) => {
    if (!isRead(sql)) lockForWriting(connection)
    return run(connection, sql, values)
  }
  return { querySync, query: async (sql, values) => querySync(sql, values) }
}

/**
 * Takes the file's lock with a statement that the driver finishes even if the file is busy. In libsql a prepared one
 * would stay open then, and nothing that the connection writes afterwards would be committed.
 */
const lockForWriting = (connection: Pick<SqliteConnection, "exec">): void => {
  try {
    connection.exec("UPDATE gopay_ledger SET id = id WHERE id = 0")
  } catch (cause) {
    if (!isBusy(cause)) throw cause
    throw new StoreFailure(
      "The file was locked by another connection, and nothing was recorded: roll the transaction back and try again. One that begins with BEGIN IMMEDIATE waits at its beginning.",
      { cause }
    )
  }
}

const isRead = (sql: string): boolean => /^\s*SELECT\b/i.test(sql)

/** In milliseconds: how long a statement is retried while another transaction writes. */
const busyTime = 10_000

/** The path stays valid when the process changes its folder, since connections are opened later. */
const absolute = (path: string): string => {
  const module = builtinModule("node:path")
  // Some drivers also accept URLs.
  return hasResolve(module) && !/^[a-z]+:/i.test(path) ? module.resolve(path) : path
}

const hasResolve = (module: unknown): module is { readonly resolve: (path: string) => string } =>
  typeof module === "object" && module !== null && "resolve" in module

/**
 * A store in a file, for a shop on one machine with any number of processes. The file has to be on a local disk. The
 * ledger has its own connections, so no transaction of the shop can lock its rows; `transaction` begins one for the
 * shop's tables in the same file.
 *
 * `":memory:"` keeps it in the memory of this process, for tests.
 *
 * Needs Node.js 22.13, or a `driver`.
 *
 * @throws TypeError when there is neither
 */
export const fileStore = (file: string, { driver }: FileStoreOptions = {}): LedgerStore<SqliteTransaction> => {
  const Database = driver ?? nodeDriver()
  const isInMemory = file === ":memory:"
  const path = isInMemory ? file : absolute(file)
  const library = soleLibrary(isInMemory ? undefined : path)
  const open = () => {
    const connection = connected(Database, path)
    library.opened()
    if (problem() === undefined) return connection
    connection.close()
    library.closed()
    throw new StoreFailure(problem())
  }
  const newSlot = () => slotOf(open, library.closed, isInMemory)
  const writer = newSlot()
  const shop = isInMemory ? writer : newSlot()
  // Reads use another connection than writes, so what they see is committed.
  const reader = isInMemory ? writer : newSlot()
  const readers = turnsInTime()
  // A file has one writer. The writers of this process queue for their turn, and only the first one waits for other
  // processes.
  const writers = turnsInTime()
  const explained = <A>(work: Promise<A>): Promise<A> =>
    work.catch((error: unknown) => Promise.reject(explanationOf(error, path) ?? error))
  let known: string | undefined
  const problem = (): string | undefined => (known ??= library.isShared() ? sharedBy(path) : undefined)
  let checkedAt = 0
  /** Works on the file unless another library has it open, which is detected within a second. */
  const safely = <A>(work: () => Promise<A>): Promise<A> => {
    const time = Date.now()
    if (Math.abs(time - checkedAt) >= 1_000) {
      checkedAt = time
      problem()
    }
    return known === undefined ? explained(work()) : Promise.reject(new StoreFailure(known))
  }

  /** Works in a transaction. It is committed, or rolled back if the work fails. */
  const committed = <A>(slot: Slot, work: (connection: SqliteConnection) => Promise<A>): Promise<A> =>
    writers(async () => {
      // Only `BEGIN` can find the file busy, and it has done nothing then: opening a new connection would take ten
      // times as long.
      await attempt(slot, (connection) => connection.exec("BEGIN IMMEDIATE"), isBusy)
      const connection = slot.take()
      try {
        const result = await work(connection)
        connection.exec("COMMIT")
        return result
      } catch (error) {
        try {
          connection.exec("ROLLBACK")
        } catch {
          // SQLite has already rolled back. The earlier failure is reported.
        }
        slot.discard()
        throw error
      }
    })

  return {
    dialect: "sqlite",
    query: (sql, values) =>
      safely(() =>
        isRead(sql)
          ? readers(() => attempt(reader, (connection) => run(connection, sql, values)))
          : committed(writer, async (connection) => run(connection, sql, values))
      ),
    queryIn: (tx) => tx.query,
    queryInSync: (tx) => tx.querySync,
    transaction: (work) => safely(() => committed(shop, (connection) => within(connection, work))),
    problem,
    close: async () => {
      // Waits for the current work to end, unless that takes too long.
      await Promise.allSettled([readers(async () => {}), writers(async () => {})])
      for (const slot of [reader, writer, shop]) slot.close()
    }
  }
}

const connected = (Database: new (path: string) => SqliteConnection, path: string): SqliteConnection => {
  let connection: SqliteConnection | undefined
  try {
    connection = new Database(path)
    // A synchronous wait would block the whole process. If the file is busy, a timer waits instead.
    connection.exec("PRAGMA busy_timeout = 0")
    connection.exec("PRAGMA journal_mode = WAL")
    connection.exec("PRAGMA synchronous = FULL")
    return preparing(connection)
  } catch (error) {
    connection?.close()
    // libsql has no error code for a file that cannot be opened.
    throw connection === undefined && !isBusy(error) ? cannotBeOpened(path, error) : error
  }
}

/** How many prepared statements a connection keeps. The ledger needs fewer; the rest is for the shop's own. */
const mostPrepared = 200

/**
 * Prepares each statement once, which took a third of a refund's time. SQLite notices when the schema has changed
 * since.
 */
export const preparing = (connection: SqliteConnection): SqliteConnection => {
  const known = new Map<string, ReturnType<SqliteConnection["prepare"]>>()
  const prepare = connection.prepare.bind(connection)
  connection.prepare = (sql) => {
    const prepared = known.get(sql)
    if (prepared !== undefined) return prepared
    const statement = prepare(sql)
    if (known.size === mostPrepared) known.clear()
    known.set(sql, statement)
    return statement
  }
  return connection
}

type Slot = ReturnType<typeof slotOf>

/** A connection that has one user at a time. It is opened when needed, and again after it was discarded. */
const slotOf = (open: () => SqliteConnection, onClose: () => void, isInMemory: boolean) => {
  let connection: SqliteConnection | undefined
  const close = (): void => {
    const closed = connection
    if (closed === undefined) return
    connection = undefined
    onClose()
    closed.close()
  }
  return {
    take: () => (connection ??= open()),
    close,
    /**
     * After a failure it is unknown what the driver has left open, such as a statement that prevents COMMIT. An
     * in-memory database exists only in its connection.
     */
    discard: isInMemory ? () => {} : close
  }
}

/** Runs work in the order of the calls, each after the one before has ended, successfully or not. */
export const turns = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <A>(work: () => Promise<A>): Promise<A> => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
}

/** Runs work in turns. If a turn takes too long to come, the file counts as busy. */
const turnsInTime = () => {
  const inTurn = turns()
  return <A>(work: () => Promise<A>): Promise<A> =>
    new Promise((resolve, reject) => {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        reject(Object.assign(new Error("database is locked by this process"), { code: "SQLITE_BUSY" }))
      }, busyTime)
      void inTurn(async () => {
        clearTimeout(timer)
        if (!isLate) await work().then(resolve, reject)
      })
    })
}

/** Retries while another connection writes. A connection that has failed is replaced, unless it is kept. */
const attempt = async <A>(
  slot: Slot,
  work: (connection: SqliteConnection) => A,
  isKept: (error: unknown) => boolean = () => false
): Promise<A> => {
  const since = Date.now()
  for (let wait = 1; ; wait = Math.min(wait * 1.5, 10)) {
    try {
      return work(slot.take())
    } catch (error) {
      if (!isKept(error)) slot.discard()
      if (!isBusy(error) || Date.now() - since > busyTime) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())))
  }
}

/**
 * Works in an open transaction. SQLite rolls some transactions back by itself, for example when the disk is full or by
 * ON CONFLICT ROLLBACK; statements after that would be committed one by one.
 */
const within = async <A>(connection: SqliteConnection, work: (tx: SqliteTransaction) => Promise<A>): Promise<A> => {
  let refusal: Error | undefined
  const query: SqlQuery = async (sql, values) => {
    if (refusal !== undefined) throw refusal
    let cause: unknown
    try {
      return run(connection, sql, values)
    } catch (error) {
      cause = error
      throw error
    } finally {
      if (!isInTransaction(connection)) refusal = new TransactionLost(cause)
    }
  }
  try {
    const result = await inTransaction(() => work({ query }))
    if (refusal !== undefined) throw refusal
    return result
  } finally {
    refusal = new Error("This transaction has ended.")
  }
}

const isInTransaction = (connection: SqliteConnection): boolean => {
  const isOpen = connection.isTransaction ?? connection.inTransaction
  if (isOpen !== undefined) return isOpen
  try {
    connection.exec("BEGIN")
  } catch {
    // There is no nested transaction.
    return true
  }
  connection.exec("ROLLBACK")
  return false
}

export const run = (
  connection: Pick<SqliteConnection, "prepare">,
  sql: string,
  values: ReadonlyArray<SqlValue>
): ReadonlyArray<SqlRow> => {
  const statement = connection.prepare(sql)
  if (statement.reader !== false) return rowsOf(statement.all(...values))
  statement.run(...values)
  return []
}

/** The primary result codes of SQLite that are distinguished here, https://www.sqlite.org/rescode.html. */
const results: ReadonlyMap<number, string> = new Map([
  [5, "BUSY"],
  [6, "LOCKED"],
  [8, "READONLY"],
  [10, "IOERR"],
  [11, "CORRUPT"],
  [13, "FULL"],
  [14, "CANTOPEN"],
  [26, "NOTADB"]
])

/** better-sqlite3 and libsql have a `code`, `node:sqlite` has an `errcode`, whose lowest byte is the primary code. */
const is = (error: unknown, ...wanted: ReadonlyArray<string>): boolean => {
  if (typeof error !== "object" || error === null) return false
  const { code, errcode }: { readonly code?: unknown; readonly errcode?: unknown } = error
  const result = results.get(Number(errcode) & 255) ?? /^SQLITE_([A-Z]+)/.exec(String(code))?.[1]
  return result !== undefined && wanted.includes(result)
}

const isBusy = (error: unknown): boolean => is(error, "BUSY", "LOCKED")

/** Why a file must not be open in two libraries, and what to do about it. */
const sharedBy = (path: string): string =>
  `fileStore: Another SQLite library of this process has, or had, ${path} open, or its ${path}-shm was removed. Neither waits for the other's locks, and what they wrote may be lost. Check the file (PRAGMA integrity_check) and restart the process. ` +
  "Let both use one library: fileStore(path, { driver: Database }) with the class of the shop's own. Where that cannot be, give the ledger a file of its own."

const cannotBeOpened = (path: string, cause: unknown): StoreFailure =>
  new StoreFailure(
    `fileStore: ${path} cannot be opened as an SQLite file: check its directory, and who may write there.`,
    { cause }
  )

/** The meaning of a file's error, and what to do about it. */
const explanationOf = (error: unknown, path: string): StoreFailure | undefined => {
  const explained = (message: string) => new StoreFailure(`fileStore: ${message}`, { cause: error })
  if (isBusy(error))
    return explained(`${path} was locked by other transactions for more than ${busyTime / 1_000} seconds.`)
  if (is(error, "CANTOPEN", "NOTADB")) return cannotBeOpened(path, error)
  if (is(error, "READONLY")) return explained(`${path} may not be written: check who may write it and its directory.`)
  if (is(error, "FULL")) return explained(`the disk of ${path} is full. Nothing was written.`)
  if (is(error, "IOERR", "CORRUPT")) return explained(`${path} is damaged, or its disk fails.`)
  return undefined
}

const nodeDriver = (): new (path: string) => SqliteConnection => {
  const sqlite = builtinModule("node:sqlite")
  if (hasDatabase(sqlite)) return sqlite.DatabaseSync
  throw new TypeError(
    "fileStore: this runtime has no node:sqlite, which Node.js has from version 22.13 on. Install better-sqlite3 or libsql and pass it: " +
      'import Database from "libsql"; fileStore(path, { driver: Database }).'
  )
}

export const hasDatabase = (
  module: unknown
): module is { readonly DatabaseSync: new (path: string) => SqliteConnection } =>
  typeof module === "object" && module !== null && "DatabaseSync" in module
