/**
 * Options of `fetch` by which no cache answers for the gateway: neither the runtime's, nor a framework's.
 */
import { withoutPrototype } from "../../api/OwnMember.plain.js"

/** What frameworks and runtimes add to the options of `fetch`. */
interface UncachedInit {
  readonly cache?: "no-store"
  /** Read by the `fetch` of Next.js, ignored by others. */
  readonly next?: { readonly internal: true }
}

/** Asked anew for each request, since `fetch` may be replaced and Next.js has settings for each page. */
export const uncached = (): UncachedInit => ({
  ...(supportsCache() ? { cache: "no-store" as const } : undefined),
  ...(isForcedByNext() ? { next: { internal: true as const } } : undefined)
})

/** The same as `fetch`, and no cache answers. */
export const fetchUncached =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (input, init) =>
    fetch(input, withoutPrototype({ ...init, ...uncached() }))

let seen: { readonly Request: unknown; readonly supportsCache: boolean } | undefined

/** Workers with an older compatibility date throw on `cache`. They have no cache for such requests. */
const supportsCache = (): boolean => {
  const { Request } = globalThis
  if (seen === undefined || seen.Request !== Request) seen = { Request, supportsCache: takesCache(Request) }
  return seen.supportsCache
}

const takesCache = (Request: typeof globalThis.Request | undefined): boolean => {
  try {
    return Request === undefined || "cache" in new Request("https://gateway.example", { cache: "no-store" })
  } catch {
    return false
  }
}

/**
 * Whether the `fetch` of Next.js would answer from its cache, or refuse to send, in spite of `no-store`: for pages with
 * `fetchCache` of `force-cache` or `only-cache`, and in development, where what was fetched survives a reload. Then it
 * is told that the request is none of the page's. Not always: `no-store` also tells Next.js that a page has to be
 * rendered for each request.
 */
const isForcedByNext = (): boolean => {
  const { fetch } = globalThis
  if (typeof fetch !== "function" || memberOf(fetch, "__nextPatched") !== true) return false
  if (memberOf(memberOf(memberOf(globalThis, "process"), "env"), "NODE_ENV") === "development") return true
  const mode = memberOf(call(call(fetch, "__nextGetStaticStore"), "getStore"), "fetchCache")
  return mode === "force-cache" || mode === "only-cache"
}

const memberOf = (value: unknown, name: string): unknown =>
  (typeof value === "object" && value !== null) || typeof value === "function" ? Reflect.get(value, name) : undefined

const call = (value: unknown, name: string): unknown => {
  const method = memberOf(value, name)
  return typeof method === "function" ? method.call(value) : undefined
}
