/**
 * The command `ledger`: lists what is open in a shop's ledger and what needs an operator, and records the operator's
 * decisions.
 */
import { amountFromDecimal } from "../contract/Amount.js"
import { csvText } from "../basics/Csv.js"
import { amountText, factLines, printable, timeText } from "./OutputText.js"
import { type AttentionItem, attentionKinds, type ChangeResolution } from "../ledger/model/Attention.js"
import type { ChangeEntry } from "../ledger/model/Change.js"
import { changeDecisionNames, itemsSeen, paymentDecisionNames, unfitDecision } from "../ledger/model/Decisions.js"
import { ownMember } from "../basics/OwnMember.js"
import type { ChangeOutcome } from "../ledger/model/Outcome.js"
import type { Order } from "../ledger/model/Order.js"
import type { HistoryEntry, LedgerHealth, LedgerMerchant, PaymentEntry } from "../ledger/model/Lists.js"
import { isPaymentKey, paymentOfKey } from "../ledger/model/LedgerKey.js"
import type { HandlerName } from "../ledger/model/LedgerOperations.js"
import { prometheusMetrics } from "../ledger/operate/prometheusMetrics.js"
import type { Subscription, SubscriptionDetails } from "../ledger/model/Subscription.js"
import { CommandFailure, commandOf, flag, option, type Options, type Values, WrongUsage } from "./Command.js"
import {
  installationOption,
  ledgerFindings,
  localUrl,
  merchantLine,
  type OpenLedger,
  readLedger,
  withLedger
} from "./ShopClient.js"

const changeStatuses: ReadonlyArray<ChangeEntry["status"]> = [
  "queued",
  "sending",
  "accepted",
  "unknown",
  "needsOperator",
  "done",
  "refused",
  "failed"
]
const paymentStatuses: ReadonlyArray<PaymentEntry["status"]> = ["creating", "created", "lost", "inDoubt"]
const subscriptionStatuses: ReadonlyArray<Subscription["status"]> = ["waiting", "active", "cancelling", "cancelled"]

const handlerNames: ReadonlyArray<HandlerName> = ["onPayment", "onChange", "onSubscription"]

const decisions: ReadonlyArray<string> = [...new Set([...changeDecisionNames, ...paymentDecisionNames])]

const either = new Intl.ListFormat("en-GB", { type: "disjunction" })

const options = {
  store: option("STORE", "the ledger's database"),
  installation: installationOption,
  schema: option("NAME", "PostgreSQL: the schema of the ledger's tables (default: gopay)"),
  "dual-approval-above": option("AMOUNT", "a decision about more than this amount counts once another operator agrees"),
  payment: option("ID", "search: of this payment"),
  order: option("NUMBER", "search: payments of this order"),
  status: option(
    "STATUS",
    `search: changes that are ${either.format(changeStatuses)}; payments that are ${either.format(paymentStatuses)}; subscriptions: that are ${either.format(subscriptionStatuses)}`
  ),
  from: option("TIME", "search: requested at this time or later"),
  to: option("TIME", "search: requested before this time"),
  after: option("KEY", "search: after this item"),
  limit: option("N", "search: at most this many (default: 500)"),
  version: option("N", "the version that you have seen; if what it shows has changed since, nothing is decided"),
  kind: option("KIND", "which item of the key is decided, where it has several of the version"),
  since: option("TIME", "the time of the backup that was restored, such as 2026-11-20T03:00:00Z"),
  as: option(
    "DECISION",
    "what fits, as show prints it: done or notDone of what was sent; cancelled or byHand of what is not; undecided takes a decision back; accepted or refused of a payment that is another one; giveBack of one that is too much. A new attempt is a new key"
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

type Cell = string | number | undefined

/** The columns of a table, keyed by their headers. */
type Columns<in Row> = Readonly<Record<string, (row: Row) => Cell>>

/** A table whose columns are as wide as they need to be. */
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

/** Payments by id, for their currencies: a change only has an amount, and its payment has the currency. */
type Currencies = ReadonlyMap<number | undefined, PaymentEntry["currency"]>

interface OfPayment {
  readonly paymentId?: number | undefined
  readonly amount?: number | undefined
}

/** The payments of these rows, for their currencies; at most some of them. */
const currenciesOf = async (ledger: OpenLedger, rows: ReadonlyArray<OfPayment>): Promise<Currencies> => {
  const ids = [...new Set(rows.flatMap(({ paymentId }) => paymentId ?? []))].slice(0, 500)
  const found = await ledger.listPayments({ paymentId: ids, limit: 10_000 })
  return new Map(found.map(({ currency, paymentId }) => [paymentId, currency]))
}

const amountOf = ({ amount, paymentId }: OfPayment, currencies: Currencies): string =>
  amount === undefined ? "" : amountText(amount, currencies.get(paymentId))

const sharedColumns = (
  currencies: Currencies
): Columns<Pick<AttentionItem, "key" | "paymentId" | "orderNumber" | "operation" | "amount" | "since">> => ({
  KEY: ({ key }) => key,
  PAYMENT: ({ orderNumber, paymentId }) => paymentId ?? orderNumber,
  OPERATION: ({ operation }) => operation,
  AMOUNT: (row) => amountOf(row, currencies),
  SINCE: ({ since }) => timeText(since)
})

const changeColumns = (currencies: Currencies): Columns<ChangeEntry> => ({
  ...sharedColumns(currencies),
  STATUS: ({ status }) => status
})

const attentionColumns = (currencies: Currencies): Columns<AttentionItem> => ({
  ...sharedColumns(currencies),
  VERSION: ({ version }) => version,
  KIND: ({ kind }) => kind
})

/** A heading and its table. Without rows, another text, if any. */
const titled = <Row>(
  title: string,
  columns: Columns<Row>,
  rows: ReadonlyArray<Row>,
  ...none: ReadonlyArray<string>
): ReadonlyArray<string> => (rows.length === 0 ? none : [title, ...table(columns, rows)])

const shown = (entry: ChangeEntry, currencies: Currencies): ReadonlyArray<string> =>
  factLines([
    ["key", entry.key],
    ["payment", entry.paymentId],
    ["operation", entry.operation],
    ["amount", amountOf(entry, currencies)],
    ["status", entry.status],
    ["attention", entry.attention?.join(", ")],
    ["message", entry.message],
    ["since", timeText(entry.since)],
    ["sent", timeText(entry.sentAt)],
    ["decided", timeText(entry.decidedAt)],
    ["next step", timeText(entry.nextAt)],
    ["version", entry.version],
    ["decide as", entry.decisions.join(", ")]
  ])

/** A payment, and its items for an operator. */
const shownPayment = (entry: PaymentEntry, items: ReadonlyArray<AttentionItem>): ReadonlyArray<string> => [
  ...factLines([
    ["key", entry.key],
    ["order", entry.orderNumber],
    ["payment", entry.paymentId],
    ["amount", amountText(entry.amount, entry.currency)],
    ["status", entry.state ?? entry.status],
    ["returned", entry.refunded === 0 ? undefined : amountText(entry.refunded, entry.currency)],
    ["since", timeText(entry.since)]
  ]),
  ...items.flatMap((item) => [
    "",
    ...factLines([
      ["attention", item.kind],
      ["message", item.message],
      ["version", item.version],
      ["decide as", item.decisions.join(", ")]
    ])
  ])
]

const stepColumns: Columns<HistoryEntry> = {
  TIME: ({ at }) => timeText(at),
  KEY: ({ key }) => key,
  VERSION: ({ version }) => version,
  STATUS: ({ state, status }) => [status, state].filter((part) => part !== undefined).join(" "),
  PROCESS: ({ process }) => process,
  MESSAGE: ({ attention, message }) => [attention?.join(", "), message].filter((part) => part !== undefined).join(": ")
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

/** The whole history, read page by page. */
const allHistory = async (ledger: OpenLedger): Promise<ReadonlyArray<HistoryEntry>> => {
  const all: Array<HistoryEntry> = []
  for (;;) {
    const page = await ledger.listHistory({ after: all.at(-1)?.id })
    if (page.length === 0) return all
    all.push(...page)
  }
}

const paymentColumns: Columns<PaymentEntry> = {
  KEY: ({ key }) => key,
  PAYMENT: ({ paymentId }) => paymentId,
  AMOUNT: ({ amount, currency }) => amountText(amount, currency),
  SINCE: ({ since }) => timeText(since),
  STATE: ({ state, status }) => state ?? status,
  RETURNED: ({ currency, refunded }) => (refunded === 0 ? "" : amountText(refunded, currency)),
  ATTENTION: ({ attention }) => attention?.join(", ")
}

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
  "NEXT ATTEMPT": ({ nextAttemptAt }) => timeText(nextAttemptAt),
  "LAST ATTEMPT": ({ attemptKey, failure }) => failure?.message ?? attemptKey
})

const merchantColumns: Columns<LedgerMerchant> = {
  GOID: ({ goid }) => goid,
  GATEWAY: ({ gateway }) => gateway,
  OPEN: ({ openChanges }) => openChanges,
  "NEEDS AN OPERATOR": ({ attention }) => attention
}

/** A key with the version that was seen: `KEY@3`, or the key alone and `--version`. */
const versionedKey = (text: string, version: string | undefined) => {
  const match = version === undefined ? /^(.+)@(\d+)$/.exec(text) : null
  const [, key = text, seen = version] = match ?? []
  if (seen === undefined || !/^\d+$/.test(seen)) {
    throw new WrongUsage(
      "Give --version, the number that list and show print; for several keys: KEY@VERSION KEY@VERSION"
    )
  }
  return { key, version: Number(seen) }
}

/**
 * The rows to decide. Fails if one of them does not exist, has moved since the version that was seen, or does not
 * accept the decision: then none is decided.
 */
const seenRow = async (
  ledger: OpenLedger,
  items: ReadonlyArray<AttentionItem>,
  {
    as,
    key,
    kind,
    version
  }: Pick<ChangeResolution, "kind" | "version"> & {
    readonly as: string | undefined
    readonly key: string
  }
): Promise<SeenChange | undefined> => {
  const own = items.filter((item) => item.key === key)
  const fail = (message: string) => new CommandFailure(1, message)
  const change = isPaymentKey(key) ? undefined : await ledger.getChange(key)
  if (change === undefined) {
    if (!isPaymentKey(key)) throw fail(`There is no change with the key ${printable(key)}.`)
    if (own.length === 0) throw fail(`There is nothing to decide about the payment ${printable(key)}.`)
  }
  const seen = itemsSeen(own, change?.version ?? Infinity, { kind, version })
  if (own.length === 0 ? change?.version !== version : seen.length === 0) {
    const at = change?.version ?? Math.max(...own.map((item) => item.version))
    throw fail(`${printable(key)} has moved since: it is at version ${at}. Read it again.`)
  }
  const fitting = [...new Set(own.length === 0 ? change?.decisions : seen.flatMap(({ decisions }) => decisions))]
  if (as !== undefined && !fitting.some((one) => one === as)) {
    throw fail(`${printable(key)}: ${unfitDecision(as, fitting)}`)
  }
  return change === undefined ? undefined : { status: change.status, hasItems: own.length > 0 }
}

interface SeenChange extends Pick<ChangeEntry, "status"> {
  readonly hasItems: boolean
}

/** Everything that needs an operator, read page by page. */
const allAttention = async (ledger: OpenLedger): Promise<ReadonlyArray<AttentionItem>> => {
  const all: Array<AttentionItem> = []
  for (;;) {
    const page = await ledger.listAttention({ after: all.at(-1)?.key })
    if (page.length === 0) return all
    all.push(...page)
  }
}

/** Requires the name and the evidence of a decision. */
const signed = (by: string | undefined, note: string | undefined) => {
  if (!by?.trim() || !note?.trim()) throw new WrongUsage("Give your name (--by) and the evidence (--note)")
  return { by, note }
}

const oneOf = <Word extends string>(words: ReadonlyArray<Word>, text: string | undefined): Word | undefined =>
  words.find((word) => word === text)

const decisionOf = <Word extends string>(row: string, words: ReadonlyArray<Word>, as: string | undefined): Word => {
  const decision = oneOf(words, as)
  if (decision === undefined) throw new WrongUsage(`${row} is resolved as one of ${words.join(", ")}`)
  return decision
}

/** The flags, and a function that opens the ledger that they name. */
interface Given extends Omit<Values<typeof options>, "installation" | "schema" | "store"> {
  readonly inLedger: <A>(use: (ledger: OpenLedger) => Promise<A>) => Promise<A>
}

/**
 * The output of an action: a value to print as JSON, and its lines. A failure ends the command after that was printed.
 */
interface Found {
  readonly value: unknown
  readonly lines: ReadonlyArray<string>
  readonly failure?: string | undefined
}

interface Action {
  /** The names of its arguments. Default: it takes none. */
  readonly args?: ReadonlyArray<string>
  /** Returns nothing if it has already printed everything. */
  readonly run: (given: Given, ...args: Array<string>) => Promise<Found | undefined>
  /** Whether it takes any number of arguments, but at least one. */
  readonly takesMany?: boolean
}

const notSending = ({ message, since }: LedgerHealth): string =>
  `Nothing is sent${since === undefined ? "" : ` since ${timeText(since)}`}: ${printable(message)}`

/** A change by its key, in the form to be printed. */
const foundChange = async (ledger: OpenLedger, key: string) => {
  const entry = await ledger.getChange(key)
  return entry && { value: entry, lines: shown(entry, await currenciesOf(ledger, [entry])) }
}

/** A payment by its key, with its items, in the form to be printed. */
const foundPayment = async (ledger: OpenLedger, key: string) => {
  const { orderNumber } = paymentOfKey(key) ?? {}
  const entry = (await ledger.listPayments({ orderNumber })).find((one) => one.key === key)
  if (entry === undefined) return undefined
  const items = (await allAttention(ledger)).filter((item) => item.key === key)
  return { value: { ...entry, items }, lines: shownPayment(entry, items) }
}

const pageOf = ({ after, limit }: Given) => ({ after, limit: limit === undefined ? undefined : Number(limit) })

const checkStatus = (status: string | undefined, known: ReadonlyArray<string>): void => {
  if (status !== undefined && !known.includes(status)) throw new WrongUsage(`Give --status, one of ${known.join(", ")}`)
}

export const actions: { readonly [action: string]: Action } = {
  list: {
    run: async ({ inLedger }) => {
      const { currencies, ...value } = await inLedger(async (ledger) => {
        const attention = await ledger.listAttention()
        const open = await ledger.listChanges({ isOpen: true })
        return {
          health: await ledger.getHealth(),
          merchants: await ledger.listMerchants(),
          attention,
          open,
          currencies: await currenciesOf(ledger, [...attention, ...open])
        }
      })
      const listed = new Set(value.attention.map(({ key }) => key))
      const underWay = value.open.filter(({ key }) => !listed.has(key))
      const others = value.merchants.filter(({ isOwn }) => !isOwn)
      const rowsOfOthers = titled("Not shown, rows of other merchants:", merchantColumns, others)
      if (others.length > 0 && others.length === value.merchants.length) {
        return {
          value,
          lines: rowsOfOthers,
          failure: "This ledger has rows of other merchants only. Set GOPAY_GOID and the other variables."
        }
      }
      const nothing = `Nothing ${others.length === 0 ? "" : "of this merchant "}needs an operator.`
      return {
        value,
        lines: [
          ...(value.health.isSending ? [] : [notSending(value.health), ""]),
          ...titled("Needs an operator:", attentionColumns(currencies), value.attention, nothing),
          "",
          ...value.attention.map(({ key, message }) => printable(`${key}: ${message}`)),
          ...(value.attention.length === 0 ? [] : [""]),
          ...titled(
            "Open:",
            changeColumns(currencies),
            underWay,
            value.open.length === 0 ? "Nothing is open." : "Nothing else is open."
          ),
          ...(others.length === 0 ? [] : ["", ...rowsOfOthers])
        ]
      }
    }
  },
  show: {
    args: ["a change or a payment by its key"],
    run: async ({ history, inLedger }, key = "") => {
      const { found, steps } = await inLedger(async (ledger) => ({
        found: await (isPaymentKey(key) ? foundPayment : foundChange)(ledger, key),
        steps: history ? await ledger.getHistory(key) : []
      }))
      if (found === undefined && steps.length === 0) {
        const subject = isPaymentKey(key) ? "payment" : "change"
        throw new CommandFailure(1, `There is no ${subject} with the key ${printable(key)}.`)
      }
      const { lines = [], value } = found ?? {}
      return {
        value: history ? { ...value, history: steps } : value,
        lines: [...lines, ...(lines.length > 0 && history ? [""] : []), ...(history ? table(stepColumns, steps) : [])]
      }
    }
  },
  history: {
    run: async ({ csv, inLedger, json }) => {
      if (csv && json) throw new WrongUsage("Give --json or --csv, not both")
      const steps = await inLedger(allHistory)
      const lines = steps.length === 0 ? ["There is no history."] : table(stepColumns, steps)
      if (!csv) return { value: steps, lines }
      const rows = steps.map((step) => {
        const cells = { ...step, attention: step.attention?.join(" ") }
        return historyHeads.map((head) => cells[head])
      })
      console.log(csvText(historyHeads, rows))
      return undefined
    }
  },
  search: {
    run: async (given) => {
      const { after, from, order, payment, status, to } = given
      const page = { ...pageOf(given), createdFrom: from, createdBefore: to, paymentId: payment }
      checkStatus(status, [...changeStatuses, ...paymentStatuses])
      const changeStatus = oneOf(changeStatuses, status)
      const paymentStatus = oneOf(paymentStatuses, status)
      const isOfPayments = order !== undefined || paymentStatus !== undefined || isPaymentKey(after ?? "")
      const { currencies, ...value } = await given.inLedger(async (ledger) => {
        const changes = isOfPayments ? [] : await ledger.listChanges({ ...page, status: changeStatus })
        return {
          changes,
          payments:
            isOfPayments || (changeStatus === undefined && after === undefined)
              ? await ledger.listPayments({ ...page, orderNumber: order, status: paymentStatus })
              : [],
          currencies: await currenciesOf(ledger, changes)
        }
      })
      const { changes, payments } = value
      return {
        value,
        lines: [
          ...titled("Changes:", changeColumns(currencies), changes),
          ...(changes.length === 0 ? [] : [""]),
          ...titled("Payments:", paymentColumns, payments),
          ...(changes.length + payments.length === 0 ? ["Nothing is found."] : [])
        ]
      }
    }
  },
  subscriptions: {
    run: async (given) => {
      checkStatus(given.status, subscriptionStatuses)
      const page = { ...pageOf(given), status: oneOf(subscriptionStatuses, given.status) }
      const value = await given.inLedger((ledger) => ledger.listSubscriptions(page))
      return {
        value,
        lines: value.length === 0 ? ["There are no subscriptions."] : table(subscriptionColumns, value)
      }
    }
  },
  subscription: {
    args: ["a subscription by its name"],
    run: async ({ inLedger }, subscription = "") => {
      const value = await inLedger((ledger) => ledger.getSubscription(subscription))
      if (value === undefined) throw new CommandFailure(1, `There is no subscription ${printable(subscription)}.`)
      return {
        value,
        lines: [...table(subscriptionColumns, [value]), ...titled("", periodColumns(value.currency), value.periods)]
      }
    }
  },
  resolve: {
    args: ["one change by its key"],
    takesMany: true,
    run: async ({ as, by, charge, inLedger, json, kind: about, note, refund, version }, ...given) => {
      const named = given.map((text) => versionedKey(text, version))
      const kind = oneOf(attentionKinds, about)
      if (kind !== about) throw new WrongUsage(`Give --kind, one of ${attentionKinds.join(", ")}`)
      if (oneOf(decisions, as) === undefined) throw new WrongUsage(`Give --as, one of ${decisions.join(", ")}`)
      for (const [option, id] of Object.entries({ refund, charge })) {
        if (id !== undefined && named.length > 1) throw new WrongUsage(`Give --${option} with one key only`)
      }
      const signature = signed(by, note)
      const ids = { refundId: refund, chargeId: charge }
      const decided = named.map((row) =>
        isPaymentKey(row.key)
          ? { ...row, ofPayment: decisionOf("A payment", paymentDecisionNames, as) }
          : { ...row, ofChange: decisionOf("A change", changeDecisionNames, as) }
      )
      const outcomes: Array<ChangeOutcome | Order> = []
      await inLedger(async (ledger) => {
        const items = await allAttention(ledger)
        const seen =
          named.length === 1 ? [] : await Promise.all(named.map((row) => seenRow(ledger, items, { ...row, as, kind })))
        for (const [index, decision] of decided.entries()) {
          const { key, version } = decision
          // Deciding one change of a payment wakes its next one, which counts as a move.
          const now = index === 0 ? undefined : await ledger.getChange(key)
          const isAsSeen = now !== undefined && now.status === seen[index]?.status && !seen[index].hasItems
          const resolution = { ...signature, kind, version: isAsSeen ? now.version : version }
          const outcome =
            "ofPayment" in decision
              ? await ledger.resolvePayment(key, { ...resolution, as: decision.ofPayment })
              : await ledger.resolveChange(key, { ...resolution, ...ids, as: decision.ofChange })
          outcomes.push(outcome)
          // One after another: decisions are reported even if the next one fails.
          if (!json) {
            console.log(printable(`${key}: ${"_tag" in outcome ? outcome._tag : as}. ${outcome.message}`))
          }
        }
      })
      return json ? { value: outcomes.length === 1 ? outcomes[0] : outcomes, lines: [] } : undefined
    }
  },
  acknowledge: {
    args: ["the payment by its id", "the refund by its id"],
    run: async ({ by, inLedger, note }, payment = "", refund = "") => {
      const acknowledgement = signed(by, note)
      const isAcknowledged = await inLedger((ledger) => ledger.acknowledgeRefund(payment, refund, acknowledgement))
      return {
        value: { payment, refund, ...acknowledgement, isAcknowledged },
        lines: [
          printable(
            isAcknowledged
              ? `Refund ${refund} of payment ${payment} is acknowledged.`
              : `Recorded. Another operator has to acknowledge refund ${refund} of payment ${payment} as well.`
          )
        ]
      }
    }
  },
  release: {
    args: ["the first payment by its id"],
    run: async ({ by, inLedger, note }, payment = "") => {
      const release = signed(by, note)
      const isReleased = await inLedger((ledger) => ledger.releaseCharges(payment, release))
      return {
        value: { payment, ...release, isReleased },
        lines: [
          printable(
            isReleased
              ? `The charges of payment ${payment} go on.`
              : `Recorded. Another operator has to release the charges of payment ${payment} as well.`
          )
        ]
      }
    }
  },
  retire: {
    args: ["a handler"],
    run: async ({ inLedger }, name = "") => {
      const handler = oneOf(handlerNames, name)
      if (handler === undefined) throw new WrongUsage(`Name a handler: ${either.format(handlerNames)}`)
      await inLedger((ledger) => ledger.retireHandler(handler))
      return { value: { handler }, lines: [`${handler} is given up. A process that runs with it begins anew.`] }
    }
  },
  doctor: {
    run: async ({ inLedger }) => {
      const found = await inLedger(readLedger)
      const findings = ledgerFindings(found.health, found.metrics, Date.now())
      const { grantees = [] } = found.health
      return {
        value: { ...found, findings },
        lines: [
          ...(findings.length === 0 ? ["Nothing is wrong."] : findings.map(printable)),
          ...(grantees.length === 0
            ? []
            : [
                printable(`These roles have rights on the ledger's tables, beside their owner: ${grantees.join(", ")}.`)
              ])
        ],
        failure: findings.length === 0 ? undefined : `${findings.length} found.`
      }
    }
  },
  metrics: {
    run: async ({ inLedger, json }) => {
      const value = await inLedger(async (ledger) => ({
        metrics: await ledger.getMetrics(),
        health: await ledger.getHealth()
      }))
      if (json) return { value, lines: [] }
      process.stdout.write(prometheusMetrics(value.metrics, value.health))
      return undefined
    }
  },
  health: {
    run: async (given) => {
      const found = await healthAfter(given, async () => {})
      return { ...found, failure: found.value.isSending ? undefined : "Nothing is sent." }
    }
  },
  pause: { run: (given) => healthAfter(given, (ledger) => ledger.pause()) },
  resume: { run: (given) => healthAfter(given, (ledger) => ledger.resume()) },
  distrust: {
    run: async (given) => {
      const { since } = given
      if (since === undefined || Number.isNaN(new Date(since).getTime())) {
        throw new WrongUsage("Give --since, a time such as 2026-11-20T03:00:00Z")
      }
      return healthAfter(given, (ledger) => ledger.distrust({ since }))
    }
  }
}

/** Does something to the ledger as a whole. Returns its health afterwards. */
const healthAfter = async ({ inLedger }: Given, run: (ledger: OpenLedger) => Promise<void>) => {
  const value = await inLedger(async (ledger) => {
    await run(ledger)
    return ledger.getHealth()
  })
  return { value, lines: [value.isSending ? value.message : notSending(value)] }
}

const amountGiven = (flag: string, text: string): number => {
  try {
    return amountFromDecimal(text)
  } catch {
    throw new WrongUsage(`Give ${flag} an amount such as 1399.50`)
  }
}

export const ledgerCommand = commandOf({
  name: "ledger",
  summary: "what is open in a shop's ledger and needs an operator",
  about: `Usage: effect-gopay ledger list --store STORE [--json]
       effect-gopay ledger show KEY --store STORE [--history] [--json]
       effect-gopay ledger history --store STORE [--csv | --json]
       effect-gopay ledger search --store STORE [--payment ID] [--order NUMBER] [--status STATUS] [--from TIME] [--to TIME]
       effect-gopay ledger subscriptions --store STORE [--status STATUS]
       effect-gopay ledger subscription NAME --store STORE
       effect-gopay ledger resolve KEY --store STORE --version N [--kind KIND] --as DECISION [--refund REFUND] [--charge PAYMENT] --by NAME --note TEXT
       effect-gopay ledger resolve KEY@VERSION… --store STORE --as DECISION --by NAME --note TEXT
       effect-gopay ledger acknowledge PAYMENT REFUND --store STORE --by NAME --note TEXT
       effect-gopay ledger release PAYMENT --store STORE --by NAME --note TEXT
       effect-gopay ledger retire HANDLER --store STORE
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
that were stopped by it: look first for what was charged with it since the backup. retire gives
up a handler that the shop has no more: onPayment, onChange or onSubscription.

STORE is a file with SQLite, or the address of a PostgreSQL (postgres://…), which is reached
through the package pg of the project in this directory. A file needs Node.js 22.13 or newer,
or libsql or better-sqlite3 in that project.

The merchant is that of GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET and GOPAY_ENVIRONMENT;
when none of them is set, the one of the local gateway at ${localUrl}.`,
  options,
  takes: Infinity,
  run: async (values, [word, ...given]) => {
    const action = word === undefined ? undefined : ownMember(actions, word)
    if (action === undefined) {
      const known = Object.keys(actions).join(", ")
      throw new WrongUsage(word === undefined ? `Name one of ${known}` : `Unknown: ${word}. Name one of ${known}`)
    }
    const { args = [], run, takesMany } = action
    const surplus = takesMany === true ? [] : given.slice(args.length)
    if (surplus.length > 0) throw new WrongUsage(`Unexpected argument: ${surplus.join(" ")}`)
    const { installation, schema, store, ...flags } = values
    if (store === undefined || store === "") throw new WrongUsage("Give the ledger's database with --store")
    const missing = args[given.length]
    if (missing !== undefined) throw new WrongUsage(`Name ${missing}`)
    const above = flags["dual-approval-above"]
    const dualApprovalAbove = above === undefined ? undefined : amountGiven("--dual-approval-above", above)
    const inLedger: Given["inLedger"] = (use) => withLedger(store, { installation, schema, dualApprovalAbove }, use)
    const found = await run({ ...flags, inLedger }, ...given)
    if (found === undefined) return
    console.log(values.json ? JSON.stringify(found.value, null, 2) : [merchantLine(), "", ...found.lines].join("\n"))
    if (found.failure !== undefined) throw new CommandFailure(1, found.failure)
  }
})
