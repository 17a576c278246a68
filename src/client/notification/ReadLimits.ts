/**
 * Limits on the reads of payments that notifications cause, so that strangers cause few and starve no payment.
 *
 * A limit spaces reads out: half of a minute's reads may come at once, the others come evenly. What comes too early is
 * put off until its time has come, and shares its read with all that come for it until then.
 */
import * as Effect from "effect/Effect"
import { monotonicMillis } from "../transport/MonotonicTime.js"
import type { NotificationLimits } from "./Notification.js"
import { minute } from "../../basics/Milliseconds.js"

/** In milliseconds: a read that would have to be put off for longer is refused. */
const maxDelay = 20_000

/** In milliseconds: the age at which the reads of requests that were cut off are dropped. */
const forgottenAfter = 60_000

/** The most reads to put off. Those of known payments always can be: there is one of each. */
const maxPutOff = 10_000

/** The most charges to remember whose parent the gateway has confirmed. */
const maxConfirmed = 10_000

/** What a notification names, by the ids of any API. */
export interface Named {
  readonly id: number | string
  readonly parent_id?: number | string
}

/** What the shop knows of it. */
export interface Known {
  readonly order: unknown
  readonly parent: { readonly id: number | string } | undefined
}

/** A payment by its id, what claims to be a charge of one, or strangers. */
type Budget = Named["id"]

/** Reads that wait for one time together: of a known payment, or of one for those who claim the same of it. */
type PutOffRead = Named["id"]

/** Whether a payment may be read now, or has to wait for its time; or the limit that would make it wait too long. */
export type Admission = "now" | "later" | { readonly limit: keyof NotificationLimits }

/** So many reads at once, and one more after each interval, in milliseconds. Together they keep to the limit. */
const paceOf = (perMinute: number): { readonly atOnce: number; readonly interval: number } => {
  const atOnce = Math.max(1, Math.floor(perMinute / 2))
  return { atOnce, interval: Math.ceil(minute / (perMinute - atOnce + 1)) }
}

/**
 * Counts the reads of each payment that the shop knows, and of each charge whose parent the gateway has confirmed, for
 * itself; of those who only claim to be charges of a payment together; and of all others together. Whoever claims a
 * parent never uses up what the parent has, nor what its confirmed charges have.
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
  /** For each budget, the time at which it is whole again. Ordered by last use. */
  const wholeAt = new Map<Budget, number>()
  /** The times that reads were put off to. Ordered by when they were. */
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

  /** The time of the next read of a budget, which is then taken; `undefined` when there is none early enough. */
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
    /** Takes a read, now or later; or names the limit because of which there is none. */
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
    /** In milliseconds: how much longer the read for such a notification is put off. */
    putOffFor: (notification: Named, now: number): number =>
      Math.max(putOff.get(notification.id) ?? 0, putOff.get(claimedRead(notification)) ?? 0) - now,
    /** Gives a charge a budget of its own. Only the gateway confirms charges, so strangers cannot fill the list. */
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
