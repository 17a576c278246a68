/**
 * The one loop over all duties: look for what is due, take a row with a lease, find it a place, act. What fails or dies stops
 * itself only.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { minute } from "../../basics/Milliseconds.js"
import type { InFlight } from "../process/InFlight.js"
import type { StoreError } from "../store/Database.js"
import type { UnnotifiedItem } from "../store/ItemTable.js"
import type { Duty, ReadBudget } from "./Duty.js"

export interface AgendaOptions {
  readonly inFlight: InFlight
  /** Succeeds when the store can be relied on. */
  readonly ready: Effect.Effect<void, StoreError>
  /** Reports a row that cannot be read. */
  readonly onUnreadable: (unreadable: UnnotifiedItem) => Effect.Effect<void>
  /** Reports that a duty has died, once until it works again. */
  readonly deaths: {
    readonly has: (duty: string) => boolean
    readonly report: (duty: string) => Effect.Effect<unknown>
    readonly end: (duty: string) => void
  }
}

/** For how long rows are begun: a worker without end, a cron job for its budget. */
interface Run {
  /** In milliseconds since 1970: nothing is begun from then on. */
  readonly until: number
  /** The duties and rows that have failed in it, where these are not begun again. */
  readonly failed?: Set<string>
  /** What the duties have failed with. */
  readonly failures?: Array<StoreError>
}

const withoutEnd: Run = { until: Infinity }

/** A duty that the agenda has. */
export interface Work extends Pick<Duty<never>, "isWatch" | "name" | "pause"> {
  /** Begins what is due, as places become free. Does not wait for its end, and does not fail. */
  readonly look: (run: Run) => Effect.Effect<void>
  /** The same at once, in the background: something has become due. */
  readonly wake: Effect.Effect<void>
  /** Whether rows wait for the budget of reads. */
  readonly isLimited: () => boolean
}

export type Agenda = ReturnType<typeof make>

/** How many rows are read at once. */
const batch = 50

/** How long a cron job waits for the budget of reads. */
const limitedPause = 500

export const make = ({ deaths, inFlight, onUnreadable, ready }: AgendaOptions) => {
  const logRarely = loggingRarely()
  /** The acts of this process, and its looks, whoever has begun them. */
  const acts = new Set<Fiber.Fiber<unknown, unknown>>()
  const looks = new Set<Fiber.Fiber<unknown, unknown>>()
  /** The names of the rows that are acted on, or have a place soon. */
  const acting = new Set<string>()
  /** How many rows were done. */
  let done = 0

  const followedIn = (
    sets: ReadonlyArray<Set<Fiber.Fiber<unknown, unknown>>>,
    fiber: Fiber.Fiber<unknown, unknown>
  ): void => {
    for (const fibers of sets) {
      fibers.add(fiber)
      fiber.addObserver(() => fibers.delete(fiber))
    }
  }

  /** Begins something in the background. */
  const begin = (work: Effect.Effect<unknown>): Effect.Effect<void> =>
    Effect.map(Effect.forkIn(work, inFlight.scope), (fiber) => followedIn([looks], fiber))

  const work = <Row, Taken, E>(duty: Duty<Row, Taken, E>): Work => {
    const { isWatch = false, name, pause, places } = duty
    const reads = budgetOf(duty.reads)
    let isLooking = false
    let isWoken = false

    const mayBegin = ({ until }: Run): Effect.Effect<boolean> =>
      Effect.map(Clock.currentTimeMillis, (now) => now < until && !inFlight.isClosing() && !reads.isStopped(now))

    /** Takes a row, and does what is due of it. One row must not stop the others. */
    const doRow = (row: Row, run: Run): Effect.Effect<void> =>
      Effect.flatMap(duty.take(row), (taken) =>
        Option.isSome(taken) ? duty.act(taken.value) : Effect.succeed(false)
      ).pipe(
        Effect.flatMap((isDone) => {
          if (!isDone) return Effect.void
          if (!isWatch) done++
          return duty.isChained === true ? begin(look(run)) : Effect.void
        }),
        Effect.catchCause((cause) => {
          run.failed?.add(duty.nameOf(row))
          return Effect.andThen(reads.stopBy(cause), Effect.logWarning(duty.failed(row), cause))
        })
      )

    const isBegun = (row: Row): boolean => acting.has(duty.nameOf(row)) || inFlight.has(duty.nameOf(row))

    /** Has a row acted on in a place. The time may be over when there is one. */
    const inPlace = <A>(
      row: Row,
      run: Run,
      take: (work: Effect.Effect<void>) => Effect.Effect<A>
    ): Effect.Effect<A> => {
      const rowName = duty.nameOf(row)
      const left = Effect.sync(() => acting.delete(rowName))
      const work = Effect.flatMap(mayBegin(run), (may) =>
        may ? Effect.asVoid(inFlight.runOnce(rowName, doRow(row, run))) : Effect.void
      )
      acting.add(rowName)
      return Effect.onInterrupt(take(Effect.ensuring(work, left)), () => left)
    }

    /** Begins what a page of rows has. Gives whether it was full. */
    const page = Effect.fnUntraced(function* (run: Run): Effect.fn.Return<boolean, StoreError> {
      const wanted = Math.min(batch, reads.left(yield* Clock.currentTimeMillis))
      if (wanted < 1) return false
      const { rows, unreadable } = yield* duty.due(wanted)
      reads.spend(rows.length, wanted)
      for (const item of unreadable) yield* onUnreadable(item)
      let begun = 0
      for (const row of rows) {
        if (isBegun(row) || run.failed?.has(duty.nameOf(row)) === true) continue
        if (!(yield* mayBegin(run))) return false
        followedIn([acts], yield* inPlace(row, run, places.begin))
        begun++
      }
      return begun === batch
    })

    const pages = Effect.fnUntraced(function* (run: Run): Effect.fn.Return<void, StoreError> {
      for (let isFull = true; (isFull || isWoken) && (yield* mayBegin(run));) {
        isWoken = false
        isFull = yield* page(run)
      }
    })

    /** Gives up for now. */
    const stopped = ({ failed, failures }: Run, failure?: StoreError) => {
      failed?.add(name)
      if (failure !== undefined) failures?.push(failure)
    }

    const look = (run: Run): Effect.Effect<void> =>
      Effect.suspend(() => {
        isWoken = true
        if (isLooking) return Effect.void
        isLooking = true
        return pages(run).pipe(
          Effect.tap(Effect.sync(() => deaths.end(name))),
          Effect.catch((failure) => {
            stopped(run, failure)
            return logRarely(failure)
          }),
          Effect.catchDefect((defect) => {
            stopped(run)
            return Effect.andThen(
              deaths.has(name) ? Effect.void : Effect.logError(`The ledger's worker failed: ${name}`, defect),
              deaths.report(name)
            )
          }),
          Effect.ensuring(Effect.sync(() => void (isLooking = false)))
        )
      })

    return {
      name,
      pause,
      isWatch,
      look,
      wake: begin(look(withoutEnd)),
      isLimited: reads.isLimited
    }
  }

  /** Looks again and again, whether that fails or not. */
  const looping = ({ isWatch, look, pause }: Work): Effect.Effect<never> =>
    Effect.forever(
      Effect.andThen(
        Effect.catchCause(
          Effect.andThen(isWatch === true ? Effect.ignoreCause(ready) : ready, look(withoutEnd)),
          (cause) => logRarely(Cause.squash(cause))
        ),
        Effect.sleep(pause)
      )
    )

  return {
    work,

    /** Does what is due for as long as it runs: a fiber for each duty, so that none waits for another. */
    runWorker: (works: ReadonlyArray<Work>): Effect.Effect<never> =>
      Effect.andThen(Effect.forEach(works, looping, { concurrency: "unbounded", discard: true }), Effect.never),

    /**
     * Does what is due, pass after pass, until one begins nothing or the budget is spent, and waits for what was begun. What has
     * failed is not begun again. Gives how many rows were done.
     */
    runOnce: Effect.fnUntraced(function* (
      works: ReadonlyArray<Work>,
      budget: Duration.Duration
    ): Effect.fn.Return<number, StoreError, Scope.Scope> {
      const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(budget)
      const run = { until, failed: new Set<string>(), failures: new Array<StoreError>() }
      const before = done
      /** When each duty has last looked for rows, and how far it knew then what has happened. */
      const looked = new Map<Work, { readonly at: number; readonly known: number }>()
      const own = new Set<Fiber.Fiber<unknown, unknown>>()
      const awaited = new WeakSet<Fiber.Fiber<unknown, unknown>>()
      const names = works.map(({ name }) => name)
      for (let ended = 0; ;) {
        const now = yield* Clock.currentTimeMillis
        // What calls have begun may make something due, too.
        const others = inFlight.fibers(new Set([...names, ...acting])).filter((fiber) => !awaited.has(fiber))
        if (now >= until || inFlight.isClosing()) {
          yield* Fiber.awaitAll([...acts, ...others])
          break
        }
        const known = done + ended
        const isPlacing = own.size > 0
        let wait = until - now
        for (const one of works) {
          const last = looked.get(one)
          if (run.failed.has(one.name) || last?.known === known || (last !== undefined && one.isWatch === true))
            continue
          // While rows wait for places much is done, and all of it needs one look. What hangs keeps no duty from its look.
          const pause = last === undefined || !isPlacing ? 0 : last.at + Duration.toMillis(one.pause) - now
          if (pause > 0) wait = Math.min(wait, pause)
          else {
            looked.set(one, { at: now, known })
            followedIn([looks, own], yield* Effect.forkScoped(one.look(run)))
          }
        }
        const pending = [...looks, ...acts, ...others]
        if (pending.length > 0) {
          yield* Effect.raceAll([Effect.sleep(wait), ...pending.map((fiber) => Effect.asVoid(Fiber.await(fiber)))])
          for (const fiber of others) {
            if (fiber.pollUnsafe() === undefined) continue
            awaited.add(fiber)
            ended++
          }
          continue
        }
        const limited = works.filter((one) => one.isLimited() && !run.failed.has(one.name))
        if (limited.length === 0) break
        yield* Effect.sleep(Math.min(wait, limitedPause))
        for (const one of limited) looked.delete(one)
      }
      const [failure] = run.failures
      return failure === undefined ? done - before : yield* Effect.fail(failure)
    }, Effect.scoped)
  }
}

/** How many rows a duty may begin by its budget of reads. */
const budgetOf = <E>(budget: ReadBudget<E> | undefined) => {
  let left = budget?.perSecond ?? Infinity
  let at = 0
  let stoppedUntil = 0
  let isLimited = false
  return {
    isStopped: (now: number) => now < stoppedUntil,
    /** Whether rows are left that wait for it. */
    isLimited: () => isLimited,
    left: (now: number): number => {
      if (budget === undefined) return Infinity
      left = Math.min(budget.perSecond, left + (Math.max(0, now - at) / 1_000) * budget.perSecond)
      at = now
      isLimited = left < 1
      return Math.floor(left)
    },
    spend: (rows: number, wanted: number): void => {
      left -= rows
      isLimited = budget !== undefined && rows === wanted
    },
    /** Stops the duty in this process where a failure says so. */
    stopBy: (cause: Cause.Cause<E>): Effect.Effect<void> => {
      const failure = Cause.findErrorOption(cause)
      const time = Option.isSome(failure) ? budget?.stopsFor(failure.value) : undefined
      if (time === undefined) return Effect.void
      return Effect.map(Clock.currentTimeMillis, (now) => {
        stoppedUntil = now + time
        isLimited = false
      })
    }
  }
}

/** In milliseconds: how long what was logged is not logged again. */
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
      return Effect.logWarning("The ledger waits", error)
    })
}
