import { openInBackground } from "../utils/gopay"

export default defineNitroPlugin((nitro) => {
  openInBackground()
  nitro.hooks.hook("close", async () => (await globalThis.openedLedger?.catch(() => undefined))?.close())
})
