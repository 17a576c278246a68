/**
 * Work that continues after the response of a serverless function.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { ignoringFailure } from "../../basics/IgnoringFailure.js"

/**
 * The platform's `waitUntil`, which keeps a request of a serverless function alive until a promise has settled. With
 * it, the access token is refreshed in the background of the call that finds it due, as on a server.
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

/** Asks the platform to keep the caller's request alive until an effect has ended. Returns whether it will. */
export const keepAlive = (waitUntil: typeof WaitUntil.Service, end: Effect.Effect<void>): boolean => {
  if (waitUntil === undefined) return false
  try {
    const answer: unknown = waitUntil(Effect.runPromise(end))
    ignoringFailure(() => answer)
    return true
  } catch {
    // Throws outside of a request.
    return false
  }
}
