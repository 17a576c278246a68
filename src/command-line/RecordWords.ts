/**
 * What `effect-gopay record` says.
 */
import type { Choice } from "./Choice.js"

export const recordWords = (t: Choice) => ({
  wrongEnvironment: t(
    "GOPAY_ENVIRONMENT must be sandbox or the address of a local gateway: a recording creates payments",
    "GOPAY_ENVIRONMENT musí být sandbox nebo adresa lokální brány: nahrávka zakládá platby"
  ),
  requests: {
    pays: t("pay with the test card 4188 0300 0000 0003", "zaplaťte testovací kartou 4188 0300 0000 0003"),
    isDeclined: t("have a payment by card declined", "nechte platbu kartou zamítnout"),
    cancels: t("cancel the payment", "zrušte platbu"),
    choosesTransfer: t("choose the bank transfer, and do not pay", "zvolte bankovní převod a neplaťte"),
    letsTimeOut: t(
      "choose the card and wait until the payment has timed out",
      "zvolte kartu a počkejte, až platba vyprší"
    )
  },
  unchanged: (state: string, words: string): string =>
    t(`The gateway says that the payment is ${state}.`, `Podle brány je platba ve stavu „${words}“.`),
  act: (url: string, request: string): string =>
    t(
      `Open ${url}\nand ${request}. Then press Enter (or s and Enter to skip): `,
      `Otevřete ${url}\na ${request}. Pak stiskněte Enter (nebo s a Enter pro přeskočení): `
    ),
  noVariables: t(
    "No GOPAY_ variables are set, so there is no shop of the sandbox to record.",
    "Proměnné GOPAY_ nejsou nastavené, takže není který obchod v sandboxu nahrát."
  ),
  setThem: t("Set them, GOPAY_ENVIRONMENT among them.", "Nastavte je, i GOPAY_ENVIRONMENT."),
  confirm: (environment: string): string =>
    t(
      `Record what runs at ${environment}? Type yes and Enter: `,
      `Nahrát to, co běží na ${environment}? Napište yes a Enter: `
    ),
  nothing: t("Nothing was recorded.", "Nic se nenahrálo."),
  kept: (file: string): string =>
    t(`What was recorded by then is in ${file}.`, `Co se do té doby nahrálo, je v ${file}.`),
  written: (file: string): string =>
    t(
      `Written to ${file}. Look through it before you share it.`,
      `Zapsáno do ${file}. Než ho předáte dál, projděte ho.`
    )
})
