/**
 * A sender over `fetch` alone.
 */
import { withoutPrototype } from "../../contract/OwnMember.js"
import { fetchOnce } from "./FetchOnce.js"
import { type Sender, longestTimer, type TransportResponse } from "./Sender.js"
import { brokenOff, heldBack, timedOut, transportFailure, type TransportFailure } from "./TransportFailure.js"
import { readBody } from "./ResponseBody.js"
import { uncached } from "./Uncached.js"

/** Makes a sender of a `fetch`, which must not retry. */
export const fetchSender = (fetch: typeof globalThis.fetch): Sender => {
  const fetchChange = fetchOnce(fetch)
  return {
    send: ({ body, headers, isChange, mayHandOver, method, onSend, url }, { bytes, time }, settle) => {
      const controller = new AbortController()
      const { signal } = controller
      let isSettled = false
      const end = (): void => {
        isSettled = true
        clearTimeout(timer)
      }
      const finish = (outcome: TransportResponse | TransportFailure): void => {
        if (isSettled) return
        end()
        settle(outcome)
      }
      const timer = setTimeout(
        () => {
          finish(timedOut)
          controller.abort()
        },
        Math.min(time, longestTimer)
      )
      const send = async (): Promise<void> => {
        const init: RequestInit = {
          method,
          headers,
          redirect: "manual",
          ...uncached(),
          signal,
          ...(body === undefined ? {} : { body })
        }
        if (mayHandOver?.() === false) return finish(heldBack)
        onSend?.()
        const response = await (isChange ? fetchChange : fetch)(url, withoutPrototype(init))
        try {
          finish(await complete(response, bytes, signal))
        } catch (failure) {
          finish(brokenOff(failure))
        }
      }
      send().catch((failure: unknown) => finish(transportFailure(failure)))
      return () => {
        end()
        controller.abort()
      }
    },
    close: () => {}
  }
}

/** Reads a whole response. Anything else that a caller's `fetch` returns counts as a broken connection. */
const complete = async (response: Response, limit: number, signal: AbortSignal): Promise<TransportResponse> => {
  const { headers, status } = response
  if (!Number.isInteger(status) || typeof headers?.get !== "function") throw new TypeError("not a Response")
  return { status, data: await readBody(response, limit, signal), header: (name) => headers.get(name) ?? undefined }
}

export const globalFetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init)
