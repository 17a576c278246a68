/**
 * The pre-send check of a change.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type { ChangeRecord } from "../error/ChangeRecord.js"
import { countdown, settledWithin } from "../transport/TimeLimit.js"
import { heldBack, type TransportFailure } from "../transport/TransportFailure.js"
import type { CheckedRequest, Transport } from "../transport/Transport.js"

/**
 * Asked before every attempt of a change, when nothing is left but to hand the request over: the token is there, and so
 * is the request's turn among those under way. Only a new connection, where none is kept, is made after it. An attempt
 * that follows a refused token asks again. `false` holds the request back: it is certainly not sent, and the call fails
 * with `GatewayUnavailable`. So does a program that fails, whatever with. A number is the milliseconds for which it may
 * be sent, from when the check began: where they are over before the request is handed over, since a connection had to
 * be made or the process stood still, it is held back as well.
 *
 * It is the place to see that this process may still send, such as that it holds a lease in a database, however long it
 * has waited for a token or been suspended. It has the time of the attempt, which it takes from the request, and keeps
 * the request's turn meanwhile: one that has not answered when the time is up holds the request back too. Default: every
 * change is sent.
 *
 * ```ts
 * refundPayment(id, { amount }).pipe(Effect.provideService(BeforeSend, (change) => lease.isHeld(change.paymentId)))
 * ```
 *
 * @category calls
 */
export const BeforeSend: Context.Reference<
  ((change: ChangeRecord) => Effect.Effect<boolean | number, unknown>) | undefined
> = Context.Reference<PreSendCheck | undefined>("effect-gopay/BeforeSend", { defaultValue: () => undefined })

type PreSendCheck = (change: ChangeRecord) => Effect.Effect<boolean | number, unknown>

/** The check of one attempt, where the caller asked for one. */
export const preSendCheck = (
  fiber: Fiber.Fiber<unknown, unknown>,
  change: ChangeRecord
): ReturnType<PreSendCheck> | undefined => {
  const check = fiber.getRef(BeforeSend)
  return check && Effect.suspend(() => check(change))
}

const unanswered: TransportFailure = { ...heldBack, isTimeout: true }

/** Counts milliseconds. Of a machine that was suspended only the time of day may show it. */
const stopwatch = (clock: Clock.Clock): (() => number) => {
  const startedAt = clock.monotonicTimeNanosUnsafe()
  const dayTime = clock.currentTimeMillisUnsafe()
  return () =>
    Math.max(
      Number(clock.monotonicTimeNanosUnsafe() - startedAt) / 1_000_000,
      clock.currentTimeMillisUnsafe() - dayTime
    )
}

/** Sends a request only after its pre-send check, which takes its time from the request's. */
export const checked =
  (transport: Transport): Transport<CheckedRequest> =>
  (request, limits) => {
    const { check } = request
    if (check === undefined) return transport(request, limits)
    return Effect.withFiber((fiber) => {
      const clock = fiber.getRef(Clock.Clock)
      const left = countdown(limits.time, clock)
      const elapsed = stopwatch(clock)
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
  }
