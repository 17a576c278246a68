/**
 * The pre-send check of a change.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { ChangeRecord } from "../error/ChangeRecord.plain.js"
import { countdown, settledWithin } from "../transport/TimeLimit.js"
import type { TransportFailure } from "../transport/TransportFailure.plain.js"
import type { Transport } from "../transport/Transport.js"

/**
 * Asked before every attempt of a change, when nothing is left but to hand the request over: the token is there, and so
 * is the request's turn among those under way. Only a new connection, where none is kept, is made after it. An attempt
 * that follows a refused token asks again. `false` holds the request back: it is certainly not sent, and the call fails
 * with `GatewayUnavailable`. So does a program that fails, whatever with.
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
export const BeforeSend: Context.Reference<((change: ChangeRecord) => Effect.Effect<boolean, unknown>) | undefined> =
  Context.Reference<((change: ChangeRecord) => Effect.Effect<boolean, unknown>) | undefined>(
    "effect-gopay/BeforeSend",
    { defaultValue: () => undefined }
  )

/** The check of one attempt. */
const LastLook: Context.Reference<Effect.Effect<boolean, unknown> | undefined> = Context.Reference<
  Effect.Effect<boolean, unknown> | undefined
>("effect-gopay/LastLook", { defaultValue: () => undefined })

/** The name of the failure of a request that was held back. */
export const heldBack = "HeldBack"

const failure: TransportFailure = {
  _tag: "TransportFailure",
  wasSent: "certainly not",
  isTimeout: false,
  code: undefined,
  name: heldBack
}

const unanswered: TransportFailure = { ...failure, isTimeout: true }

/** Sends a request only after its pre-send check, which takes its time from the request's. */
export const afterLastLook =
  (transport: Transport): Transport =>
  (request, limits) =>
    Effect.withFiber((fiber) => {
      const look = fiber.getRef(LastLook)
      if (look === undefined) return transport(request, limits)
      const left = countdown(limits.time, fiber.getRef(Clock.Clock))
      const answer = Effect.catchCause(look, (cause) =>
        cause.reasons.some(({ _tag }) => _tag === "Interrupt") ? Effect.interrupt : Effect.succeed(false)
      )
      return answer.pipe(
        settledWithin({ time: limits.time, context: fiber.context, onTimeout: unanswered }),
        Effect.flatMap((isAllowed) => {
          if (!isAllowed) return Effect.fail(failure)
          const time = left()
          return Duration.isZero(time) ? Effect.fail(unanswered) : transport(request, { ...limits, time })
        })
      )
    })

/** Adds the pre-send check to a change, where the caller asked for one. */
export const lookedAt = <A, E>(attempt: Effect.Effect<A, E>, change: ChangeRecord): Effect.Effect<A, E> =>
  Effect.flatMap(BeforeSend, (look) =>
    look === undefined
      ? attempt
      : Effect.provideService(
          attempt,
          LastLook,
          Effect.suspend(() => look(change))
        )
  )
