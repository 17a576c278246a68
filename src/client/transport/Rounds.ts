/**
 * One round at a time for each payment, and one more shared by all requests that arrive during it.
 *
 * Requests share plain values here, never a promise or anything else that wakes a fiber: in Cloudflare Workers one
 * request cannot wake another. So a waiting request polls with a timer of its own.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { type Lease, renewed } from "./Lease.js"
import { monotonicMillis } from "./MonotonicTime.js"

/** A request's part in the rounds of a payment. */
export interface Turn<Result> {
  /** Returns its result, or `undefined` if it was postponed and has to be run again. */
  readonly round: Effect.Effect<Result | undefined>
  /** Whether the result of another request's round is this request's as well. */
  readonly isShared: (result: Result) => boolean
  /** In milliseconds: for how much longer this request's round is postponed, by the monotonic clock; 0 if it is not. */
  readonly putOffFor?: (now: number) => number
}

interface RunningRound extends Lease {
  readonly round: number
  /** Another request may be waiting for the result. */
  isAwaited: boolean
}

/** A finished round that another request waited for. */
interface EndedRound<Result> {
  readonly round: number
  readonly result: Result
  readonly at: number
}

/** In milliseconds by the waiting request's timers: an owner that is silent for longer counts as dead. */
const maxSilence = 10_000

/** In milliseconds: the first and the longest polling interval. */
const firstInterval = 10
const maxInterval = 500

/** In milliseconds: by then, every request that waited for a round has seen its result. */
const rememberedFor = 60_000

/** The most results to remember. A request that finds its result gone runs a round of its own. */
const maxRemembered = 10_000

/** In milliseconds: the age at which leases of requests that were cut off are dropped. */
const forgottenAfter = 600_000

/** A waiting request: how long it has waited by its own timers, and the lease that it last saw. */
interface Waiting {
  readonly time: number
  readonly interval: number
  readonly lease: RunningRound | undefined
  readonly aliveAt: number
  readonly silence: number
}

const arrived: Waiting = { time: 0, interval: firstInterval, lease: undefined, aliveAt: 0, silence: 0 }

/** Runs a round of a payment in its turn; `undefined` if its turn does not come in time. */
export type Rounds<Result> = (id: number | string, turn: Turn<Result>) => Effect.Effect<Result | undefined>

/**
 * Makes rounds, of which one runs at a time for each payment. A request waits for its turn for at most `maxWait`
 * milliseconds. `interrupted` is the result of an interrupted round.
 */
export const make = <Result>(maxWait: number, interrupted?: Result): Rounds<Result> => {
  const leases = new Map<number | string, RunningRound>()
  /** Ordered by the time they ended. */
  const ended = new Map<number | string, EndedRound<Result>>()
  let rounds = 0
  /** Time of the last search for dead rounds, in monotonic milliseconds. */
  let checkedAt = 0

  const end = (id: number | string, lease: RunningRound, result: Result | undefined, now: number): void => {
    // This lease may have been presumed dead and replaced by another request's.
    if (leases.get(id) === lease) leases.delete(id)
    for (const [other, { at }] of ended) {
      if (now - at < rememberedFor && ended.size < maxRemembered) break
      ended.delete(other)
    }
    if (result === undefined) return
    ended.delete(id)
    if (lease.isAwaited) ended.set(id, { round: lease.round, result, at: now })
  }

  const forgetDead = (now: number): void => {
    if (now - checkedAt < forgottenAfter) return
    checkedAt = now
    for (const [id, { aliveAt }] of leases) if (now - aliveAt > forgottenAfter) leases.delete(id)
  }

  const begin = (
    id: number | string,
    round: Effect.Effect<Result | undefined>,
    isAwaited: boolean
  ): Effect.Effect<Result | undefined> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.withFiber((fiber) => {
        const clock = fiber.getRef(Clock.Clock)
        const now = monotonicMillis(clock)
        forgetDead(now)
        const lease: RunningRound = { round: ++rounds, aliveAt: now, isAwaited }
        leases.set(id, lease)
        return Effect.forkChild(renewed(lease)).pipe(
          Effect.andThen(restore(round)),
          Effect.onExit((exit) =>
            Effect.sync(() => end(id, lease, Exit.isSuccess(exit) ? exit.value : interrupted, monotonicMillis(clock)))
          )
        )
      })
    )

  /** The result of a round that began after `arrivedAfter`, shared or its own; `undefined` after too long a wait. */
  const takeTurn = (
    id: number | string,
    turn: Turn<Result>,
    arrivedAfter: number,
    waiting: Waiting
  ): Effect.Effect<Result | undefined> =>
    Effect.withFiber((fiber) => {
      const other = ended.get(id)
      if (other !== undefined && other.round > arrivedAfter && turn.isShared(other.result)) {
        return Effect.succeed(other.result)
      }
      const lease = leases.get(id)
      const putOff = turn.putOffFor?.(monotonicMillis(fiber.getRef(Clock.Clock))) ?? 0
      const isSilent = lease !== undefined && lease === waiting.lease && lease.aliveAt === waiting.aliveAt
      const silence = isSilent ? waiting.silence + waiting.interval : 0
      const isFree = lease === undefined || silence >= maxSilence
      if (isFree && putOff <= 0) {
        // If this request has waited, others may be waiting as well.
        return Effect.flatMap(begin(id, turn.round, waiting.time > 0), (result) =>
          result === undefined ? takeTurn(id, turn, arrivedAfter, waiting) : Effect.succeed(result)
        )
      }
      if (waiting.time >= maxWait) return Effect.succeed(undefined)
      if (lease !== undefined) lease.isAwaited = true
      const longest = Math.min(waiting.interval * 2, maxInterval)
      const interval = isFree ? Math.min(longest, Math.ceil(putOff)) : longest
      const next = { time: waiting.time + interval, interval, lease, aliveAt: lease?.aliveAt ?? 0, silence }
      return Effect.delay(takeTurn(id, turn, arrivedAfter, next), interval)
    })

  /**
   * Runs a round in the payment's turn, or waits for a round of another request that begins from now on; then this
   * request's own is not run. Returns `undefined` if the turn does not come in time.
   */
  return (id, turn) => Effect.suspend(() => takeTurn(id, turn, rounds, arrived))
}
