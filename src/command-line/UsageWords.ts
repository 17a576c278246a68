/**
 * What every command says of its usage and its output.
 */
import { type Choice, didYouMean } from "./Choice.js"

export const usageWords = (t: Choice) => ({
  usage: t("Usage:", "Použití:"),
  options: t("Options:", "Volby:"),
  commands: t("Commands:", "Příkazy:"),
  help: t("print this help", "vypsat tuto nápovědu"),
  helpOfAny: t("print this help, or that of a command", "vypsat tuto nápovědu, nebo nápovědu k příkazu"),
  version: t("print the version", "vypsat verzi"),
  lang: t(
    "en or cs: the language of texts and help (default: by the environment variables LC_ALL and LANG)",
    "en nebo cs: jazyk výpisů a nápovědy (jinak podle proměnných prostředí LC_ALL a LANG)"
  ),
  exit: t(
    `Exit status: 0 when done or stopped (Ctrl-C), 1 when it cannot be done
or its output cannot be written, 2 for wrong usage.`,
    `Návratový kód: 0 po dokončení nebo zastavení (Ctrl-C), 1 když to nejde
nebo nelze zapsat výstup, 2 při chybném použití.`
  ),
  tryHelp: (name: string): string => t(`Try: effect-gopay ${name}--help`, `Nápověda: effect-gopay ${name}--help`),
  unknownCommand: (name: string, meant: string | undefined): string =>
    `${t("Unknown command", "Neznámý příkaz")}: ${name}${didYouMean(t, meant)}`,
  noCommand: t("The command is missing", "Chybí příkaz"),
  unknownOption: (name: string, meant: string | undefined): string =>
    `${t("Unknown option", "Neznámá volba")} ${name}${didYouMean(t, meant)}`,
  once: (name: string): string => t(`--${name} may be given once`, `--${name} lze zadat jen jednou`),
  noValue: (name: string, value: string): string =>
    t(`--${name} needs a value: --${name} ${value}`, `--${name} potřebuje hodnotu: --${name} ${value}`),
  dashValue: (name: string, value: string): string =>
    t(
      `--${name} is followed by ${value}. If that is its value, write --${name}=${value}`,
      `Za --${name} stojí ${value}. Je-li to její hodnota, pište --${name}=${value}`
    ),
  surplusValue: (name: string): string => t(`--${name} takes no value`, `--${name} nemá hodnotu`),
  surplus: (arguments_: string): string => `${t("Unexpected argument", "Přebývající argument")}: ${arguments_}`,
  wrongLanguage: (given: string): string =>
    t(`--lang must be en or cs, not ${given}`, `--lang musí být en nebo cs, ne ${given}`),
  port: (given: string): string =>
    t(
      `--port must be a whole number from 0 to 65535, not ${given}`,
      `--port musí být celé číslo od 0 do 65535, ne ${given}`
    ),
  exists: (file: string): string =>
    t(`${file} exists. Name another file with --output.`, `${file} už existuje. Zvolte jiný soubor: --output.`),
  outputFailed: (why: string): string =>
    `${t("The output could not be written", "Výstup se nepodařilo zapsat")}: ${why}`,
  cannotLoad: (name: string, why: string): string =>
    t(`${name} cannot be loaded: ${why}`, `${name} nelze načíst: ${why}`)
})
