/**
 * Time limits that hold whatever the limited program does.
 */
import type * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Counts a time limit down, to zero. */
export const countdown = (time: Duration.Duration, clock: Clock.Clock): (() => Duration.Duration) => {
  const startedAt = clock.monotonicTimeNanosUnsafe()
  return () =>
    Duration.max(Duration.zero, Duration.subtract(time, Duration.nanos(clock.monotonicTimeNanosUnsafe() - startedAt)))
}

interface Limit<out E> {
  readonly time: Duration.Duration
  /** The context of the program. */
  readonly context: Context.Context<never>
  /** The failure when the time is up. */
  readonly onTimeout: E
}

/** Settles when the time is up or the caller is interrupted, even if the program cannot be interrupted. */
export const settledWithin =
  <E>({ context, onTimeout, time }: Limit<E>) =>
  <A>(program: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.callback((resume) => {
      const run = Effect.runForkWith(context)
      const running = run(program)
      const settled = running.pollUnsafe()
      if (settled !== undefined) return resume(settled)
      const timer = run(Effect.sleep(time))
      timer.addObserver((exit) => {
        if (exit._tag === "Failure") return
        resume(Effect.fail(onTimeout))
        running.interruptUnsafe()
      })
      running.addObserver((exit) => {
        timer.interruptUnsafe()
        resume(exit)
      })
      return Effect.sync(() => {
        timer.interruptUnsafe()
        running.interruptUnsafe()
      })
    })
