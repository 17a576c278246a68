/**
 * The command `ledger`: what is open in a shop's ledger and what needs a person, and that person's decision.
 */
import { existsSync } from "node:fs"
import { parseArgs } from "node:util"
import { amountToDecimal } from "../api/Amount.plain.js"
import type { AttentionItem } from "../ledger/change/Attention.plain.js"
import type { ChangeEntry } from "../ledger/change/Change.plain.js"
import type { Ledger } from "../ledger/promise/Ledger.plain.js"
import type { PgConnection, PgPool } from "../ledger/store/pgStore.plain.js"
import type { SqliteConnection } from "../ledger/store/fileStore.plain.js"
import { type Command, readArguments } from "./Command.js"
import { CommandFailure, wrongUsage } from "./CommandFailure.js"
import { installed } from "./InstalledPackage.js"
import { printable } from "./printable.js"
import { merchantVariables, withClient } from "./ShopClient.js"

const name = "ledger"

const help = `Usage: effect-gopay ledger list --store STORE [--json]
       effect-gopay ledger show KEY --store STORE [--json]
       effect-gopay ledger resolve KEY --store STORE --version N --as done|notDone --by NAME --note TEXT

Shows what is open in a shop's ledger and what somebody has to look at, and puts a decision
down. It sends no change to the gateway: that is for the shop's own processes.

STORE is a file with SQLite, or the address of a PostgreSQL (postgres://…), which is reached
through the package pg of the project in this directory. A file needs Node.js 22.13 or newer,
or libsql or better-sqlite3 in that project.

The merchant is that of GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET and GOPAY_ENVIRONMENT;
when none of them is set, the one of the local gateway at http://localhost:4646.

Options:
  --store STORE      the ledger's database
  --installation NAME  the name of the installation (default: main)
  --version N        the version that you have seen; if the change has moved since, nothing
                     is decided
  --as DECISION      done or notDone; a new attempt after notDone is a new key
  --by NAME          your name
  --note TEXT        the evidence, such as what GoPay's administration shows
  --json             print JSON
  --help             print this help
`

const readFlags = (args: ReadonlyArray<string>) =>
  readArguments(name, () =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        store: { type: "string" },
        installation: { type: "string" },
        version: { type: "string" },
        as: { type: "string" },
        by: { type: "string" },
        note: { type: "string" },
        json: { type: "boolean", default: false }
      }
    })
  )

// ---------------------------------------------------------------------------------------------------------------------
// The store
// ---------------------------------------------------------------------------------------------------------------------

interface SqliteModule {
  new (path: string): SqliteConnection
}

interface PgModule {
  readonly Pool: new (options: { readonly connectionString: string }) => PgPool<PgConnection> & {
    on(event: "error", listener: () => void): unknown
    end(): Promise<void>
  }
}

const isPg = (found: unknown): found is PgModule => typeof found === "object" && found !== null && "Pool" in found

const isSqlite = (found: unknown): found is SqliteModule => typeof found === "function"

type OpenLedger = Pick<Ledger<never>, "attention" | "openChanges" | "change" | "resolve" | "close">

/** Opens the ledger without a worker: it sends nothing. */
const withLedger = <A>(
  at: string,
  installation: string | undefined,
  use: (ledger: OpenLedger) => Promise<A>
): Promise<A> =>
  withClient(async (gateway) => {
    const { createLedger, fileStore, LedgerError, pgStore } = await import("../ledger/promise/index.js")
    const settings = { gateway, installation, onAttention: () => {} }
    const used = async (ledger: OpenLedger, end: () => Promise<void>): Promise<A> => {
      try {
        return await use(ledger)
      } catch (error) {
        if (!(error instanceof LedgerError)) throw error
        const { cause } = error
        throw new CommandFailure(1, `${error.message}${cause instanceof Error ? `\n${cause.message}` : ""}`)
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
    const hasSqlite = process.getBuiltinModule?.("node:sqlite") !== undefined
    const driver = hasSqlite ? undefined : installed(isSqlite, "libsql", "better-sqlite3")
    if (!hasSqlite && driver === undefined) {
      throw new CommandFailure(1, "This Node.js has no SQLite. Use Node.js 22.13 or newer, or: npm install libsql")
    }
    return used(createLedger({ ...settings, store: fileStore(at, { driver }) }), async () => {})
  })

// ---------------------------------------------------------------------------------------------------------------------
// Printing
// ---------------------------------------------------------------------------------------------------------------------

const amountOf = (amount: number | undefined): string => (amount === undefined ? "" : amountToDecimal(amount))

/** To the second, in UTC. */
const timeOf = (iso: string): string => iso.replace("T", " ").replace(/\.\d+Z$/, "Z")

/** Columns, as wide as they have to be. */
const table = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const all = [heads, ...rows].map((row) => row.map(printable))
  const widths = heads.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()
  )
}

const listed = (items: ReadonlyArray<AttentionItem>, open: ReadonlyArray<ChangeEntry>): ReadonlyArray<string> => {
  const forPersons = items.map(({ amount, key, kind, operation, orderNumber, paymentId, since, version }) => [
    key,
    String(paymentId ?? orderNumber ?? ""),
    operation,
    amountOf(amount),
    timeOf(since),
    String(version),
    kind
  ])
  const others = open.map(({ amount, key, operation, paymentId, since, status }) => [
    key,
    String(paymentId),
    operation,
    amountOf(amount),
    timeOf(since),
    status
  ])
  const heads = ["KEY", "PAYMENT", "OPERATION", "AMOUNT", "SINCE"]
  return [
    ...(items.length === 0
      ? ["Nothing needs a person."]
      : [
          "Needs a person:",
          ...table([...heads, "VERSION", "KIND"], forPersons),
          "",
          ...items.map(({ key, message }) => printable(`${key}: ${message}`))
        ]),
    "",
    ...(open.length === 0 ? ["Nothing is open."] : ["Open:", ...table([...heads, "STATUS"], others)])
  ]
}

const shown = (entry: ChangeEntry): ReadonlyArray<string> => {
  const rows: ReadonlyArray<readonly [string, string | number | undefined]> = [
    ["key", entry.key],
    ["payment", entry.paymentId],
    ["operation", entry.operation],
    ["amount", amountOf(entry.amount)],
    ["status", entry.status],
    ["attention", entry.attention],
    ["message", entry.message],
    ["since", timeOf(entry.since)],
    ["sent", entry.sentAt && timeOf(entry.sentAt)],
    ["decided", entry.decidedAt && timeOf(entry.decidedAt)],
    ["next step", entry.nextAt && timeOf(entry.nextAt)],
    ["version", entry.version]
  ]
  return rows.flatMap(([label, value]) =>
    value === undefined || value === "" ? [] : [`${label.padEnd(11)} ${printable(String(value))}`]
  )
}

const print = (isJson: boolean, value: unknown, lines: () => ReadonlyArray<string>): void => {
  if (isJson) return console.log(JSON.stringify(value, null, 2))
  const { GOPAY_ENVIRONMENT, GOPAY_GOID } = merchantVariables()
  console.log([`Merchant ${GOPAY_GOID} at ${GOPAY_ENVIRONMENT}`, "", ...lines()].join("\n"))
}

// ---------------------------------------------------------------------------------------------------------------------

const run = async (args: ReadonlyArray<string>): Promise<void> => {
  const { positionals, values } = readFlags(args)
  const { as, by, installation, json, note, store, version } = values
  const [action, key, ...others] = positionals
  if (action === undefined || !["list", "show", "resolve"].includes(action)) {
    throw wrongUsage(name, action === undefined ? "Say list, show or resolve" : `Unknown: ${action}`)
  }
  const surplus = action === "list" && key !== undefined ? [key, ...others] : others
  if (surplus.length > 0) throw wrongUsage(name, `Unexpected argument: ${surplus.join(" ")}`)
  if (store === undefined || store === "") throw wrongUsage(name, "Name the ledger's database with --store")
  if (action === "list") {
    const [attention, open] = await withLedger(store, installation, async (ledger) => [
      await ledger.attention(),
      await ledger.openChanges()
    ])
    return print(json, { attention, open }, () => listed(attention, open))
  }
  if (key === undefined) throw wrongUsage(name, "Name one change by its key")
  if (action === "show") {
    const entry = await withLedger(store, installation, (ledger) => ledger.change(key))
    if (entry === undefined) throw new CommandFailure(1, `There is no change with the key ${printable(key)}.`)
    return print(json, entry, () => shown(entry))
  }
  const seen = Number(version)
  if (version === undefined || !/^\d+$/.test(version)) {
    throw wrongUsage(name, "Give --version, the number that list and show print")
  }
  if (as !== "done" && as !== "notDone") throw wrongUsage(name, "Give --as done or --as notDone")
  if (!by?.trim() || !note?.trim()) throw wrongUsage(name, "Give your name (--by) and the evidence (--note)")
  const outcome = await withLedger(store, installation, (ledger) =>
    ledger.resolve(key, { version: seen, as, by, note })
  )
  print(json, outcome, () => [
    printable(`${key}: ${"_tag" in outcome ? outcome._tag : outcome.status}. ${outcome.message}`)
  ])
}

export const ledgerCommand: Command = {
  name,
  summary: "what is open in a shop's ledger and needs a person",
  help,
  run
}
