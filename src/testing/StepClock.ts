/**
 * Lets time pass for what waits on the test's clock.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { setImmediate } from "node:timers/promises"

/** Turns of the event loop in which no sleep begins or ends: then nothing but time goes on. */
const quietTurns = 20

/** A clock that knows until when its fibers sleep. Sleeps of others, such as a gateway's, are not among them. */
const knowingSleeps = (clock: TestClock.TestClock) => {
  const ends = new Set<{ readonly at: number }>()
  let changes = 0
  const sleep = (duration: Duration.Duration) =>
    Effect.suspend(() => {
      const end = { at: clock.currentTimeMillisUnsafe() + Duration.toMillis(duration) }
      ends.add(end)
      changes++
      return Effect.ensuring(
        clock.sleep(duration),
        Effect.sync(() => {
          ends.delete(end)
          changes++
        })
      )
    })
  return {
    clock: { ...clock, sleep },
    changes: () => changes,
    /** How long it is to the first end of a sleep: for ever, when none has an end. */
    wait: () => Math.min(...Array.from(ends, ({ at }) => at)) - clock.currentTimeMillisUnsafe()
  }
}

/** Runs some work, and moves the `TestClock` to the end of its first sleep whenever it only sleeps. */
export const passingTime = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  TestClock.testClockWith((base) =>
    Effect.gen(function* () {
      const { changes, clock, wait } = knowingSleeps(base)
      const fiber = yield* Effect.forkChild(Effect.provideService(work, Clock.Clock, clock))
      let seen = changes()
      for (let quiet = 0; fiber.pollUnsafe() === undefined; quiet++) {
        yield* Effect.promise(() => setImmediate())
        const left = wait()
        if (left === Infinity || seen !== changes()) quiet = 0
        seen = changes()
        if (quiet < quietTurns) continue
        yield* base.adjust(Math.max(0, left))
        quiet = 0
      }
      return yield* Fiber.join(fiber)
    })
  )
