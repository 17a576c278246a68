/**
 * Time that no change of the time of day moves, in milliseconds.
 */
import * as Clock from "effect/Clock"
import type * as Fiber from "effect/Fiber"

export const monotonicMillis = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6

/** The time since it was made. */
export const stopwatch = (fiber: Fiber.Fiber<unknown, unknown>): (() => number) => {
  const clock = fiber.getRef(Clock.Clock)
  const startedAt = monotonicMillis(clock)
  return () => monotonicMillis(clock) - startedAt
}
