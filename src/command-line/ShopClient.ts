/**
 * The client and the ledger that commands open: for the merchant in the environment variables, and for the shop's
 * database.
 */
import { existsSync } from "node:fs"
import { isError } from "../basics/AnyRealm.js"
import { canonicalId } from "../contract/CanonicalId.js"
import { minute } from "../basics/Milliseconds.js"
import type { LedgerHealth, LedgerMetrics } from "../ledger/model/Lists.js"
import type { Ledger, LedgerOperator } from "../ledger/promise/Ledger.js"
import type { SqliteConnection } from "../ledger/store/fileStore.js"
import type { PgConnection, pgStore } from "../ledger/store/pgStore.js"
import type { GatewayClient } from "../promise/GatewayClient.js"
import { CommandFailure, installed, option, WrongUsage } from "./Command.js"
import { withoutCredentials } from "./OutputText.js"

/** The default address of `effect-gopay local-gateway`. To a ledger, another spelling of it is another gateway. */
export const localAddress = { host: "127.0.0.1", port: "4646" }
export const localUrl = `http://${localAddress.host}:${localAddress.port}`

/** Its default merchant. */
const localMerchant = {
  GOPAY_GOID: "8123456781",
  GOPAY_CLIENT_ID: "1234567884",
  GOPAY_CLIENT_SECRET: "L0calGtw",
  GOPAY_ENVIRONMENT: localUrl
}

export type MerchantVariables = typeof localMerchant

/** The merchant of the environment; that of the local gateway if none of the variables is set. */
export const merchantVariables = (): MerchantVariables => {
  const { GOPAY_GOID = "", GOPAY_CLIENT_ID = "", GOPAY_CLIENT_SECRET = "", GOPAY_ENVIRONMENT = "" } = process.env
  const given = { GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET, GOPAY_ENVIRONMENT }
  const missing = Object.entries(given).flatMap(([name, value]) => (value === "" ? [name] : []))
  if (missing.length === Object.keys(given).length) return localMerchant
  if (missing.length > 0) throw new CommandFailure(2, `These environment variables are missing: ${missing.join(", ")}`)
  return given
}

/** Whose ledger is read, and why, where no variable says so. */
export const merchantLine = (): string => {
  const merchant = merchantVariables()
  const why = merchant === localMerchant ? ", since none of the variables GOPAY_GOID, … is set" : ""
  return `Merchant ${merchant.GOPAY_GOID} at ${merchant.GOPAY_ENVIRONMENT}${why}`
}

/** The variables that the options of a client come from. */
const variables: ReadonlyMap<string, string> = new Map([
  ["goid", "GOPAY_GOID"],
  ["clientId", "GOPAY_CLIENT_ID"],
  ["clientSecret", "GOPAY_CLIENT_SECRET"],
  ["environment", "GOPAY_ENVIRONMENT"],
  ["scope", "GOPAY_SCOPE"],
  ["allowInsecure", "GOPAY_ALLOW_INSECURE"]
])

/** The message about an option, with the name of its variable. */
const inVariables = (message: string): string =>
  message.replace(/^createGatewayClient: /, "").replaceAll(/(^|; )(\w+): /g, (text, before, option) => {
    const variable = variables.get(option)
    return variable === undefined ? text : `${before}${variable} `
  })

/** Calls a function with a client of that merchant. A refusal by the gateway ends the command with its message. */
export const withClient = async <A>(use: (client: GatewayClient) => Promise<A>): Promise<A> => {
  // Loaded only here, since it takes time that --help does not need.
  const { createGatewayClient, GatewayError, optionsFromEnv } = await import("../promise/index.js")
  const merchant = merchantVariables()
  try {
    const client = createGatewayClient(
      optionsFromEnv({ ...merchant, GOPAY_ALLOW_INSECURE: process.env["GOPAY_ALLOW_INSECURE"] })
    )
    try {
      return await use(client)
    } finally {
      await client.close()
    }
  } catch (error) {
    if (error instanceof GatewayError) {
      const isAway = error.reason._tag === "GatewayUnavailable"
      throw new CommandFailure(
        1,
        `${error.message}${isAway ? `\nIs a gateway running at ${merchant.GOPAY_ENVIRONMENT}?` : ""}`
      )
    }
    if (isError(error) && error.name === "TypeError") throw new CommandFailure(2, inVariables(error.message))
    throw error
  }
}

export const paymentIdOf = (text: string): number => {
  const id = canonicalId(text)
  if (id !== undefined) return id
  throw new WrongUsage(`${text} is not the id of a payment: digits only`)
}

/** Suppresses this one warning from now on. */
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

/** The name of a ledger's installation, from the same variable that the shop's own processes use. */
export const installationOption = {
  ...option("NAME", "the name of the ledger's installation (default: GOPAY_INSTALLATION, else main)"),
  default: process.env["GOPAY_INSTALLATION"] || undefined
}

export interface LedgerFlags {
  readonly installation?: string | undefined
  readonly schema?: string | undefined
  readonly dualApprovalAbove?: number | undefined
}

/** Opens the ledger without a worker, so that it sends nothing. */
export const withLedger = <A>(at: string, options: LedgerFlags, use: (ledger: OpenLedger) => Promise<A>): Promise<A> =>
  withClient(async (gateway) => {
    const { createLedger, fileStore, LedgerError, pgStore } = await import("../ledger/promise/index.js")
    const settings = { gateway, ...options, onAttention: () => {} }
    const used = async <Tx>(ledger: Ledger<Tx>, end: () => Promise<void>): Promise<A> => {
      try {
        return await use({ ...ledger.operator, getSubscription: ledger.getSubscription })
      } catch (error) {
        if (!(error instanceof LedgerError)) throw error
        const { cause } = error
        throw new CommandFailure(1, `${error.message}${isError(cause) ? `\n${cause.message}` : ""}`)
      } finally {
        await ledger.close()
        await end()
      }
    }
    const [address, scheme] = /^\s*([a-z][a-z\d+.-]+):\/\/\S*\s*$/i.exec(at) ?? []
    if (address !== undefined && scheme !== undefined) {
      if (!/^postgres(?:ql)?$/i.test(scheme)) {
        throw new CommandFailure(
          1,
          `${scheme}:// is no store of a ledger: give a file with SQLite, or the address of a PostgreSQL (postgres://…).`
        )
      }
      const pg = installed(isPg, "pg")
      if (pg === undefined) throw new CommandFailure(1, "The package pg is not installed here: npm install pg")
      const pool = new pg.Pool({ connectionString: address.trim().replace(/^[^:]+/, "postgres") })
      pool.on("error", () => {})
      return used(createLedger({ ...settings, store: pgStore(pool) }), () => pool.end())
    }
    if (!existsSync(at)) throw new CommandFailure(1, `There is no file ${withoutCredentials(at)}.`)
    withoutSqliteWarning(process)
    const hasSqlite = process.getBuiltinModule?.("node:sqlite") !== undefined
    const driver = hasSqlite ? undefined : installed(isSqlite, "libsql", "better-sqlite3")
    if (!hasSqlite && driver === undefined) {
      throw new CommandFailure(1, "This Node.js has no SQLite. Use Node.js 22.13 or newer, or: npm install libsql")
    }
    return used(createLedger({ ...settings, store: fileStore(at, { driver }) }), async () => {})
  })

/** Why nothing is sent although the tables can be read. */
const countable: ReadonlySet<LedgerHealth["reason"]> = new Set([
  "Paused",
  "GatewayAway",
  "CredentialsRefused",
  "AnotherDatabase"
])

/** The state of a ledger. Without tables there are no counts. */
export const readLedger = async (ledger: OpenLedger) => {
  const health = await ledger.getHealth()
  const canCount = health.isSending || countable.has(health.reason)
  return { health, metrics: canCount ? await ledger.getMetrics() : undefined }
}

const named = " If it is this shop's own, name its installation: --installation, or GOPAY_INSTALLATION."

/** What is wrong, and what to do. */
export const ledgerFindings = (
  { exposure, isSending, message, reason }: LedgerHealth,
  metrics: LedgerMetrics | undefined,
  now: number
): ReadonlyArray<string> => {
  const found: Array<string> = isSending
    ? []
    : [`Nothing is sent. ${message.replace(/ Nothing is sent\.$/, "")}${reason === "OtherInstallation" ? named : ""}`]
  if (exposure !== undefined) found.push(exposure.message)
  if (metrics === undefined) return found
  const { attention, changes, due, lastTick, oldestDueMillis, unreported } = metrics
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
  if (attention > 0) found.push(`${attention} items need an operator. See: effect-gopay ledger list.`)
  if (unreported > 0)
    found.push(`${unreported} outcomes wait for onChange. Does it fail? Its errors are in the shop's log.`)
  const { unknown = 0 } = changes
  if (unknown > 0) {
    found.push(
      `${unknown} changes were sent and their outcome is unknown. They are searched for; send none again by hand.`
    )
  }
  return found
}
