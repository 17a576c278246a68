/**
 * The ledger of a tab's shop, over SQLite in the memory of its worker. What is committed goes to the page at once, which
 * hands it to the next worker: a shop that is stopped loses nothing, and a page that is reloaded everything.
 */
import initSqlJs, { type Database, type SqlValue } from "sql.js"
import {
  createLedger,
  fileStore,
  type Ledger,
  type SqliteConnection,
  type SqliteTransaction
} from "../../dist/ledger/promise/index.js"
import { createGatewayClient, type GatewayClientOptions } from "../../dist/promise/index.js"

/** What a ledger is opened with. */
export interface OpeningOptions {
  readonly merchant: GatewayClientOptions
  /** What the worker before has committed. */
  readonly rows: Uint8Array | undefined
  /** Called with what is committed. */
  readonly keep: (rows: Uint8Array) => void
}

/**
 * In milliseconds: after a kill the next worker knows what became of a refund when this is over. On a busy machine a payment
 * takes more than two seconds to create, and one that outlives the lease counts as lost.
 */
const lease = 6_000

const driverOf = (open: () => Database, keep: (rows: Uint8Array) => void): new () => SqliteConnection =>
  class {
    readonly #database = open()
    inTransaction = false

    exec(sql: string): void {
      this.#database.exec(sql)
      if (sql.startsWith("BEGIN")) this.inTransaction = true
      if (!/^(COMMIT|ROLLBACK)/.test(sql)) return
      this.inTransaction = false
      if (sql === "COMMIT") keep(this.#database.export())
    }

    prepare(sql: string) {
      const rowsOf = (values: ReadonlyArray<SqlValue>) => {
        const statement = this.#database.prepare(sql, [...values])
        const rows: Array<unknown> = []
        while (statement.step()) rows.push(statement.getAsObject())
        statement.free()
        return rows
      }
      return {
        all: (...values: Array<SqlValue>) => rowsOf(values),
        run: (...values: Array<SqlValue>) => rowsOf(values)
      }
    }

    close(): void {
      this.#database.close()
    }
  }

/** Opens the ledger, makes its tables where they are missing, and continues what an earlier worker has left. */
export const openLedger = async ({ keep, merchant, rows }: OpeningOptions): Promise<Ledger<SqliteTransaction>> => {
  const { Database } = await initSqlJs({ locateFile: () => new URL("sql-wasm.wasm", import.meta.url).href })
  const store = fileStore(":memory:", { driver: driverOf(() => new Database(rows), keep) })
  const ledger = createLedger({ gateway: createGatewayClient(merchant), store, lease, pollEvery: 200, migrate: true })
  ledger.startWorker()
  return ledger
}
