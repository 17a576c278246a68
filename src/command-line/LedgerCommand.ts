/**
 * The command `ledger`: lists what is open in a shop's ledger and what needs an operator, and records the operator's
 * decisions.
 */
import { amountFromDecimal } from "../contract/Amount.js"
import { csvText } from "../basics/Csv.js"
import { amountText, factLines, printable, timeText, withCode, wordsFor } from "./OutputText.js"
import { paymentStateWords } from "../contract/StateWords.js"
import { type AttentionItem, attentionKinds, type ChangeResolution } from "../ledger/model/Attention.js"
import type { ChangeEntry } from "../ledger/model/Change.js"
import {
  changeDecisionNames,
  isTooEarly,
  itemsSeen,
  paymentDecisionNames,
  unfitDecision
} from "../ledger/model/Decisions.js"
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
  allAttention,
  installationOption,
  ledgerFindings,
  merchantAbout,
  merchantLine,
  type OpenLedger,
  readLedger,
  withLedger
} from "./ShopClient.js"
import { type Said, type Words, words } from "./Words.js"

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

const either = {
  en: new Intl.ListFormat("en-GB", { type: "disjunction" }),
  cs: new Intl.ListFormat("cs-CZ", { type: "disjunction" })
}

const options = {
  store: option("STORE", { en: "the ledger's database", cs: "databáze ledgeru" }),
  installation: installationOption,
  schema: option("NAME", {
    en: "PostgreSQL: the schema of the ledger's tables (default: gopay)",
    cs: "PostgreSQL: schéma tabulek ledgeru (jinak gopay)"
  }),
  "dual-approval-above": option("AMOUNT", {
    en: "a decision about more than this amount counts once another operator agrees",
    cs: "rozhodnutí o vyšší částce platí, až se k němu připojí druhý pracovník"
  }),
  payment: option("ID", { en: "search: of this payment", cs: "search: této platby" }),
  order: option("NUMBER", { en: "search: payments of this order", cs: "search: platby této objednávky" }),
  status: option("STATUS", {
    en: `search: changes that are ${either.en.format(changeStatuses)}; payments that are ${either.en.format(paymentStatuses)}; subscriptions: that are ${either.en.format(subscriptionStatuses)}`,
    cs: `search: změny ve stavu ${either.cs.format(changeStatuses)}; platby ve stavu ${either.cs.format(paymentStatuses)}; subscriptions: ve stavu ${either.cs.format(subscriptionStatuses)}`
  }),
  from: option("TIME", {
    en: "search: requested at this time or later",
    cs: "search: požadované v tomto čase nebo později"
  }),
  to: option("TIME", { en: "search: requested before this time", cs: "search: požadované před tímto časem" }),
  after: option("KEY", { en: "search: after this item", cs: "search: po této položce" }),
  limit: option("N", {
    en: "search: at most this many (default: 500)",
    cs: "search: nejvýše tolik (jinak 500)"
  }),
  version: option("N", {
    en: "the version that you have seen; if what it shows has changed since, nothing is decided",
    cs: "verze, kterou jste viděli; změnilo-li se mezitím, co ukazuje, nic se nerozhodne"
  }),
  kind: option("KIND", {
    en: "which item of the key is decided, where it has several of the version",
    cs: "o které položce klíče se rozhoduje, má-li jich v této verzi víc"
  }),
  since: option("TIME", {
    en: "the time of the backup that was restored, such as 2026-11-20T03:00:00Z",
    cs: "čas zálohy, která byla obnovena, například 2026-11-20T03:00:00Z"
  }),
  as: option("DECISION", {
    en: "what fits, as show prints it: done or notDone of what was sent; cancelled or byHand of what is not; undecided takes a decision back; accepted or refused of a payment that is another one; giveBack of one that is too much. A new attempt is a new key",
    cs: "co se hodí, podle show: done nebo notDone u odeslané změny; cancelled nebo byHand u neodeslané; undecided vezme rozhodnutí zpět; accepted nebo refused u jiné platby; giveBack u přebývající. Nový pokus má nový klíč"
  }),
  refund: option("REFUND", {
    en: "the refund's id at the gateway: with byHand, or with done",
    cs: "ID refundace u brány: s byHand, nebo s done"
  }),
  charge: option("PAYMENT", {
    en: "the payment that a charge has made: with done",
    cs: "platba, která stržením vznikla: s done"
  }),
  by: option("NAME", { en: "your name", cs: "vaše jméno" }),
  note: option("TEXT", {
    en: "the evidence, such as what GoPay's administration shows",
    cs: "zdůvodnění, například co ukazuje administrace GoPay"
  }),
  early: flag({
    en: "notDone of a change that the ledger still looks for",
    cs: "notDone u změny, kterou ledger ještě hledá"
  }),
  history: flag({
    en: "print each step: when, which process, what was said, read or decided",
    cs: "vypsat každý krok: kdy, který proces, co se stalo, přečetlo nebo rozhodlo"
  }),
  csv: flag({ en: "print the history as CSV", cs: "vypsat historii jako CSV" }),
  json: flag({ en: "print JSON", cs: "vypsat JSON" })
} satisfies Options

// ---------------------------------------------------------------------------------------------------------------------
// Printing
// ---------------------------------------------------------------------------------------------------------------------

type Cell = string | number | undefined

/** The columns of a table, each with the name of its header. */
type Columns<Row> = ReadonlyArray<readonly [header: keyof Words["ledger"]["columns"], cell: (row: Row) => Cell]>

/** A table whose columns are as wide as they need to be. */
const table = <Row>({ ledger }: Words, columns: Columns<Row>, rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const cellsOf = (row: Row) => columns.map(([, cell]) => printable(String(cell(row) ?? "")))
  const all = [columns.map(([header]) => ledger.columns[header]), ...rows.map(cellsOf)]
  const widths = columns.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)))
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

const amountOf = ({ amount, paymentId }: OfPayment, currencies: Currencies, { language }: Words): string =>
  amount === undefined ? "" : amountText(amount, currencies.get(paymentId), language)

const moneyOf = (amount: number, currency: string, { language }: Words): string =>
  amountText(amount, currency, language)

type Listed = Pick<AttentionItem, "key" | "paymentId" | "orderNumber" | "operation" | "amount" | "since">

const sharedColumns = (said: Words, currencies: Currencies): Columns<Listed> => [
  ["key", ({ key }) => key],
  ["payment", ({ orderNumber, paymentId }) => paymentId ?? orderNumber],
  ["operation", ({ operation }) => operation && wordsFor(said.books.operations, operation)],
  ["amount", (row) => amountOf(row, currencies, said)],
  ["since", ({ since }) => timeText(since, said.language)]
]

const changeColumns = (said: Words, currencies: Currencies): Columns<ChangeEntry> => [
  ...sharedColumns(said, currencies),
  ["status", ({ status }) => said.books.statuses[status]]
]

/** An item's kind in words, and as `--kind` takes it. */
const kindText = ({ books }: Words, kind: AttentionItem["kind"]): string => withCode(books.kinds[kind], kind)

const kindsText = (said: Words, kinds: ReadonlyArray<AttentionItem["kind"]> | undefined): string | undefined =>
  kinds?.map((kind) => kindText(said, kind)).join(", ")

const attentionColumns = (said: Words, currencies: Currencies): Columns<AttentionItem> => [
  ...sharedColumns(said, currencies),
  ["version", ({ version }) => version],
  ["kind", ({ kind }) => kindText(said, kind)]
]

/** What an item is about: the ledger's own sentence, or in Czech that of the page for accountants. */
const aboutItem = ({ books, language }: Words, { kind, message }: Pick<AttentionItem, "kind" | "message">): string =>
  language === "en" ? message : books.explanations[kind]

/** A heading and its table. Without rows, another text, if any. */
const titled = <Row>(
  said: Words,
  title: string,
  columns: Columns<Row>,
  rows: ReadonlyArray<Row>,
  ...none: ReadonlyArray<string>
): ReadonlyArray<string> => (rows.length === 0 ? none : [title, ...table(said, columns, rows)])

const shown = (said: Words, entry: ChangeEntry, currencies: Currencies): ReadonlyArray<string> => {
  const { books, language } = said
  const { facts } = said.ledger
  return factLines([
    [facts.key, entry.key],
    [facts.order, entry.orderNumber],
    [facts.payment, entry.paymentId],
    [facts.operation, withCode(wordsFor(books.operations, entry.operation), entry.operation)],
    [facts.amount, amountOf(entry, currencies, said)],
    [facts.status, withCode(books.statuses[entry.status], entry.status)],
    [facts.attention, kindsText(said, entry.attention)],
    ...explained(said, entry.attention ?? []),
    [facts.message, entry.message],
    [facts.since, timeText(entry.since, language)],
    [facts.sent, timeText(entry.sentAt, language)],
    [facts.decided, timeText(entry.decidedAt, language)],
    [facts.nextStep, timeText(entry.nextAt, language)],
    [facts.version, entry.version],
    [facts.decideAs, entry.decisions.join(", ")]
  ])
}

/** What kinds mean, where the ledger's own sentence, which is English, does not say it to the reader. */
const explained = (
  { books, language, ledger }: Words,
  kinds: ReadonlyArray<AttentionItem["kind"]>
): ReadonlyArray<readonly [string, string]> =>
  language === "en" ? [] : kinds.map((kind) => [ledger.facts.explanation, books.explanations[kind]] as const)

/** The state of a payment, or of its creation while there is none. */
const paymentStatus = ({ books, language }: Words, { state, status }: Pick<PaymentEntry, "state" | "status">) =>
  state === undefined
    ? { code: status, words: books.paymentStatuses[status] }
    : { code: state, words: paymentStateWords(state, language) }

/** A payment, and its items for an operator. */
const shownPayment = (said: Words, entry: PaymentEntry, items: ReadonlyArray<AttentionItem>): ReadonlyArray<string> => {
  const { facts } = said.ledger
  const { code, words } = paymentStatus(said, entry)
  return [
    ...factLines([
      [facts.key, entry.key],
      [facts.order, entry.orderNumber],
      [facts.payment, entry.paymentId],
      [facts.amount, moneyOf(entry.amount, entry.currency, said)],
      [facts.status, withCode(words, code)],
      [facts.returned, entry.refunded === 0 ? undefined : moneyOf(entry.refunded, entry.currency, said)],
      [facts.since, timeText(entry.since, said.language)]
    ]),
    ...items.flatMap((item) => [
      "",
      ...factLines([
        [facts.attention, kindText(said, item.kind)],
        ...explained(said, [item.kind]),
        [facts.message, item.message],
        [facts.version, item.version],
        [facts.decideAs, item.decisions.join(", ")]
      ])
    ])
  ]
}

/** The status after a step, and the payment's state. */
const stepStatus = (
  { books, language }: Words,
  { operation, state, status }: Pick<HistoryEntry, "operation" | "state" | "status">
): string => {
  const ofChange = { ...books.statuses, ...books.stepStatuses }
  const words = wordsFor(operation === "createPayment" ? books.paymentStatuses : ofChange, status)
  return state === undefined ? words : `${words}, ${paymentStateWords(state, language)}`
}

const stepColumns = (said: Words): Columns<HistoryEntry> => [
  ["time", ({ at }) => timeText(at, said.language)],
  ["key", ({ key }) => key],
  ["version", ({ version }) => version],
  ["status", (step) => stepStatus(said, step)],
  ["process", ({ process }) => process],
  [
    "message",
    ({ attention, message }) => [kindsText(said, attention), message].filter((part) => part !== undefined).join(": ")
  ]
]

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

const paymentColumns = (said: Words): Columns<PaymentEntry> => [
  ["key", ({ key }) => key],
  ["payment", ({ paymentId }) => paymentId],
  ["amount", ({ amount, currency }) => moneyOf(amount, currency, said)],
  ["since", ({ since }) => timeText(since, said.language)],
  ["state", (entry) => paymentStatus(said, entry).words],
  ["returned", ({ currency, refunded }) => (refunded === 0 ? "" : moneyOf(refunded, currency, said))],
  ["attention", ({ attention }) => kindsText(said, attention)]
]

const subscriptionColumns = (said: Words): Columns<Subscription> => [
  ["name", ({ name }) => name],
  ["status", ({ status }) => said.ledger.subscriptionStatuses[status]],
  ["maximum", ({ currency, maximum }) => moneyOf(maximum, currency, said)],
  ["firstPayment", ({ paymentId }) => paymentId],
  ["cardUntil", ({ cardExpires }) => cardExpires],
  ["awaitedOrder", ({ awaitedOrder }) => awaitedOrder]
]

const periodColumns = (
  said: Words,
  currency: Subscription["currency"]
): Columns<SubscriptionDetails["periods"][number]> => [
  ["period", ({ period }) => period],
  ["status", ({ status }) => said.ledger.periodStatuses[status]],
  ["amount", ({ amount }) => moneyOf(amount, currency, said)],
  ["attempts", ({ attempts }) => attempts],
  ["payment", ({ paymentId }) => paymentId],
  ["nextAttempt", ({ nextAttemptAt }) => timeText(nextAttemptAt, said.language)],
  ["lastAttempt", ({ attemptKey, failure }) => failure?.message ?? attemptKey]
]

const merchantColumns: Columns<LedgerMerchant> = [
  ["goid", ({ goid }) => goid],
  ["gateway", ({ gateway }) => gateway],
  ["open", ({ openChanges }) => openChanges],
  ["needsOperator", ({ attention }) => attention]
]

/** A key with the version that was seen: `KEY@3`, or the key alone and `--version`. */
const versionedKey = (text: string, version: string | undefined) => {
  const match = version === undefined ? /^(.+)@(\d+)$/.exec(text) : null
  const [, key = text, seen = version] = match ?? []
  if (seen === undefined || !/^\d+$/.test(seen)) {
    throw new WrongUsage(({ ledger }) => ledger.giveVersion)
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
  const fail = (said: (words: Words["ledger"]) => string) => new CommandFailure(1, (words) => said(words.ledger))
  const change = isPaymentKey(key) ? undefined : await ledger.getChange(key)
  if (change === undefined) {
    if (!isPaymentKey(key)) throw fail((said) => said.noKey(false, printable(key)))
    if (own.length === 0) throw fail((said) => said.nothingToDecide(printable(key)))
  }
  const seen = itemsSeen(own, change?.version ?? Infinity, { kind, version })
  if (own.length === 0 ? change?.version !== version : seen.length === 0) {
    const at = change?.version ?? Math.max(...own.map((item) => item.version))
    throw fail((said) => said.moved(printable(key), at))
  }
  const fitting = [...new Set(own.length === 0 ? change?.decisions : seen.flatMap(({ decisions }) => decisions))]
  if (as !== undefined && !fitting.some((one) => one === as)) {
    throw fail((said) => said.unfit(printable(key), as, fitting.join(", "), unfitDecision(as, fitting)))
  }
  return change === undefined ? undefined : { status: change.status, hasItems: own.length > 0 }
}

/** Fails for a change that the ledger still looks for, before any of them is decided, and says what to do here. */
const refuseEarly = async (
  ledger: OpenLedger,
  items: ReadonlyArray<AttentionItem>,
  keys: ReadonlyArray<string>,
  decision: { readonly as: string; readonly early: boolean }
): Promise<void> => {
  for (const key of keys) {
    const change = await ledger.getChange(key)
    const hasItem = items.some((item) => item.key === key)
    if (change !== undefined && isTooEarly(change, hasItem, decision)) {
      throw new CommandFailure(1, (words) => words.ledger.tooEarly(printable(key)))
    }
  }
}

interface SeenChange extends Pick<ChangeEntry, "status"> {
  readonly hasItems: boolean
}

/** Requires the name and the evidence of a decision. */
const signed = (by: string | undefined, note: string | undefined) => {
  if (!by?.trim() || !note?.trim()) throw new WrongUsage(({ ledger }) => ledger.giveSignature)
  return { by, note }
}

const oneOf = <Word extends string>(words: ReadonlyArray<Word>, text: string | undefined): Word | undefined =>
  words.find((word) => word === text)

const decisionOf = <Word extends string>(
  isPayment: boolean,
  words: ReadonlyArray<Word>,
  as: string | undefined
): Word => {
  const decision = oneOf(words, as)
  if (decision === undefined) throw new WrongUsage(({ ledger }) => ledger.resolvedAs(isPayment, words.join(", ")))
  return decision
}

/** The flags, the words of the language, and a function that opens the ledger that they name. */
interface Given extends Omit<Values<typeof options>, "installation" | "schema" | "store"> {
  readonly said: Words
  readonly inLedger: <A>(use: (ledger: OpenLedger) => Promise<A>) => Promise<A>
}

/**
 * The output of an action: a value to print as JSON, and its lines. A failure ends the command after that was printed.
 */
interface Found {
  readonly value: unknown
  readonly lines: ReadonlyArray<string>
  readonly failure?: Said | undefined
}

interface Action {
  /** The names of its arguments. Default: it takes none. */
  readonly args?: ReadonlyArray<keyof Words["ledger"]["args"]>
  /** Returns nothing if it has already printed everything. */
  readonly run: (given: Given, ...args: Array<string>) => Promise<Found | undefined>
  /** Whether it takes any number of arguments, but at least one. */
  readonly takesMany?: boolean
}

const notSending = ({ findings, language }: Words, health: LedgerHealth): string =>
  findings.notSendingSince(timeText(health.since, language), printable(findings.health(health)))

/** A change by its key, in the form to be printed. */
const foundChange = async (said: Words, ledger: OpenLedger, key: string) => {
  const entry = await ledger.getChange(key)
  return entry && { value: entry, lines: shown(said, entry, await currenciesOf(ledger, [entry])) }
}

/** A payment by its key, with its items, in the form to be printed. */
const foundPayment = async (said: Words, ledger: OpenLedger, key: string) => {
  const { orderNumber } = paymentOfKey(key) ?? {}
  const entry = (await ledger.listPayments({ orderNumber })).find((one) => one.key === key)
  if (entry === undefined) return undefined
  const items = (await allAttention(ledger)).filter((item) => item.key === key)
  return { value: { ...entry, items }, lines: shownPayment(said, entry, items) }
}

const pageOf = ({ after, limit }: Given) => ({ after, limit: limit === undefined ? undefined : Number(limit) })

const checkStatus = (status: string | undefined, known: ReadonlyArray<string>): void => {
  if (status !== undefined && !known.includes(status)) {
    throw new WrongUsage(({ ledger }) => ledger.giveOneOf("status", known.join(", ")))
  }
}

export const actions: { readonly [action: string]: Action } = {
  list: {
    run: async ({ inLedger, said }) => {
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
      const rowsOfOthers = titled(said, said.ledger.otherMerchants, merchantColumns, others)
      if (others.length > 0 && others.length === value.merchants.length) {
        return {
          value,
          lines: rowsOfOthers,
          failure: ({ ledger }) => ledger.onlyOtherMerchants
        }
      }
      const nothing = said.ledger.nothingNeedsOperator(others.length > 0)
      return {
        value,
        lines: [
          ...(value.health.isSending ? [] : [notSending(said, value.health), ""]),
          ...titled(said, said.ledger.needsOperator, attentionColumns(said, currencies), value.attention, nothing),
          "",
          ...value.attention.map((item) => printable(`${item.key}: ${aboutItem(said, item)}`)),
          ...(value.attention.length === 0 ? [] : [""]),
          ...titled(
            said,
            said.ledger.open,
            changeColumns(said, currencies),
            underWay,
            said.ledger.nothingOpen(value.open.length > 0)
          ),
          ...(others.length === 0 ? [] : ["", ...rowsOfOthers])
        ]
      }
    }
  },
  show: {
    args: ["row"],
    run: async ({ history, inLedger, said }, key = "") => {
      const { found, steps } = await inLedger(async (ledger) => ({
        found: await (isPaymentKey(key) ? foundPayment : foundChange)(said, ledger, key),
        steps: history ? await ledger.getHistory(key) : []
      }))
      if (found === undefined && steps.length === 0) {
        throw new CommandFailure(1, ({ ledger }) => ledger.noKey(isPaymentKey(key), printable(key)))
      }
      const { lines = [], value } = found ?? {}
      return {
        value: history ? { ...value, history: steps } : value,
        lines: [
          ...lines,
          ...(lines.length > 0 && history ? [""] : []),
          ...(history ? table(said, stepColumns(said), steps) : [])
        ]
      }
    }
  },
  history: {
    run: async ({ csv, inLedger, json, said }) => {
      if (csv && json) throw new WrongUsage(({ ledger }) => ledger.jsonOrCsv)
      const steps = await inLedger(allHistory)
      const lines = steps.length === 0 ? [said.ledger.noHistory] : table(said, stepColumns(said), steps)
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
      const { after, from, order, payment, said, status, to } = given
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
          ...titled(said, said.ledger.changes, changeColumns(said, currencies), changes),
          ...(changes.length === 0 ? [] : [""]),
          ...titled(said, said.ledger.payments, paymentColumns(said), payments),
          ...(changes.length + payments.length === 0 ? [said.ledger.nothingFound] : [])
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
        lines:
          value.length === 0
            ? [given.said.ledger.noSubscriptions]
            : table(given.said, subscriptionColumns(given.said), value)
      }
    }
  },
  subscription: {
    args: ["subscription"],
    run: async ({ inLedger, said }, subscription = "") => {
      const value = await inLedger((ledger) => ledger.getSubscription(subscription))
      if (value === undefined)
        throw new CommandFailure(1, ({ ledger }) => ledger.noSubscription(printable(subscription)))
      return {
        value,
        lines: [
          ...table(said, subscriptionColumns(said), [value]),
          ...titled(said, "", periodColumns(said, value.currency), value.periods)
        ]
      }
    }
  },
  resolve: {
    args: ["change"],
    takesMany: true,
    run: async ({ as, by, charge, early, inLedger, json, kind: about, note, refund, said, version }, ...given) => {
      const named = given.map((text) => versionedKey(text, version))
      const kind = oneOf(attentionKinds, about)
      if (kind !== about) throw new WrongUsage(({ ledger }) => ledger.giveOneOf("kind", attentionKinds.join(", ")))
      if (oneOf(decisions, as) === undefined)
        throw new WrongUsage(({ ledger }) => ledger.giveOneOf("as", decisions.join(", ")))
      for (const [option, id] of Object.entries({ refund, charge })) {
        if (id !== undefined && named.length > 1) throw new WrongUsage(({ ledger }) => ledger.oneKeyOnly(option))
      }
      const signature = signed(by, note)
      const ids = { refundId: refund, chargeId: charge }
      const decided = named.map((row) =>
        isPaymentKey(row.key)
          ? { ...row, ofPayment: decisionOf(true, paymentDecisionNames, as) }
          : { ...row, ofChange: decisionOf(false, changeDecisionNames, as) }
      )
      const outcomes: Array<ChangeOutcome | Order> = []
      await inLedger(async (ledger) => {
        const items = await allAttention(ledger)
        await refuseEarly(
          ledger,
          items,
          decided.flatMap((one) => ("ofChange" in one ? [one.key] : [])),
          { as: String(as), early }
        )
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
              : await ledger.resolveChange(key, { ...resolution, ...ids, as: decision.ofChange, early })
          outcomes.push(outcome)
          // One after another: decisions are reported even if the next one fails.
          if (!json) {
            const decision = "_tag" in outcome ? said.ledger.outcomes[outcome._tag] : String(as)
            console.log(printable(said.ledger.decided(key, decision, outcome.message)))
          }
        }
      })
      return json ? { value: outcomes.length === 1 ? outcomes[0] : outcomes, lines: [] } : undefined
    }
  },
  acknowledge: {
    args: ["payment", "refund"],
    run: async ({ by, inLedger, note, said }, payment = "", refund = "") => {
      const acknowledgement = signed(by, note)
      const isAcknowledged = await inLedger((ledger) => ledger.acknowledgeRefund(payment, refund, acknowledgement))
      return {
        value: { payment, refund, ...acknowledgement, isAcknowledged },
        lines: [
          printable(
            isAcknowledged ? said.ledger.acknowledged(refund, payment) : said.ledger.acknowledgedByOne(refund, payment)
          )
        ]
      }
    }
  },
  release: {
    args: ["firstPayment"],
    run: async ({ by, inLedger, note, said }, payment = "") => {
      const release = signed(by, note)
      const isReleased = await inLedger((ledger) => ledger.releaseCharges(payment, release))
      return {
        value: { payment, ...release, isReleased },
        lines: [printable(isReleased ? said.ledger.released(payment) : said.ledger.releasedByOne(payment))]
      }
    }
  },
  retire: {
    args: ["handler"],
    run: async ({ inLedger, said }, name = "") => {
      const handler = oneOf(handlerNames, name)
      if (handler === undefined)
        throw new WrongUsage(({ language, ledger }) => ledger.nameHandler(either[language].format(handlerNames)))
      await inLedger((ledger) => ledger.retireHandler(handler))
      return { value: { handler }, lines: [said.ledger.retired(handler)] }
    }
  },
  doctor: {
    run: async ({ inLedger, json, said }) => {
      const found = await inLedger(readLedger)
      // What programs read does not depend on the language.
      const findings = ledgerFindings(found.health, found.metrics, Date.now(), json ? words.en : said)
      const { grantees = [] } = found.health
      return {
        value: { ...found, findings },
        lines: [
          ...(findings.length === 0 ? [said.findings.nothingWrong] : findings.map(printable)),
          ...(grantees.length === 0 ? [] : [printable(said.findings.grantees(grantees.join(", ")))])
        ],
        failure: findings.length === 0 ? undefined : (said) => said.findings.found(findings.length)
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
      return { ...found, failure: found.value.isSending ? undefined : ({ findings }) => findings.nothingIsSent }
    }
  },
  pause: { run: (given) => healthAfter(given, (ledger) => ledger.pause()) },
  resume: { run: (given) => healthAfter(given, (ledger) => ledger.resume()) },
  distrust: {
    run: async (given) => {
      const { since } = given
      if (since === undefined || Number.isNaN(new Date(since).getTime())) {
        throw new WrongUsage(({ ledger }) => ledger.giveSince)
      }
      return healthAfter(given, (ledger) => ledger.distrust({ since }))
    }
  }
}

/** Does something to the ledger as a whole. Returns its health afterwards. */
const healthAfter = async ({ inLedger, said }: Given, run: (ledger: OpenLedger) => Promise<void>) => {
  const value = await inLedger(async (ledger) => {
    await run(ledger)
    return ledger.getHealth()
  })
  return { value, lines: [value.isSending ? said.findings.health(value) : notSending(said, value)] }
}

const amountGiven = (flag: string, text: string): number => {
  try {
    return amountFromDecimal(text)
  } catch {
    throw new WrongUsage(({ ledger }) => ledger.giveAmount(flag))
  }
}

export const ledgerCommand = commandOf({
  name: "ledger",
  summary: {
    en: "what is open in a shop's ledger and needs an operator",
    cs: "co v ledgeru obchodu probíhá a čeká na rozhodnutí"
  },
  usage: `ledger list --store STORE [--json]
       effect-gopay ledger show KEY --store STORE [--history] [--json]
       effect-gopay ledger history --store STORE [--csv | --json]
       effect-gopay ledger search --store STORE [--payment ID] [--order NUMBER] [--status STATUS] [--from TIME] [--to TIME]
       effect-gopay ledger subscriptions --store STORE [--status STATUS]
       effect-gopay ledger subscription NAME --store STORE
       effect-gopay ledger resolve KEY --store STORE --version N [--kind KIND] --as DECISION [--early] [--refund REFUND] [--charge PAYMENT] --by NAME --note TEXT
       effect-gopay ledger resolve KEY@VERSION… --store STORE --as DECISION --by NAME --note TEXT
       effect-gopay ledger acknowledge PAYMENT REFUND --store STORE --by NAME --note TEXT
       effect-gopay ledger release PAYMENT --store STORE --by NAME --note TEXT
       effect-gopay ledger retire HANDLER --store STORE
       effect-gopay ledger doctor|health|metrics|pause|resume --store STORE
       effect-gopay ledger distrust --since TIME --store STORE`,
  about: {
    en: `Shows what is open in a shop's ledger and what needs an operator, and records decisions. It
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

${merchantAbout.en}`,
    cs: `Ukáže, co v ledgeru obchodu probíhá a čeká na rozhodnutí, a rozhodnutí zaznamená. Do brány
nic neposílá: to dělají procesy obchodu.

show --history vypíše každý krok změny, nebo platby objednávky podle jejího jména v seznamu;
history vypíše kroky všech, pro audit.

search najde změny a platby, i rozhodnuté, od nejstarších, nejvýše 500; --after KEY pokračuje
za poslední. subscriptions stejně vypíše předplatná, --after NAME; subscription vypíše jedno
i s obdobími.

doctor řekne, co není v pořádku a co s tím, a pak skončí s 1. health řekne, zda se odesílá,
a skončí s 1, když ne. metrics vypíše, co čte Prometheus.

acknowledge nechá refundace platby pokračovat, i když jednu provedl někdo jinde. distrust
spusťte po obnovení zálohy, před prvním workerem. release nechá pokračovat stržení s první
platbou, která obnovení zastavilo: nejdřív zjistěte, co se s ní od zálohy strhlo. retire
vyřadí handler, který už obchod nemá: onPayment, onChange nebo onSubscription.

STORE je soubor SQLite, nebo adresa PostgreSQL (postgres://…), na kterou se přistupuje
balíčkem pg z projektu v tomto adresáři. Soubor potřebuje Node.js 22.13 nebo novější,
nebo v projektu libsql či better-sqlite3.

${merchantAbout.cs}`
  },
  options,
  takes: Infinity,
  run: async (values, [word, ...given], { language }) => {
    const action = word === undefined ? undefined : ownMember(actions, word)
    if (action === undefined) {
      const known = Object.keys(actions).join(", ")
      throw new WrongUsage(({ ledger }) =>
        word === undefined ? ledger.nameAction(known) : ledger.unknownAction(word, known)
      )
    }
    const { args = [], run, takesMany } = action
    const surplus = takesMany === true ? [] : given.slice(args.length)
    if (surplus.length > 0) throw new WrongUsage((said) => said.surplus(surplus.join(" ")))
    const { installation, schema, store, ...flags } = values
    if (store === undefined || store === "") throw new WrongUsage(({ ledger }) => ledger.giveStore)
    const missing = args[given.length]
    if (missing !== undefined) throw new WrongUsage(({ ledger }) => ledger.name(ledger.args[missing]))
    const above = flags["dual-approval-above"]
    const dualApprovalAbove = above === undefined ? undefined : amountGiven("--dual-approval-above", above)
    const inLedger: Given["inLedger"] = (use) => withLedger(store, { installation, schema, dualApprovalAbove }, use)
    const said = words[language]
    const found = await run({ ...flags, said, inLedger }, ...given)
    if (found === undefined) return
    console.log(
      values.json ? JSON.stringify(found.value, null, 2) : [merchantLine(said), "", ...found.lines].join("\n")
    )
    if (found.failure !== undefined) throw new CommandFailure(1, found.failure)
  }
})
