/**
 * The client and the ledger that commands open: for the merchant in the environment variables, and for the shop's
 * database.
 */
import { existsSync } from "node:fs"
import { isError } from "../basics/AnyRealm.js"
import { canonicalId } from "../contract/CanonicalId.js"
import { minute } from "../basics/Milliseconds.js"
import type { AttentionItem } from "../ledger/model/Attention.js"
import type { LedgerHealth, LedgerMetrics } from "../ledger/model/Lists.js"
import type { Ledger, LedgerOperator } from "../ledger/promise/Ledger.js"
import type { SqliteConnection } from "../ledger/store/fileStore.js"
import type { PgConnection, pgStore } from "../ledger/store/pgStore.js"
import type { GatewayClient } from "../promise/GatewayClient.js"
import { CommandFailure, installed, option, WrongUsage } from "./Command.js"
import type { Text } from "./Language.js"
import { withoutCredentials } from "./OutputText.js"
import { type Words, words } from "./Words.js"

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

/** Whose payments a command reads, for its help. */
export const merchantAbout: Text = {
  en: `The merchant is that of GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET and GOPAY_ENVIRONMENT
(sandbox, production or an address); when none of them is set, the one of the local gateway
at ${localUrl}.`,
  cs: `Obchodník je ten z GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET a GOPAY_ENVIRONMENT
(sandbox, production nebo adresa); není-li nastavena žádná z nich, ten z lokální brány
na ${localUrl}.`
}

/** The merchant of the environment; that of the local gateway if none of the variables is set. */
export const merchantVariables = (): MerchantVariables => {
  const { GOPAY_GOID = "", GOPAY_CLIENT_ID = "", GOPAY_CLIENT_SECRET = "", GOPAY_ENVIRONMENT = "" } = process.env
  const given = { GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET, GOPAY_ENVIRONMENT }
  const missing = Object.entries(given).flatMap(([name, value]) => (value === "" ? [name] : []))
  if (missing.length === Object.keys(given).length) return localMerchant
  if (missing.length > 0) throw new CommandFailure(2, ({ shop }) => shop.missingVariables(missing.join(", ")))
  return given
}

/** Whose ledger is read, and why, where no variable says so. */
export const merchantLine = ({ shop }: Words): string => {
  const merchant = merchantVariables()
  return shop.merchant(merchant.GOPAY_GOID, merchant.GOPAY_ENVIRONMENT, merchant === localMerchant)
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
      const { message, reason } = error
      const isAway = reason._tag === "GatewayUnavailable"
      throw new CommandFailure(1, ({ shop }) =>
        [shop.callFailed(reason._tag, message), ...(isAway ? [shop.isRunning(merchant.GOPAY_ENVIRONMENT)] : [])].join(
          "\n"
        )
      )
    }
    if (isError(error) && error.name === "TypeError") {
      const message = inVariables(error.message)
      throw new CommandFailure(2, ({ shop }) => shop.wrongVariable(message))
    }
    throw error
  }
}

export const paymentIdOf = (text: string): number => {
  const id = canonicalId(text)
  if (id !== undefined) return id
  throw new WrongUsage(({ shop }) => shop.noPaymentId(text))
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
  ...option("NAME", {
    en: "the name of the ledger's installation (default: GOPAY_INSTALLATION, else main)",
    cs: "jméno instalace ledgeru (jinak GOPAY_INSTALLATION, jinak main)"
  }),
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
        const { cause, message } = error
        throw new CommandFailure(1, ({ inEnglish }) =>
          inEnglish(`${message}${isError(cause) ? `\n${cause.message}` : ""}`)
        )
      } finally {
        await ledger.close()
        await end()
      }
    }
    const [address, scheme] = /^\s*([a-z][a-z\d+.-]+):\/\/\S*\s*$/i.exec(at) ?? []
    if (address !== undefined && scheme !== undefined) {
      if (!/^postgres(?:ql)?$/i.test(scheme)) {
        throw new CommandFailure(1, ({ shop }) => shop.noStore(scheme))
      }
      const pg = installed(isPg, "pg")
      if (pg === undefined) throw new CommandFailure(1, ({ shop }) => shop.noPg)
      const pool = new pg.Pool({ connectionString: address.trim().replace(/^[^:]+/, "postgres") })
      pool.on("error", () => {})
      return used(createLedger({ ...settings, store: pgStore(pool) }), () => pool.end())
    }
    if (!existsSync(at)) throw new CommandFailure(1, ({ shop }) => shop.noFile(withoutCredentials(at)))
    withoutSqliteWarning(process)
    const hasSqlite = process.getBuiltinModule?.("node:sqlite") !== undefined
    const driver = hasSqlite ? undefined : installed(isSqlite, "libsql", "better-sqlite3")
    if (!hasSqlite && driver === undefined) {
      throw new CommandFailure(1, ({ shop }) => shop.noSqlite)
    }
    return used(createLedger({ ...settings, store: fileStore(at, { driver }) }), async () => {})
  })

/** Everything that needs an operator, read page by page. */
export const allAttention = async (ledger: OpenLedger): Promise<ReadonlyArray<AttentionItem>> => {
  const all: Array<AttentionItem> = []
  for (;;) {
    const page = await ledger.listAttention({ after: all.at(-1)?.key })
    if (page.length === 0) return all
    all.push(...page)
  }
}

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

/** What is wrong, and what to do. */
export const ledgerFindings = (
  health: LedgerHealth,
  metrics: LedgerMetrics | undefined,
  now: number,
  { findings }: Words = words.en
): ReadonlyArray<string> => {
  const { exposure, isSending } = health
  const found: Array<string> = isSending ? [] : [findings.notSending(health)]
  if (exposure !== undefined) found.push(findings.exposed(exposure.roles.join(", "), exposure.message))
  if (metrics === undefined) return found
  const { attention, changes, due, lastTick, oldestDueMillis, unreported } = metrics
  const silence = lastTick === undefined ? undefined : Math.floor((now - Date.parse(lastTick)) / minute)
  if (silence === undefined) found.push(findings.noWorker)
  else if (silence > 10) found.push(findings.workerSilent(silence))
  if (oldestDueMillis > 5 * minute) found.push(findings.due(due, Math.floor(oldestDueMillis / minute)))
  if (attention > 0) found.push(findings.attention(attention))
  if (unreported > 0) found.push(findings.unreported(unreported))
  const { unknown = 0 } = changes
  if (unknown > 0) found.push(findings.unknown(unknown))
  return found
}
