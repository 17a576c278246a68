import { building } from "$app/env"
import { theLedger } from "./lib/server/gopay.js"

/** Opens the ledger when the server starts: its worker finishes what an earlier process could not. */
export const init = async () => {
  if (!building) await theLedger()
}
