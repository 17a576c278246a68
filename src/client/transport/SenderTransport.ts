/**
 * A transport over what sends requests on the platform at hand.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Clock from "effect/Clock"
import type * as Fiber from "effect/Fiber"
import { stopwatch } from "./MonotonicTime.js"
import type { Sender, TransportResponse } from "./Sender.js"
import { type TransportFailure, heldBack } from "./TransportFailure.js"
import type { Transport } from "./Transport.js"
import { countdown, settledWithin } from "./TimeLimit.js"

/** Makes a transport of a sender. */
export const make = ({ send }: Sender): Transport => {
  const transport: Transport = (request, limits) =>
    request.check === undefined
      ? Effect.callback<TransportResponse, TransportFailure>((resume) => {
          const time = Duration.toMillis(limits.time)
          const end = send(request, { time, bytes: limits.bytes }, (outcome) =>
            resume("_tag" in outcome ? Effect.fail(outcome) : Effect.succeed(outcome))
          )
          return Effect.sync(end)
        })
      : sentIfAllowed(request, limits, transport)
  return transport
}

const unanswered: TransportFailure = { ...heldBack, isTimeout: true }

/** Milliseconds since it was made. Of a machine that was suspended only the time of day may show it. */
const suspendableStopwatch = (fiber: Fiber.Fiber<unknown, unknown>): (() => number) => {
  const clock = fiber.getRef(Clock.Clock)
  const elapsed = stopwatch(fiber)
  const dayTime = clock.currentTimeMillisUnsafe()
  return () => Math.max(elapsed(), clock.currentTimeMillisUnsafe() - dayTime)
}

/** Sends a request if its check allows that. The check takes its time from the request's. */
export const sentIfAllowed = (
  { check = Effect.succeed(true), ...request }: Parameters<Transport>[0],
  limits: Parameters<Transport>[1],
  transport: Transport
): ReturnType<Transport> =>
  Effect.withFiber((fiber) => {
    const clock = fiber.getRef(Clock.Clock)
    const left = countdown(limits.time, clock)
    const elapsed = suspendableStopwatch(fiber)
    const answer = Effect.catchCause(check, (cause) =>
      cause.reasons.some(({ _tag }) => _tag === "Interrupt") ? Effect.interrupt : Effect.succeed(false)
    )
    return answer.pipe(
      settledWithin({ time: limits.time, context: fiber.context, onTimeout: unanswered }),
      Effect.flatMap((allowed) => {
        if (allowed === false) return Effect.fail(heldBack)
        const time = left()
        if (Duration.isZero(time)) return Effect.fail(unanswered)
        const mayHandOver = allowed === true ? undefined : () => elapsed() < allowed
        return transport({ ...request, mayHandOver }, { ...limits, time })
      })
    )
  })
