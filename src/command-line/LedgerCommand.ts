/**
 * The command `ledger`: what is open in a shop's ledger and what needs an operator, and that operator's decision.
 */
import { parseArgs } from "node:util"
import { amountToDecimal } from "../api/Amount.plain.js"
import type { AttentionItem, ChangeDecision } from "../ledger/Attention.plain.js"
import type { ChangeEntry } from "../ledger/change/Change.plain.js"
import { ownMember } from "../api/OwnMember.plain.js"
import type { ChangeOutcome } from "../ledger/change/Outcome.plain.js"
import type { Order } from "../ledger/order/Order.plain.js"
import type { HistoryEntry } from "../ledger/History.plain.js"
import { isPaymentKey } from "../ledger/LedgerKey.plain.js"
import type { LedgerHealth, LedgerMerchant, LedgerMetrics } from "../ledger/LedgerHealth.plain.js"
import { type Command, readArguments } from "./Command.js"
import { CommandFailure, wrongUsage } from "./CommandFailure.js"
import { csvCell } from "./csvCell.js"
import { printable } from "./printable.js"
import { merchantVariables } from "./ShopClient.js"
import { type OpenLedger, withLedger } from "./withLedger.js"

const name = "ledger"

const help = `Usage: effect-gopay ledger list --store STORE [--json]
       effect-gopay ledger show KEY --store STORE [--history] [--json]
       effect-gopay ledger history --store STORE [--csv | --json]
       effect-gopay ledger resolve KEY --store STORE --version N --as DECISION [--refund REFUND] --by NAME --note TEXT
       effect-gopay ledger acknowledge PAYMENT REFUND --store STORE --by NAME --note TEXT
       effect-gopay ledger doctor|health|pause|resume --store STORE
       effect-gopay ledger distrust --since TIME --store STORE

Shows what is open in a shop's ledger and what needs an operator, and records decisions. It
sends no change to the gateway: that is for the shop's own processes.

show --history prints each step of a change, or of the payment of an order by its name in the
list; history prints those of all, for auditors.

doctor says what is wrong and what to do, and exits with 1 when anything is. health says whether anything is sent, and exits with 1 when nothing is. acknowledge lets the
payment's refunds go on past one that was made elsewhere. Run distrust after a backup was
restored, before the first worker.

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
  --since TIME       the time of the backup that was restored, such as 2026-11-20T03:00:00Z
  --as DECISION      what fits, as show prints it: done or notDone of what was sent; cancelled or
                     byHand of what was not; undecided takes a decision back. A new attempt is a
                     new key
  --refund REFUND    the refund's id at the gateway: with byHand, or with done
  --by NAME          your name
  --note TEXT        the evidence, such as what GoPay's administration shows
  --history          print each step: when, which process, what was said, read or decided
  --csv              print the history as CSV
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
        since: { type: "string" },
        version: { type: "string" },
        as: { type: "string" },
        refund: { type: "string" },
        by: { type: "string" },
        note: { type: "string" },
        history: { type: "boolean", default: false },
        csv: { type: "boolean", default: false },
        json: { type: "boolean", default: false }
      }
    })
  )

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
      ? ["Nothing needs an operator."]
      : [
          "Needs an operator:",
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
    ["version", entry.version],
    ["decide as", entry.decisions.join(", ")]
  ]
  return rows.flatMap(([label, value]) =>
    value === undefined || value === "" ? [] : [`${label.padEnd(11)} ${printable(String(value))}`]
  )
}

/** The steps of a history. */
const stepTable = (steps: ReadonlyArray<HistoryEntry>): ReadonlyArray<string> =>
  table(
    ["TIME", "KEY", "VERSION", "STATUS", "PROCESS", "MESSAGE"],
    steps.map(({ at, attention, key, message, process, state, status, version }) => [
      timeOf(at),
      key,
      String(version),
      [status, state].filter((part) => part !== undefined).join(" "),
      process ?? "",
      [attention, message].filter((part) => part !== undefined).join(": ")
    ])
  )

const historyHeads = [
  "id",
  "at",
  "key",
  "operation",
  "orderNumber",
  "paymentId",
  "amount",
  "version",
  "status",
  "state",
  "refunded",
  "refundId",
  "attention",
  "message",
  "attempt",
  "process"
] as const

const stepsAsCsv = (steps: ReadonlyArray<HistoryEntry>): string =>
  [
    historyHeads.join(","),
    ...steps.map((step) => historyHeads.map((head) => csvCell(String(step[head] ?? ""))).join(","))
  ].join("\r\n")

/** The whole history, read some at a time. */
const allHistory = async (ledger: OpenLedger): Promise<ReadonlyArray<HistoryEntry>> => {
  const all: Array<HistoryEntry> = []
  for (;;) {
    const page = await ledger.listHistory({ after: all.at(-1)?.id })
    if (page.length === 0) return all
    all.push(...page)
  }
}

const print = (isJson: boolean, value: unknown, lines: () => ReadonlyArray<string>): void => {
  if (isJson) return console.log(JSON.stringify(value, null, 2))
  const { GOPAY_ENVIRONMENT, GOPAY_GOID } = merchantVariables()
  console.log([`Merchant ${GOPAY_GOID} at ${GOPAY_ENVIRONMENT}`, "", ...lines()].join("\n"))
}

// ---------------------------------------------------------------------------------------------------------------------

/** A decision bears a name and its evidence. */
const signed = (by: string | undefined, note: string | undefined): { readonly by: string; readonly note: string } => {
  if (!by?.trim() || !note?.trim()) throw wrongUsage(name, "Give your name (--by) and the evidence (--note)")
  return { by, note }
}

const decisions = ["done", "notDone", "cancelled", "byHand", "undecided"] as const

const isDecision = (text: string | undefined): text is ChangeDecision => decisions.some((one) => one === text)

type Flags = ReturnType<typeof readFlags>["values"]

interface Action {
  /** The names of its arguments. */
  readonly args: ReadonlyArray<string>
  readonly run: (flags: Flags & { readonly store: string }, ...args: Array<string>) => Promise<void>
}

const said = (isJson: boolean, { isSending, message, since }: LedgerHealth): ReadonlyArray<string> =>
  isSending
    ? []
    : [
        `Nothing is sent${since === undefined ? "" : ` since ${timeOf(since)}`}: ${printable(message)}`,
        ...(isJson ? [] : [""])
      ]

const minute = 60_000

/** What is wrong, and what to do. */
const diagnosed = (
  { isSending, message }: LedgerHealth,
  metrics: LedgerMetrics | undefined,
  now: number
): ReadonlyArray<string> => {
  const found: Array<string> = isSending ? [] : [`Nothing is sent. ${message}`]
  if (metrics === undefined) return found
  const { attention, changes, due, lastTick, oldestDueMillis, untold } = metrics
  const silence = lastTick === undefined ? undefined : Math.floor((now - Date.parse(lastTick)) / minute)
  if (silence === undefined) {
    found.push("No worker has ever run. Call startWorker() in the shop's processes, or runOnce() in a cron job.")
  } else if (silence > 10) {
    found.push(`The last worker ran ${silence} minutes ago. Is the shop's process that works up?`)
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

/** The merchants whose rows are not shown. */
const others = (merchants: ReadonlyArray<LedgerMerchant>): ReadonlyArray<string> => {
  const rows = merchants.flatMap(({ attention, gateway, goid, isOwn, openChanges }) =>
    isOwn ? [] : [[goid, gateway, String(openChanges), String(attention)]]
  )
  return rows.length === 0
    ? []
    : ["", "Not shown, rows of other merchants:", ...table(["GOID", "GATEWAY", "OPEN", "NEEDS AN OPERATOR"], rows)]
}

/** Why nothing is sent, where the tables can be read all the same. */
const countable: ReadonlySet<LedgerHealth["reason"]> = new Set(["Paused", "GatewayAway", "AnotherDatabase"])

const actions: { readonly [action: string]: Action } = {
  list: {
    args: [],
    run: async ({ installation, json, store }) => {
      const found = await withLedger(store, installation, async (ledger) => ({
        health: await ledger.getHealth(),
        merchants: await ledger.listMerchants(),
        attention: await ledger.listAttention(),
        open: await ledger.listChanges({ isOpen: true })
      }))
      print(json, found, () => [
        ...said(json, found.health),
        ...listed(found.attention, found.open),
        ...others(found.merchants)
      ])
      if (found.merchants.length > 0 && !found.merchants.some(({ isOwn }) => isOwn)) {
        throw new CommandFailure(
          1,
          "This ledger has rows of other merchants only. Set GOPAY_GOID and the other variables."
        )
      }
    }
  },
  show: {
    args: ["one change by its key"],
    run: async ({ history, installation, json, store }, key = "") => {
      const { entry, steps } = await withLedger(store, installation, async (ledger) => ({
        entry: await ledger.getChange(key),
        steps: history ? await ledger.getHistory(key) : []
      }))
      if (entry === undefined && steps.length === 0) {
        throw new CommandFailure(1, `There is no change with the key ${printable(key)}.`)
      }
      print(json, history ? { ...entry, history: steps } : entry, () => [
        ...(entry === undefined ? [] : shown(entry)),
        ...(entry === undefined || !history ? [] : [""]),
        ...(history ? stepTable(steps) : [])
      ])
    }
  },
  history: {
    args: [],
    run: async ({ csv, installation, json, store }) => {
      if (csv && json) throw wrongUsage(name, "Give --json or --csv, not both")
      const steps = await withLedger(store, installation, allHistory)
      if (csv) return console.log(stepsAsCsv(steps))
      print(json, steps, () => (steps.length === 0 ? ["There is no history."] : stepTable(steps)))
    }
  },
  resolve: {
    args: ["one change by its key"],
    run: async ({ as, by, installation, json, note, refund, store, version }, key = "") => {
      if (version === undefined || !/^\d+$/.test(version)) {
        throw wrongUsage(name, "Give --version, the number that list and show print")
      }
      if (!isDecision(as)) throw wrongUsage(name, `Give --as, one of ${decisions.join(", ")}`)
      const resolution = { version: Number(version), ...signed(by, note) }
      const outcome = await withLedger<ChangeOutcome | Order>(store, installation, (ledger) => {
        if (!isPaymentKey(key)) return ledger.resolveChange(key, { ...resolution, as, refundId: refund })
        if (as !== "done" && as !== "notDone") throw wrongUsage(name, "A payment is resolved as done or notDone")
        return ledger.resolvePayment(key, { ...resolution, as })
      })
      print(json, outcome, () => [
        printable(`${key}: ${"_tag" in outcome ? outcome._tag : outcome.status}. ${outcome.message}`)
      ])
    }
  },
  acknowledge: {
    args: ["the payment by its id", "the refund by its id"],
    run: async ({ by, installation, json, note, store }, payment = "", refund = "") => {
      const acknowledgement = signed(by, note)
      const acknowledged = await withLedger(store, installation, async (ledger) => {
        await ledger.acknowledgeRefund(payment, refund, acknowledgement)
        return { payment, refund, ...acknowledgement }
      })
      print(json, acknowledged, () => [printable(`Refund ${refund} of payment ${payment} is acknowledged.`)])
    }
  },
  doctor: {
    args: [],
    run: async ({ installation, json, store }) => {
      const found = await withLedger(store, installation, async (ledger) => {
        const health = await ledger.getHealth()
        // Without tables there is nothing to count.
        const canCount = health.isSending || countable.has(health.reason)
        return { health, metrics: canCount ? await ledger.getMetrics() : undefined }
      })
      const findings = diagnosed(found.health, found.metrics, Date.now())
      print(json, { ...found, findings }, () =>
        findings.length === 0 ? ["Nothing is wrong."] : findings.map(printable)
      )
      if (findings.length > 0) throw new CommandFailure(1, `${findings.length} found.`)
    }
  },
  health: {
    args: [],
    run: async ({ installation, json, store }) => {
      const health = await withLedger(store, installation, (ledger) => ledger.getHealth())
      print(json, health, () => (health.isSending ? [health.message] : said(true, health)))
      if (!health.isSending) throw new CommandFailure(1, "Nothing is sent.")
    }
  },
  pause: { args: [], run: (flags) => switched(flags, (ledger) => ledger.pause()) },
  resume: { args: [], run: (flags) => switched(flags, (ledger) => ledger.resume()) },
  distrust: {
    args: [],
    run: async (flags) => {
      const { since } = flags
      if (since === undefined || Number.isNaN(new Date(since).getTime())) {
        throw wrongUsage(name, "Give --since, a time such as 2026-11-20T03:00:00Z")
      }
      await switched(flags, (ledger) => ledger.distrust({ since }))
    }
  }
}

/** Does something with the ledger as a whole, and prints how it stands. */
const switched = async (
  { installation, json, store }: Flags & { readonly store: string },
  run: (ledger: OpenLedger) => Promise<void>
): Promise<void> => {
  const health = await withLedger(store, installation, async (ledger) => {
    await run(ledger)
    return ledger.getHealth()
  })
  print(json, health, () => (health.isSending ? [health.message] : said(true, health)))
}

const run = async (args: ReadonlyArray<string>): Promise<void> => {
  const { positionals, values } = readFlags(args)
  const [word, ...given] = positionals
  const action = word === undefined ? undefined : ownMember(actions, word)
  if (action === undefined) {
    const known = Object.keys(actions).join(", ")
    throw wrongUsage(name, word === undefined ? `Name one of ${known}` : `Unknown: ${word}. Name one of ${known}`)
  }
  const surplus = given.slice(action.args.length)
  if (surplus.length > 0) throw wrongUsage(name, `Unexpected argument: ${surplus.join(" ")}`)
  const { store } = values
  if (store === undefined || store === "") throw wrongUsage(name, "Name the ledger's database with --store")
  const missing = action.args[given.length]
  if (missing !== undefined) throw wrongUsage(name, `Name ${missing}`)
  await action.run({ ...values, store }, ...given)
}

export const ledgerCommand: Command = {
  name,
  summary: "what is open in a shop's ledger and needs an operator",
  help,
  run
}
