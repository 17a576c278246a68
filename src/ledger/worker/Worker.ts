/**
 * What makes the steps that are due: once, as in a cron job, or for as long as it runs.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { StoreError } from "../database/Database.js"
import type { LedgerService } from "../LedgerService.js"
import type { AttentionReports } from "./AttentionReports.js"
import { batch, logWaiting } from "./DueChanges.js"
import type { InFlight } from "./InFlight.js"
import type { Swept } from "./Sweep.js"

/** What a worker needs. */
export interface WorkerOptions {
  readonly inFlight: InFlight
  /** Succeeds when the store can be relied on. */
  readonly ready: Effect.Effect<void, StoreError>
  readonly reports: AttentionReports
  /** Says that a worker runs. */
  readonly tick: Effect.Effect<void, StoreError>
  readonly pollEvery: Duration.Duration
  /** Begins the steps of changes that are due. */
  readonly beginDue: (until: number) => Effect.Effect<ReadonlyArray<Fiber.Fiber<number>>, StoreError>
  /** Begins to check the payments that are due. */
  readonly sweep: (until: number) => Effect.Effect<Swept, StoreError>
  /** Notifies the shop of the outcomes that wait for it. Gives how many. */
  readonly tellChanges: Effect.Effect<number, StoreError>
  /** Makes the steps of subscriptions that are due, until a time. Gives how many. */
  readonly stepSubscriptions: (until: number) => Effect.Effect<number, StoreError>
}

/** The pause between two reads of what operators have not been notified of. */
const watchEvery = Duration.seconds(10)

/** How long `runOnce` waits for the limit on reads. */
const limitedPause = 500

export const make = ({
  beginDue,
  inFlight,
  pollEvery,
  ready,
  reports,
  stepSubscriptions,
  sweep,
  tellChanges,
  tick
}: WorkerOptions): Pick<LedgerService, "runOnce" | "runWorker"> => {
  /** Begins what is due again and again. Neither what is slow nor what fails keeps the rest waiting. */
  const working = (begin: (until: number) => Effect.Effect<number, StoreError>): Effect.Effect<never> =>
    Effect.forever(
      Effect.andThen(ready, begin(Infinity)).pipe(
        Effect.flatMap((begun) => (begun < batch ? Effect.sleep(pollEvery) : Effect.void)),
        Effect.catch((error) => Effect.andThen(logWaiting(error), Effect.sleep(pollEvery)))
      )
    )

  /** Notifies operators of what the steps could not report. */
  const watching = Effect.forever(
    Effect.andThen(
      Effect.andThen(Effect.ignore(Effect.andThen(ready, tick)), reports.run),
      Effect.sleep(Duration.max(pollEvery, watchEvery))
    )
  )

  /** Waits for those that were begun as a consequence, such as the search for the entry of a refund that was just made. */
  const followed = (joined: WeakSet<Fiber.Fiber<unknown, unknown>>) =>
    Effect.suspend(() => {
      const others = inFlight.fibers().filter((fiber) => !joined.has(fiber))
      for (const fiber of others) joined.add(fiber)
      return Effect.as(
        Effect.forEach(others, (fiber) => Fiber.await(fiber), { concurrency: "unbounded" }),
        others.length > 0
      )
    })

  /** Begins what is due until nothing is, or until a time. Gives how many steps were made. */
  const run = (until: number): Effect.Effect<number, StoreError> =>
    Effect.gen(function* () {
      const running = new Set<Fiber.Fiber<number>>()
      const joined = new WeakSet<Fiber.Fiber<unknown, unknown>>()
      let sum = 0
      let isLimited = false
      for (let hasMoved = true; ;) {
        if (hasMoved) {
          for (const begun of yield* beginDue(until)) running.add(begun)
          const swept = yield* sweep(until)
          for (const begun of swept.begun) running.add(begun)
          isLimited = swept.isLimited
          hasMoved = false
        }
        if (running.size > 0) yield* Effect.raceAll(Array.from(running, (fiber) => Fiber.await(fiber)))
        for (const fiber of running) {
          const exit = fiber.pollUnsafe()
          if (exit === undefined) continue
          running.delete(fiber)
          const count = Exit.isSuccess(exit) ? exit.value : 0
          sum += count
          hasMoved ||= count > 0
        }
        if (hasMoved || running.size > 0) continue
        hasMoved = (yield* followed(joined)) || (yield* tellChanges) > 0
        const stepped = hasMoved ? 0 : yield* stepSubscriptions(until)
        sum += stepped
        hasMoved ||= stepped > 0
        if (hasMoved) continue
        const left = until - (yield* Clock.currentTimeMillis)
        if (!isLimited || left <= 0 || inFlight.isClosing()) return sum
        yield* Effect.sleep(Math.min(left, limitedPause))
        hasMoved = true
      }
    })

  return {
    runOnce: ({ budget = "20 seconds" } = {}) =>
      Effect.gen(function* () {
        yield* ready
        yield* Effect.ignore(tick)
        yield* reports.run
        return yield* run((yield* Clock.currentTimeMillis) + Duration.toMillis(Duration.fromInputUnsafe(budget)))
      }),
    runWorker: Effect.andThen(
      Effect.all(
        [
          working((until) => Effect.map(beginDue(until), ({ length }) => length)),
          working((until) => Effect.map(sweep(until), ({ begun }) => begun.length)),
          working(() => Effect.as(tellChanges, 0)),
          working(stepSubscriptions),
          watching
        ],
        { concurrency: "unbounded", discard: true }
      ),
      Effect.never
    )
  }
}
