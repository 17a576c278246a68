/**
 * The lists and the history of a ledger, page by page.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ChangeRequest, Decision, entryOf, itemsOf as changeItemsOf, statusesOf } from "../store/ChangeRow.js"
import type { StoreError } from "../store/Database.js"
import type { HistoryRow } from "../store/HistoryTable.js"
import type { Place } from "../store/TableReads.js"
import { type Condition, isOneOf } from "../store/Statements.js"
import { inOrderOf } from "../../basics/Lists.js"
import { type AttentionItem, attentionKinds } from "../model/Attention.js"
import { kindsOf } from "../store/Items.js"
import type { CreatedOptions, HistoryEntry, ListPaymentsOptions, PageOptions, PaymentEntry } from "../model/Lists.js"
import { idOf, invalidArgument, longestPage, timeOf } from "../model/LedgerArguments.js"
import type { InvalidArgument } from "../model/LedgerError.js"
import type { LedgerError } from "../model/YieldableLedgerError.js"
import type { OperatorPrograms } from "../model/LedgerService.js"
import { isNotCreated, isNotDone, isUndecided } from "../store/Sql.js"
import { Integer, jsonColumn, type Rows, timeIn, unreadableMessage, type UnreadableRow } from "../store/Rows.js"
import { itemsOf as paymentItemsOf } from "../order/OrderView.js"
import { amountsOf } from "../order/PaymentAmounts.js"
import { progressOf } from "../order/PaymentProgress.js"
import { nameOf, paymentNameOf, type PaymentRow, OperatorDecision, Terms } from "../store/PaymentTable.js"
import { subscriptionOf } from "../subscription/SubscriptionEvents.js"
import type { SqlValue } from "../model/LedgerStore.js"
import type { OperatorParts } from "./OperatorParts.js"

type Listing = "getHistory" | "listAttention" | "listChanges" | "listHistory" | "listPayments" | "listSubscriptions"

export const make = (parts: OperatorParts): Pick<OperatorPrograms, Listing> => {
  const { changes, history, payments, ready, searchSubscriptions, subscriptions } = parts
  /** The change or the payment that a key names. */
  const placeOf = Effect.fnUntraced(function* (key: string): Effect.fn.Return<Place | undefined, StoreError> {
    const change = yield* changes.placeOf({ sql: "key = ?", values: [key] })
    return change ?? (yield* payments.placeOfName(key))
  })

  /** Where a page begins, and how long it is. */
  const pageOf = Effect.fnUntraced(function* (options: PageOptions) {
    const { after } = options
    const limit = yield* limitOf(options)
    yield* ready
    const place = after === undefined ? undefined : yield* placeOf(after)
    if (after === undefined || place !== undefined) return { limit, place }
    return yield* Effect.fail(invalidArgument(`after is not a key of this ledger: ${after}`))
  })

  return {
    getHistory: Effect.fnUntraced(function* (key) {
      yield* ready
      const place = yield* placeOf(key)
      return place === undefined ? [] : stepsIn(yield* history.of(place.table, place.seq))
    }),

    listHistory: Effect.fnUntraced(function* ({ after = 0, limit = 1_000 } = {}) {
      if (!Number.isInteger(after) || after < 0) {
        return yield* Effect.fail(invalidArgument("after must be the id of an entry"))
      }
      const most = yield* limitOf({ limit })
      yield* ready
      return stepsIn(yield* history.page(after, most))
    }),

    listChanges: Effect.fnUntraced(function* (options = {}) {
      const { isOpen, status } = options
      const statuses = status === undefined ? [] : statusesOf(status)
      const conditions = [
        ...(yield* requestedIn(options)),
        ...(status === undefined ? [] : [{ sql: isOneOf("status", statuses), values: statuses }]),
        ...(status === undefined || status === "done" ? [] : [{ sql: isNotDone, values: [] }]),
        ...(isOpen === true ? [{ sql: isUndecided, values: [] }] : [])
      ]
      const { limit, place } = yield* pageOf(options)
      return (yield* changes.search(conditions, place, limit)).map(entryOf)
    }),

    listPayments: Effect.fnUntraced(function* (options = {}) {
      const { group, orderNumber, state, status } = options
      const conditions = [
        ...(yield* requestedIn(options)),
        ...where("order_number = ?", orderNumber),
        ...where("group_name = ?", group),
        ...where("status = ?", status),
        ...(status === undefined || status === "created" ? [] : [{ sql: isNotCreated, values: [] }]),
        ...where("state = ?", state)
      ]
      const { limit, place } = yield* pageOf(options)
      return (yield* payments.search(conditions, place, limit)).map(paymentEntryOf)
    }),

    listSubscriptions: Effect.fnUntraced(function* (options = {}) {
      const { after, status } = options
      const limit = yield* limitOf(options)
      yield* ready
      const before = after === undefined ? Option.none() : yield* subscriptions.find(after)
      if (after !== undefined && Option.isNone(before)) {
        return yield* Effect.fail(invalidArgument(`after is not a subscription of this ledger: ${after}`))
      }
      const seq = Option.isSome(before) ? before.value.seq : 0
      return (yield* searchSubscriptions(where("status = ?", status), seq, limit)).map(subscriptionOf)
    }),

    listAttention: Effect.fnUntraced(function* (options = {}) {
      const { limit, place } = yield* pageOf(options)
      // Room for the remaining items of the last key.
      const most = limit + attentionKinds.length
      const { items: open, unreadable } = yield* changes.attention(place, most)
      const aside = yield* changes.unreadable(place)
      const ofChanges = changeItemsOf({ items: open, unreadable: [...unreadable, ...aside] })
      const ofPayments = paymentItemsOf(yield* payments.attention(place, most))
      const items = [ofChanges, ofPayments].flatMap((found) =>
        found.toSorted((one, other) => one.seq - other.seq).map(({ item }) => item)
      )
      return pageByKeys(items.toSorted(inOrderOf(({ since }) => since)), limit)
    })
  }
}

/**
 * The first items, with either all or none of each key, since the next page begins after a key. Exceeds the limit only
 * if the first key alone does.
 */
const pageByKeys = (items: ReadonlyArray<AttentionItem>, limit: number): ReadonlyArray<AttentionItem> => {
  const next = items[limit]?.key
  const whole = items.slice(0, limit).filter(({ key }) => key !== next)
  return whole.length > 0 ? whole : items.filter(({ key }) => key === items[0]?.key)
}

const limitOf = ({ limit = 500 }: PageOptions): Effect.Effect<number, LedgerError<InvalidArgument>> =>
  Number.isInteger(limit) && limit >= 1 && limit <= longestPage
    ? Effect.succeed(limit)
    : Effect.fail(invalidArgument(`limit must be an integer from 1 to ${longestPage}`))

const where = (sql: string, value: SqlValue | undefined): ReadonlyArray<Condition> =>
  value === undefined ? [] : [{ sql, values: [value] }]

/** The most payments that a list is asked for by their ids. */
const mostIds = 1_000

/** The condition on the payments, by one id or several. */
const isOfPayments = Effect.fnUntraced(function* (
  given: ListPaymentsOptions["paymentId"]
): Effect.fn.Return<ReadonlyArray<Condition>, LedgerError<InvalidArgument>> {
  if (given === undefined) return []
  const all: ReadonlyArray<unknown> = Array.isArray(given) ? given : [given]
  if (all.length > mostIds) return yield* Effect.fail(invalidArgument(`paymentId has more than ${mostIds} ids`))
  const ids = yield* Effect.forEach(all, (id, index) => idOf(all === given ? `paymentId[${index}]` : "paymentId", id))
  return [ids.length === 0 ? { sql: "1 = 0", values: [] } : { sql: isOneOf("payment_id", ids), values: ids }]
})

type RequestedOptions = CreatedOptions & Pick<ListPaymentsOptions, "paymentId">

/** The conditions on when something was requested, and for which payments. */
const requestedIn = Effect.fnUntraced(function* ({ createdBefore, createdFrom, paymentId }: RequestedOptions) {
  return [
    ...where("created_at >= ?", createdFrom === undefined ? undefined : yield* timeOf("createdFrom", createdFrom)),
    ...where("created_at < ?", createdBefore === undefined ? undefined : yield* timeOf("createdBefore", createdBefore)),
    ...(yield* isOfPayments(paymentId))
  ]
})

const paymentEntryOf = (row: PaymentRow): PaymentEntry => {
  const { attention, group_name, group_total, next_at, parent_id, payment_id, reference, state, terms } = row
  return {
    key: nameOf(row),
    orderNumber: row.order_number,
    ...(payment_id === null ? undefined : { paymentId: Number(payment_id) }),
    ...(parent_id === null ? undefined : { parentId: Number(parent_id) }),
    status: row.status,
    ...(state === null ? undefined : { state }),
    amount: terms.amount,
    currency: terms.currency,
    ...amountsOf(row, progressOf(row), row.refunded),
    ...(group_name === null || group_total === null ? undefined : { group: { name: group_name, total: group_total } }),
    ...(reference === null ? undefined : { reference }),
    ...(attention.length === 0 ? undefined : { attention: kindsOf(row) }),
    message: row.message ?? attention.at(-1)?.message ?? "",
    version: row.version,
    since: new Date(row.created_at).toISOString(),
    ...(next_at === null ? undefined : { nextAt: new Date(next_at).toISOString() })
  }
}

// ---- History

const inJson = <S extends Schema.Codec<unknown, unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownOption(jsonColumn(schema))
  return (text: string | null): S["Type"] | undefined =>
    text === null ? undefined : Option.getOrUndefined(decode(text))
}

const requestIn = inJson(ChangeRequest)
const listedIn = inJson(Schema.Array(Schema.Struct({ id: Integer })))
const decisionIn = inJson(Decision)
const termsIn = inJson(Terms)
const wordsIn = inJson(Schema.Array(OperatorDecision))

/** Steps in their order. Of a step that cannot be read, the readable columns. */
const stepsIn = ({ rows, unreadable }: Rows<HistoryRow>): ReadonlyArray<HistoryEntry> =>
  unreadable.length === 0
    ? rows.map(stepOf)
    : [...rows.map(stepOf), ...unreadable.map(unreadableStepOf)].toSorted((one, other) => one.id - other.id)

const unreadableStepOf = (row: UnreadableRow): HistoryEntry => {
  const { at, name, operation, status, subject, subject_seq, version } = row.raw
  const own = typeof name === "string" ? name : ""
  return {
    id: row.seq,
    at: timeIn(at),
    key: subject === "payment" ? paymentNameOf(own, Number(subject_seq)) : own,
    operation: typeof operation === "string" ? operation : "createPayment",
    version: Number(version) || 0,
    status: String(status),
    attention: ["UnreadableRow"],
    message: unreadableMessage(row, "The row itself is as it is.")
  }
}

const stepOf = (row: HistoryRow): HistoryEntry => {
  const { asked, attempt, attention, name, operation, process, refunded, state, status, subject } = row
  const isChange = subject === "change"
  const amount = isChange ? requestIn(asked)?.amount : termsIn(asked)?.amount
  const paymentId = isChange ? row.payment_id : row.entry
  const before = listedIn(row.listed_before)
  const message = isChange ? (decisionIn(row.decision)?.message ?? row.message) : (row.message ?? saidIn(row.decision))
  return {
    id: row.seq,
    at: new Date(row.at).toISOString(),
    key: isChange ? (name ?? "") : paymentNameOf(name ?? "", row.subject_seq),
    operation: operation ?? "createPayment",
    ...(isChange || name === null ? undefined : { orderNumber: name }),
    ...(paymentId === null ? undefined : { paymentId: Number(paymentId) }),
    ...(amount === undefined ? undefined : { amount }),
    version: row.version,
    status,
    ...(state === null ? undefined : { state }),
    ...(isChange || refunded === null ? undefined : { refunded }),
    ...(isChange && row.entry !== null ? { refundId: Number(row.entry) } : undefined),
    ...(before === undefined ? undefined : { refundsBefore: before.map(({ id }) => id) }),
    ...(message === null || message === undefined || message === "" ? undefined : { message }),
    ...(attention.length === 0 ? undefined : { attention }),
    ...(attempt === null ? undefined : { attempt }),
    ...(process === null ? undefined : { process })
  }
}

/** An operator's last decision about a payment, in words. */
const saidIn = (decisions: string | null): string | undefined => {
  const last = wordsIn(decisions)?.at(-1)
  return last === undefined || last.by === "" ? undefined : `${last.kind} resolved by ${last.by}: ${last.note}`
}
