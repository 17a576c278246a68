import { theLedger } from "../utils/gopay"

/** Opens the ledger when the server starts: its worker finishes what an earlier process could not. */
export default defineNitroPlugin((nitro) => {
  const opened = theLedger().catch((error: unknown) => void console.error(error))
  nitro.hooks.hook("close", async () => (await opened)?.close())
})
