/**
 * Work that outlives its call, and how to keep it alive on platforms that end it with the request.
 */
import * as Context from "effect/Context"
import { currentRuntime } from "../transport/Runtime.js"

/**
 * The platform's `waitUntil`, which keeps a request of a serverless function alive until a promise has settled. With it
 * an access token is refreshed behind the call that finds it due, as on a server.
 *
 * Without it, in Cloudflare Workers, that call refreshes the token itself: about one call in half an hour takes longer.
 *
 * ```ts
 * import { waitUntil } from "cloudflare:workers" // or from "@vercel/functions"
 *
 * getPayment(id).pipe(Effect.provideService(WaitUntil, waitUntil))
 * ```
 */
export const WaitUntil: Context.Reference<((work: Promise<unknown>) => void) | undefined> = Context.Reference<
  ((work: Promise<unknown>) => void) | undefined
>("effect-gopay/WaitUntil", { defaultValue: () => undefined })

/**
 * Whether a fiber lives no longer than the request that it was started in, and none may be woken by another request's,
 * as in Cloudflare Workers. What requests share there may hold values only, and each reads them by timers of its
 * own.
 */
export const RequestBound: Context.Reference<boolean> = Context.Reference<boolean>("effect-gopay/RequestBound", {
  defaultValue: () => currentRuntime() === "cloudflare-workers" || "EdgeRuntime" in globalThis
})
