/**
 * Reads of a payment that are shared by all callers that ask for it meanwhile.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { AttemptTimeout } from "../call/AttemptTimeout.js"
import { RetryPolicy } from "../call/RetryPolicy.js"
import * as Rounds from "../transport/Rounds.js"
import type { PaymentNotification } from "./Notification.js"
import type { Named } from "./ReadLimits.js"
import type { PaymentReader } from "./Verification.js"

/** The result of a round, and what its failure may depend on. */
interface SharedRound<A, E> {
  readonly result: Result.Result<A, E>
  readonly conditions: ReadonlyArray<unknown>
}

/** In milliseconds: longer than any two reads take. A request that has waited for this long reads by itself. */
const waitForRead = 600_000

/**
 * Makes requests about the same payment share the work that begins with reading it: at most one round of a payment runs
 * at a time, and all requests that arrive meanwhile get the result of one more round, which begins after they arrived.
 * A failure is shared only by requests with the same time limit and retries that claim the same parent.
 */
export const sharingRounds = <Notification extends Named, A, E>(
  run: (notification: Notification) => Effect.Effect<A, E>
): ((notification: Notification) => Effect.Effect<A, E>) => {
  const takeTurn = Rounds.make<SharedRound<A, E>>(waitForRead)
  return (notification) =>
    Effect.withFiber((fiber) => {
      const conditions = [fiber.getRef(AttemptTimeout), fiber.getRef(RetryPolicy), notification.parent_id]
      const turn = takeTurn(notification.id, {
        round: Effect.map(Effect.result(run(notification)), (result) => ({ result, conditions })),
        isShared: (other) =>
          Result.isSuccess(other.result) ||
          other.conditions.every((condition, index) => condition === conditions[index])
      })
      return Effect.flatMap(turn, (shared) =>
        shared === undefined ? run(notification) : Effect.fromResult(shared.result)
      )
    })
}

export const sharing = <E>({ getPayment, goid }: PaymentReader<E>): PaymentReader<E> => {
  const shared = sharingRounds(({ id }: PaymentNotification) => getPayment(id))
  return { goid, getPayment: (id) => shared({ id }) }
}
