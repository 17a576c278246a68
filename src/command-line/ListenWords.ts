/**
 * What `effect-gopay listen` says.
 */
import type { Choice } from "./Choice.js"

export const listenWords = (t: Choice) => ({
  answered: (status: number, url: string): string => t(`${status} from ${url}`, `${status} z ${url}`),
  noAnswer: (url: string, why: string): string => t(`${url} did not answer: ${why}`, `${url} neodpověděla: ${why}`),
  noForward: t("--forward-to is missing", "Chybí --forward-to"),
  wrongForward: (text: string): string =>
    t(`--forward-to must be an address, not ${text}`, `--forward-to musí být adresa, ne ${text}`),
  noId: t("--id is missing", "Chybí --id"),
  wrongPause: t("--every must be from 1 to 3600 seconds", "--every musí být od 1 do 3600 sekund"),
  watching: t("watching", "sleduje se")
})
