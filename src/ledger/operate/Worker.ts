/**
 * What makes the steps that are due: once, as in a cron job, or for as long as it runs.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { ChangeEvents } from "../change/ChangeEvents.js"
import type { StoreError } from "../store/Database.js"
import { waitAskedBy } from "../model/LedgerGateway.js"
import type { LedgerService } from "../model/LedgerService.js"
import type { AttentionReports } from "./AttentionReports.js"
import type { LedgerParts } from "../change/LedgerParts.js"
import type { ChangeRow } from "../change/ChangeRow.js"
import type { StepMade } from "../change/Changes.js"
import { nameOf, type PaymentRow } from "../order/PaymentTable.js"
import { checkDue, type MoveFailure, type MoveParts } from "../order/PaymentMoves.js"
import { minute } from "../../basics/Milliseconds.js"

export interface WorkerOptions extends Pick<LedgerParts, "inFlight" | "pollEvery" | "ready"> {
  readonly reports: AttentionReports
  readonly tick: Effect.Effect<void, StoreError>
  /** Begins the steps of changes that are due. */
  readonly beginDue: (until: number) => Effect.Effect<ReadonlyArray<Fiber.Fiber<number>>, StoreError>
  readonly sweep: (until: number) => Effect.Effect<Swept, StoreError>
  readonly changeEvents: ChangeEvents
  readonly stepSubscriptions: (until: number) => Effect.Effect<ReadonlyArray<Fiber.Fiber<number>>, StoreError>
}

/** The pause between two reads of what operators have not been notified of. */
const watchEvery = Duration.seconds(10)

/** How long `runOnce` waits for the limit on reads. */
const limitedPause = 500

export const make = (options: WorkerOptions): Pick<LedgerService, "runOnce" | "runWorker"> => {
  const { inFlight, pollEvery, ready, reports } = options
  const logRarely = loggingRarely()

  /** What something gives, if it does. It keeps nothing else waiting. */
  const tried = <A>(work: Effect.Effect<A, StoreError>): Effect.Effect<A | undefined> =>
    Effect.catchCause(work, (cause) => Effect.as(logRarely(Cause.squash(cause)), undefined))

  /** A part of the work. What it dies of stops nothing else, and is reported; then it gives what stands for nothing. */
  const duty = <A>(name: string, work: Effect.Effect<A, StoreError>, nothing: A): Effect.Effect<A, StoreError> =>
    work.pipe(
      Effect.tap(() => Effect.sync(() => reports.works(name))),
      Effect.catchDefect((defect) =>
        Effect.suspend(() =>
          reports.hasDied(name) ? Effect.void : Effect.logError(`The ledger's worker failed: ${name}`, defect)
        ).pipe(Effect.andThen(reports.reportDefect(name)), Effect.as(nothing))
      )
    )

  const none = { begun: [], isLimited: false }
  const beginDue = (until: number) => duty("the changes that are due", options.beginDue(until), [])
  const sweep = (until: number) => duty("the payments that are due", options.sweep(until), none)
  const beginEvents = duty("the outcomes for onChange", options.changeEvents.begin, [])
  const stepSubscriptions = (until: number) =>
    duty("the subscriptions that are due", options.stepSubscriptions(until), [])
  const tick = duty("its sign of life", options.tick, undefined)
  const inspect = duty("the state of the database", reports.inspect, undefined)
  const report = duty("the items for onAttention", reports.begin, [])

  /** Begins what is due again and again. Neither what is slow nor what fails keeps the rest waiting. */
  const working = (begin: Effect.Effect<number, StoreError>): Effect.Effect<never> =>
    Effect.forever(
      Effect.andThen(ready, begin).pipe(
        Effect.flatMap((begun) => (begun < batch ? Effect.sleep(pollEvery) : Effect.void)),
        Effect.catchCause((cause) => Effect.andThen(logRarely(Cause.squash(cause)), Effect.sleep(pollEvery)))
      )
    )

  /** Does it again and again, whether it fails or not. */
  const watching = (work: Effect.Effect<unknown, StoreError>): Effect.Effect<never> =>
    Effect.forever(Effect.andThen(tried(work), Effect.sleep(Duration.max(pollEvery, watchEvery))))

  /** Begins what is due until nothing is, or until a time. Gives how many steps were made. */
  const run = Effect.fnUntraced(function* (until: number, reported: ReadonlyArray<Fiber.Fiber<unknown>>) {
    const running = new Set<Fiber.Fiber<number>>()
    /** What was begun as a consequence, such as the search for the entry of a refund that was just made. */
    const following = new Set<Fiber.Fiber<unknown, unknown>>(reported)
    const followed = new WeakSet<Fiber.Fiber<unknown, unknown>>()
    const add = (begun: ReadonlyArray<Fiber.Fiber<number>>) => begun.forEach((fiber) => running.add(fiber))
    const beginRest = Effect.gen(function* () {
      add(yield* beginEvents)
      add(yield* stepSubscriptions(until))
    })
    let sum = 0
    let isLimited = false
    /** Whether something has moved since the rest was begun. */
    let hasRest = true
    /** How many outcomes were reported when it last checked what is due. */
    let reportedCount = options.changeEvents.count()
    for (let hasMoved = true; ;) {
      if (hasMoved) {
        hasRest = true
        reportedCount = options.changeEvents.count()
        // What is slow keeps nothing else waiting.
        if (running.size + following.size > 0) yield* beginRest
        add(yield* beginDue(until))
        const swept = yield* sweep(until)
        add(swept.begun)
        isLimited = swept.isLimited
        hasMoved = false
      }
      const begun = [...running, ...following]
      if (begun.length > 0) yield* Effect.raceAll(begun.map((fiber) => Fiber.await<unknown, unknown>(fiber)))
      for (const fiber of running) {
        const exit = fiber.pollUnsafe()
        if (exit === undefined) continue
        running.delete(fiber)
        const count = Exit.isSuccess(exit) ? exit.value : 0
        sum += count
        hasMoved ||= count > 0
      }
      for (const fiber of following) {
        if (fiber.pollUnsafe() !== undefined) hasMoved = following.delete(fiber)
      }
      if (hasMoved || running.size + following.size > 0) continue
      for (const fiber of [...((yield* tried(reports.beginRest)) ?? []), ...inFlight.fibers()]) {
        if (!followed.has(fiber)) following.add(fiber)
        followed.add(fiber)
      }
      if (following.size === 0 && hasRest) {
        hasRest = false
        yield* beginRest
      }
      // What the handler of an outcome has submitted is due, whoever called it.
      hasMoved = options.changeEvents.count() !== reportedCount
      if (hasMoved || running.size + following.size > 0) continue
      const left = until - (yield* Clock.currentTimeMillis)
      if (!isLimited || left <= 0 || inFlight.isClosing()) return sum
      yield* Effect.sleep(Math.min(left, limitedPause))
      hasMoved = true
    }
  })

  return {
    runOnce: Effect.fnUntraced(function* ({ budget = "20 seconds" } = {}) {
      yield* ready
      yield* tried(tick)
      yield* tried(inspect)
      const reported = (yield* tried(report)) ?? []
      const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(Duration.fromInputUnsafe(budget))
      return yield* run(until, reported)
    }),
    runWorker: Effect.andThen(
      Effect.all(
        [
          working(Effect.map(beginDue(Infinity), ({ length }) => length)),
          working(Effect.map(sweep(Infinity), ({ begun }) => begun.length)),
          working(Effect.as(beginEvents, 0)),
          working(Effect.map(stepSubscriptions(Infinity), ({ length }) => length)),
          watching(Effect.andThen(ready, tick)),
          // These say, too, why it is not ready.
          watching(Effect.andThen(Effect.ignoreCause(ready), inspect)),
          watching(Effect.andThen(Effect.ignoreCause(ready), report))
        ],
        { concurrency: "unbounded", discard: true }
      ),
      Effect.never
    )
  }
}

interface DueChangesOptions extends Pick<LedgerParts, "changes" | "concurrency" | "inFlight"> {
  readonly step: (row: ChangeRow) => Effect.Effect<StepMade, StoreError>
}

/** How many rows are read at once. */
const batch = 50

/** Begins the steps of changes that are due. */
export const dueChanges = ({ changes, concurrency, inFlight, step }: DueChangesOptions) => {
  const places = inFlight.places(concurrency)

  /** Begins what is due, as places become free. Gives what it has begun: 1 for each step that was made. */
  return Effect.fnUntraced(function* (until: number): Effect.fn.Return<ReadonlyArray<Fiber.Fiber<number>>, StoreError> {
    const begun: Array<Fiber.Fiber<number>> = []
    for (const row of yield* changes.due(batch)) {
      if (inFlight.has(row.key)) continue
      const mayBegin = Effect.map(Clock.currentTimeMillis, (now) => now < until && !inFlight.isClosing())
      const made = step(row).pipe(
        Effect.flatMap(({ rest }) => Effect.as(rest, 1)),
        Effect.catch((error) => Effect.as(logWaiting(error), 0))
      )
      if (!(yield* mayBegin)) break
      // The time may be over when there is a place.
      begun.push(yield* places.begin(Effect.flatMap(mayBegin, (may) => (may ? made : Effect.succeed(0)))))
    }
    return begun
  })
}

const logWaiting = (error: unknown): Effect.Effect<void> => Effect.logWarning("The ledger waits", error)

/** In milliseconds: how long what a worker has logged is not logged again. */
const logEvery = 10 * minute

/** Logs what a worker waits for: a store that cannot be used fails each of its duties, each time that it polls. */
const loggingRarely = () => {
  const logged = new Map<string, number>()
  return (error: unknown): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (time) => {
      const what = String(error)
      const last = logged.get(what)
      if (last !== undefined && time < last + logEvery) return Effect.void
      for (const [other, at] of logged) if (time >= at + logEvery) logged.delete(other)
      logged.set(what, time)
      return logWaiting(error)
    })
}

interface SweepOptions extends Pick<LedgerParts, "inFlight" | "readsPerSecond" | "trace"> {
  readonly moves: MoveParts
}

/** What a sweep has begun, 1 for each payment that it has checked, and whether more wait for the limit to let them. */
interface Swept {
  readonly begun: ReadonlyArray<Fiber.Fiber<number>>
  readonly isLimited: boolean
}

/** How many payments are read at once. */
const readsAtOnce = 4

/** In milliseconds: how long a sweep stops for when the gateway does not say how long. */
const pauseAfterTooMany = 10_000

/** Begins to check the payments that are due, within a limit on reads. */
export const sweeping = ({ inFlight, moves, readsPerSecond, trace }: SweepOptions) => {
  const inSpan = ({ order_number, payment_id }: PaymentRow) =>
    trace("Ledger.checkPayment", { "gopay.order_number": order_number, "gopay.payment_id": payment_id })

  const places = inFlight.places(readsAtOnce)
  /** How many reads are left, and until when none is made since there were too many. */
  const budget = { reads: readsPerSecond, at: 0, stoppedUntil: 0 }

  /** Stops the sweep of this process when the gateway says that there are too many requests. */
  const stoppedBy = (failure: MoveFailure): Effect.Effect<void> =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      if (failure._tag !== "GatewayError" || failure.reason._tag !== "RateLimited") return
      budget.stoppedUntil = now + (waitAskedBy(failure.reason) ?? pauseAfterTooMany)
    })

  const checked = (row: PaymentRow): Effect.Effect<number> =>
    inFlight.run(nameOf(row), inSpan(row)(Effect.tapError(checkDue(moves, row), stoppedBy))).pipe(
      Effect.map((isMine) => (isMine ? 1 : 0)),
      Effect.catchCause((cause) => Effect.as(Effect.logWarning("A payment could not be checked", cause), 0))
    )

  return Effect.fnUntraced(function* (until: number): Effect.fn.Return<Swept, StoreError> {
    const now = yield* Clock.currentTimeMillis
    if (inFlight.isClosing() || now >= until || now < budget.stoppedUntil) return { begun: [], isLimited: false }
    if (yield* moves.handlers.isLeftToOthers("onPayment")) return { begun: [], isLimited: false }
    budget.reads = Math.min(readsPerSecond, budget.reads + (Math.max(0, now - budget.at) / 1_000) * readsPerSecond)
    budget.at = now
    const most = Math.floor(budget.reads)
    if (most < 1) return { begun: [], isLimited: true }
    const due = yield* moves.payments.due(most)
    budget.reads -= due.length
    const begun: Array<Fiber.Fiber<number>> = []
    for (const row of due) {
      const mayLook = Effect.sync(() => !inFlight.isClosing() && now >= budget.stoppedUntil)
      begun.push(yield* places.begin(Effect.flatMap(mayLook, (may) => (may ? checked(row) : Effect.succeed(0)))))
    }
    return { begun, isLimited: due.length === most && now >= budget.stoppedUntil }
  })
}
