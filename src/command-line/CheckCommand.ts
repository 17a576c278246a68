/**
 * The command `check`: whether a shop is ready for its first payer.
 */
import { type Command, CommandFailure, flag, helpText, option, type Options, readOptions } from "./Command.js"
import { checkClock, checkTimeZone } from "./checkClock.js"
import { checkLedger } from "./checkLedger.js"
import { checkMerchant } from "./checkMerchant.js"
import { checkNotificationUrl } from "./checkNotificationUrl.js"
import type { Finding, FindingStatus } from "./Finding.js"
import { printable } from "./printable.js"
import { merchantVariables, withClient } from "./ShopClient.js"

const name = "check"

const options = {
  "notification-url": option("URL", "the address at which the shop answers notifications"),
  store: option("STORE", "the ledger's database: a file with SQLite, or the address of a PostgreSQL"),
  installation: {
    ...option("NAME", "the name of the ledger's installation (default: GOPAY_INSTALLATION)"),
    default: process.env["GOPAY_INSTALLATION"]
  },
  schema: option("NAME", "PostgreSQL: the schema of the ledger's tables"),
  json: flag("print JSON")
} satisfies Options

const help = helpText(
  `Usage: effect-gopay check [--notification-url URL] [--store STORE] [--json]

Says whether a shop is ready for its first payer: its credentials and their scopes, its ways to
pay, its notification_url, the clock, its ledger. A line each: ✓, ✗ with what to do, or ? for what
cannot be seen from here. It reads only: it creates no payment and sends no change. The
notification_url is called once, for a payment that no one has. Nothing secret is printed.

The merchant is that of GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET, GOPAY_ENVIRONMENT and
GOPAY_SCOPE; when none of the first four is set, the one of the local gateway at
http://localhost:4646.`,
  options,
  `Exit status: 0 when nothing is wrong, 1 when something is, 2 for wrong usage.`
)

const marks: { readonly [Status in FindingStatus]: string } = { ok: "✓", problem: "✗", unknown: "?" }

const lineOf = ({ check, message, status }: Finding): string => printable(`${marks[status]} ${check}: ${message}`)

const run = async (args: ReadonlyArray<string>): Promise<void> => {
  const values = readOptions(name, options, args)
  const { installation, json, schema, store } = values
  const scope = process.env["GOPAY_SCOPE"]
  const merchant = { ...merchantVariables(), ...(scope === undefined ? undefined : { GOPAY_SCOPE: scope }) }
  const found = await withClient(async ({ baseUrl }) => {
    const found = await Promise.all([
      checkMerchant(merchant),
      checkNotificationUrl(values["notification-url"]),
      checkClock(baseUrl),
      checkLedger(store, { installation, schema })
    ])
    return [...found.flat(), checkTimeZone()]
  })
  const problems = found.filter(({ status }) => status === "problem").length
  console.log(json ? JSON.stringify({ problems, checks: found }, null, 2) : found.map(lineOf).join("\n"))
  if (problems > 0) throw new CommandFailure(1, `${problems} found.`)
}

export const checkCommand: Command = {
  name,
  summary: "say whether a shop is ready for its first payer",
  help,
  run
}
