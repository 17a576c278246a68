/**
 * A sender over `fetch` alone.
 */
import { withoutPrototype } from "../../basics/OwnMember.js"
import { currentRuntime } from "./Runtime.js"
import { type Sender, maxTimer, type TransportResponse } from "./Sender.js"
import { brokenOff, heldBack, timedOut, transportFailure, type TransportFailure } from "./TransportFailure.js"
import { readBody } from "./ResponseBody.js"
import { uncached } from "./Uncached.js"

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
        Math.min(time, maxTimer)
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
export const complete = async (response: Response, limit: number, signal: AbortSignal): Promise<TransportResponse> => {
  const { headers, status } = response
  if (!Number.isInteger(status) || typeof headers?.get !== "function") throw new TypeError("not a Response")
  return {
    status,
    data: await readBody(response, limit, signal),
    header: (name) => headers.get(name) ?? undefined,
    // A caller's `fetch` may follow redirects despite the options.
    isOfAnother: response.redirected
  }
}

export const globalFetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init)

type Fetch = typeof globalThis.fetch

/**
 * Makes a `fetch` that hands its request to the gateway at most once.
 *
 * - Node.js sends a request again when a kept connection answers it with status 421, a POST too. It cannot do so with a
 *   stream as body, so the body goes out as one, an empty one as well.
 * - Deno sends a request again when a kept connection breaks, even one that the gateway has read (denoland/deno#35610). It
 *   cannot do so with a `Blob`; an empty one goes out in chunks.
 * - Bun does the same with a DELETE only, and not over a connection of its own.
 */
export const fetchOnce = (fetch: Fetch): Fetch => {
  switch (currentRuntime()) {
    case "node":
      return async (input, init = {}) => {
        const bytes = await bytesOf(init.body)
        const once: RequestInit & { readonly duplex: "half" } = {
          ...init,
          body: streamOf(bytes),
          headers: { ...Object.fromEntries(new Headers(init.headers)), "content-length": String(bytes.byteLength) },
          // Without this, Node.js 24.14 and 24.15 turn a 401 response to a streamed body into a network error
          // (nodejs/undici#5018). It affects cookies only: the `Authorization` header stays.
          credentials: "omit",
          duplex: "half"
        }
        return fetch(input, withoutPrototype(once))
      }
    case "deno":
      return async (input, init = {}) =>
        fetch(input, withoutPrototype({ ...init, body: new Blob([await bytesOf(init.body)]) }))
    case "bun":
      return (input, init) =>
        fetch(input, init?.method === "DELETE" ? withoutPrototype({ ...init, keepalive: false }) : init)
    case "cloudflare-workers":
    case "other":
      return fetch
  }
}

const bytesOf = async (body: RequestInit["body"]): Promise<Uint8Array<ArrayBuffer>> => {
  if (body === undefined || body === null) return new Uint8Array()
  return typeof body === "string"
    ? new TextEncoder().encode(body)
    : new Uint8Array(await new Response(body).arrayBuffer())
}

/** A stream of one chunk. Replacements of `fetch` that do not support streams, such as node-fetch, send it as text. */
const streamOf = (bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> =>
  Object.defineProperty(
    new ReadableStream({
      start: (controller) => {
        if (bytes.byteLength > 0) controller.enqueue(bytes)
        controller.close()
      }
    }),
    "toString",
    { value: () => new TextDecoder().decode(bytes) }
  )
