/**
 * The states of a payment in their order, and when it is checked again.
 */
import type { PaymentState } from "../../contract/CodeLists.js"
import type { PaymentResponse } from "../../contract/Messages.js"
import type { PaymentRow } from "../store/PaymentTable.js"
import type { PaidOrder } from "../model/Order.js"
import { day, hour, minute } from "../../basics/Milliseconds.js"

/** What a payment has come to. */
export type Progress = PaidOrder["status"] | "open" | "closed"

/**
 * The states, by a rank below which a payment never goes. A payer may try again, and a hold may be released, so these
 * follow the gateway; what was paid stays paid. A payment that was closed may be paid late.
 */
const places: ReadonlyMap<string | null, { readonly progress: Progress; readonly rank: number }> = new Map([
  ["CREATED", { progress: "open", rank: 0 }],
  ["PAYMENT_METHOD_CHOSEN", { progress: "open", rank: 1 }],
  ["AUTHORIZED", { progress: "authorized", rank: 2 }],
  ["CANCELED", { progress: "closed", rank: 2 }],
  ["TIMEOUTED", { progress: "closed", rank: 2 }],
  ["PAID", { progress: "paid", rank: 3 }],
  ["PARTIALLY_REFUNDED", { progress: "partiallyRefunded", rank: 4 }],
  ["REFUNDED", { progress: "refunded", rank: 5 }]
])

/** What a row's payment has come to, as far as the ledger knows. */
export const progressOf = ({ state, status }: PaymentRow): Progress | undefined =>
  status === "created" ? (places.get(state)?.progress ?? "open") : undefined

/** What a read says of a row. */
export type Reading =
  | { readonly _tag: "Forward"; readonly progress: Progress }
  /** It is older than what the row says, or wrong; or refunds have failed, if there is a status to go back to. */
  | { readonly _tag: "Backward"; readonly contradictsMoney: boolean; readonly progress: Progress | undefined }
  /** A state that is in no list. */
  | { readonly _tag: "Strange" }

export const readingOf = (row: PaymentRow, state: PaymentState): Reading => {
  const place = places.get(state)
  if (place === undefined) return { _tag: "Strange" }
  const rank = places.get(row.state)?.rank ?? 0
  return place.rank >= rank
    ? { _tag: "Forward", progress: place.progress }
    : { _tag: "Backward", contradictsMoney: rank >= 3, progress: place.rank >= 3 ? place.progress : undefined }
}

/** Whether money has come, or is held, and is not all returned. */
export const hasMoney = (row: PaymentRow): boolean => isMoneyLeft(progressOf(row))

export const isMoneyLeft = (progress: Progress | undefined): boolean =>
  progress === "authorized" || progress === "paid" || progress === "partiallyRefunded"

/** The first and the longest pause between two checks, how fast they grow, and how long it is checked at all. */
const pauses: Readonly<Record<Progress, Readonly<Record<"first" | "longest" | "factor" | "forAtMost", number>>>> = {
  open: { first: minute, longest: hour, factor: 2, forAtMost: Infinity },
  authorized: { first: 10 * minute, longest: 2 * hour, factor: 2, forAtMost: Infinity },
  // A transfer may come late.
  closed: { first: hour, longest: 3 * day, factor: 4, forAtMost: 60 * day },
  // Someone may refund by hand.
  paid: { first: 10 * minute, longest: 30 * day, factor: 4, forAtMost: 365 * day },
  partiallyRefunded: { first: 10 * minute, longest: 30 * day, factor: 4, forAtMost: 365 * day },
  refunded: { first: day, longest: day, factor: 1, forAtMost: 0 }
}

/** The milliseconds until a payment is checked again; `Infinity` when it is not. */
export const pauseAfter = (
  progress: Progress,
  { age, compareFor, seq, tries }: Pick<PaymentRow, "seq" | "tries"> & Readonly<Record<"age" | "compareFor", number>>
): number => {
  const { factor, first, forAtMost, longest } = pauses[progress]
  const isCompared = comparedDaily.has(progress) && age < compareFor
  if (age >= forAtMost && !isCompared) return Infinity
  const pause = Math.min(first * factor ** tries, longest)
  // From 0 to 1: far apart for payments that came one after the other, so that they are not read together ever after.
  const spread = (seq * 0.618_033_988_75 + tries * 0.754_877_666_25) % 1
  return (isCompared ? Math.min(pause, day) : pause) * (0.8 + 0.4 * spread)
}

/** What money has come for is read once a day for some weeks. */
const comparedDaily: ReadonlySet<Progress> = new Set(["paid", "partiallyRefunded", "refunded"])

// ---- Recurrences that the gateway charges by itself: each charge is known by its notification

/** How long after its day a charge may come: a payment may begin days after it was created. */
const grace = 3 * day

export const isAutomatic = ({ parent_id, terms: { recurrence } }: PaymentRow): boolean =>
  parent_id === null && recurrence !== undefined && recurrence.recurrence_cycle !== "ON_DEMAND"

/** The time at which the next charge is missed, by that at which the last one was recorded; `Infinity` when there is none to come. */
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

/** The time that is a number of cycles later. A month that lacks the day ends earlier. */
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
