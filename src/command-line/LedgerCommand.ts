/**
 * The command `ledger`: what is open in a shop's ledger and what needs an operator, and that operator's decision.
 */
import { amountFromDecimal } from "../contract/Amount.js"
import { amountText, csvText, factLines, printable } from "./OutputText.js"
import type { AttentionItem, ChangeDecision, PaymentDecision } from "../ledger/model/Attention.js"
import type { ChangeEntry } from "../ledger/model/Change.js"
import { ownMember } from "../contract/OwnMember.js"
import type { ChangeOutcome } from "../ledger/model/Outcome.js"
import type { Order } from "../ledger/model/Order.js"
import type { HistoryEntry } from "../ledger/model/History.js"
import { isPaymentKey } from "../ledger/model/LedgerKey.js"
import type { LedgerHealth, LedgerMerchant } from "../ledger/model/LedgerHealth.js"
import { prometheusMetrics } from "../ledger/operate/prometheusMetrics.js"
import type { PaymentEntry } from "../ledger/model/Lists.js"
import type { Subscription, SubscriptionDetails } from "../ledger/model/Subscription.js"
import { CommandFailure, commandOf, flag, option, type Options, type Values, wrongUsage } from "./Command.js"
import { ledgerFindings, readLedger } from "./ledgerFindings.js"
import { merchantVariables } from "./ShopClient.js"
import { type LedgerFlags, type OpenLedger, withLedger } from "./withLedger.js"

const name = "ledger"

const options = {
  store: option("STORE", "the ledger's database"),
  installation: option("NAME", "the name of the installation (default: main)"),
  schema: option("NAME", "PostgreSQL: the schema of the ledger's tables"),
  "dual-approval-above": option("AMOUNT", "a decision about more than this amount counts once another operator agrees"),
  payment: option("ID", "search: of this payment"),
  order: option("NUMBER", "search: payments of this order"),
  status: option(
    "STATUS",
    "search: changes that are queued, sending, accepted, unknown, needsOperator, done, refused or failed; payments that are creating, created, lost or inDoubt; subscriptions: that are waiting, active, cancelling or cancelled"
  ),
  from: option("TIME", "search: requested at this time or later"),
  to: option("TIME", "search: requested before this time"),
  after: option("KEY", "search: after this item"),
  limit: option("N", "search: at most this many (default: 500)"),
  version: option("N", "the version that you have seen; if the change has moved since, nothing is decided"),
  since: option("TIME", "the time of the backup that was restored, such as 2026-11-20T03:00:00Z"),
  as: option(
    "DECISION",
    "what fits, as show prints it: done or notDone of what was sent; cancelled or byHand of what was not; undecided takes a decision back; accepted or refused of a payment that is another one. A new attempt is a new key"
  ),
  refund: option("REFUND", "the refund's id at the gateway: with byHand, or with done"),
  charge: option("PAYMENT", "the payment that a charge has made: with done"),
  by: option("NAME", "your name"),
  note: option("TEXT", "the evidence, such as what GoPay's administration shows"),
  history: flag("print each step: when, which process, what was said, read or decided"),
  csv: flag("print the history as CSV"),
  json: flag("print JSON")
} satisfies Options

// ---------------------------------------------------------------------------------------------------------------------
// Printing
// ---------------------------------------------------------------------------------------------------------------------

/** To the second, in UTC. */
const timeOf = (iso: string | undefined): string => (iso ?? "").replace("T", " ").replace(/\.\d+Z$/, "Z")

type Cell = string | number | undefined

/** The columns of a table by their heads. */
type Columns<in Row> = Readonly<Record<string, (row: Row) => Cell>>

/** Columns, as wide as they have to be. */
const table = <Row>(columns: Columns<Row>, rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const cellsOf = (row: Row) => Object.values(columns).map((cell) => printable(String(cell(row) ?? "")))
  const all = [Object.keys(columns), ...rows.map(cellsOf)]
  const widths = Object.keys(columns).map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()
  )
}

const amountOf = ({ amount }: { readonly amount?: number | undefined }): string =>
  amount === undefined ? "" : amountText(amount)

const sharedColumns: Columns<
  Pick<AttentionItem, "key" | "paymentId" | "orderNumber" | "operation" | "amount" | "since">
> = {
  KEY: ({ key }) => key,
  PAYMENT: ({ orderNumber, paymentId }) => paymentId ?? orderNumber,
  OPERATION: ({ operation }) => operation,
  AMOUNT: amountOf,
  SINCE: ({ since }) => timeOf(since)
}

const changeColumns: Columns<ChangeEntry> = { ...sharedColumns, STATUS: ({ status }) => status }

const attentionColumns: Columns<AttentionItem> = {
  ...sharedColumns,
  VERSION: ({ version }) => version,
  KIND: ({ kind }) => kind
}

const listed = (items: ReadonlyArray<AttentionItem>, open: ReadonlyArray<ChangeEntry>): ReadonlyArray<string> => [
  ...(items.length === 0
    ? ["Nothing needs an operator."]
    : [
        "Needs an operator:",
        ...table(attentionColumns, items),
        "",
        ...items.map(({ key, message }) => printable(`${key}: ${message}`))
      ]),
  "",
  ...(open.length === 0 ? ["Nothing is open."] : ["Open:", ...table(changeColumns, open)])
]

const shown = (entry: ChangeEntry): ReadonlyArray<string> =>
  factLines([
    ["key", entry.key],
    ["payment", entry.paymentId],
    ["operation", entry.operation],
    ["amount", amountOf(entry)],
    ["status", entry.status],
    ["attention", entry.attention],
    ["message", entry.message],
    ["since", timeOf(entry.since)],
    ["sent", timeOf(entry.sentAt)],
    ["decided", timeOf(entry.decidedAt)],
    ["next step", timeOf(entry.nextAt)],
    ["version", entry.version],
    ["decide as", entry.decisions.join(", ")]
  ])

/** The steps of a history. */
const stepColumns: Columns<HistoryEntry> = {
  TIME: ({ at }) => timeOf(at),
  KEY: ({ key }) => key,
  VERSION: ({ version }) => version,
  STATUS: ({ state, status }) => [status, state].filter((part) => part !== undefined).join(" "),
  PROCESS: ({ process }) => process,
  MESSAGE: ({ attention, message }) => [attention, message].filter((part) => part !== undefined).join(": ")
}

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

const changeStatuses = [
  "queued",
  "sending",
  "accepted",
  "unknown",
  "needsOperator",
  "done",
  "refused",
  "failed"
] as const satisfies ReadonlyArray<ChangeEntry["status"]>

const paymentStatuses = ["creating", "created", "lost", "inDoubt"] as const satisfies ReadonlyArray<
  PaymentEntry["status"]
>

const paymentColumns: Columns<PaymentEntry> = {
  KEY: ({ key }) => key,
  PAYMENT: ({ paymentId }) => paymentId,
  AMOUNT: ({ amount, currency }) => amountText(amount, currency),
  SINCE: ({ since }) => timeOf(since),
  STATE: ({ state, status }) => state ?? status,
  RETURNED: ({ currency, refunded }) => (refunded === 0 ? "" : amountText(refunded, currency)),
  ATTENTION: ({ attention }) => attention
}

const subscriptionStatuses = ["waiting", "active", "cancelling", "cancelled"] as const satisfies ReadonlyArray<
  Subscription["status"]
>

const subscriptionColumns: Columns<Subscription> = {
  NAME: ({ name }) => name,
  STATUS: ({ status }) => status,
  MAXIMUM: ({ currency, maximum }) => amountText(maximum, currency),
  "FIRST PAYMENT": ({ paymentId }) => paymentId,
  "CARD UNTIL": ({ cardExpires }) => cardExpires,
  "WAITS FOR ORDER": ({ awaitedOrder }) => awaitedOrder
}

const periodColumns = (currency: Subscription["currency"]): Columns<SubscriptionDetails["periods"][number]> => ({
  PERIOD: ({ period }) => period,
  STATUS: ({ status }) => status,
  AMOUNT: ({ amount }) => amountText(amount, currency),
  ATTEMPTS: ({ attempts }) => attempts,
  PAYMENT: ({ paymentId }) => paymentId,
  "NEXT ATTEMPT": ({ nextAttemptAt }) => timeOf(nextAttemptAt),
  "LAST ATTEMPT": ({ attemptKey, failure }) => failure?.message ?? attemptKey
})

const merchantColumns: Columns<LedgerMerchant> = {
  GOID: ({ goid }) => goid,
  GATEWAY: ({ gateway }) => gateway,
  OPEN: ({ openChanges }) => openChanges,
  "NEEDS AN OPERATOR": ({ attention }) => attention
}

/** A key with the version that was seen: `KEY@3`, or a key alone and `--version`. */
const versionedKey = (
  text: string,
  version: string | undefined
): { readonly key: string; readonly version: number } => {
  const match = version === undefined ? /^(.+)@(\d+)$/.exec(text) : null
  const [, key = text, seen = version] = match ?? []
  if (seen === undefined || !/^\d+$/.test(seen)) {
    throw wrongUsage(
      name,
      "Give --version, the number that list and show print; for several keys: KEY@VERSION KEY@VERSION"
    )
  }
  return { key, version: Number(seen) }
}

/** A change at the version that was seen. If one of several has moved, none is decided. */
const seenChange = async (ledger: OpenLedger, key: string, version: number): Promise<ChangeEntry | undefined> => {
  const change = await ledger.getChange(key)
  if (change !== undefined && change.version !== version) {
    throw new CommandFailure(1, `${printable(key)} has moved since: it is at version ${change.version}. Read it again.`)
  }
  return change
}

/** A decision bears a name and its evidence. */
const signed = (by: string | undefined, note: string | undefined): { readonly by: string; readonly note: string } => {
  if (!by?.trim() || !note?.trim()) throw wrongUsage(name, "Give your name (--by) and the evidence (--note)")
  return { by, note }
}

const ofPayments = ["done", "notDone", "accepted", "refused"] as const satisfies ReadonlyArray<PaymentDecision>
const ofChanges = [
  "done",
  "notDone",
  "cancelled",
  "byHand",
  "undecided"
] as const satisfies ReadonlyArray<ChangeDecision>
const decisions = [...new Set([...ofChanges, ...ofPayments])]

/** The one of these words that a text is. */
const oneOf = <Word extends string>(words: ReadonlyArray<Word>, text: string | undefined): Word | undefined =>
  words.find((word) => word === text)

/** The decision about a row. */
const decisionOf = <Word extends string>(row: string, words: ReadonlyArray<Word>, as: string | undefined): Word => {
  const decision = oneOf(words, as)
  if (decision === undefined) throw wrongUsage(name, `${row} is resolved as one of ${words.join(", ")}`)
  return decision
}

/** Flags, those of the ledger's own options apart. */
type GivenFlags = Omit<Values<typeof options>, "installation" | "schema"> & {
  readonly store: string
  readonly ledgerFlags: LedgerFlags
}

interface Action {
  /** The names of its arguments. */
  readonly args: ReadonlyArray<string>
  readonly run: (flags: GivenFlags, ...args: Array<string>) => Promise<unknown>
  /** Whether it takes any number of arguments, one at least. */
  readonly takesMany?: boolean
}

const said = (isJson: boolean, { isSending, message, since }: LedgerHealth): ReadonlyArray<string> =>
  isSending
    ? []
    : [
        `Nothing is sent${since === undefined ? "" : ` since ${timeOf(since)}`}: ${printable(message)}`,
        ...(isJson ? [] : [""])
      ]

/** The merchants whose rows are not shown. */
const others = (merchants: ReadonlyArray<LedgerMerchant>): ReadonlyArray<string> => {
  const rows = merchants.filter(({ isOwn }) => !isOwn)
  return rows.length === 0 ? [] : ["", "Not shown, rows of other merchants:", ...table(merchantColumns, rows)]
}

const actions: { readonly [action: string]: Action } = {
  list: {
    args: [],
    run: async ({ ledgerFlags, json, store }) => {
      const found = await withLedger(store, ledgerFlags, async (ledger) => ({
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
    run: async ({ history, ledgerFlags, json, store }, key = "") => {
      const { entry, steps } = await withLedger(store, ledgerFlags, async (ledger) => ({
        entry: await ledger.getChange(key),
        steps: history ? await ledger.getHistory(key) : []
      }))
      if (entry === undefined && steps.length === 0) {
        throw new CommandFailure(1, `There is no change with the key ${printable(key)}.`)
      }
      print(json, history ? { ...entry, history: steps } : entry, () => [
        ...(entry === undefined ? [] : shown(entry)),
        ...(entry === undefined || !history ? [] : [""]),
        ...(history ? table(stepColumns, steps) : [])
      ])
    }
  },
  history: {
    args: [],
    run: async ({ csv, ledgerFlags, json, store }) => {
      if (csv && json) throw wrongUsage(name, "Give --json or --csv, not both")
      const steps = await withLedger(store, ledgerFlags, allHistory)
      if (csv) {
        const rows = steps.map((step) => historyHeads.map((head) => step[head]))
        return console.log(csvText(historyHeads, rows))
      }
      print(json, steps, () => (steps.length === 0 ? ["There is no history."] : table(stepColumns, steps)))
    }
  },
  search: {
    args: [],
    run: async ({ after, from, json, ledgerFlags, limit, order, payment, status, store, to }) => {
      const page = {
        createdFrom: from,
        createdBefore: to,
        after,
        limit: limit === undefined ? undefined : Number(limit),
        paymentId: payment
      }
      const changeStatus = oneOf(changeStatuses, status)
      const paymentStatus = oneOf(paymentStatuses, status)
      if (status !== undefined && changeStatus === undefined && paymentStatus === undefined) {
        throw wrongUsage(name, `Give --status, one of ${[...changeStatuses, ...paymentStatuses].join(", ")}`)
      }
      const isOfPayments = order !== undefined || paymentStatus !== undefined || isPaymentKey(after ?? "")
      const isOfChanges = order === undefined && paymentStatus === undefined && !isPaymentKey(after ?? "")
      const found = await withLedger(store, ledgerFlags, async (ledger) => ({
        changes: isOfChanges ? await ledger.listChanges({ ...page, status: changeStatus }) : [],
        payments:
          isOfPayments || (changeStatus === undefined && after === undefined)
            ? await ledger.listPayments({ ...page, orderNumber: order, status: paymentStatus })
            : []
      }))
      print(json, found, () => [
        ...(found.changes.length === 0 ? [] : ["Changes:", ...table(changeColumns, found.changes), ""]),
        ...(found.payments.length === 0 ? [] : ["Payments:", ...table(paymentColumns, found.payments)]),
        ...(found.changes.length + found.payments.length === 0 ? ["Nothing is found."] : [])
      ])
    }
  },
  subscriptions: {
    args: [],
    run: async ({ after, json, ledgerFlags, limit, status, store }) => {
      const known = oneOf(subscriptionStatuses, status)
      if (status !== undefined && known === undefined) {
        throw wrongUsage(name, `Give --status, one of ${subscriptionStatuses.join(", ")}`)
      }
      const page = { status: known, after, limit: limit === undefined ? undefined : Number(limit) }
      const found = await withLedger(store, ledgerFlags, (ledger) => ledger.listSubscriptions(page))
      print(json, found, () =>
        found.length === 0 ? ["There are no subscriptions."] : table(subscriptionColumns, found)
      )
    }
  },
  subscription: {
    args: ["a subscription by its name"],
    run: async ({ json, ledgerFlags, store }, subscription = "") => {
      const found = await withLedger(store, ledgerFlags, (ledger) => ledger.getSubscription(subscription))
      if (found === undefined) throw new CommandFailure(1, `There is no subscription ${printable(subscription)}.`)
      print(json, found, () => [
        ...table(subscriptionColumns, [found]),
        ...(found.periods.length === 0 ? [] : ["", ...table(periodColumns(found.currency), found.periods)])
      ])
    }
  },
  resolve: {
    args: ["one change by its key"],
    takesMany: true,
    run: async ({ as, by, charge, json, ledgerFlags, note, refund, store, version }, ...given) => {
      const named = given.map((text) => versionedKey(text, version))
      if (oneOf(decisions, as) === undefined) throw wrongUsage(name, `Give --as, one of ${decisions.join(", ")}`)
      for (const [option, id] of Object.entries({ refund, charge })) {
        if (id !== undefined && named.length > 1) throw wrongUsage(name, `Give --${option} with one key only`)
      }
      const signature = signed(by, note)
      const decided = named.map((row) =>
        isPaymentKey(row.key)
          ? { ...row, ofPayment: decisionOf("A payment", ofPayments, as) }
          : { ...row, ofChange: decisionOf("A change", ofChanges, as) }
      )
      await withLedger(store, ledgerFlags, async (ledger) => {
        const outcomes: Array<ChangeOutcome | Order> = []
        const seen = await Promise.all(named.map(({ key, version }) => seenChange(ledger, key, version)))
        for (const [index, decision] of decided.entries()) {
          const { key, version } = decision
          // To decide one of a payment's changes wakes its next one, which counts as a move.
          const now = index === 0 ? undefined : await ledger.getChange(key)
          const isAsSeen = now !== undefined && now.status === seen[index]?.status
          const resolution = { ...signature, version: isAsSeen ? now.version : version }
          const outcome =
            "ofPayment" in decision
              ? await ledger.resolvePayment(key, { ...resolution, as: decision.ofPayment })
              : await ledger.resolveChange(key, {
                  ...resolution,
                  as: decision.ofChange,
                  refundId: refund,
                  chargeId: charge
                })
          outcomes.push(outcome)
          if (!json) {
            console.log(printable(`${key}: ${"_tag" in outcome ? outcome._tag : outcome.status}. ${outcome.message}`))
          }
        }
        if (json) print(true, named.length === 1 ? outcomes[0] : outcomes, () => [])
      })
    }
  },
  acknowledge: {
    args: ["the payment by its id", "the refund by its id"],
    run: async ({ by, ledgerFlags, json, note, store }, payment = "", refund = "") => {
      const acknowledgement = signed(by, note)
      const acknowledged = await withLedger(store, ledgerFlags, async (ledger) => {
        const isAcknowledged = await ledger.acknowledgeRefund(payment, refund, acknowledgement)
        return { payment, refund, ...acknowledgement, isAcknowledged }
      })
      print(json, acknowledged, () => [
        printable(
          acknowledged.isAcknowledged
            ? `Refund ${refund} of payment ${payment} is acknowledged.`
            : `Recorded. Another operator has to acknowledge refund ${refund} of payment ${payment} as well.`
        )
      ])
    }
  },
  release: {
    args: ["the first payment by its id"],
    run: async ({ by, ledgerFlags, json, note, store }, payment = "") => {
      const release = signed(by, note)
      await withLedger(store, ledgerFlags, (ledger) => ledger.releaseCharges(payment, release))
      print(json, { payment, ...release }, () => [printable(`The charges of payment ${payment} go on.`)])
    }
  },
  doctor: {
    args: [],
    run: async ({ ledgerFlags, json, store }) => {
      const found = await withLedger(store, ledgerFlags, readLedger)
      const findings = ledgerFindings(found.health, found.metrics, Date.now())
      print(json, { ...found, findings }, () =>
        findings.length === 0 ? ["Nothing is wrong."] : findings.map(printable)
      )
      if (findings.length > 0) throw new CommandFailure(1, `${findings.length} found.`)
    }
  },
  metrics: {
    args: [],
    run: async ({ json, ledgerFlags, store }) => {
      const found = await withLedger(store, ledgerFlags, async (ledger) => ({
        metrics: await ledger.getMetrics(),
        health: await ledger.getHealth()
      }))
      if (json) print(true, found, () => [])
      else process.stdout.write(prometheusMetrics(found.metrics, found.health))
    }
  },
  health: {
    args: [],
    run: async (flags) => {
      const { isSending } = await switched(flags, async () => {})
      if (!isSending) throw new CommandFailure(1, "Nothing is sent.")
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

/** Does something with the ledger as a whole, and prints its health. */
const switched = async (
  { json, ledgerFlags, store }: GivenFlags,
  run: (ledger: OpenLedger) => Promise<void>
): Promise<LedgerHealth> => {
  const health = await withLedger(store, ledgerFlags, async (ledger) => {
    await run(ledger)
    return ledger.getHealth()
  })
  print(json, health, () => (health.isSending ? [health.message] : said(true, health)))
  return health
}

const amountGiven = (flag: string, text: string): number => {
  try {
    return amountFromDecimal(text)
  } catch {
    throw wrongUsage(name, `Give ${flag} an amount such as 1399.50`)
  }
}

export const ledgerCommand = commandOf({
  name,
  summary: "what is open in a shop's ledger and needs an operator",
  about: `Usage: effect-gopay ledger list --store STORE [--json]
       effect-gopay ledger show KEY --store STORE [--history] [--json]
       effect-gopay ledger history --store STORE [--csv | --json]
       effect-gopay ledger search --store STORE [--payment ID] [--order NUMBER] [--status STATUS] [--from TIME] [--to TIME]
       effect-gopay ledger subscriptions --store STORE [--status STATUS]
       effect-gopay ledger subscription NAME --store STORE
       effect-gopay ledger resolve KEY --store STORE --version N --as DECISION [--refund REFUND] [--charge PAYMENT] --by NAME --note TEXT
       effect-gopay ledger resolve KEY@VERSION… --store STORE --as DECISION --by NAME --note TEXT
       effect-gopay ledger acknowledge PAYMENT REFUND --store STORE --by NAME --note TEXT
       effect-gopay ledger release PAYMENT --store STORE --by NAME --note TEXT
       effect-gopay ledger doctor|health|metrics|pause|resume --store STORE
       effect-gopay ledger distrust --since TIME --store STORE

Shows what is open in a shop's ledger and what needs an operator, and records decisions. It
sends no change to the gateway: that is for the shop's own processes.

show --history prints each step of a change, or of the payment of an order by its name in the
list; history prints those of all, for auditors.

search finds changes and payments, decided ones too, oldest first, 500 at most; --after KEY goes
on after the last one. subscriptions lists subscriptions in the same way, --after NAME;
subscription prints one with its periods.

doctor says what is wrong and what to do, and exits with 1 when anything is. health says whether
anything is sent, and exits with 1 when nothing is. metrics prints what Prometheus reads.

acknowledge lets the payment's refunds go on past one that was made elsewhere. Run distrust after
a backup was restored, before the first worker. release lets the charges of a first payment go on
that were stopped by it: look first for what was charged with it since the backup.

STORE is a file with SQLite, or the address of a PostgreSQL (postgres://…), which is reached
through the package pg of the project in this directory. A file needs Node.js 22.13 or newer,
or libsql or better-sqlite3 in that project.

The merchant is that of GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET and GOPAY_ENVIRONMENT;
when none of them is set, the one of the local gateway at http://localhost:4646.`,
  options,
  takes: Infinity,
  run: async (values, [word, ...given]) => {
    const action = word === undefined ? undefined : ownMember(actions, word)
    if (action === undefined) {
      const known = Object.keys(actions).join(", ")
      throw wrongUsage(name, word === undefined ? `Name one of ${known}` : `Unknown: ${word}. Name one of ${known}`)
    }
    const surplus = action.takesMany === true ? [] : given.slice(action.args.length)
    if (surplus.length > 0) throw wrongUsage(name, `Unexpected argument: ${surplus.join(" ")}`)
    const { store } = values
    if (store === undefined || store === "") throw wrongUsage(name, "Give the ledger's database with --store")
    const missing = action.args[given.length]
    if (missing !== undefined) throw wrongUsage(name, `Name ${missing}`)
    const { installation, schema, ...flags } = values
    const above = flags["dual-approval-above"]
    const dualApprovalAbove = above === undefined ? undefined : amountGiven("--dual-approval-above", above)
    await action.run({ ...flags, store, ledgerFlags: { installation, schema, dualApprovalAbove } }, ...given)
  }
})
