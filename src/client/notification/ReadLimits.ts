/**
 * Limits on the reads of payments that notifications cause, so that strangers cause few and starve nobody.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { NotificationLimits } from "./Notification.plain.js"
import type { Recognized } from "./Verification.js"

const minute = 60_000

const defaultReadsPerMinute = 30

/** The most charges to remember whose parent the gateway has confirmed. */
const confirmedAtMost = 10_000

/** A group of reads that are counted together. */
type Budget = number | `charges of ${number}` | "strangers"

/**
 * Counts the reads of each minute: of each payment that the shop knows, and of each charge whose parent the gateway has
 * confirmed, for itself; of those who only claim to be charges of a payment together; and of all others together.
 * Whoever claims a parent never uses up what the parent has.
 *
 * @throws TypeError when a limit is not a whole number
 */
export const make = (limits: NotificationLimits = {}) => {
  const perMinute = {
    knownReadsPerMinute: limits.knownReadsPerMinute ?? defaultReadsPerMinute,
    claimedReadsPerMinute: limits.claimedReadsPerMinute ?? defaultReadsPerMinute,
    unknownReadsPerMinute: limits.unknownReadsPerMinute ?? defaultReadsPerMinute
  }
  for (const [limit, reads] of Object.entries(perMinute)) {
    if (!Number.isSafeInteger(reads) || reads < 0) throw new TypeError(`limits.${limit}: must be an integer, 0 or more`)
  }
  /** Ordered by first read, so that expired budgets come first. */
  const counts = new Map<Budget, { readonly since: number; readonly reads: number }>()
  /** Ordered from oldest to latest. */
  const confirmed = new Set<number>()

  const budgetOf = (id: number, { order, parent }: Recognized<unknown>): [Budget, keyof NotificationLimits] => {
    if (order !== undefined || confirmed.has(id)) return [id, "knownReadsPerMinute"]
    return parent === undefined
      ? ["strangers", "unknownReadsPerMinute"]
      : [`charges of ${parent.id}`, "claimedReadsPerMinute"]
  }

  return {
    /** Counts one more read, or returns the limit that it would exceed. */
    reached: (id: number, recognized: Recognized<unknown>): Effect.Effect<keyof NotificationLimits | undefined> =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        for (const [budget, { since }] of counts) {
          // Absolute, so that a clock set back does not prolong it.
          if (Math.abs(now - since) < minute) break
          counts.delete(budget)
        }
        const [budget, limit] = budgetOf(id, recognized)
        const { reads, since } = counts.get(budget) ?? { reads: 0, since: now }
        if (reads >= perMinute[limit]) return limit
        counts.set(budget, { reads: reads + 1, since })
        return undefined
      }),
    /** Gives a charge a budget of its own. Only the gateway confirms charges, so strangers cannot fill the list. */
    confirm: (id: number): void => {
      confirmed.delete(id)
      confirmed.add(id)
      for (const oldest of confirmed) {
        if (confirmed.size <= confirmedAtMost) break
        confirmed.delete(oldest)
      }
    }
  }
}
