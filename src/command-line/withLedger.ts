/**
 * The ledger that a command reads, in the database of a shop.
 */
import { existsSync } from "node:fs"
import { isError } from "../contract/AnyRealm.js"
import type { Ledger, LedgerOperator } from "../ledger/promise/Ledger.js"
import type { SqliteConnection } from "../ledger/store/fileStore.js"
import type { PgConnection, pgStore } from "../ledger/store/pgStore.js"
import { CommandFailure } from "./Command.js"
import { installed } from "./InstalledPackage.js"
import { withClient } from "./ShopClient.js"

/** Leaves out that one warning from now on. */
export const withoutSqliteWarning = (target: Pick<NodeJS.Process, "emitWarning">): void => {
  target.emitWarning = new Proxy(target.emitWarning, {
    apply: (emit, self, args: ReadonlyArray<unknown>): unknown =>
      String(args[0]).startsWith("SQLite is an experimental feature") ? undefined : Reflect.apply(emit, self, args)
  })
}

interface SqliteModule {
  new (path: string): SqliteConnection
}

interface PgModule {
  readonly Pool: new (options: { readonly connectionString: string }) => Parameters<typeof pgStore<PgConnection>>[0] & {
    on(event: "error", listener: () => void): unknown
    end(): Promise<void>
  }
}

const isPg = (found: unknown): found is PgModule => typeof found === "object" && found !== null && "Pool" in found

const isSqlite = (found: unknown): found is SqliteModule => typeof found === "function"

/** What commands do with a ledger. */
export type OpenLedger = LedgerOperator & Pick<Ledger<never>, "getSubscription">

/** The options of the ledger that a command takes. */
export interface LedgerFlags {
  readonly installation?: string | undefined
  readonly schema?: string | undefined
  readonly dualApprovalAbove?: number | undefined
}

/** Opens the ledger without a worker: it sends nothing. */
export const withLedger = <A>(at: string, options: LedgerFlags, use: (ledger: OpenLedger) => Promise<A>): Promise<A> =>
  withClient(async (gateway) => {
    const { createLedger, fileStore, LedgerError, pgStore } = await import("../ledger/promise/index.js")
    const { createLedgerOperator } = await import("../ledger/promise/operator.js")
    const settings = { gateway, ...options, onAttention: () => {} }
    const used = async <Tx>(ledger: Ledger<Tx>, end: () => Promise<void>): Promise<A> => {
      try {
        return await use({ ...createLedgerOperator(ledger), getSubscription: ledger.getSubscription })
      } catch (error) {
        if (!(error instanceof LedgerError)) throw error
        const { cause } = error
        throw new CommandFailure(1, `${error.message}${isError(cause) ? `\n${cause.message}` : ""}`)
      } finally {
        await ledger.close()
        await end()
      }
    }
    if (/^postgres(ql)?:\/\//.test(at)) {
      const pg = installed(isPg, "pg")
      if (pg === undefined) throw new CommandFailure(1, "The package pg is not installed here: npm install pg")
      const pool = new pg.Pool({ connectionString: at })
      pool.on("error", () => {})
      return used(createLedger({ ...settings, store: pgStore(pool) }), () => pool.end())
    }
    if (!existsSync(at)) throw new CommandFailure(1, `There is no file ${at}.`)
    withoutSqliteWarning(process)
    const hasSqlite = process.getBuiltinModule?.("node:sqlite") !== undefined
    const driver = hasSqlite ? undefined : installed(isSqlite, "libsql", "better-sqlite3")
    if (!hasSqlite && driver === undefined) {
      throw new CommandFailure(1, "This Node.js has no SQLite. Use Node.js 22.13 or newer, or: npm install libsql")
    }
    return used(createLedger({ ...settings, store: fileStore(at, { driver }) }), async () => {})
  })
