/**
 * A limit on concurrent requests. The others wait for their turn, in order and within their time limit.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { isSilent, type Lease, renewed } from "./Lease.js"
import { countdown, monotonicMillis } from "./MonotonicTime.js"
import { currentRuntime } from "./Runtime.js"
import type { Transport } from "./Transport.js"
import { timedOut, type TransportFailure } from "./TransportFailure.js"

const noTurn: TransportFailure = { ...timedOut, wasSent: "certainly not", name: "TooManyRequests" }

/** Lets at most this many requests of a transport run concurrently. */
export const limited = (transport: Transport, maxRequests: number): Transport =>
  currentRuntime() === "cloudflare-workers" ? leased(transport, maxRequests) : queued(transport, maxRequests)

interface Turn {
  hasCome: boolean
  come: () => void
}

/** A request that ends wakes the one that has waited longest. */
export const queued = (transport: Transport, maxRequests: number): Transport => {
  const waiting = new Set<Turn>()
  let underWay = 0

  const end = (): void => {
    const [next] = waiting
    if (next === undefined) {
      underWay--
      return
    }
    waiting.delete(next)
    next.hasCome = true
    next.come()
  }

  const comingOf = (turn: Turn): Effect.Effect<void> =>
    Effect.callback((resume) => {
      turn.come = () => resume(Effect.void)
      waiting.add(turn)
    })

  return (request, limits) =>
    Effect.suspend(() => {
      const turn: Turn = { hasCome: false, come: () => {} }
      const send = Effect.withFiber((fiber) => {
        if (underWay < maxRequests) {
          underWay++
          turn.hasCome = true
          return transport(request, limits)
        }
        const left = countdown(limits.time, fiber.getRef(Clock.Clock))
        return Effect.timeoutOrElse(comingOf(turn), { duration: limits.time, orElse: () => Effect.fail(noTurn) }).pipe(
          // Otherwise the end of each request would start the next one, nested through the whole queue.
          Effect.andThen(Effect.yieldNow),
          Effect.andThen(
            Effect.suspend(() => {
              const time = left()
              return Duration.isZero(time) ? Effect.fail(noTurn) : transport(request, { ...limits, time })
            })
          )
        )
      })
      return Effect.onExit(send, () =>
        Effect.sync(() => {
          if (turn.hasCome) end()
          else waiting.delete(turn)
        })
      )
    })
}

const pollInterval = Duration.millis(50)

/** In milliseconds: a request that has not renewed its lease for this long has ended with its Worker. */
const leaseTime = 5_000

/**
 * In a Cloudflare Worker no request may wake another one, and a request that ended with its Worker stays silent. So
 * each checks by itself whether it may go, and holds a lease for as long as it lives.
 */
export const leased = (transport: Transport, maxRequests: number): Transport => {
  const leases = new Set<Lease>()

  const take = (lease: Lease, clock: Clock.Clock): boolean => {
    if (leases.size >= maxRequests) {
      for (const other of leases) if (isSilent(other, clock, leaseTime)) leases.delete(other)
      if (leases.size >= maxRequests) return false
    }
    lease.aliveAt = monotonicMillis(clock)
    leases.add(lease)
    return true
  }

  return (request, limits) =>
    Effect.withFiber((fiber) => {
      const clock = fiber.getRef(Clock.Clock)
      const left = countdown(limits.time, clock)
      const lease: Lease = { aliveAt: 0 }
      let renewal: Fiber.Fiber<never> | undefined

      const send: ReturnType<Transport> = Effect.suspend(() => {
        const time = left()
        if (Duration.isZero(time)) return Effect.fail(noTurn)
        if (!take(lease, clock)) return Effect.andThen(Effect.sleep(Duration.min(pollInterval, time)), send)
        renewal = Effect.runForkWith(fiber.context)(renewed(lease))
        return transport(request, { ...limits, time })
      })
      return Effect.onExit(send, () =>
        Effect.sync(() => {
          leases.delete(lease)
          renewal?.interruptUnsafe()
        })
      )
    })
}
