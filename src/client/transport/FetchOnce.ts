/**
 * A `fetch` that sends each request once, on runtimes whose own `fetch` may send it again.
 */
import { withoutPrototype } from "../../contract/OwnMember.js"
import { currentRuntime } from "./Runtime.js"

type Fetch = typeof globalThis.fetch

/**
 * Makes a `fetch` that hands its request to the gateway once at most.
 *
 * - Node.js sends a request again when a kept connection answers it with status 421, a POST too. It cannot do so with a
 *   stream as body, so the body goes out as one, an empty one as well.
 * - Deno sends a request again when a kept connection breaks, even one that the gateway has read (denoland/deno#35610).
 *   It
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
    default:
      return fetch
  }
}

const bytesOf = async (body: RequestInit["body"]): Promise<Uint8Array<ArrayBuffer>> => {
  if (body === undefined || body === null) return new Uint8Array()
  return typeof body === "string"
    ? new TextEncoder().encode(body)
    : new Uint8Array(await new Response(body).arrayBuffer())
}

/** A stream of one chunk. Substitutes for `fetch` that know no streams, such as node-fetch, send it as text. */
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
