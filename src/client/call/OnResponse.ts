/**
 * A hook that is called with the head of each response.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { TransportResponse } from "../transport/Sender.js"
import type { ResponseHead } from "./CallEvent.js"

/**
 * Called with the head of each response that the calls in the current fiber get, before the response is decoded: of
 * every attempt, but not of the request for a token. A defect in it is ignored. Default: nothing is called.
 *
 * ```ts
 * getPaymentRefunds(id).pipe(Effect.provideService(OnResponse, ({ status }) => Effect.log(`status ${status}`)))
 * ```
 */
export const OnResponse: Context.Reference<((head: ResponseHead) => Effect.Effect<unknown>) | undefined> =
  Context.Reference<((head: ResponseHead) => Effect.Effect<unknown>) | undefined>("effect-gopay/OnResponse", {
    defaultValue: () => undefined
  })

const headOf = ({ header, status }: TransportResponse): ResponseHead => {
  const time = Date.parse(header("date") ?? "")
  return { status, ...(Number.isNaN(time) ? undefined : { gatewayTimeMillis: time }) }
}

/** Reports the head of a response. The report cannot fail the call. */
export const reporting =
  (report: (head: ResponseHead) => Effect.Effect<unknown>) =>
  <E>(sent: Effect.Effect<TransportResponse, E>): Effect.Effect<TransportResponse, E> =>
    Effect.tap(sent, (response) =>
      Effect.catchCause(
        Effect.suspend(() => report(headOf(response))),
        () => Effect.void
      )
    )
