/**
 * The transport in the form that programs use, and one over the sender of the platform.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { countdown, stopwatch } from "./MonotonicTime.js"
import type { Sender, SenderLimits, TransportRequest, TransportResponse } from "./Sender.js"
import { heldBack, isTransportFailure, type TransportFailure } from "./TransportFailure.js"

interface TransportLimits extends Omit<SenderLimits, "time"> {
  /** For connecting, headers and body together. */
  readonly time: Duration.Duration
}

/** A request, and the check that has to allow it before it is sent. */
interface CheckedRequest extends TransportRequest {
  /** The pre-send check of a change, beside `onSend`: see `BeforeSend`. */
  readonly check?: Effect.Effect<boolean | Duration.Input, unknown> | undefined
}

/** Sends one request, if its check allows that, and reads the whole response, within limits. */
export type Transport = (
  request: CheckedRequest,
  limits: TransportLimits
) => Effect.Effect<TransportResponse, TransportFailure>

export const overSender = ({ send }: Sender): Transport => {
  const transport: Transport = (request, limits) =>
    request.check === undefined
      ? Effect.callback<TransportResponse, TransportFailure>((resume) => {
          const time = Duration.toMillis(limits.time)
          const end = send(request, { time, bytes: limits.bytes }, (outcome) =>
            resume(isTransportFailure(outcome) ? Effect.fail(outcome) : Effect.succeed(outcome))
          )
          return Effect.sync(end)
        })
      : sentIfAllowed(request, limits, transport)
  return transport
}

const unanswered: TransportFailure = { ...heldBack, isTimeout: true }

/** Milliseconds since it was made. If the machine was suspended, only the time of day may include that. */
const suspendableStopwatch = (fiber: Fiber.Fiber<unknown, unknown>): (() => number) => {
  const clock = fiber.getRef(Clock.Clock)
  const elapsed = stopwatch(fiber)
  const dayTime = clock.currentTimeMillisUnsafe()
  return () => Math.max(elapsed(), clock.currentTimeMillisUnsafe() - dayTime)
}

/** 0 if it is not a valid duration. */
const millisOf = (time: Duration.Input): number =>
  Option.match(Duration.fromInput(time), { onNone: () => 0, onSome: Duration.toMillis })

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
      Cause.hasInterrupts(cause)
        ? Effect.interrupt
        : Effect.failCause(Cause.map(cause, (cause): TransportFailure => ({ ...heldBack, cause })))
    )
    return answer.pipe(
      settledWithin({ time: limits.time, context: fiber.context, onTimeout: unanswered }),
      Effect.flatMap((allowed) => {
        if (allowed === false) return Effect.fail(heldBack)
        const time = left()
        if (Duration.isZero(time)) return Effect.fail(unanswered)
        const mayHandOver = allowed === true ? undefined : () => elapsed() < millisOf(allowed)
        return transport({ ...request, mayHandOver }, { ...limits, time })
      })
    )
  })

interface Limit<out E> {
  readonly time: Duration.Duration
  readonly context: Context.Context<never>
  readonly onTimeout: E
}

/** How long an interruption waits for a program to release its resources. */
const releaseGrace = Duration.seconds(1)

/**
 * Settles when the time is up, even if the program cannot be interrupted. An interruption waits until the program has
 * ended, for a second at most.
 */
export const settledWithin =
  <E>({ context, onTimeout, time }: Limit<E>) =>
  <A>(program: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.callback((resume) => {
      const run = Effect.runForkWith(context)
      const running = run(program)
      const settled = running.pollUnsafe()
      if (settled !== undefined) return resume(settled)
      const timer = run(Effect.sleep(time))
      timer.addObserver((exit) => {
        if (exit._tag === "Failure") return
        resume(Effect.fail(onTimeout))
        running.interruptUnsafe()
      })
      running.addObserver((exit) => {
        timer.interruptUnsafe()
        resume(exit)
      })
      return Effect.callback<void>((resume) => {
        timer.interruptUnsafe()
        running.interruptUnsafe()
        if (running.pollUnsafe() !== undefined) return resume(Effect.void)
        const grace = run(Effect.sleep(releaseGrace))
        grace.addObserver(() => resume(Effect.void))
        running.addObserver(() => grace.interruptUnsafe())
      })
    })
