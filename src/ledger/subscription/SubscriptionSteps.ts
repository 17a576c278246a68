/**
 * The steps of a subscription. Read it from top to bottom:
 *
 * ```
 * waiting ──a first payment is paid──▶ active ──another card: as before, by its first payment──▶ active
 *    └────────────────────────────────────┴──▶ cancelling ──nothing is under way──▶ cancelled
 * ```
 *
 * Recurrences that are no longer charged are stopped at the gateway.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { PaymentResponse } from "../../contract/Messages.js"
import { decided } from "../change/ChangeJudgement.js"
import { attemptsOf } from "../change/ChargeFacts.js"
import { isDecided } from "../store/ChangeRow.js"
import { hasMoney, progressOf } from "../order/PaymentProgress.js"
import type { PaymentRow } from "../store/PaymentTable.js"
import type { StoreError } from "../store/Database.js"
import { failurePause } from "../store/HandlerTransaction.js"
import { expiryMonthOf, startOfDay } from "../../basics/Day.js"
import * as PeriodSteps from "./PeriodSteps.js"
import type { SubscriptionParts } from "./PeriodSteps.js"
import { keyOf } from "./SubscriptionEvents.js"
import type { PeriodRow, SubscriptionPatch, SubscriptionRow } from "../store/SubscriptionTable.js"
import { day, hour, minute } from "../../basics/Milliseconds.js"
import { now } from "../store/Statements.js"

/** Makes the next step of a subscription whose row was taken. */
export const step = Effect.fnUntraced(function* (
  parts: SubscriptionParts,
  row: SubscriptionRow
): Effect.fn.Return<void, StoreError> {
  const { events, subscriptions, timeZone } = parts
  if (row.status === "cancelling") return yield* cancel(parts, row)
  const at = row.status === "active" ? expiryAt(row, timeZone) : null
  if (at !== null && at <= row.now) {
    yield* events.report(row, { expiry_reported: 1, tries: 0, next_at: now }, "cardExpires")
    return
  }
  const next = nextOf(row, yield* awaited(parts, row), at)
  switch (next._tag) {
    case "Start":
      return yield* Effect.catch(start(parts, row, next.paid), (failure) =>
        failure._tag === "LedgerError"
          ? Effect.fail(failure)
          : Effect.asVoid(subscriptions.move(row, { tries: row.tries + 1, next_at: failurePause(row.tries) }))
      )
    case "EndRecurrence":
      return yield* endRecurrence(parts, row)
    case "Move":
      yield* subscriptions.move(row, next.patch)
  }
})

/** The first payments of the order that it waits for, oldest first. */
const awaited = ({ payments }: SubscriptionParts, { awaits }: SubscriptionRow) =>
  awaits === null
    ? Effect.succeed([])
    : Effect.map(payments.ofOrder(awaits), (rows) => rows.filter(({ parent_id }) => parent_id === null))

/** Takes over a first payment that it waited for and that is paid. */
const start = Effect.fnUntraced(function* (parts: SubscriptionParts, row: SubscriptionRow, paid: PaidFirst) {
  const { events, gateway, subscriptions, timeZone } = parts
  const judged = judgeFirst(row, paid, yield* gateway.reads.getPayment(paid.payment_id), timeZone)
  if (judged._tag === "Usable") {
    yield* events.report(row, judged.patch, judged.type)
    return
  }
  if (judged.message !== undefined) yield* events.firstNeeds(paid.payment_id, "Unfulfillable", judged.message)
  yield* subscriptions.move(row, later(row, day))
})

/** Stops at the gateway the first of the recurrences that are no longer charged. */
const endRecurrence = Effect.fnUntraced(function* (parts: SubscriptionParts, row: SubscriptionRow) {
  const { gateway, subscriptions } = parts
  const [id, ...others] = idsIn(row.to_void)
  if (id === undefined) return
  const periods = yield* subscriptions.periodsOf(row.name)
  // A charge of it that is in flight may still be paid.
  const isCharging = row.status === "active" && periods.some(({ status }) => status === "charging")
  // If several subscriptions charge it, the last one stops it.
  const isEnded =
    !isCharging &&
    ((yield* subscriptions.isCharged(id)) ||
      (yield* Effect.match(gateway.voidRecurrence(id), {
        onFailure: ({ reason }) => reason._tag === "PaymentNotFound" || reason._tag === "OperationRefused",
        onSuccess: () => true
      })))
  yield* subscriptions.move(row, isEnded ? { to_void: joinedIds(others), tries: 0, next_at: now } : later(row, day))
})

/** Cancels what was not sent, and the subscription itself once nothing is in flight. */
export const cancel = Effect.fnUntraced(function* (
  parts: SubscriptionParts,
  row: SubscriptionRow
): Effect.fn.Return<void, StoreError> {
  let isUnderWay = false
  for (const period of yield* parts.subscriptions.periodsOf(row.name)) {
    isUnderWay = !(yield* withdraw(parts, period, row)) || isUnderWay
  }
  if (isUnderWay) {
    yield* parts.subscriptions.move(row, later(row, hour))
  } else {
    const to_void = joinedIds([...idsIn(row.to_void), ...(row.payment_id === null ? [] : [row.payment_id])])
    yield* parts.events.report(row, { status: "cancelled", to_void, tries: 0, next_at: now }, "cancelled")
  }
})

/**
 * Ends a period unless a charge of it was sent; marking a charge moves the same row. Returns whether the period has
 * ended.
 */
const withdraw = Effect.fnUntraced(function* (
  parts: SubscriptionParts,
  period: PeriodRow,
  subscription: SubscriptionRow
) {
  const { changes, subscriptions } = parts
  const isOpen = isPeriodOpen(period)
  const attempts = yield* attemptsOf(changes, period)
  const last = attempts.find(({ key }) => key === keyOf(period))
  // An operator has to decide about it.
  if (isOpen && (yield* PeriodSteps.mayLackAttempt(changes, period, subscription, attempts))) return false
  if (last !== undefined && !isDecided(last)) {
    if (last.status !== "queued" && last.status !== "locked") return false
    const message = "The subscription was cancelled. Nothing was sent."
    const moved = yield* changes.move(last, decided({ outcome: "refused", how: "found", message }))
    if (Option.isNone(moved)) return false
  }
  // Besides an attempt that was paid late, another one may have been in doubt.
  if (!isOpen) return true
  // Its payment is reported first.
  if (last?.status === "done") return false
  const other = yield* PeriodSteps.otherCharge(parts, { row: period, subscription, attempts })
  if (other !== undefined) return false
  // The end of its charge has moved it.
  const current = Option.getOrElse(yield* subscriptions.period(period.subscription, period.period), () => period)
  if (!isPeriodOpen(current)) return current.status === "cancelled"
  yield* PeriodSteps.endRefused(changes, attempts)
  return Option.isSome(yield* subscriptions.movePeriod(current, PeriodSteps.cancelled.patch))
})

// ---- Decisions

/** The first payment of an order, once money has come for it. */
type PaidFirst = PaymentRow & { readonly payment_id: string }

/** The next step of a subscription whose card does not expire soon. */
export type Next =
  | { readonly _tag: "Start"; readonly paid: PaidFirst }
  | { readonly _tag: "EndRecurrence" }
  | { readonly _tag: "Move"; readonly patch: SubscriptionPatch }

/** Decides the next step from the first payments of the order that it waits for, and from when the card expires. */
export const nextOf = (row: SubscriptionRow, first: ReadonlyArray<PaymentRow>, expiry: number | null): Next => {
  const paid = paidOf(first)
  if (paid !== undefined && row.status === "cancelled") {
    // The payer was too late: no subscription charges this payment.
    const to_void = joinedIds([...idsIn(row.to_void), paid.payment_id])
    return { _tag: "Move", patch: { awaits: null, to_void, tries: 0, next_at: now } }
  }
  if (paid !== undefined) return { _tag: "Start", paid }
  if (row.to_void !== null) return { _tag: "EndRecurrence" }
  // A payment that is closed and then paid late wakes it.
  const isOpen =
    row.awaits !== null && !(row.status === "cancelled" && first.every((payment) => progressOf(payment) === "closed"))
  if (!isOpen) return { _tag: "Move", patch: { next_at: expiry } }
  const poll = row.now + Math.min(minute * 2 ** row.tries, row.status === "cancelled" ? day : 6 * hour)
  return {
    _tag: "Move",
    patch: { tries: row.tries + 1, next_at: expiry === null ? poll : Math.min(expiry, poll) }
  }
}

/**
 * How a subscription can use a first payment. Anything other than `Usable` has a message for an operator, unless the payment is only
 * not there yet.
 */
type FirstJudgement =
  | { readonly _tag: "Usable"; readonly type: "started" | "cardReplaced"; readonly patch: SubscriptionPatch }
  | { readonly _tag: "Unusable"; readonly message: string | undefined }

/** Judges a paid first payment for the subscription that waits for it, from what the gateway shows. */
export const judgeFirst = (
  row: SubscriptionRow,
  paid: Pick<PaidFirst, "order_number" | "payment_id">,
  { currency, payer, recurrence }: PaymentResponse,
  timeZone: string
): FirstJudgement => {
  const { recurrence_cycle: cycle, recurrence_state: state } = recurrence ?? {}
  if (state === "REQUESTED") return { _tag: "Unusable", message: undefined }
  const fault =
    state === "STOPPED"
      ? "its recurrence is stopped"
      : cycle !== "ON_DEMAND"
        ? "it has no recurrence ON_DEMAND"
        : currency !== row.currency
          ? `it is in ${currency}, and the subscription in ${row.currency}`
          : undefined
  if (fault !== undefined) {
    const message = `It is paid, and the subscription ${row.name}, which waits for it, cannot be charged with it: ${fault}.`
    return { _tag: "Unusable", message: `${message} Give the subscription another first payment (replaceCard).` }
  }
  const card_expires = expiryMonthOf(payer?.payment_card?.card_expiration) ?? null
  const isOther = row.payment_id !== null && row.payment_id !== paid.payment_id
  const to_void = joinedIds([...idsIn(row.to_void), ...(isOther ? [row.payment_id] : [])])
  return {
    _tag: "Usable",
    type: row.payment_id === null ? "started" : "cardReplaced",
    patch: {
      status: "active",
      order_number: paid.order_number,
      payment_id: paid.payment_id,
      awaits: null,
      card_expires,
      expiry_reported: 0,
      to_void,
      tries: 0,
      next_at: to_void === null ? expiryAt({ card_expires, expiry_reported: 0 }, timeZone) : now
    }
  }
}

/** When the expiry of the card is reported: at the beginning of its last month. */
const expiryAt = (
  { card_expires, expiry_reported }: Pick<SubscriptionRow, "card_expires" | "expiry_reported">,
  timeZone: string
): number | null => (card_expires === null || expiry_reported === 1 ? null : startOfDay(`${card_expires}-01`, timeZone))

/** It is retried after growing pauses. */
const later = ({ tries }: SubscriptionRow, longest: number): SubscriptionPatch => ({
  tries: tries + 1,
  next_at: { after: Math.min(minute * 2 ** tries, longest) }
})

/** The payment of an order that has money, or else one whose money was returned: its card was charged once. */
const paidOf = (rows: ReadonlyArray<PaymentRow>): PaidFirst | undefined => {
  const paid = rows.find(hasMoney) ?? rows.find((row) => progressOf(row) === "refunded")
  return paid === undefined || paid.payment_id === null ? undefined : { ...paid, payment_id: paid.payment_id }
}

const isPeriodOpen = ({ status }: PeriodRow): boolean =>
  status === "waiting" || status === "charging" || status === "blocked"

const idsIn = (ids: string | null): ReadonlyArray<string> => (ids === null || ids === "" ? [] : ids.split(" "))

const joinedIds = (ids: ReadonlyArray<string>): string | null => (ids.length === 0 ? null : ids.join(" "))
