/**
 * The head of each response of a call: its status and the gateway's clock.
 */
import * as Context from "effect/Context"
import { ignoringFailure } from "../../contract/IgnoringFailure.js"
import type { TransportResponse } from "../transport/TransportRequest.js"
import type { ResponseHead } from "./ResponseHead.js"

/**
 * Called with the head of each response that the calls in the current fiber get, before the response is decoded: of
 * every attempt, but not of the request for a token. What it throws or rejects with is ignored. Default: nothing is
 * called.
 *
 * ```ts
 * getPaymentRefunds(id).pipe(Effect.provideService(OnResponse, ({ gatewayTimeMillis }) => { clock = gatewayTimeMillis }))
 * ```
 *
 * @category calls
 */
export const OnResponse: Context.Reference<((head: ResponseHead) => void) | undefined> = Context.Reference<
  ((head: ResponseHead) => void) | undefined
>("effect-gopay/OnResponse", { defaultValue: () => undefined })

/** Reports the head of a response. */
export const reportHead = (
  report: ((head: ResponseHead) => void) | undefined,
  { header, status }: TransportResponse
): void => {
  if (report === undefined) return
  const time = Date.parse(header("date") ?? "")
  ignoringFailure(() => report({ status, ...(Number.isNaN(time) ? undefined : { gatewayTimeMillis: time }) }))
}
