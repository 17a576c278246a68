/**
 * The ledger that a command reads, in the database of a shop; and what is wrong with it.
 */
import { existsSync } from "node:fs"
import { isError } from "../contract/AnyRealm.js"
import { minute } from "../contract/Milliseconds.js"
import type { LedgerHealth, LedgerMetrics } from "../ledger/model/LedgerHealth.js"
import type { Ledger, LedgerOperator } from "../ledger/promise/Ledger.js"
import type { SqliteConnection } from "../ledger/store/fileStore.js"
import type { PgConnection, pgStore } from "../ledger/store/pgStore.js"
import { CommandFailure, installed } from "./Command.js"
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

export type OpenLedger = LedgerOperator & Pick<Ledger<never>, "getSubscription">

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

/** Why nothing is sent, where the tables can be read all the same. */
const countable: ReadonlySet<LedgerHealth["reason"]> = new Set(["Paused", "GatewayAway", "AnotherDatabase"])

/** How a ledger is. Without tables there is nothing to count. */
export const readLedger = async (ledger: OpenLedger) => {
  const health = await ledger.getHealth()
  const canCount = health.isSending || countable.has(health.reason)
  return { health, metrics: canCount ? await ledger.getMetrics() : undefined }
}

const named = " If it is this shop's own, name its installation: --installation, or GOPAY_INSTALLATION."

/** What is wrong, and what to do. */
export const ledgerFindings = (
  { isSending, message, reason }: LedgerHealth,
  metrics: LedgerMetrics | undefined,
  now: number
): ReadonlyArray<string> => {
  const found: Array<string> = isSending
    ? []
    : [`Nothing is sent. ${message.replace(/ Nothing is sent\.$/, "")}${reason === "OtherInstallation" ? named : ""}`]
  if (metrics === undefined) return found
  const { attention, changes, due, lastTick, oldestDueMillis, untold } = metrics
  const silence = lastTick === undefined ? undefined : Math.floor((now - Date.parse(lastTick)) / minute)
  if (silence === undefined) {
    found.push("No worker has ever run. Call startWorker() in the shop's processes, or runOnce() in a cron job.")
  } else if (silence > 10) {
    found.push(`The last worker ran ${silence} minutes ago. Is the shop's worker process running?`)
  }
  if (oldestDueMillis > 5 * minute) {
    found.push(
      `${due} steps are due, the oldest for ${Math.floor(oldestDueMillis / minute)} minutes. More workers, or a higher concurrency or readsPerSecond, make them sooner.`
    )
  }
  if (attention > 0) found.push(`${attention} changes or payments need an operator. See: effect-gopay ledger list.`)
  if (untold > 0) found.push(`${untold} outcomes wait for onChange. Does it fail? Its errors are in the shop's log.`)
  const { unknown = 0 } = changes
  if (unknown > 0) {
    found.push(
      `${unknown} changes were sent and their outcome is unknown. They are searched for; send none again by hand.`
    )
  }
  return found
}
