/**
 * Reads of payments, shared by all requests that ask for one at the same time, as payers who return do.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { PaymentResponse } from "../../api/Messages.plain.js"
import { AttemptTimeout } from "../call/Attempt.js"
import { RetryPolicy } from "../call/RetryPolicy.js"
import * as Rounds from "./Rounds.js"
import type { PaymentReader } from "./Verification.js"

/** What a read came to, and the limits that it had. */
interface SharedRead<E> {
  readonly result: Result.Result<PaymentResponse, E>
  readonly limits: ReadonlyArray<unknown>
}

/**
 * Has requests share their reads: at most one of a payment is under way, and all that ask meanwhile get the result of
 * one more, which begins after they asked. A failure is shared only by those with the same time limit and retries. A
 * request whose turn does not come in half a minute reads by itself.
 */
export const sharing = <E>({ getPayment, goid }: PaymentReader<E>): PaymentReader<E> => {
  const takeTurn = Rounds.make<SharedRead<E>>()
  return {
    goid,
    getPayment: (id) =>
      Effect.withFiber((fiber) => {
        const limits = [fiber.getRef(AttemptTimeout), fiber.getRef(RetryPolicy)]
        const shared = takeTurn(id, {
          round: Effect.map(Effect.result(getPayment(id)), (result) => ({ result, limits })),
          isShared: (other) =>
            Result.isSuccess(other.result) || other.limits.every((limit, index) => limit === limits[index])
        })
        return Effect.flatMap(shared, (read) => (read === undefined ? getPayment(id) : Effect.fromResult(read.result)))
      })
  }
}
