/**
 * The order of a payment's states, and when it is checked again.
 */
import type { PaymentState } from "../../contract/CodeLists.js"
import type { PaymentResponse } from "../../contract/Messages.js"
import type { PaymentRow } from "../store/PaymentTable.js"
import type { PaidOrder } from "../model/Order.js"
import { day, hour, minute } from "../../basics/Milliseconds.js"

/** How far a payment has come. */
export type Progress = PaidOrder["status"] | "open" | "closed"

/**
 * The rank of each state; a payment never falls below its rank. Open and held payments follow the gateway, since a
 * payer may try again and a hold may be released. A payment that was paid stays paid. A closed payment may still be
 * paid late.
 */
export const paymentStates: ReadonlyMap<string | null, { readonly progress: Progress; readonly rank: number }> =
  new Map([
    ["CREATED", { progress: "open", rank: 0 }],
    ["PAYMENT_METHOD_CHOSEN", { progress: "open", rank: 1 }],
    ["AUTHORIZED", { progress: "authorized", rank: 2 }],
    ["CANCELED", { progress: "closed", rank: 2 }],
    ["TIMEOUTED", { progress: "closed", rank: 2 }],
    ["PAID", { progress: "paid", rank: 3 }],
    ["PARTIALLY_REFUNDED", { progress: "partiallyRefunded", rank: 4 }],
    ["REFUNDED", { progress: "refunded", rank: 5 }]
  ])

/** The progress of a row's payment, as far as the ledger knows. */
export const progressOf = ({ state, status }: PaymentRow): Progress | undefined =>
  status === "created" ? (paymentStates.get(state)?.progress ?? "open") : undefined

/** What a read means for a row. */
export type Reading =
  | { readonly _tag: "Forward"; readonly progress: Progress }
  /** The state is older than the row's, or wrong. Or refunds have failed, if there is a status to go back to. */
  | { readonly _tag: "Backward"; readonly contradictsMoney: boolean; readonly progress: Progress | undefined }
  /** The state is unknown. */
  | { readonly _tag: "Strange" }

export const readingOf = (row: PaymentRow, state: PaymentState): Reading => {
  const next = paymentStates.get(state)
  if (next === undefined) return { _tag: "Strange" }
  const rank = paymentStates.get(row.state)?.rank ?? 0
  return next.rank >= rank
    ? { _tag: "Forward", progress: next.progress }
    : { _tag: "Backward", contradictsMoney: rank >= 3, progress: next.rank >= 3 ? next.progress : undefined }
}

/** Whether money has come or is held, and has not been returned completely. */
export const hasMoney = (row: PaymentRow): boolean => isMoneyLeft(progressOf(row))

export const isMoneyLeft = (progress: Progress | undefined): boolean =>
  progress === "authorized" || progress === "paid" || progress === "partiallyRefunded"

/**
 * For each progress: the first and the longest pause between two checks, the factor by which pauses grow, and for how
 * long it is checked at all.
 */
export const pauses: Readonly<
  Record<Progress, Readonly<Record<"first" | "longest" | "factor" | "forAtMost", number>>>
> = {
  open: { first: minute, longest: hour, factor: 2, forAtMost: Infinity },
  authorized: { first: 10 * minute, longest: 2 * hour, factor: 2, forAtMost: Infinity },
  // A bank transfer may arrive late.
  closed: { first: hour, longest: 3 * day, factor: 4, forAtMost: 60 * day },
  // It may be refunded by hand.
  paid: { first: 10 * minute, longest: 30 * day, factor: 4, forAtMost: 365 * day },
  partiallyRefunded: { first: 10 * minute, longest: 30 * day, factor: 4, forAtMost: 365 * day },
  refunded: { first: day, longest: day, factor: 1, forAtMost: 0 }
}

/** The milliseconds until a payment is checked again; `Infinity` if it is not. */
export const pauseAfter = (
  progress: Progress,
  { age, compareFor, seq, tries }: Pick<PaymentRow, "seq" | "tries"> & Readonly<Record<"age" | "compareFor", number>>
): number => {
  const { factor, first, forAtMost, longest } = pauses[progress]
  const isCompared = comparedDaily.has(progress) && age < compareFor
  if (age >= forAtMost && !isCompared) return Infinity
  const pause = Math.min(first * factor ** tries, longest)
  // From 0 to 1. Spreads the checks of payments that were created one after another, so that they do not stay together.
  const spread = (seq * 0.618_033_988_75 + tries * 0.754_877_666_25) % 1
  return (isCompared ? Math.min(pause, day) : pause) * (0.8 + 0.4 * spread)
}

/** With this progress a payment is read once a day for some weeks. */
const comparedDaily: ReadonlySet<Progress> = new Set(["paid", "partiallyRefunded", "refunded"])

// ---- Recurrences that the gateway charges by itself: each charge is known by its notification

/** How late a charge may be: a payment may begin days after it was created. */
const grace = 3 * day

export const isAutomatic = ({ parent_id, terms: { recurrence } }: PaymentRow): boolean =>
  parent_id === null && recurrence !== undefined && recurrence.recurrence_cycle !== "ON_DEMAND"

/**
 * When the next charge counts as missed, from the time at which the last one was recorded; `Infinity` if no charge is
 * expected.
 */
export const missedAt = (
  { created_at, terms: { recurrence } }: PaymentRow,
  payment: PaymentResponse,
  lastAt: number | undefined
): number => {
  if (recurrence === undefined || payment.recurrence?.recurrence_state !== "STARTED") return Infinity
  const { recurrence_cycle: cycle, recurrence_date_to, recurrence_period = 1 } = recurrence
  const next = later(lastAt ?? created_at, cycle, recurrence_period)
  return next > Date.parse(`${recurrence_date_to}T00:00:00Z`) ? Infinity : next + grace
}

/** Adds a number of cycles to a time. If the month has no such day, its last day. */
const later = (time: number, cycle: string, count: number): number => {
  switch (cycle) {
    case "DAY":
      return time + count * day
    case "WEEK":
      return time + count * 7 * day
    case "MONTH": {
      const date = new Date(time)
      date.setUTCMonth(date.getUTCMonth() + count)
      if (date.getUTCDate() !== new Date(time).getUTCDate()) date.setUTCDate(0)
      return date.getTime()
    }
    default:
      return Infinity
  }
}
