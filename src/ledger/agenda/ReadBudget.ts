/**
 * How many rows a duty may begin if each costs a read at the gateway.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ReadLimit } from "./Duty.js"

export interface ReadBudget<in E> {
  /** Whether a failure has paused the duty in this process. */
  readonly isStopped: (now: number) => boolean
  /** Whether due rows are waiting for the budget. */
  readonly isLimited: () => boolean
  readonly left: (now: number) => number
  readonly spend: (rows: number, wanted: number) => void
  /** Pauses the duty in this process if the failure asks for that. */
  readonly stopBy: (cause: Cause.Cause<E>) => Effect.Effect<void>
}

export const make = <E>(limit: ReadLimit<E> | undefined): ReadBudget<E> => {
  let left = limit?.perSecond ?? Infinity
  let at = 0
  let stoppedUntil = 0
  let isLimited = false
  return {
    isStopped: (now) => now < stoppedUntil,
    isLimited: () => isLimited,
    left: (now) => {
      if (limit === undefined) return Infinity
      left = Math.min(limit.perSecond, left + (Math.max(0, now - at) / 1_000) * limit.perSecond)
      at = now
      isLimited = left < 1
      return Math.floor(left)
    },
    spend: (rows, wanted) => {
      left -= rows
      isLimited = limit !== undefined && rows === wanted
    },
    stopBy: (cause) => {
      const failure = Cause.findErrorOption(cause)
      const time = Option.isSome(failure) ? limit?.stopsFor(failure.value) : undefined
      if (time === undefined) return Effect.void
      return Effect.map(Clock.currentTimeMillis, (now) => {
        stoppedUntil = now + time
        isLimited = false
      })
    }
  }
}
