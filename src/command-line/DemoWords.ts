/**
 * What `effect-gopay demo` says.
 */
import type { Choice } from "./Choice.js"

export const demoWords = (t: Choice) => ({
  shop: t("The shop:", "Obchod:"),
  gateway: t("The gateway:", "Brána:"),
  pay: t(
    "Pay with the test card 4444 4444 4444 4448. Press Ctrl-C to stop.",
    "Plaťte testovací kartou 4444 4444 4444 4448. Zastavíte pomocí Ctrl-C."
  )
})
