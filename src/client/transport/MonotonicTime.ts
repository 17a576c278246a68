/**
 * Monotonic time in milliseconds: not affected by changes of the time of day.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import type * as Fiber from "effect/Fiber"

export const monotonicMillis = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6

export const stopwatch = (fiber: Fiber.Fiber<unknown, unknown>): (() => number) => {
  const clock = fiber.getRef(Clock.Clock)
  const startedAt = monotonicMillis(clock)
  return () => monotonicMillis(clock) - startedAt
}

/** Counts a time limit down, to zero. */
export const countdown = (time: Duration.Duration, clock: Clock.Clock): (() => Duration.Duration) => {
  const startedAt = clock.monotonicTimeNanosUnsafe()
  return () =>
    Duration.max(Duration.zero, Duration.subtract(time, Duration.nanos(clock.monotonicTimeNanosUnsafe() - startedAt)))
}
