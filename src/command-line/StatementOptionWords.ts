/**
 * What `effect-gopay statement` says of its options and files.
 */
import type { Choice } from "./Choice.js"

export const statementOptionWords = (t: Choice) => ({
  notWritten: (file: string, why: string): string =>
    t(`${file} could not be written: ${why}`, `${file} se nepodařilo zapsat: ${why}`),
  columnForm: (names: string, pair: string): string =>
    t(
      `--columns takes NAME=HEAD, with NAME one of ${names}, not ${pair}`,
      `--columns má NÁZEV=HLAVIČKA, kde NÁZEV je jeden z ${names}, ne ${pair}`
    ),
  columnsNeeded: t(
    "--columns needs date, type and amount: date=Datum,type=Typ,amount=Částka",
    "--columns potřebuje date, type a amount: date=Datum,type=Typ,amount=Částka"
  ),
  noFiles: t("Give one statement or more", "Zadejte jeden výpis nebo více"),
  oneFormat: t("Give one of --json, --csv and --export", "Zadejte jen jedno z --json, --csv a --export"),
  oneSource: t("Give --orders or --ledger, not both", "Zadejte --orders, nebo --ledger, ne obojí"),
  through: (text: string): string =>
    t(`--through must be a day such as 2026-06-30, not ${text}`, `--through musí být den jako 2026-06-30, ne ${text}`),
  earlyThrough: (through: string, first: string): string =>
    t(
      `--through ${through} is before the first day of the statements, ${first}: nothing would be due`,
      `--through ${through} je před prvním dnem výpisů, ${first}: na výpisu by nemuselo být nic`
    ),
  currency: (text: string): string =>
    t(`--currency must be a code such as CZK, not ${text}`, `--currency musí být kód jako CZK, ne ${text}`),
  encoding: (text: string): string =>
    t(
      `--encoding must be a name such as windows-1250 or cp852, not ${text}`,
      `--encoding musí být název jako windows-1250 nebo cp852, ne ${text}`
    ),
  pohodaOnly: t("--ico and --account are for --export pohoda", "--ico a --account patří k --export pohoda"),
  symbolOnly: t(
    "--variable-symbol is for --export, and must be digits",
    "--variable-symbol patří k --export a musí mít jen číslice"
  ),
  exportFormat: (text: string): string =>
    t(`--export must be csv or pohoda, not ${text}`, `--export musí být csv nebo pohoda, ne ${text}`),
  noIco: t("--export pohoda needs the firm's number: --ico", "--export pohoda potřebuje IČO firmy: --ico"),
  icoForm: (text: string): string =>
    t(
      `--ico must be eight digits such as 12345679, not ${text}`,
      `--ico musí mít osm číslic jako 12345679, ne ${text}`
    ),
  icoDigit: (text: string): string =>
    t(
      `--ico ${text} has a wrong digit: the last one does not fit the others`,
      `--ico ${text} má špatnou číslici: poslední neodpovídá ostatním`
    ),
  noAccount: t(
    "--export pohoda needs the abbreviation of the account in Pohoda, 19 characters at most: --account",
    "--export pohoda potřebuje zkratku účtu v Pohodě, nejvýše 19 znaků: --account"
  )
})
