/**
 * A lease: something that others wait for, so that they notice when its owner is gone. In Cloudflare Workers a request
 * may be cut off without notice, and no request may wake another. So the owner renews the lease, and waiting requests
 * poll it.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { monotonicMillis } from "./MonotonicTime.js"
import { currentRuntime } from "./Runtime.js"

export interface Lease {
  /** When its owner last showed that it is alive, in monotonic milliseconds. */
  aliveAt: number
}

const renewalInterval = Duration.seconds(1)

/** Renews a lease until it is interrupted. */
export const renewed = (lease: Lease): Effect.Effect<never> =>
  Effect.withFiber((fiber) => {
    const clock = fiber.getRef(Clock.Clock)
    return Effect.forever(
      Effect.map(Effect.sleep(renewalInterval), () => {
        lease.aliveAt = monotonicMillis(clock)
      })
    )
  })

/** Whether a lease has not been renewed for this many milliseconds. */
export const isSilent = ({ aliveAt }: Lease, clock: Clock.Clock, milliseconds: number): boolean =>
  monotonicMillis(clock) - aliveAt > milliseconds

/**
 * Whether a fiber lives no longer than the request that it was started in, and cannot be woken by another request.
 * Requests may share only plain values there, and each polls them with its own timers.
 */
export const RequestBound: Context.Reference<boolean> = Context.Reference<boolean>("effect-gopay/RequestBound", {
  defaultValue: () => currentRuntime() === "cloudflare-workers" || "EdgeRuntime" in globalThis
})
