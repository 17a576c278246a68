/**
 * What others wait for, and how they notice that its owner is gone: in Cloudflare Workers a request may be cut off without
 * notice, and no request may wake another. So the owner of a lease renews it, and whoever waits reads it.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { monotonicMillis } from "./MonotonicTime.js"

/** Something that one request does for others. */
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

/** Whether a lease has not been renewed for so many milliseconds. */
export const isSilent = ({ aliveAt }: Lease, clock: Clock.Clock, milliseconds: number): boolean =>
  monotonicMillis(clock) - aliveAt > milliseconds
