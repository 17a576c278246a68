/**
 * One round at a time for each payment, and one more shared by all requests that arrive during it.
 *
 * Requests share plain values here, never a promise or anything else that wakes a fiber: in Cloudflare Workers one
 * request cannot wake another. So a waiting request polls with a timer of its own.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { RequestBound } from "../token/WaitUntil.js"
import type { Notification } from "./Notification.plain.js"

/** How a round has ended: whether the shop now knows of the payment. */
export type RoundResult = "delivered" | "failed"

/** A round under way. */
interface Lease {
  readonly round: number
  /** Last sign of life of the owner, in monotonic milliseconds. A request may be cut off without notice. */
  aliveAt: number
  /** Another request may be waiting for the result. */
  isAwaited: boolean
}

/** A finished round that another request waited for. */
interface EndedRound {
  readonly round: number
  readonly result: RoundResult
  readonly claimedParent: number | undefined
  readonly at: number
}

/** In milliseconds: the interval at which an owner shows that it is alive. */
const signOfLife = 1_000

/** In milliseconds by the waiting request's timers: an owner that is silent for longer counts as dead. */
const silenceAtMost = 10_000

/** In milliseconds: the longest wait for a turn. After that the gateway has to repeat the notification. */
const waitAtMost = 30_000

/** In milliseconds: the first and the longest polling interval. */
const firstLook = 10
const slowestLook = 500

/** In milliseconds: by then, every request that waited for a round has seen its result. */
const rememberedFor = 60_000

/** In milliseconds: the age at which leases of requests that were cut off are dropped. */
const forgottenAfter = 600_000

/** A waiting request: for how long it has waited by its own timers, and the lease it last saw. */
interface Waiting {
  readonly time: number
  readonly look: number
  readonly lease: Lease | undefined
  readonly aliveAt: number
  readonly silence: number
}

const arrived: Waiting = { time: 0, look: firstLook, lease: undefined, aliveAt: 0, silence: 0 }

/**
 * Makes what lets one round at a time run for each payment. Rounds, and those who wait, are interrupted with the scope.
 */
export const make = (scope: Scope.Scope) => {
  const leases = new Map<number, Lease>()
  /** Ordered by the time they ended. */
  const ended = new Map<number, EndedRound>()
  let rounds = 0
  /** Time of the last search for dead rounds, in monotonic milliseconds. */
  let lookedAt = 0

  const end = (id: number, lease: Lease, ending: Omit<EndedRound, "round">): void => {
    // This lease may have been presumed dead and replaced by another request's.
    if (leases.get(id) === lease) leases.delete(id)
    for (const [other, { at }] of ended) {
      // Absolute, so that a clock set back does not prolong it.
      if (Math.abs(ending.at - at) < rememberedFor) break
      ended.delete(other)
    }
    ended.delete(id)
    if (lease.isAwaited) ended.set(id, { round: lease.round, ...ending })
  }

  const forgetDead = (now: number): void => {
    if (now - lookedAt < forgottenAfter) return
    lookedAt = now
    for (const [id, { aliveAt }] of leases) if (now - aliveAt > forgottenAfter) leases.delete(id)
  }

  const begin = (
    { id, parent_id }: Notification,
    round: Effect.Effect<RoundResult>,
    isAwaited: boolean
  ): Effect.Effect<RoundResult | undefined> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.withFiber((fiber) => {
        const clock = fiber.getRef(Clock.Clock)
        const now = monotonicMillis(clock)
        forgetDead(now)
        const lease: Lease = { round: ++rounds, aliveAt: now, isAwaited }
        leases.set(id, lease)
        const alive = Effect.sync(() => (lease.aliveAt = monotonicMillis(clock)))
        return Effect.forkChild(Effect.forever(Effect.delay(alive, signOfLife))).pipe(
          Effect.andThen(restore(round)),
          Effect.onExit((exit) =>
            Effect.sync(() =>
              end(id, lease, {
                result: Exit.isSuccess(exit) ? exit.value : "failed",
                claimedParent: parent_id,
                at: clock.currentTimeMillisUnsafe()
              })
            )
          )
        )
      })
    )

  /** The result of a round that began after `arrivedAfter`, shared or its own; `undefined` after too long a wait. */
  const takeTurn = (
    notification: Notification,
    round: Effect.Effect<RoundResult>,
    arrivedAfter: number,
    waiting: Waiting
  ): Effect.Effect<RoundResult | undefined> =>
    Effect.suspend(() => {
      const { id, parent_id } = notification
      const other = ended.get(id)
      // A false claim by a stranger fails the stranger's own round only.
      const isForAll = other?.result === "delivered" || other?.claimedParent === parent_id
      if (other !== undefined && other.round > arrivedAfter && isForAll) return Effect.succeed(other.result)
      const lease = leases.get(id)
      // If this request has waited, others may be waiting, too.
      if (lease === undefined) return begin(notification, round, waiting.time > 0)
      const isSilent = lease === waiting.lease && lease.aliveAt === waiting.aliveAt
      const silence = isSilent ? waiting.silence + waiting.look : 0
      if (silence >= silenceAtMost) return begin(notification, round, true)
      if (waiting.time >= waitAtMost) return Effect.succeed(undefined)
      lease.isAwaited = true
      const look = Math.min(waiting.look * 2, slowestLook)
      const next = { time: waiting.time + look, look, lease, aliveAt: lease.aliveAt, silence }
      return Effect.delay(takeTurn(notification, round, arrivedAfter, next), look)
    })

  /**
   * Runs a round when it is the payment's turn, or waits for somebody else's that begins from now on: then `round` is
   * not run. Gives `undefined` when the turn did not come in half a minute, and `failed` once the scope has ended.
   * Interrupting it does not interrupt the round.
   */
  return (notification: Notification, round: Effect.Effect<RoundResult>): Effect.Effect<RoundResult | undefined> =>
    Effect.withFiber((fiber) => {
      if (scope.state._tag === "Closed") return Effect.succeed("failed")
      const turn = takeTurn(notification, round, rounds, arrived)
      // The scope would retain requests that were cut off for ever.
      const forked = fiber.getRef(RequestBound) ? Effect.forkDetach(turn) : Effect.forkIn(turn, scope)
      return forked.pipe(
        Effect.flatMap(Fiber.await),
        Effect.map((exit) => (Exit.isSuccess(exit) ? exit.value : "failed"))
      )
    })
}

const monotonicMillis = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
