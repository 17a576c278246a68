/**
 * The books of a ledger, for `reconcileStatement`: pages of whole orders.
 */
import * as Effect from "effect/Effect"
import type { BookedOrder, BookedPayment, BookedRefund, DoubtfulChange } from "../../statement/BookedOrder.js"
import { groupBy } from "../../basics/Lists.js"
import { type ChangeRow, isDecided, wasSent } from "../store/ChangeRow.js"
import { stateOf } from "../change/ChargeSteps.js"
import type { StoreError } from "../store/Database.js"
import { hasDetails, isUndecided } from "../store/Sql.js"
import { recordedUntil } from "../store/OpenTransactions.js"
import * as Statements from "../store/Statements.js"
import { invalidArgument, timeOf } from "../model/LedgerArguments.js"
import type { InvalidArgument } from "../model/LedgerError.js"
import type { LedgerError } from "../model/YieldableLedgerError.js"
import type { BookedOrdersOptions } from "../model/Lists.js"
import { amountsOf } from "../order/PaymentAmounts.js"
import { progressOf } from "../order/PaymentProgress.js"
import { nameOf, type PaymentRow } from "../store/PaymentTable.js"
import type { BookedOrdersPage, BooksPlace } from "../model/LedgerService.js"
import type { OperatorParts } from "./OperatorParts.js"

/** The kinds of events by which an order is found. Each order is listed at its first event. */
const kinds = ["created", "paid", "submitted", "decided", "open"] as const
type Kind = (typeof kinds)[number]

const pageSize = 200

/** The place where the books of a period begin. */
const firstPlace = Effect.fnUntraced(function* (
  { database }: Pick<OperatorParts, "database">,
  events: ReturnType<typeof eventsIn>,
  { from, to }: BookedOrdersOptions
) {
  const start = from === undefined ? 0 : yield* timeOf("from", from)
  const end = to === undefined ? Infinity : yield* timeOf("to", to)
  if (to !== undefined) {
    const recorded = yield* recordedUntil(database)
    if (end > recorded) {
      const until = new Date(recorded).toISOString()
      yield* Effect.fail(
        invalidArgument(
          `to is later than ${until}: what happened since then may not be recorded yet. See getRecordedUntil()`
        )
      )
    }
  }
  // Events that happen while the books are read are left for the next period; otherwise an order could be skipped.
  const before = Math.min(end, (yield* events.now) + 1)
  return { from: start, before, kind: 0, at: start, seq: 0, given: new Set<string>() }
})

/** A page of the orders of a period, with their payments, their refunds, and whatever is in doubt. */
export const bookedOrders = Effect.fnUntraced(function* (
  parts: OperatorParts,
  range: BookedOrdersOptions,
  after: BooksPlace | undefined
): Effect.fn.Return<BookedOrdersPage, StoreError | LedgerError<InvalidArgument>> {
  const allEvents = eventsIn(parts)
  const place = after ?? (yield* firstPlace(parts, allEvents, range))
  const kind = kinds[place.kind]
  if (kind === undefined) return { orders: [], next: undefined }
  const events = yield* allEvents[kind](place, pageSize)
  const payments = yield* parts.payments.ofOrders([...new Set(events.map(({ orderNumber }) => orderNumber))])
  const ids = payments.flatMap(({ payment_id }) => payment_id ?? [])
  const changes = groupBy(yield* parts.changes.ofPayments(ids), ({ payment_id }) => payment_id)
  const changesOf = ({ payment_id }: PaymentRow) => (payment_id === null ? [] : (changes.get(payment_id) ?? []))
  const byOrder = groupBy(payments, ({ order_number }) => order_number)
  const orders = events.flatMap((event) => {
    const rows = byOrder.get(event.orderNumber) ?? []
    if (place.given.has(event.orderNumber) || !isFirstOf(rows, changesOf, kind, event, place)) return []
    // An order with one payment and no change has no other event.
    if (rows.length > 1 || rows.some((row) => changesOf(row).length > 0)) place.given.add(event.orderNumber)
    return [orderOf(event.orderNumber, rows, changesOf)]
  })
  const last = events.at(-1)
  const isEnd = last === undefined || events.length < pageSize
  const next = isEnd
    ? { ...place, kind: place.kind + 1, at: place.from, seq: 0 }
    : { ...place, at: last.at, seq: last.seq }
  return { orders, next: next.kind < kinds.length ? next : undefined }
})

/** Whether an order has no earlier event in the period, so that it is listed at this one. */
const isFirstOf = (
  rows: ReadonlyArray<PaymentRow>,
  changesOf: ChangesOf,
  kind: Kind,
  event: OrderEvent,
  { before, from }: BooksPlace
): boolean => {
  const all = rows.flatMap(changesOf)
  const at = (seq: number, time: number | null) => (time === null ? [] : [{ at: time, seq }])
  const times: Readonly<Record<Kind, ReadonlyArray<Statements.TimePlace>>> = {
    created: rows.flatMap(({ created_at, seq }) => at(seq, created_at)),
    paid: rows.flatMap(({ paid_at, seq }) => at(seq, paid_at)),
    submitted: all.flatMap(({ created_at, seq }) => at(seq, created_at)),
    decided: all.flatMap(({ decided_at, request, seq }) => (request === null ? [] : at(seq, decided_at))),
    open: all.flatMap((change) => (isDecided(change) ? [] : at(change.seq, change.created_at)))
  }
  const timesOf = (one: Kind) => times[one].filter(({ at }) => one === "open" || (at >= from && at < before))
  if (kinds.slice(0, kinds.indexOf(kind)).some((earlier) => timesOf(earlier).length > 0)) return false
  const [first] = timesOf(kind).toSorted((a, b) => a.at - b.at || a.seq - b.seq)
  return first === undefined || first.seq === event.seq
}

type ChangesOf = (row: PaymentRow) => ReadonlyArray<ChangeRow>

const orderOf = (orderNumber: string, all: ReadonlyArray<PaymentRow>, changesOf: ChangesOf): BookedOrder => {
  // All payments of an order have the same currency, unless one has replaced another; then the one that was paid
  // counts.
  const currency = (all.find(isPaid) ?? all.at(-1))?.terms.currency ?? ""
  const rows = all.filter(({ terms }) => terms.currency === currency)
  const inDoubt = rows.flatMap((row) => [
    ...(row.payment_id === null ? [creationInDoubt(row)] : []),
    ...changesOf(row).flatMap((one) => changeInDoubt(row, one) ?? [])
  ])
  return {
    orderNumber,
    currency,
    payments: rows.flatMap((row) => (row.payment_id === null ? [] : [paymentOf(row, row.payment_id, changesOf(row))])),
    ...(inDoubt.length === 0 ? undefined : { inDoubt })
  }
}

const isPaid = ({ state }: PaymentRow): boolean => state !== null && stateOf(state) === "paid"

const paymentOf = (row: PaymentRow, paymentId: string, changes: ReadonlyArray<ChangeRow>): BookedPayment => {
  const { created_at, paid_at, terms } = row
  const { captured } = amountsOf(row, progressOf(row), row.refunded)
  const refunds = changes.flatMap((change) => refundOf(change) ?? [])
  return {
    paymentId: Number(paymentId),
    ...(captured === "unknown"
      ? { amount: terms.amount, isUpperBound: true }
      : { amount: isPaid(row) ? captured : terms.amount }),
    paid: isPaid(row),
    ...(isPaid(row) ? { paidOn: dayOf(paid_at ?? created_at) } : undefined),
    ...(refunds.length === 0 ? undefined : { refunds })
  }
}

const refundOf = (change: ChangeRow): BookedRefund | undefined => {
  const { amount, created_at, entry, operation, sent_at, status } = change
  if (operation !== "refundPayment" || amount === null || (status !== "done" && status !== "accepted")) return undefined
  return {
    ...(entry === null ? undefined : { refundId: Number(entry) }),
    amount,
    state: status === "done" ? "SUCCESS" : "REQUESTED",
    requestedOn: dayOf(sent_at ?? created_at)
  }
}

/** A payment that may exist and whose id the ledger does not know. */
const creationInDoubt = (row: PaymentRow): DoubtfulChange => ({
  key: nameOf(row),
  operation: "createPayment",
  amount: row.terms.amount,
  sentOn: dayOf(row.created_at)
})

const changeInDoubt = ({ terms }: PaymentRow, change: ChangeRow): DoubtfulChange | undefined => {
  const { amount, created_at, key, operation, payment_id, sent_at, status } = change
  const isUnderWay = status === "sending" || status === "unknown" || (status === "needsOperator" && wasSent(change))
  if (!isUnderWay || operation === "voidAuthorization") return undefined
  return {
    key,
    operation: operation === "refundPayment" ? operation : "captureAuthorization",
    amount: amount ?? terms.amount,
    paymentId: Number(payment_id),
    sentOn: dayOf(sent_at ?? created_at)
  }
}

const prague = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Prague" })

/** The day in Prague, as in statements. */
const dayOf = (milliseconds: number): string => prague.format(milliseconds)

/** An event of an order, with the number of its row. */
interface OrderEvent extends Statements.TimePlace {
  readonly orderNumber: string
}

/** Where a page of events begins, and the period of the books. */
type EventPlace = Omit<BooksPlace, "kind">

/** The events of orders, by which the orders of a period are found. */
const eventsIn = ({ database, scope }: OperatorParts) => {
  const { now, run } = Statements.make(database)

  /** The events of one kind within the period, except those of orders that an earlier kind has already found. */
  const eventsOf = (table: "payment" | "change", time: string, earlier: ReadonlyArray<string>, condition = "1 = 1") => {
    const [row, join] =
      table === "payment"
        ? ["p", ""]
        : ["c", "JOIN gopay_payment p ON p.scope = c.scope AND p.payment_id = c.payment_id"]
    const isNew = earlier.map((time) => ` AND (${time} IS NULL OR ${time} < ? OR ${time} >= ?)`).join("")
    return (
      place: EventPlace,
      limit: number,
      before = place.before
    ): Effect.Effect<ReadonlyArray<OrderEvent>, StoreError> => {
      const after = Statements.isAfter(time, place)
      const found = run(
        `SELECT p.order_number, ${row}.${time} AS at, ${row}.seq
         FROM (SELECT * FROM gopay_${table} WHERE scope = ? AND ${after.sql} AND ${time} < ? AND ${condition}) ${row} ${join}
         WHERE 1 = 1${isNew} ORDER BY ${row}.${time}, ${row}.seq LIMIT ?`,
        [scope, ...after.values, before, ...earlier.flatMap(() => [place.from, place.before]), limit]
      )
      return Effect.map(found, (rows) =>
        rows.map((row) => ({
          orderNumber: String(row["order_number"]),
          at: Number(row["at"]),
          seq: Number(row["seq"])
        }))
      )
    }
  }

  const undecided = eventsOf("change", "created_at", ["p.created_at", "p.paid_at", "c.created_at"], isUndecided)

  return {
    /** The database's time, in milliseconds. */
    now: Effect.map(run(`SELECT ${now} AS now`), ([found]) => Number(found?.["now"])),

    created: eventsOf("payment", "created_at", []),
    paid: eventsOf("payment", "paid_at", ["p.created_at"]),
    submitted: eventsOf("change", "created_at", ["p.created_at", "p.paid_at"]),
    decided: eventsOf("change", "decided_at", ["p.created_at", "p.paid_at", "c.created_at"], hasDetails),

    /** Undecided changes, whenever they were submitted. */
    open: (place: EventPlace, limit: number) => {
      const isFirst = place.at === place.from && place.seq === 0
      return undecided(isFirst ? { ...place, at: 0 } : place, limit, Number.MAX_SAFE_INTEGER)
    }
  }
}
