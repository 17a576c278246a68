/**
 * What the command `statement` fails with, in English or Czech.
 */
import type { StatementErrorReason } from "../statement/index.js"
import { CommandFailure } from "./Command.js"
import type { Text } from "./Language.js"

/** What each failure is called; the details follow it. */
export const failureTexts = {
  noFile: { en: "There is no such file, or it cannot be read", cs: "Soubor neexistuje nebo ho nelze přečíst" },
  UnknownStatement: { en: "This is no known statement", cs: "Neznámý druh výpisu" },
  invalidOrders: { en: "There is a mistake in the list of orders", cs: "V seznamu objednávek je chyba" },
  noOrdersFile: {
    en: "This is not a list of orders",
    cs: "Toto není soubor objednávek. První řádek musí mít sloupce order_number, type (payment nebo refund), amount, currency; může mít date, payment_id, state. Export z administrace e-shopu do nich převeďte"
  },
  InvalidStatement: { en: "This file cannot be read as it is", cs: "Soubor takto nelze přečíst" },
  StatementImbalance: {
    en: "The sums of this file do not agree",
    cs: "Součty v souboru nesouhlasí, stáhněte ho znovu"
  },
  StatementTooLarge: { en: "This file is too large", cs: "Soubor je příliš velký, objednejte kratší období" },
  CurrencyNeeded: {
    en: "This file does not say its currency: --currency CZK",
    cs: "Soubor neuvádí měnu: --currency CZK"
  },
  SpreadsheetReaderNeeded: {
    en: "The package @e965/xlsx is not installed here: npm install @e965/xlsx",
    cs: "Balíček @e965/xlsx zde není nainstalovaný: npm install @e965/xlsx"
  },
  needsRate: {
    en: "A document of Pohoda in another currency than crowns needs a rate. Export it with --export csv",
    cs: "Doklad v jiné měně než v korunách potřebuje v Pohodě kurz. Použijte --export csv"
  },
  noMovements: {
    en: "There are no movements, and Pohoda takes no empty package",
    cs: "Výpis nemá žádné pohyby a Pohoda prázdný balík nepřijme"
  },
  contradictory: {
    en: "The files contradict each other, so nothing was exported",
    cs: "Soubory si odporují, proto se nic nevyexportovalo"
  },
  twoAccounts: {
    en: "The files are of several accounts, so nothing was compared and nothing exported",
    cs: "Soubory jsou z několika účtů, proto se nic neporovnalo ani nevyexportovalo"
  },
  spoiltIds: {
    en: "A spreadsheet has spoilt the ids of movements, so Pohoda could not tell what it has taken. Download the file again and do not save it from a spreadsheet",
    cs: "Tabulkový program poškodil ID pohybů, takže by Pohoda nepoznala, co už přijala. Stáhněte soubor znovu a neukládejte ho z tabulkového programu"
  },
  severalAccounts: {
    en: "The files are of several accounts at GoPay, and Pohoda has an account for each. Export each alone",
    cs: "Soubory jsou z několika účtů u GoPay a Pohoda má pro každý vlastní účet. Exportujte každý zvlášť"
  },
  noOrders: {
    en: "The ledger has no orders of this merchant in these days. Is GOPAY_GOID that of the statement?",
    cs: "Ledger nemá v těchto dnech žádné objednávky tohoto obchodníka. Patří výpis k GOPAY_GOID?"
  },
  noSymbol: {
    en: "Order numbers that are no variable symbol, of ten digits at most, have none in the export. --variable-symbol digits writes their digits. Choose before the first import: Pohoda does not change what it has taken",
    cs: "Čísla objednávek, která nejsou variabilním symbolem (nejvýše deset číslic), v exportu žádný nemají. S --variable-symbol digits se zapíší jejich číslice. Rozhodněte se před prvním importem: co už Pohoda přijala, nezmění"
  },
  longSymbol: {
    en: "Order numbers with more than ten digits have no variable symbol. Pair them by hand",
    cs: "Čísla objednávek s více než deseti číslicemi nemají variabilní symbol. Spárujte je ručně"
  },
  shortSymbol: {
    en: "Order numbers with fewer than four digits have no variable symbol, since other documents may have the same. Pair them by hand",
    cs: "Čísla objednávek s méně než čtyřmi číslicemi nemají variabilní symbol, protože stejný může mít jiný doklad. Spárujte je ručně"
  },
  sameSymbol: {
    en: "Order numbers whose digits another order or clearing also has have no variable symbol. Pair them by hand",
    cs: "Čísla objednávek, jejichž číslice má i jiná objednávka nebo vyúčtování, nemají variabilní symbol. Spárujte je ručně"
  },
  partOfMonth: {
    en: "The movements are not those of one whole month. If you export these days again with others, Pohoda may take them twice: import whole months, each once",
    cs: "Pohyby nejsou za jeden celý měsíc. Pokud tyto dny vyexportujete znovu s dalšími, může je Pohoda zaúčtovat dvakrát: importujte celé měsíce, každý jen jednou"
  },
  clearingsOnly: {
    en: "Only clearings' files were given. The account's statement has the same movements: if you import it later, Pohoda books them twice",
    cs: "Zadány byly jen soubory vyúčtování. Výpis z účtu má tytéž pohyby: pokud ho později naimportujete, Pohoda je zaúčtuje dvakrát"
  }
} as const satisfies Readonly<Record<string, Text>> & Readonly<Record<StatementErrorReason["_tag"], Text>>

export const failure = (name: keyof typeof failureTexts, detail = ""): CommandFailure =>
  new CommandFailure(1, ({ language }) => `${failureTexts[name][language]}${detail === "" ? "" : `: ${detail}`}`)
