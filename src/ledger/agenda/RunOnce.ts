/**
 * The run of a cron job: passes over the due rows until a pass begins nothing or the budget is spent.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { InFlight } from "../process/InFlight.js"
import type { StoreError } from "../store/Database.js"
import { type Begun, follow } from "./Begun.js"
import type { Run } from "./Run.js"
import type { Work } from "./Work.js"

/** In milliseconds: how long it waits for the budget of reads to refill. */
const limitedPause = 500

export interface RunOnceOptions {
  readonly begun: Begun
  readonly budget: Duration.Duration
  readonly inFlight: InFlight
  readonly works: ReadonlyArray<Work>
}

type Fibers = ReadonlyArray<Fiber.Fiber<unknown, unknown>>

interface Passes {
  /**
   * Begins the polls that are due. Returns in how many milliseconds the next one is due, at the latest when the run
   * ends.
   */
  readonly beginLooks: (now: number) => Effect.Effect<number, never, Scope.Scope>
  /** The fibers of this process that were begun outside of this run. They may make rows due, so it waits for them. */
  readonly others: () => Fibers
  /** Waits for the first of these fibers to end, or for a time. */
  readonly awaitFirst: (others: Fibers, wait: number) => Effect.Effect<void>
  /** The duties whose rows wait for the budget of reads. */
  readonly limited: () => ReadonlyArray<Work>
  /** Makes these duties poll again. */
  readonly again: (works: ReadonlyArray<Work>) => void
}

const passesOf = ({ begun, inFlight, works }: RunOnceOptions, run: Required<Run>): Passes => {
  /** When each duty last polled, and how many rows had been done by then. */
  const looked = new Map<Work, { readonly at: number; readonly happened: number }>()
  const own = new Set<Fiber.Fiber<unknown, unknown>>()
  const awaited = new WeakSet<Fiber.Fiber<unknown, unknown>>()
  const names = works.map(({ name }) => name)
  /** How many pieces of other work have ended. */
  let ended = 0
  return {
    beginLooks: Effect.fnUntraced(function* (now: number): Effect.fn.Return<number, never, Scope.Scope> {
      const happened = begun.done + ended
      const isPlacing = own.size > 0
      let wait = run.until - now
      for (const work of works) {
        const last = looked.get(work)
        const isSettled = last?.happened === happened || (last !== undefined && work.isWatch === true)
        if (run.failed.has(work.name) || isSettled) continue
        // While rows wait for places, many of them are done, and one poll serves for all. A row that hangs keeps no
        // duty from polling.
        const pause = last === undefined || !isPlacing ? 0 : last.at + Duration.toMillis(work.pause) - now
        if (pause > 0) wait = Math.min(wait, pause)
        else {
          looked.set(work, { at: now, happened })
          follow(yield* Effect.forkScoped(work.look(run)), begun.looks, own)
        }
      }
      return wait
    }),
    others: () => inFlight.fibers(new Set([...names, ...begun.acting])).filter((fiber) => !awaited.has(fiber)),
    awaitFirst: Effect.fnUntraced(function* (others: Fibers, wait: number): Effect.fn.Return<void> {
      const pending = [...begun.looks, ...begun.acts, ...others]
      yield* Effect.raceAll([Effect.sleep(wait), ...pending.map((fiber) => Effect.asVoid(Fiber.await(fiber)))])
      for (const fiber of others) {
        if (fiber.pollUnsafe() === undefined) continue
        awaited.add(fiber)
        ended++
      }
    }),
    limited: () => works.filter((work) => work.isLimited() && !run.failed.has(work.name)),
    again: (works) => {
      for (const work of works) looked.delete(work)
    }
  }
}

/**
 * Runs passes, and waits for what they have begun. A row or duty that has failed is not tried again. Returns how many
 * rows were done.
 */
export const runOnce = Effect.fnUntraced(function* (
  options: RunOnceOptions
): Effect.fn.Return<number, StoreError, Scope.Scope> {
  const { begun, budget, inFlight } = options
  const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(budget)
  const run = { until, failed: new Set<string>(), failures: new Array<StoreError>() }
  const before = begun.done - begun.uncounted
  const passes = passesOf(options, run)
  for (;;) {
    const now = yield* Clock.currentTimeMillis
    const others = passes.others()
    if (now >= until || inFlight.isClosing()) {
      yield* Fiber.awaitAll([...begun.acts, ...others])
      break
    }
    const wait = yield* passes.beginLooks(now)
    if (begun.looks.size + begun.acts.size + others.length > 0) {
      yield* passes.awaitFirst(others, wait)
      continue
    }
    const limited = passes.limited()
    if (limited.length === 0) break
    yield* Effect.sleep(Math.min(wait, limitedPause))
    passes.again(limited)
  }
  const [failure] = run.failures
  return failure === undefined ? begun.done - begun.uncounted - before : yield* Effect.fail(failure)
}, Effect.scoped)
