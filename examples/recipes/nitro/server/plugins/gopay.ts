import { ledger } from "../utils/gopay"

/** Starts the ledger with the server: its worker finishes what an earlier process could not. */
export default defineNitroPlugin((nitro) => nitro.hooks.hook("close", () => ledger.close()))
