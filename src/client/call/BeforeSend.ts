/**
 * A hook that may hold a change back.
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type { ChangeRecord } from "../error/ChangeRecord.js"

/**
 * A check that runs before every attempt of a change, right before the request is handed over: the token is available,
 * and it is the request's turn among concurrent requests. Only a new connection may still have to be made after it. It
 * runs again for an attempt that follows a refused token. `false` holds the request back: it is certainly not sent, and
 * the call fails with `GatewayUnavailable`. So does a check that fails; its failure is the `cause` of the error. A
 * check that dies ends the call with its defect, and nothing is sent. A duration is how long the request may be sent,
 * counted from the start of the check. If it has passed before the request is handed over, because a connection had to
 * be made or the process was suspended, the request is held back as well.
 *
 * Use it to check that this process may still send, for example that it still holds a lease in a database, however long
 * it has waited for a token or been suspended. Its time counts towards the attempt's, and it keeps the request's turn
 * meanwhile. If it has not answered when the time is up, the request is held back. Default: every change is sent.
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
