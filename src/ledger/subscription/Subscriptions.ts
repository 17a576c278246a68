/**
 * The subscriptions of a ledger: made, charged once a period, given another card, cancelled.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as GatewaySchema from "../../contract/GatewaySchema.js"
import { describeFields, invalidFields } from "../../contract/InvalidFields.js"
import type { GatewayError } from "../../client/error/YieldableGatewayError.js"
import type { SubmittedChange } from "../model/Change.js"
import type { ChargeRefusal } from "../change/ChargeSteps.js"
import { trustProblem } from "../change/ChargeTrust.js"
import { type ChangeRow, isDecided } from "../change/ChangeRow.js"
import type { ChangeTable } from "../change/ChangeTable.js"
import type { InFlight } from "../change/InFlight.js"
import * as Places from "../change/Places.js"
import type { StoreError } from "../store/Database.js"
import type { LedgerGateway } from "../model/LedgerGateway.js"
import { invalidArgument } from "../model/LedgerArguments.js"
import { type InvalidArgument, type KeyReused, LedgerError } from "../model/LedgerError.js"
import { attemptOfKey } from "../model/LedgerKey.js"
import { presentOf } from "../order/OrderView.js"
import { hasMoney, progressOf } from "../order/PaymentProgress.js"
import type { PaymentRow } from "../order/PaymentRow.js"
import type { PaymentTable } from "../order/PaymentTable.js"
import { chargeDayOf, expiryMonthOf, isMonth, periodNames, startOfDay } from "./PeriodDay.js"
import * as PeriodSteps from "./PeriodSteps.js"
import * as SubscriptionEvents from "./SubscriptionEvents.js"
import type {
  Cancellation,
  NewSubscription,
  PeriodCharge,
  SubscriptionDetails,
  SubscriptionPeriod
} from "../model/Subscription.js"
import {
  type PeriodRow,
  type SubscriptionPatch,
  type SubscriptionRow,
  type SubscriptionTable,
  type UnreadableItem
} from "./SubscriptionTable.js"
import { keyOf, periodOf, subscriptionOf } from "./SubscriptionView.js"

/** What subscriptions need. */
export interface SubscriptionsOptions<in out Tx> extends SubscriptionEvents.SubscriptionEventsOptions<Tx> {
  readonly gateway: LedgerGateway
  readonly table: SubscriptionTable
  readonly changes: ChangeTable
  readonly payments: Pick<PaymentTable, "ofOrder" | "byPaymentId" | "move">
  /** Records a charge by a key of the ledger's own. */
  readonly record: (key: string, change: SubmittedChange) => Effect.Effect<ChangeRow, PeriodSteps.ChangeError>
  /** Succeeds when the store can be relied on. */
  readonly ready: Effect.Effect<void, StoreError>
  readonly lease: Duration.Duration
  readonly retryAfterDays: ReadonlyArray<number>
  readonly timeZone: string
  readonly inFlight: InFlight
  /** Reports a row that cannot be read. */
  readonly onUnreadable: (unreadable: UnreadableItem) => Effect.Effect<void>
}

/** How many steps run at once, each with a transaction when it notifies the shop. */
const concurrency = 2

/** In milliseconds. */
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const now = { after: 0 }

/** The recurrence is stopped: https://doc.gopay.com, error codes. */
const recurrenceStopped = 342

const textOf = (most: number) =>
  Schema.String.check(
    Schema.isMinLength(1, { message: "must not be empty" }),
    Schema.isMaxLength(most, { message: `must have at most ${most} characters` }),
    Schema.isPattern(/^[^\p{Cc}\p{Cs}]*$/u, { message: "contains a control character, or half of a character" })
  )
const { amount, currency, items, order_description, order_number } = GatewaySchema.CreateRecurrenceRequest.fields
const decodeName = Schema.decodeUnknownEffect(textOf(100))
const decodeNew = Schema.decodeUnknownEffect(Schema.Struct({ orderNumber: textOf(128), maximum: amount, currency }))
const decodeOrderNumber = Schema.decodeUnknownEffect(textOf(128))
const decodeCharge = Schema.decodeUnknownEffect(
  Schema.Struct({
    amount,
    items,
    order_description,
    order_number,
    dayOfMonth: Schema.optional(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 31 }, { message: "must be from 1 to 31" }))
    )
  })
)

type CallFailure = StoreError | LedgerError<InvalidArgument | KeyReused>

const checked = <A>(what: string, decoded: Effect.Effect<A, Schema.SchemaError>) =>
  Effect.mapError(decoded, ({ issue }) => invalidArgument(`${what} ${describeFields(invalidFields(issue))}`))

export type Subscriptions = ReturnType<typeof make>

export const make = <Tx>(options: SubscriptionsOptions<Tx>) => {
  const { changes, gateway, inFlight, lease, onUnreadable, payments, ready, table, timeZone } = options
  const events = SubscriptionEvents.make(options)
  const { failurePause, firstNeeds, told } = events
  const leaseTime = Duration.toMillis(lease)
  const { getPayment } = gateway.reads
  const periodParts: PeriodSteps.PeriodParts = { ...options, events }

  // -------------------------------------------------------------------------------------------------------------------
  // The steps of a subscription
  // -------------------------------------------------------------------------------------------------------------------

  /** The time from which the shop is told that the card expires: the beginning of its last month. */
  const expiryAt = ({ card_expires, expiry_told }: Pick<SubscriptionRow, "card_expires" | "expiry_told">) =>
    card_expires === null || expiry_told === 1 ? null : startOfDay(`${card_expires}-01`, timeZone)

  /** The first payments of the order that is waited for, oldest first. */
  const awaited = ({ awaits }: SubscriptionRow): Effect.Effect<ReadonlyArray<PaymentRow>, StoreError> =>
    awaits === null
      ? Effect.succeed([])
      : Effect.map(payments.ofOrder(awaits), (rows) => rows.filter(({ parent_id }) => parent_id === null))

  /** Takes the first payment that was waited for, and is paid. */
  const started = (
    row: SubscriptionRow,
    paid: PaidFirst,
    awaits: string
  ): Effect.Effect<boolean, StoreError | GatewayError> =>
    Effect.gen(function* () {
      const payment = yield* getPayment(paid.payment_id)
      const { recurrence_cycle: cycle, recurrence_state: state } = payment.recurrence ?? {}
      const isStopped = state === "REQUESTED" || state === "STOPPED"
      if (cycle !== "ON_DEMAND" || payment.currency !== row.currency || isStopped) {
        if (state !== "REQUESTED") {
          yield* firstNeeds(
            paid.payment_id,
            "Unfulfillable",
            `It is paid, and the subscription ${row.name}, which waits for it, cannot be charged with it: ${
              isStopped
                ? "its recurrence is stopped"
                : cycle === "ON_DEMAND"
                  ? `it is in ${payment.currency}, and the subscription in ${row.currency}`
                  : "it has no recurrence ON_DEMAND"
            }. Give the subscription another first payment (replaceCard).`
          )
        }
        yield* table.move(row, { tries: row.tries + 1, next_at: { after: Math.min(minute * 2 ** row.tries, day) } })
        return false
      }
      const card_expires = expiryMonthOf(payment.payer?.payment_card?.card_expiration) ?? null
      const old = row.payment_id === null || row.payment_id === paid.payment_id ? [] : [row.payment_id]
      const toVoid = [...idsIn(row.to_void), ...old]
      return yield* told(
        row,
        {
          status: "active",
          order_number: awaits,
          payment_id: paid.payment_id,
          awaits: null,
          card_expires,
          expiry_told: 0,
          to_void: toVoid.length === 0 ? null : toVoid.join(" "),
          tries: 0,
          next_at: toVoid.length === 0 ? expiryAt({ card_expires, expiry_told: 0 }) : now
        },
        row.payment_id === null ? "started" : "cardReplaced",
        (query) => table.wakeWaiting(row.name, query)
      )
    })

  /** When a subscription is checked again: its card expires, or the payment that it waits for may be paid. */
  const waiting = (row: SubscriptionRow, isOpen: boolean): SubscriptionPatch => {
    const expiry = row.status === "active" ? expiryAt(row) : null
    if (!isOpen) return { next_at: expiry }
    const poll = row.now + Math.min(minute * 2 ** row.tries, row.status === "cancelled" ? day : 6 * hour)
    return { tries: row.tries + 1, next_at: expiry === null ? poll : Math.min(expiry, poll) }
  }

  /** Ends the recurrences at the gateway that nothing charges any more. */
  const voided = (row: SubscriptionRow): Effect.Effect<void, StoreError> =>
    Effect.gen(function* () {
      const [id, ...others] = idsIn(row.to_void)
      if (id === undefined) return
      // What is under way with it may still be paid.
      const periods = yield* table.periodsOf(row.name)
      const ended =
        row.status === "active" && periods.some(({ status }) => status === "charging")
          ? false
          : // The last one that charges it ends it.
            (yield* table.isCharged(id)) ||
            (yield* Effect.match(gateway.voidRecurrence(id), {
              onFailure: ({ reason }) => reason._tag === "PaymentNotFound" || reason._tag === "OperationRefused",
              onSuccess: () => true
            }))
      yield* table.move(
        row,
        ended
          ? { to_void: others.length === 0 ? null : others.join(" "), tries: 0, next_at: now }
          : { tries: row.tries + 1, next_at: { after: Math.min(minute * 2 ** row.tries, day) } }
      )
    })

  /** Cancels what was not sent. Gives whether nothing is under way. */
  const settled = (row: SubscriptionRow): Effect.Effect<boolean, StoreError> =>
    Effect.gen(function* () {
      let isUnderWay = false
      for (const period of yield* table.periodsOf(row.name)) {
        isUnderWay = !(yield* withdrawn(period, row)) || isUnderWay
      }
      if (isUnderWay) {
        yield* table.move(row, { tries: row.tries + 1, next_at: { after: Math.min(minute * 2 ** row.tries, hour) } })
      } else {
        const toVoid = [...idsIn(row.to_void), ...(row.payment_id === null ? [] : [row.payment_id])]
        const patch: SubscriptionPatch = {
          status: "cancelled",
          to_void: toVoid.length === 0 ? null : toVoid.join(" "),
          tries: 0,
          next_at: now
        }
        return yield* told(row, patch, "cancelled")
      }
      return false
    })

  /** Ends a period of which nothing was sent. The mark of a charge and this move the same row: one of them is first. */
  const withdrawn = (period: PeriodRow, subscription: SubscriptionRow): Effect.Effect<boolean, StoreError> =>
    Effect.gen(function* () {
      const isOpen = isPeriodOpen(period)
      const attempts = yield* PeriodSteps.attemptsOf(changes, period)
      const last = attempts.find(({ key }) => key === keyOf(period))
      // It becomes an operator's.
      if (isOpen && (yield* PeriodSteps.mayLackAttempt(changes, period, subscription, attempts))) return false
      if (last !== undefined && !isDecided(last)) {
        if (last.status !== "queued" && last.status !== "locked") return false
        const message = "The subscription was cancelled. Nothing was sent."
        const moved = yield* changes.move(last, {
          status: "refused",
          decision: { outcome: "refused", how: "found", message },
          decided_at: now,
          holds: null,
          next_at: null,
          attention: null,
          problem: null
        })
        if (Option.isNone(moved)) return false
      }
      // Beside an attempt that was paid late, another one may have been in doubt.
      if (!isOpen) return true
      // Its payment is told first.
      if (last?.status === "done") return false
      const other = yield* PeriodSteps.otherCharge(periodParts, period, subscription, attempts)
      if (other !== undefined) return false
      // The end of its charge has moved it.
      const current = Option.getOrElse(yield* table.period(period.subscription, period.period), () => period)
      if (!isPeriodOpen(current)) return current.status === "cancelled"
      const moved = yield* table.movePeriod(current, {
        status: "cancelled",
        next_at: null,
        request: null,
        needs_card: 0,
        tries: 0
      })
      return Option.isSome(moved)
    })

  const step = (row: SubscriptionRow): Effect.Effect<void, StoreError> =>
    Effect.gen(function* () {
      if (row.status === "cancelling") return yield* Effect.asVoid(settled(row))
      const at = row.status === "active" ? expiryAt(row) : null
      if (at !== null && at <= row.now) {
        yield* told(row, { expiry_told: 1, tries: 0, next_at: now }, "cardExpires")
        return
      }
      const first = yield* awaited(row)
      const paid = paidOf(first)
      if (paid !== undefined && row.status === "cancelled") {
        // Its payer has come too late: nothing charges it.
        const toVoid = [...idsIn(row.to_void), paid.payment_id].join(" ")
        yield* table.move(row, { awaits: null, to_void: toVoid, tries: 0, next_at: now })
        return
      }
      if (paid !== undefined) {
        yield* Effect.catch(started(row, paid, paid.order_number), (failure) =>
          failure._tag === "LedgerError"
            ? Effect.fail(failure)
            : Effect.asVoid(table.move(row, { tries: row.tries + 1, next_at: failurePause(row.tries) }))
        )
        return
      }
      if (row.to_void !== null) return yield* voided(row)
      // What is closed and paid late wakes it.
      const isOpen = row.awaits !== null && !(row.status === "cancelled" && first.every(isClosed))
      yield* table.move(row, waiting(row, isOpen))
    })

  // -------------------------------------------------------------------------------------------------------------------
  // Calls
  // -------------------------------------------------------------------------------------------------------------------

  const missing = (name: string) => invalidArgument(`there is no subscription ${name}`)

  const named = (name: string): Effect.Effect<SubscriptionRow, CallFailure> =>
    Effect.gen(function* () {
      yield* checked("the name of a subscription", decodeName(name))
      yield* ready
      const found = yield* table.find(name)
      return Option.isSome(found) ? found.value : yield* Effect.fail(missing(name))
    })

  const details = (row: SubscriptionRow): Effect.Effect<SubscriptionDetails, StoreError> =>
    Effect.map(table.periodsOf(row.name), (periods) => ({ ...subscriptionOf(row), periods: periods.map(periodOf) }))

  const detailsOf = (name: string): Effect.Effect<SubscriptionDetails, CallFailure> =>
    Effect.flatMap(named(name), details)

  /** Fails when the payment of an order that counts cannot be charged. */
  const chargeable = (orderNumber: string, currency: string): Effect.Effect<void, CallFailure> =>
    Effect.gen(function* () {
      const rows = (yield* payments.ofOrder(orderNumber)).filter(({ parent_id }) => parent_id === null)
      const { is_owned, terms } = presentOf(rows) ?? rows.at(-1) ?? {}
      if (is_owned === 1 && terms?.recurrence?.recurrence_cycle !== "ON_DEMAND") {
        return yield* Effect.fail(
          invalidArgument(`the payment of order ${orderNumber} was made without the recurrence ON_DEMAND`)
        )
      }
      if (terms !== undefined && terms.currency !== currency) {
        return yield* Effect.fail(
          invalidArgument(
            `the payment of order ${orderNumber} is in ${terms.currency}, and the subscription in ${currency}`
          )
        )
      }
    })

  const reused = (key: string, message: string): LedgerError<KeyReused> =>
    new LedgerError({ reason: { _tag: "KeyReused", key, message } })

  const calls = {
    createSubscription: (
      name: string,
      subscription: NewSubscription
    ): Effect.Effect<SubscriptionDetails, CallFailure> =>
      Effect.gen(function* () {
        yield* checked("the name of a subscription", decodeName(name))
        const { currency, maximum, orderNumber } = yield* checked("the subscription:", decodeNew(subscription))
        yield* ready
        yield* chargeable(orderNumber, currency)
        yield* table.insert(name, orderNumber, maximum, currency)
        const row = yield* named(name)
        const isOwn = [row.first_order, row.order_number, row.awaits].includes(orderNumber)
        if (!isOwn || row.maximum !== maximum || row.currency !== currency) {
          const message =
            !isOwn && (row.status === "cancelled" || row.status === "cancelling")
              ? `The subscription ${name} is cancelled. Nothing was recorded: take another name for a new one.`
              : `There is another subscription ${name}, with another order or other terms. Nothing was recorded.`
          return yield* Effect.fail(reused(name, message))
        }
        return yield* details(row)
      }),

    getSubscription: (name: string): Effect.Effect<SubscriptionDetails | undefined, StoreError> =>
      Effect.andThen(
        ready,
        Effect.flatMap(table.find(name), (found) =>
          Option.isSome(found) ? details(found.value) : Effect.succeed(undefined)
        )
      ),

    chargePeriod: (
      name: string,
      period: string,
      charge: PeriodCharge
    ): Effect.Effect<SubscriptionPeriod, CallFailure> =>
      Effect.gen(function* () {
        const asked = yield* checked(
          "the charge:",
          decodeCharge({ order_number: `${name}-${period}`, ...withoutUndefined(charge) })
        )
        const chargeDay = chargeDayOf(period, asked.dayOfMonth)
        if (chargeDay === undefined) {
          return yield* Effect.fail(invalidArgument(`period ${period} is none: give ${periodNames}`))
        }
        if (asked.dayOfMonth !== undefined && !isMonth(period)) {
          return yield* Effect.fail(invalidArgument("dayOfMonth is for months only"))
        }
        const row = yield* named(name)
        if (asked.amount > row.maximum) {
          return yield* Effect.fail(
            invalidArgument(`amount ${asked.amount} is above the maximum of the subscription, ${row.maximum}`)
          )
        }
        const { items, order_description } = asked
        yield* table.insertPeriod({
          subscription: name,
          period,
          amount: asked.amount,
          orderNumber: asked.order_number,
          request: JSON.stringify({ items, order_description }),
          dueAt: startOfDay(chargeDay, timeZone)
        })
        const found = yield* table.period(name, period)
        if (Option.isNone(found)) {
          const other = yield* table.periodOfOrder(name, asked.order_number)
          return yield* Effect.fail(
            invalidArgument(
              Option.isSome(other)
                ? `order_number ${asked.order_number} is that of period ${other.value.period}: give each period its own`
                : `the subscription ${name} is cancelled`
            )
          )
        }
        const { amount, order_number } = found.value
        if (amount !== asked.amount || order_number !== asked.order_number) {
          return yield* Effect.fail(
            reused(name, `Period ${period} of ${name} is of another amount or order number. Nothing was recorded.`)
          )
        }
        return periodOf(found.value)
      }),

    replaceCard: (name: string, orderNumber: string): Effect.Effect<SubscriptionDetails, CallFailure> =>
      Effect.gen(function* () {
        yield* checked("orderNumber", decodeOrderNumber(orderNumber))
        for (;;) {
          const row = yield* named(name)
          if (row.status === "cancelling" || row.status === "cancelled") {
            return yield* Effect.fail(invalidArgument(`the subscription ${name} is cancelled`))
          }
          if (row.awaits === orderNumber || row.order_number === orderNumber) return yield* details(row)
          yield* chargeable(orderNumber, row.currency)
          const moved = yield* table.move(row, { awaits: orderNumber, tries: 0, next_at: now })
          if (Option.isSome(moved)) return yield* details(moved.value)
        }
      }),

    cancelSubscription: (name: string): Effect.Effect<Cancellation, CallFailure> =>
      Effect.gen(function* () {
        for (;;) {
          const row = yield* named(name)
          if (row.status === "waiting" || row.status === "active") {
            yield* table.move(row, { status: "cancelling", tries: 0, next_at: now })
            continue
          }
          if (row.status === "cancelling") yield* settled(row)
          const subscription = yield* detailsOf(name)
          return { _tag: subscription.status === "cancelled" ? "Cancelled" : "Cancelling", subscription } as const
        }
      })
  }

  const places = Places.make(concurrency, inFlight.scope)

  /** Begins the steps that are due, as places become free. Gives what it has begun: 1 for each step that was made. */
  const beginDue = (until: number): Effect.Effect<ReadonlyArray<Fiber.Fiber<number>>, StoreError> =>
    Effect.gen(function* () {
      const begun: Array<Fiber.Fiber<number>> = []
      const mayBegin = Effect.map(Clock.currentTimeMillis, (time) => time < until && !inFlight.isClosing())
      /** Only one process makes the step; if it ends meanwhile, another one does after the lease. */
      const begin = <Row>(
        name: string,
        take: Effect.Effect<Option.Option<Row>, StoreError>,
        make: (taken: Row) => Effect.Effect<void, StoreError | PeriodSteps.ChangeError>
      ) =>
        Effect.gen(function* () {
          if (inFlight.has(name) || !(yield* mayBegin)) return
          const made = Effect.flatMap(
            take,
            Option.match({ onNone: () => Effect.succeed(0), onSome: (taken) => Effect.as(make(taken), 1) })
          )
          const step = Effect.catchCause(inFlight.runOnce(name, made), (cause) =>
            Effect.as(Effect.logWarning(`The ledger leaves the ${name} as it is for now`, cause), 0)
          )
          begun.push(
            yield* places.begin(
              Effect.flatMap(mayBegin, (may) => (may ? Effect.map(step, (count = 0) => count) : Effect.succeed(0)))
            )
          )
        })
      const subscriptions = yield* table.due
      const periods = yield* table.duePeriods
      for (const unreadable of [...subscriptions.unreadable, ...periods.unreadable]) yield* onUnreadable(unreadable)
      for (const row of subscriptions.rows) {
        yield* begin(`subscription ${row.name}`, table.move(row, { next_at: { after: leaseTime } }), step)
      }
      for (const row of periods.rows) {
        const name = `period ${row.period} of ${row.subscription}`
        yield* begin(name, table.movePeriod(row, { next_at: { after: leaseTime } }), (taken) =>
          PeriodSteps.step(periodParts, taken)
        )
      }
      return begun
    })

  return {
    calls,
    beginDue,

    /** Whether the attempts before are closed, says the gateway: one that has waited may find them paid. */
    mayFollow: ({ key }: ChangeRow): Effect.Effect<boolean, StoreError> =>
      Effect.gen(function* () {
        const attempt = attemptOfKey(key)
        if (attempt === undefined) return true
        const before = yield* PeriodSteps.attemptsOf(changes, { ...attempt, attempts: attempt.attempt - 1 })
        return before.every(isDecided) && (yield* PeriodSteps.stillClosed(periodParts, before))
      }),

    /** Why a charge may not be sent. It is asked after the charge was locked, and again when it is marked. */
    chargeRefusal: (row: ChangeRow): Effect.Effect<ChargeRefusal | undefined, StoreError> =>
      Effect.gen(function* () {
        const attempt = attemptOfKey(row.key)
        if (attempt === undefined) {
          const trust = yield* changes.trustIn(row.payment_id)
          const { day, order_number = "" } = row.request ?? {}
          const dayBegins = day === undefined ? undefined : startOfDay(day, timeZone)
          const problem = trustProblem({ createdAt: row.created_at, dayBegins }, trust)
          if (problem === "Waited") return { _tag: "MayBeCharged" }
          const chargeId = yield* table.forgottenCharge(order_number, row.payment_id, trust !== undefined)
          if (chargeId !== undefined) return { _tag: "MayBeCharged", chargeId }
          if (problem === "Undated") return { _tag: "MayBeCharged", isReleasable: true }
          return dayBegins !== undefined && dayBegins > row.now ? { _tag: "NotYet", from: dayBegins } : undefined
        }
        const period = Option.getOrUndefined(yield* table.period(attempt.subscription, attempt.period))
        const before = yield* PeriodSteps.attemptsOf(changes, { ...attempt, attempts: attempt.attempt - 1 })
        if (yield* PeriodSteps.mayLackAttempt(changes, period ?? { due_at: 0 }, row, before))
          return { _tag: "MayBeCharged" }
        const subscription = yield* table.find(attempt.subscription)
        if (Option.isNone(subscription) || subscription.value.status !== "active") {
          return { _tag: "Never", message: "The subscription was cancelled." }
        }
        // With this code the period goes on at once, by the new card.
        if (subscription.value.payment_id !== row.payment_id) {
          return { _tag: "Never", message: "Another card has taken the place of this one.", code: recurrenceStopped }
        }
        return period?.status === "paid"
          ? { _tag: "Never", message: "The period is paid by an earlier attempt." }
          : undefined
      })
  }
}

/** The first payment of an order, once money has come for it. */
type PaidFirst = PaymentRow & { readonly payment_id: string }

/** The payment of an order that has money, or else one whose money was returned: its card was charged once. */
const paidOf = (rows: ReadonlyArray<PaymentRow>): PaidFirst | undefined => {
  const paid = rows.find(hasMoney) ?? rows.find((row) => progressOf(row) === "refunded")
  return paid === undefined || paid.payment_id === null ? undefined : { ...paid, payment_id: paid.payment_id }
}

const isPeriodOpen = ({ status }: PeriodRow): boolean => status === "waiting" || status === "charging"

const isClosed = (row: PaymentRow): boolean => progressOf(row) === "closed"

const idsIn = (ids: string | null): ReadonlyArray<string> => (ids === null || ids === "" ? [] : ids.split(" "))

const withoutUndefined = (charge: PeriodCharge): Partial<PeriodCharge> =>
  Object.fromEntries(Object.entries(charge).filter(([, value]) => value !== undefined))
