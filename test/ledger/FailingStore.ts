/**
 * The store of a test shop, whose statements the test can make fail.
 */
import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  fileStore,
  type LedgerStore,
  type SqliteTransaction,
  type SqlRow,
  type SqlValue
} from "../../src/ledger/index.js"
import { builtinModule } from "../../src/ledger/store/asyncContext.js"
import { hasDatabase } from "../../src/ledger/store/fileStore.js"
import { clocked } from "../../src/testing/TestStore.js"

/** The statements of a change, by what is said in no other one. */
export const statements = {
  insert: /INSERT INTO (?:"gopay"\.)?gopay_change/,
  mark: /status = 'locked' AND COALESCE/,
  refundsOf: /operation = 'refundPayment' ORDER BY seq/,
  preSendCheck: /SELECT next_at - /,
  ended: /IN \('sending', 'unknown', 'needsOperator'\)/,
  notSent: /IN \('locked', 'sending'/
}

/** What becomes of a statement: it fails before it is run, or afterwards, as when the connection breaks. */
export type Fate = "failsBefore" | "failsAfter"

export interface FailingStore extends LedgerStore<SqliteTransaction> {
  readonly now: string
  /** Moves the database's clock only, in milliseconds: it is ahead of the processes and the gateway. */
  readonly moveClock: (milliseconds: number) => void
  /** Sets the database's clock to that of the test. */
  readonly syncClock: () => void
  /** Decides what becomes of the next statement that matches. */
  readonly fail: (statement: RegExp, fate: Fate, times?: number) => void
  /** Runs before the next statement that matches, with its values. */
  readonly before: (statement: RegExp, run: (values: ReadonlyArray<SqlValue>) => Promise<void>) => void
  /** Runs after the next statement that matches, before its caller continues. */
  readonly after: (statement: RegExp, run: () => Promise<unknown>) => void
  /** Keeps a copy of all tables, in place of the one before. */
  readonly backUp: () => Promise<void>
  /** Puts the copy in place of the tables. */
  readonly restore: () => Promise<void>
  /** Checks the tables. */
  readonly rows: (sql: string, ...values: Array<SqlValue>) => Promise<ReadonlyArray<SqlRow>>
  readonly remove: () => Promise<void>
}

const sqlite = builtinModule("node:sqlite")
/** The faster driver, where there is one. */
const MemoryDatabase = hasDatabase(sqlite) ? sqlite.DatabaseSync : Database

/** `now` is the time of the test. In memory it is much faster. */
export const makeFailingStore = async (now: () => number, isInMemory: boolean): Promise<FailingStore> => {
  const folder = mkdtempSync(join(tmpdir(), "ledger-"))
  const opened = isInMemory
    ? fileStore(":memory:", { driver: MemoryDatabase })
    : fileStore(join(folder, "ledger.db"), { driver: Database })
  let ahead = 0
  const store = await clocked(opened, () => now() + ahead)
  const fates: Array<{ readonly statement: RegExp; readonly fate: Fate; times: number }> = []
  const hooks: Array<{ readonly statement: RegExp; readonly run: (values: ReadonlyArray<SqlValue>) => Promise<void> }> =
    []
  const followers: Array<{ readonly statement: RegExp; readonly run: () => Promise<unknown> }> = []
  const run = (sql: string) => store.query(sql, [])
  return {
    ...store,
    query: async (sql, values) => {
      const hook = hooks.findIndex(({ statement }) => statement.test(sql))
      if (hook >= 0) await hooks.splice(hook, 1)[0]?.run(values)
      const found = fates.find(({ statement, times }) => times > 0 && statement.test(sql))
      if (found !== undefined) found.times--
      if (found?.fate === "failsBefore") throw new Error("the store cannot be reached")
      const result = await store.query(sql, values)
      const follower = followers.findIndex(({ statement }) => statement.test(sql))
      if (follower >= 0) await followers.splice(follower, 1)[0]?.run()
      if (found?.fate === "failsAfter") throw new Error("the connection broke")
      return result
    },
    moveClock: (milliseconds) => {
      ahead += milliseconds
    },
    syncClock: () => {
      ahead = 0
    },
    fail: (statement, fate, times = 1) => fates.push({ statement, fate, times }),
    before: (statement, run) => hooks.push({ statement, run }),
    after: (statement, run) => followers.push({ statement, run }),
    backUp: async () => {
      for (const table of await tablesOf(run)) {
        await run(`DROP TABLE IF EXISTS backup_${table}`)
        await run(`CREATE TABLE backup_${table} AS SELECT * FROM ${table}`)
      }
    },
    restore: async () => {
      // What is put back is no news.
      const triggers = await run("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
      for (const { name } of triggers) await run(`DROP TRIGGER ${String(name)}`)
      const tables = await tablesOf(run)
      for (const table of tables) await run(`DELETE FROM ${table}`)
      for (const table of tables) await run(`INSERT INTO ${table} SELECT * FROM backup_${table}`)
      for (const { sql } of triggers) await run(String(sql))
    },
    rows: (sql, ...values) => store.query(sql, values),
    remove: async () => {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** The tables of ledger and shop, but not the clock. That of the counters comes last: rows that are put back count. */
const tablesOf = async (run: (sql: string) => Promise<ReadonlyArray<SqlRow>>): Promise<ReadonlyArray<string>> => {
  const found = await run(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'gopay_test_clock' AND name NOT LIKE 'backup_%'
     ORDER BY name = 'sqlite_sequence'`
  )
  return found.map(({ name }) => String(name))
}
