/**
 * A transport over `fetch` alone.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { fetchOnce } from "./FetchOnce.js"
import {
  type TransportResponse,
  brokenOff,
  longestTimer,
  type Transport,
  transportFailure,
  type TransportFailure,
  readBody,
  timedOut
} from "./Transport.js"

/** Makes a transport of a `fetch`, which must not retry. */
export const make = (fetch: typeof globalThis.fetch): Transport => {
  const fetchChange = fetchOnce(fetch)
  return ({ body, headers, isChange, method, url }, { bytes, time }) =>
    Effect.callback<TransportResponse, TransportFailure>((resume) => {
      const controller = new AbortController()
      const timer = setTimeout(
        () => {
          resume(Effect.fail(timedOut))
          controller.abort()
        },
        Math.min(Duration.toMillis(time), longestTimer)
      )
      const settle = (outcome: Effect.Effect<TransportResponse, TransportFailure>): void => {
        clearTimeout(timer)
        resume(outcome)
      }
      const send = async (): Promise<void> => {
        const { signal } = controller
        const init: RequestInit = { method, headers, redirect: "manual", signal }
        const response = await (isChange ? fetchChange : fetch)(url, body === undefined ? init : { ...init, body })
        try {
          settle(Effect.succeed(await complete(response, bytes, signal)))
        } catch (failure) {
          settle(Effect.fail(brokenOff(failure)))
        }
      }
      send().catch((failure: unknown) => settle(Effect.fail(transportFailure(failure))))
      return Effect.sync(() => {
        clearTimeout(timer)
        controller.abort()
      })
    })
}

/** Reads a whole response. Anything else that a caller's `fetch` returns counts as a broken connection. */
const complete = async (response: Response, limit: number, signal: AbortSignal): Promise<TransportResponse> => {
  const { headers, status } = response
  if (!Number.isInteger(status) || typeof headers?.get !== "function") throw new TypeError("not a Response")
  return { status, data: await readBody(response, limit, signal), header: (name) => headers.get(name) ?? undefined }
}
