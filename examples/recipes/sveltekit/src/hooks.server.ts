import { building } from "$app/env"
import type { Handle } from "@sveltejs/kit/hooks"
import { openInBackground, policy } from "./lib/server/gopay.js"

/** Neither waits nor fails: pages without payments need no ledger. */
export const init = () => {
  if (!building) openInBackground()
}

/** Not in the configuration, which is fixed at the build, when no gateway is known. */
export const handle: Handle = async ({ event, resolve }) => {
  const response = await resolve(event)
  if (event.route.id === "/") {
    response.headers.set("content-security-policy", policy())
    // Each payer has a number of its own.
    response.headers.set("cache-control", "no-store")
  }
  return response
}
