/**
 * Options of `fetch` by which no cache answers for the gateway: neither the runtime's, nor a framework's.
 */
import { withoutPrototype } from "../../basics/OwnMember.js"

/** What frameworks and runtimes add to the options of `fetch`. */
interface UncachedInit {
  readonly cache?: "no-store"
  /** Read by the `fetch` of Next.js, ignored by others. */
  readonly next?: { readonly internal: true }
}

/**
 * Asked anew for each request, since `fetch` may be replaced. Next.js is told that the request is none of the page's:
 * pages with `fetchCache` of `force-cache` or `only-cache` would else be answered from its cache or sent nothing, in
 * spite of `no-store`, and in development what was fetched survives a reload.
 */
export const uncached = (): UncachedInit => ({
  ...(supportsCache() ? { cache: "no-store" as const } : undefined),
  ...(isPatchedByNext(globalThis.fetch) ? { next: { internal: true as const } } : undefined)
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

const isPatchedByNext = (fetch: unknown): fetch is typeof globalThis.fetch => memberOf(fetch, "__nextPatched") === true

/**
 * Has Next.js render the page for each request, when it is rendering it ahead for all of them, unless the page's
 * settings ask for that. Next.js learns it from a `fetch` with `no-store`, which fails then with an error that is for
 * Next.js alone: nothing was sent. `undefined` everywhere else.
 */
export const renderedPerRequest = (): Promise<void> | undefined => {
  const { fetch } = globalThis
  if (!isPatchedByNext(fetch)) return undefined
  const page = call(call(fetch, "__nextGetStaticStore"), "getStore")
  const mode = memberOf(page, "fetchCache")
  if (typeof page !== "object" || page === null) return undefined
  if (mode === "force-cache" || mode === "only-cache") return undefined
  // Another address each time: in development what was fetched survives a reload.
  return fetch(`data:,${performance.now()}`, { cache: "no-store" }).then(
    () => undefined,
    (failure: unknown) => {
      // The second: the page must not be rendered for a request, so it is not built.
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
