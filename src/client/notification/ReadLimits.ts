/**
 * Limits on the reads that notifications cause, so that strangers cause few reads and starve no payment.
 *
 * Half of a minute's reads may be made at once; the others are spread evenly. A read that comes too early is postponed,
 * and shared by all notifications of the same payment that arrive until then.
 */
import * as Effect from "effect/Effect"
import { monotonicMillis } from "../transport/MonotonicTime.js"
import type { NotificationLimits } from "./Notification.js"
import { minute } from "../../basics/Milliseconds.js"

/** In milliseconds: a read that would have to be postponed for longer is refused. */
const maxDelay = 20_000

/** In milliseconds: the age at which the reads of requests that were cut off are dropped. */
const forgottenAfter = 60_000

/** The most reads to postpone. Reads of known payments can always be postponed, since there is one for each. */
const maxPutOff = 10_000

/** The most charges to remember whose parent the gateway has confirmed. */
const maxConfirmed = 10_000

/** The ids in a notification, of any API. */
export interface Named {
  readonly id: number | string
  readonly parent_id?: number | string
}

/** What the shop knows of it. */
export interface Known {
  readonly order: unknown
  readonly parent: { readonly id: number | string } | undefined
}

/** A known payment by its id, all claimed charges of one, or all strangers. */
type Budget = Named["id"]

/** Reads that are postponed together: of a known payment, or for all that claim the same parent. */
type PutOffRead = Named["id"]

/** Whether a payment may be read now, or later; or the limit because of which it would have to wait too long. */
export type Admission = "now" | "later" | { readonly limit: keyof NotificationLimits }

/** This many reads at once, and one more after each interval, in milliseconds. Together they keep to the limit. */
const paceOf = (perMinute: number): { readonly atOnce: number; readonly interval: number } => {
  const atOnce = Math.max(1, Math.floor(perMinute / 2))
  return { atOnce, interval: Math.ceil(minute / (perMinute - atOnce + 1)) }
}

/**
 * Counts reads in budgets: one for each payment that the shop knows, and for each charge whose parent the gateway has
 * confirmed; one for all unconfirmed charges that claim the same parent; and one for all others. A claimed parent never
 * uses up the budget of that parent or of its confirmed charges.
 *
 * @throws TypeError when a limit is not a whole number
 */
export const make = (limits: NotificationLimits = {}) => {
  const perMinute = {
    knownReadsPerMinute: limits.knownReadsPerMinute ?? 30,
    claimedReadsPerMinute: limits.claimedReadsPerMinute ?? 300,
    unknownReadsPerMinute: limits.unknownReadsPerMinute ?? 30
  }
  for (const [limit, reads] of Object.entries(perMinute)) {
    if (!Number.isSafeInteger(reads) || reads < 0) throw new TypeError(`limits.${limit}: must be an integer, 0 or more`)
  }
  /** For each budget, the time at which it is full again. Ordered by last use. */
  const wholeAt = new Map<Budget, number>()
  /** The times that reads are postponed to, in the order in which they were postponed. */
  const putOff = new Map<PutOffRead, number>()
  /** Ordered from oldest to latest. */
  const confirmed = new Set<Named["id"]>()

  const budgetOf = (
    notification: Named,
    { order, parent }: Known
  ): readonly [PutOffRead, Budget, keyof NotificationLimits] => {
    const { id } = notification
    if (order !== undefined || confirmed.has(id)) return [id, id, "knownReadsPerMinute"]
    return parent === undefined
      ? [claimedRead(notification), "strangers", "unknownReadsPerMinute"]
      : [claimedRead(notification), `charges of ${parent.id}`, "claimedReadsPerMinute"]
  }

  /** Takes the next read of a budget. Returns its time; `undefined` if there is none soon enough. */
  const takeRead = (budget: Budget, limit: keyof NotificationLimits, now: number): number | undefined => {
    if (perMinute[limit] === 0) return undefined
    const { atOnce, interval } = paceOf(perMinute[limit])
    const whole = Math.max(wholeAt.get(budget) ?? now, now)
    const at = Math.max(now, whole - (atOnce - 1) * interval)
    const isFull = putOff.size >= maxPutOff && limit !== "knownReadsPerMinute"
    if (at > now + (isFull ? 0 : maxDelay)) return undefined
    wholeAt.delete(budget)
    wholeAt.set(budget, whole + interval)
    return at
  }

  const forget = (now: number): void => {
    for (const [budget, at] of wholeAt) {
      if (at > now) break
      wholeAt.delete(budget)
    }
    for (const [read, at] of putOff) {
      if (now - at < forgottenAfter) break
      putOff.delete(read)
    }
  }

  return {
    /** Takes a read, for now or for later; or names the limit because of which there is none. */
    admit: (notification: Named, recognized: Known): Effect.Effect<Admission> =>
      Effect.map(
        Effect.clockWith((clock) => Effect.sync(() => monotonicMillis(clock))),
        (now) => {
          forget(now)
          const [read, budget, limit] = budgetOf(notification, recognized)
          const due = putOff.get(read)
          if (due !== undefined && due > now) return "later"
          putOff.delete(read)
          if (due !== undefined) return "now"
          const at = takeRead(budget, limit, now)
          if (at === undefined) return { limit }
          if (at <= now) return "now"
          putOff.set(read, at)
          return "later"
        }
      ),
    /** In milliseconds: for how much longer the read for such a notification is postponed. */
    putOffFor: (notification: Named, now: number): number =>
      Math.max(putOff.get(notification.id) ?? 0, putOff.get(claimedRead(notification)) ?? 0) - now,
    /** Gives a charge its own budget. Only the gateway confirms charges, so strangers cannot fill the list. */
    confirm: (id: Named["id"]): void => {
      confirmed.delete(id)
      confirmed.add(id)
      for (const oldest of confirmed) {
        if (confirmed.size <= maxConfirmed) break
        confirmed.delete(oldest)
      }
    }
  }
}

const claimedRead = ({ id, parent_id }: Named): PutOffRead => `${id} as a charge of ${parent_id ?? "none"}`
