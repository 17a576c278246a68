/**
 * The lists of a ledger, some at a time.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { entryOf, itemsOf as changeItemsOf, statusesOf } from "../change/ChangeView.js"
import type { StoreError } from "../store/Database.js"
import type { Place } from "../store/TableReads.js"
import { type Condition, isOneOf } from "../store/Statements.js"
import type { CreatedOptions, ListChangesOptions, PageOptions, PaymentEntry } from "../model/Lists.js"
import { idOf, invalidArgument, timeOf } from "../model/LedgerArguments.js"
import type { InvalidArgument, LedgerError } from "../model/LedgerError.js"
import { isPaymentKey } from "../model/LedgerKey.js"
import type { OperatorPrograms } from "../model/LedgerService.js"
import { isNotCreated, isNotDone, isUndecided } from "../store/RowConditions.js"
import type { Items } from "../store/Rows.js"
import { itemsOf as paymentItemsOf, nameOf } from "../order/PaymentItems.js"
import type { PaymentRow } from "../order/PaymentRow.js"
import { subscriptionOf } from "../subscription/SubscriptionView.js"
import type { SqlValue } from "../model/LedgerStore.js"
import type { OperatorParts } from "./OperatorParts.js"

type ListFailure = StoreError | LedgerError<InvalidArgument>

const defaultLimit = 500
const most = 10_000

export const make = ({
  changes,
  payments,
  ready,
  searchSubscriptions,
  subscriptions
}: OperatorParts): Pick<OperatorPrograms, "listAttention" | "listChanges" | "listPayments" | "listSubscriptions"> => {
  /** Where a page begins, by the item before it. */
  const placeOf = Effect.fnUntraced(function* (
    after: string | undefined
  ): Effect.fn.Return<Place | undefined, ListFailure> {
    if (after === undefined) return undefined
    const change = yield* changes.find(after)
    if (Option.isSome(change)) return { table: "change", seq: change.value.seq, createdAt: change.value.created_at }
    const payment = isPaymentKey(after) ? yield* payments.byName(after) : Option.none()
    return Option.isSome(payment)
      ? { table: "payment", seq: payment.value.seq, createdAt: payment.value.created_at }
      : yield* Effect.fail(invalidArgument(`after is not a key of this ledger: ${after}`))
  })

  return {
    listChanges: Effect.fnUntraced(function* (options = {}) {
      const limit = yield* limitOf(options)
      const conditions = [...(yield* createdIn(options)), ...(yield* changesIn(options))]
      yield* ready
      const place = yield* placeOf(options.after)
      return (yield* changes.search(conditions, place, limit)).map(entryOf)
    }),

    listPayments: Effect.fnUntraced(function* (options = {}) {
      const { group, orderNumber, paymentId, state, status } = options
      const limit = yield* limitOf(options)
      const conditions = [
        ...(yield* createdIn(options)),
        ...equals("order_number", orderNumber),
        ...equals("payment_id", paymentId === undefined ? undefined : yield* idOf("paymentId", paymentId)),
        ...equals("group_name", group),
        ...equals("status", status),
        ...(status === undefined || status === "created" ? [] : [{ sql: isNotCreated, values: [] }]),
        ...equals("state", state)
      ]
      yield* ready
      const place = yield* placeOf(options.after)
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
      return (yield* searchSubscriptions(equals("status", status), seq, limit)).map(subscriptionOf)
    }),

    listAttention: Effect.fnUntraced(function* (options = {}) {
      const limit = yield* limitOf(options)
      yield* ready
      const place = yield* placeOf(options.after)
      const listed = yield* changes.attention(place, limit)
      // Those that are open and cannot be read need an operator too.
      const open = place === undefined ? (yield* changes.open).unreadable : []
      const unlisted = open.filter(({ seq }) => !listed.unreadable.some((other) => other.seq === seq))
      const paymentItems = paymentItemsOf(yield* payments.attention(place, limit))
      return inTime([...changeItemsOf(listed), ...changeItemsOf({ rows: [], unreadable: unlisted })], paymentItems)
        .slice(0, limit)
        .map(({ item }) => item)
    })
  }
}

/** Items by the time at which they were asked for. */
const inTime = (changes: Items, payments: Items): Items =>
  [...changes, ...payments].toSorted((one, other) =>
    one.item.since === other.item.since ? 0 : one.item.since < other.item.since ? -1 : 1
  )

const limitOf = ({ limit = defaultLimit }: PageOptions): Effect.Effect<number, LedgerError<InvalidArgument>> =>
  Number.isInteger(limit) && limit >= 1 && limit <= most
    ? Effect.succeed(limit)
    : Effect.fail(invalidArgument(`limit must be an integer from 1 to ${most}`))

const equals = (column: string, value: SqlValue | undefined): ReadonlyArray<Condition> =>
  value === undefined ? [] : [{ sql: `${column} = ?`, values: [value] }]

const createdIn = Effect.fnUntraced(function* ({
  createdBefore,
  createdFrom
}: CreatedOptions): Effect.fn.Return<ReadonlyArray<Condition>, LedgerError<InvalidArgument>> {
  const from = createdFrom === undefined ? [] : [yield* timeOf("createdFrom", createdFrom)]
  const before = createdBefore === undefined ? [] : [yield* timeOf("createdBefore", createdBefore)]
  return [
    ...from.map((time) => ({ sql: "created_at >= ?", values: [time] })),
    ...before.map((time) => ({ sql: "created_at < ?", values: [time] }))
  ]
})

const changesIn = Effect.fnUntraced(function* ({
  isOpen,
  paymentId,
  status
}: ListChangesOptions): Effect.fn.Return<ReadonlyArray<Condition>, LedgerError<InvalidArgument>> {
  const statuses = status === undefined ? [] : [statusesOf(status)]
  return [
    ...equals("payment_id", paymentId === undefined ? undefined : yield* idOf("paymentId", paymentId)),
    ...statuses.map((values) => ({ sql: isOneOf("status", values), values })),
    ...(status === undefined || status === "done" ? [] : [{ sql: isNotDone, values: [] }]),
    ...(isOpen === true ? [{ sql: isUndecided, values: [] }] : [])
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
    refunded: row.refunded,
    ...(group_name === null || group_total === null ? undefined : { group: { name: group_name, total: group_total } }),
    ...(reference === null ? undefined : { reference }),
    ...(attention === null ? undefined : { attention }),
    message: row.problem ?? "",
    version: row.version,
    since: new Date(row.created_at).toISOString(),
    ...(next_at === null ? undefined : { nextAt: new Date(next_at).toISOString() })
  }
}
