/**
 * Options of `fetch` that prevent any cache from answering instead of the gateway, whether the runtime's or a
 * framework's.
 */
import { withoutPrototype } from "../../basics/OwnMember.js"

/** What frameworks and runtimes add to the options of `fetch`. */
interface UncachedInit {
  readonly cache?: "no-store"
  /** Read by the `fetch` of Next.js, ignored by others. */
  readonly next?: { readonly internal: true }
}

/**
 * Computed for each request, since `fetch` may be replaced. It marks the request for Next.js as not belonging to the
 * page: in pages with `fetchCache` of `force-cache` or `only-cache`, it would otherwise be answered from the cache or
 * not sent, in spite of `no-store`, and in development responses survive a reload.
 */
export const uncached = (): UncachedInit => ({
  ...(supportsCache() ? { cache: "no-store" as const } : undefined),
  ...(isPatchedByNext(globalThis.fetch) ? { next: { internal: true as const } } : undefined)
})

/** `fetch` without any cache. */
export const fetchUncached =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (input, init) =>
    fetch(input, withoutPrototype({ ...init, ...uncached() }))

let seen: { readonly Request: unknown; readonly supportsCache: boolean } | undefined

/** Workers with an older compatibility date throw on `cache`. They do not cache such requests. */
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

const isPatchedByNext = (fetch: unknown): fetch is typeof globalThis.fetch => memberOf(fetch, "__nextPatched") === true

/**
 * If Next.js is prerendering a page, makes it render the page for each request instead, unless the page's settings
 * force a static one. The signal is a `fetch` with `no-store`: Next.js rejects it with an error of its own, and nothing
 * is sent. `undefined` everywhere else.
 */
export const renderedPerRequest = (): Promise<void> | undefined => {
  const { fetch } = globalThis
  if (!isPatchedByNext(fetch)) return undefined
  const page = call(call(fetch, "__nextGetStaticStore"), "getStore")
  const mode = memberOf(page, "fetchCache")
  if (typeof page !== "object" || page === null) return undefined
  if (mode === "force-cache" || mode === "only-cache") return undefined
  // A different address each time, since in development responses survive a reload.
  return fetch(`data:,${performance.now()}`, { cache: "no-store" }).then(
    () => undefined,
    (failure: unknown) => {
      // In the second case the page must not be rendered per request, so it is not built.
      if (typeof memberOf(failure, "digest") === "string") throw failure
      if (memberOf(failure, "code") === "NEXT_STATIC_GEN_BAILOUT") throw failure
    }
  )
}

const memberOf = (value: unknown, name: string): unknown =>
  (typeof value === "object" && value !== null) || typeof value === "function" ? Reflect.get(value, name) : undefined

const call = (value: unknown, name: string): unknown => {
  const method = memberOf(value, name)
  return typeof method === "function" ? method.call(value) : undefined
}
