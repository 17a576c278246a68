/**
 * A hook that may hold a change back.
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type { ChangeRecord } from "../error/ChangeRecord.js"

/**
 * Asked before every attempt of a change, when nothing is left but to hand the request over: the token is there, and so
 * is the request's turn among those under way. Only a new connection, where none is kept, is made after it. An attempt
 * that follows a refused token asks again. `false` holds the request back: it is certainly not sent, and the call fails
 * with `GatewayUnavailable`. So does a program that fails: what it fails with is the `cause` of the error. One that dies
 * ends the call with its defect, and nothing is sent. A duration is the time for which it may
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
 */
export const BeforeSend: Context.Reference<
  ((change: ChangeRecord) => Effect.Effect<boolean | Duration.Input, unknown>) | undefined
> = Context.Reference<PreSendCheck<ChangeRecord> | undefined>("effect-gopay/BeforeSend", {
  defaultValue: () => undefined
})

/** Whether a change may be sent, and for how long. */
export type PreSendCheck<in Change> = (change: Change) => Effect.Effect<boolean | Duration.Input, unknown>

/** The check of the current fiber that a change has to pass before it is sent; `undefined` if there is none. */
export const preSendCheck = <Change>(
  fiber: Fiber.Fiber<unknown, unknown>,
  reference: Context.Reference<PreSendCheck<Change> | undefined>,
  change: Change
): ReturnType<PreSendCheck<Change>> | undefined => {
  const check = fiber.getRef(reference)
  return check && Effect.suspend(() => check(change))
}
