import { building } from "$app/env"
import { openInBackground } from "./lib/server/gopay.js"

/** Neither waits nor fails: pages without payments need no ledger. */
export const init = () => {
  if (!building) openInBackground()
}
