/**
 * The subscriptions of a ledger: creating, charging once a period, changing the card, cancelling.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { startOfDay } from "../../basics/Day.js"
import * as GatewaySchema from "../../contract/GatewaySchema.js"
import { withoutUndefined } from "../../basics/Nulls.js"
import type { ChangeError, LedgerPrograms } from "../model/LedgerService.js"
import type { StoreError } from "../store/Database.js"
import { checkedArgument, checkText, invalidArgument, storableText } from "../model/LedgerArguments.js"
import { LedgerError } from "../model/YieldableLedgerError.js"
import { checkNumber } from "../order/Orders.js"
import { shopOrder } from "../store/OrderTable.js"
import { presentOf } from "../order/OrderView.js"
import { chargeDayOf, periodNames } from "./PeriodDay.js"
import type * as PeriodSteps from "./PeriodSteps.js"
import * as SubscriptionEvents from "./SubscriptionEvents.js"
import type { Cancellation, NewSubscription, PeriodCharge, SubscriptionDetails } from "../model/Subscription.js"
import * as SubscriptionSteps from "./SubscriptionSteps.js"
import * as SubscriptionTable from "../store/SubscriptionTable.js"
import type { SubscriptionRow } from "../store/SubscriptionTable.js"
import { now, type TableOwner } from "../store/Statements.js"

interface Parts extends PeriodSteps.SubscriptionParts {
  /** Succeeds when the store can be relied on. */
  readonly ready: Effect.Effect<void, StoreError>
}

export interface SubscriptionsOptions<in out Tx>
  extends
    Omit<SubscriptionEvents.SubscriptionEventsOptions<Tx>, "subscriptions">,
    TableOwner,
    Omit<Parts, "database" | "events" | "subscriptions"> {}

export interface Subscriptions {
  readonly calls: Pick<
    LedgerPrograms,
    "cancelSubscription" | "chargePeriod" | "createSubscription" | "getSubscription" | "replaceCard"
  >
  /** The parts that the steps of subscriptions and periods share. */
  readonly steps: PeriodSteps.SubscriptionParts
}

export const make = <Tx>(options: SubscriptionsOptions<Tx>): Subscriptions => {
  const subscriptions = SubscriptionTable.make(options.database, options.scope, options)
  const parts: Parts = {
    ...options,
    events: SubscriptionEvents.make({ ...options, subscriptions }),
    subscriptions
  }
  return {
    calls: {
      createSubscription: (name, subscription) => create(parts, name, subscription),
      getSubscription: (name) => get(parts, name),
      chargePeriod: (name, period, charge) => chargePeriod(parts, name, period, charge),
      replaceCard: (name, orderNumber) => replaceCard(parts, name, orderNumber),
      cancelSubscription: (name) => cancel(parts, name)
    },
    steps: parts
  }
}

// ---- Calls

const { amount, currency, items, order_description, order_number } = GatewaySchema.CreateRecurrenceRequest.fields
const decodeName = Schema.decodeUnknownEffect(
  storableText(100).check(Schema.isPattern(/^\P{Cc}*$/u, { message: "contains a control character" }))
)
const decodeNew = Schema.decodeUnknownEffect(
  Schema.Struct({ orderNumber: storableText(128), maximum: amount, currency })
)
const dayOfMonth = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 31 }, { message: "must be from 1 to 31" }))
const decodeCharge = Schema.decodeUnknownEffect(
  Schema.Struct({ amount, items, order_description, order_number, dayOfMonth: Schema.optional(dayOfMonth) })
)

const checkName = (name: string) => checkedArgument(decodeName(name), "the name of a subscription ")

const refused = (problem: string) => Effect.fail(invalidArgument(problem))

const reused = (key: string, message: string) =>
  Effect.fail(new LedgerError({ reason: { _tag: "KeyReused", key, message } }))

const named = Effect.fnUntraced(function* ({ ready, subscriptions }: Parts, name: string) {
  yield* checkName(name)
  yield* ready
  const found = yield* subscriptions.find(name)
  return Option.isSome(found) ? found.value : yield* refused(`there is no subscription ${name}`)
})

const details = ({ subscriptions }: Parts, row: SubscriptionRow): Effect.Effect<SubscriptionDetails, StoreError> =>
  Effect.map(subscriptions.periodsOf(row.name), (periods) => ({
    ...SubscriptionEvents.subscriptionOf(row),
    periods: periods.map(SubscriptionEvents.periodOf)
  }))

/** Fails if the payment that decides the order cannot be charged. */
const chargeable = Effect.fnUntraced(function* ({ payments }: Parts, orderNumber: string, currency: string) {
  const read = yield* payments.inOrder(shopOrder(orderNumber))
  const { is_owned, terms } = presentOf(read) ?? read.payments.at(-1) ?? {}
  const problem =
    is_owned === 1 && terms?.recurrence?.recurrence_cycle !== "ON_DEMAND"
      ? "was made without the recurrence ON_DEMAND"
      : terms !== undefined && terms.currency !== currency
        ? `is in ${terms.currency}, and the subscription in ${currency}`
        : undefined
  if (problem !== undefined) yield* refused(`the payment of order ${orderNumber} ${problem}`)
})

const create = Effect.fnUntraced(function* (parts: Parts, name: string, subscription: NewSubscription) {
  yield* checkName(name)
  const { currency, maximum, orderNumber } = yield* checkedArgument(decodeNew(subscription), "the subscription: ")
  yield* parts.ready
  yield* chargeable(parts, orderNumber, currency)
  yield* parts.subscriptions.insert(name, orderNumber, maximum, currency)
  const row = yield* named(parts, name)
  const isOwn = [row.first_order, row.order_number, row.awaits].includes(orderNumber)
  if (!isOwn || row.maximum !== maximum || row.currency !== currency) {
    const message =
      !isOwn && isOver(row)
        ? `The subscription ${name} is cancelled. Nothing was recorded: take another name for a new one.`
        : `There is another subscription ${name}, with another order or other terms. Nothing was recorded.`
    return yield* reused(name, message)
  }
  return yield* details(parts, row)
})

const get = Effect.fnUntraced(function* (parts: Parts, name: string) {
  yield* checkText("the name of a subscription", name)
  yield* parts.ready
  const found = yield* parts.subscriptions.find(name)
  return Option.isSome(found) ? yield* details(parts, found.value) : undefined
})

const chargePeriod = Effect.fnUntraced(function* (parts: Parts, name: string, period: string, charge: PeriodCharge) {
  const { subscriptions, timeZone } = parts
  const given = { order_number: `${name}-${period}`, ...withoutUndefined(charge) }
  const wanted = yield* checkedArgument(decodeCharge(given), "the charge: ")
  const chargeDay = chargeDayOf(period, wanted.dayOfMonth)
  if (chargeDay === undefined) return yield* refused(`period ${period} is not a period: give ${periodNames}`)
  const isMonth = /^\d{4}-\d\d$/.test(period)
  if (wanted.dayOfMonth !== undefined && !isMonth) return yield* refused("dayOfMonth is for months only")
  const row = yield* named(parts, name)
  const { maximum } = row
  if (wanted.amount > maximum) {
    return yield* refused(`amount ${wanted.amount} is above the maximum of the subscription, ${maximum}`)
  }
  if ([row.first_order, row.order_number, row.awaits].includes(wanted.order_number)) {
    return yield* refused(
      `order_number ${wanted.order_number} is that of the first payment: give the period its own, or begin with the next one if that payment pays for it`
    )
  }
  const { items, order_description } = wanted
  const request = JSON.stringify({ items, order_description })
  yield* subscriptions.insertPeriod({
    subscription: name,
    period,
    amount: wanted.amount,
    order_number: wanted.order_number,
    request,
    due_at: startOfDay(chargeDay, timeZone)
  })
  const found = yield* requested(parts, name, period, request)
  if (Option.isNone(found)) {
    const other = yield* subscriptions.periodOfOrder(name, wanted.order_number)
    return yield* refused(
      Option.isSome(other)
        ? `order_number ${wanted.order_number} is that of period ${other.value.period}: give each period its own`
        : `the subscription ${name} is cancelled`
    )
  }
  const { amount, order_number } = found.value
  if (amount !== wanted.amount || order_number !== wanted.order_number) {
    const message = `Period ${period} of ${name} is of another amount or order number. Nothing was recorded.`
    return yield* reused(name, message)
  }
  return SubscriptionEvents.periodOf(found.value)
})

/** The period, with the description and the items that it was asked for last, if it can still be charged with them. */
const requested = Effect.fnUntraced(function* (
  { subscriptions }: Parts,
  name: string,
  period: string,
  request: string
): Effect.fn.Return<Option.Option<SubscriptionTable.PeriodRow>, StoreError> {
  for (;;) {
    const found = yield* subscriptions.period(name, period)
    if (Option.isNone(found)) return found
    const { status } = found.value
    if ((status !== "waiting" && status !== "blocked") || found.value.request === request) return found
    const moved = yield* subscriptions.movePeriod(found.value, {
      request,
      ...(status === "blocked" ? { next_at: now } : undefined)
    })
    if (Option.isSome(moved)) return moved
  }
})

const replaceCard = Effect.fnUntraced(function* (parts: Parts, name: string, orderNumber: string) {
  yield* checkNumber(orderNumber)
  for (;;) {
    const row = yield* named(parts, name)
    if (isOver(row)) return yield* refused(`the subscription ${name} is cancelled`)
    if (row.awaits === orderNumber || row.order_number === orderNumber) return yield* details(parts, row)
    yield* chargeable(parts, orderNumber, row.currency)
    const charged = yield* parts.subscriptions.periodOfOrder(name, orderNumber)
    if (Option.isSome(charged)) {
      return yield* refused(
        `orderNumber ${orderNumber} is that of period ${charged.value.period}: give the first payment its own`
      )
    }
    const moved = yield* parts.subscriptions.move(row, { awaits: orderNumber, tries: 0, next_at: now })
    if (Option.isSome(moved)) return yield* details(parts, moved.value)
  }
})

const cancel = Effect.fnUntraced(function* (parts: Parts, name: string): Effect.fn.Return<Cancellation, ChangeError> {
  for (;;) {
    const row = yield* named(parts, name)
    if (!isOver(row)) {
      yield* parts.subscriptions.move(row, { status: "cancelling", tries: 0, next_at: now })
      continue
    }
    if (row.status === "cancelling") yield* SubscriptionSteps.cancel(parts, row)
    const subscription = yield* details(parts, yield* named(parts, name))
    return { _tag: subscription.status === "cancelled" ? "Cancelled" : "Cancelling", subscription }
  }
})

const isOver = ({ status }: SubscriptionRow): boolean => status === "cancelling" || status === "cancelled"
