/**
 * What `effect-gopay local-gateway` says.
 */
import { type Choice, didYouMean } from "./Choice.js"

export const localGatewayWords = (t: Choice) => ({
  setForm: (text: string): string =>
    t(`--set must be NAME=VALUE, not ${text}`, `--set musí být NÁZEV=HODNOTA, ne ${text}`),
  setList: (name: string): string =>
    t(
      `--set ${name}: a list must be JSON, such as ["shop.test"]`,
      `--set ${name}: seznam musí být JSON, například ["shop.test"]`
    ),
  noSetting: (name: string, meant: string | undefined): string =>
    `${t("There is no setting", "Neexistuje nastavení")} ${name}${didYouMean(t, meant)}`,
  noSeed: (path: string, why: string): string =>
    t(`Cannot read the seed ${path}: ${why}`, `Počáteční data ${path} nelze přečíst: ${why}`),
  cannotRun: (program: string, why: string): string =>
    t(`${program} cannot be run: ${why}`, `${program} nelze spustit: ${why}`),
  reachable: (host: string): string =>
    t(
      `Warning: other machines can reach this gateway on ${host}. Anyone who does can act as the payer and read the credentials.`,
      `Pozor: na ${host} je brána dostupná i z jiných počítačů. Kdo se k ní dostane, může jednat za plátce a číst přihlašovací údaje.`
    ),
  runs: t("The local gateway is running.", "Lokální brána běží."),
  noMoney: t("No money moves here.", "Peníze tu žádné nejsou."),
  dashboard: t("dashboard", "přehled"),
  continuing: (file: string, isSeedIgnored: boolean): string =>
    t(
      `Continuing with the state in ${file}${isSeedIgnored ? "; the seed is not used" : ""}.`,
      `Pokračuje se stavem z ${file}${isSeedIgnored ? "; počáteční data se nepoužijí" : ""}.`
    ),
  forEnv: t(
    "For an .env file (in a shell, put export before each line):",
    "Do souboru .env (v shellu dejte před každý řádek export):"
  ),
  stop: t("Press Ctrl-C to stop.", "Zastavíte ji pomocí Ctrl-C."),
  running: (command: string): string => t(`Running: ${command}`, `Spouští se: ${command}`),
  noCommand: t("There is no command after --", "Za -- chybí příkaz")
})
