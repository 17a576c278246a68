/**
 * What is wrong with a file, in Czech or in the words of the command line: the errors of `effect-gopay/statement` speak English
 * to programmers.
 */
import type { StatementErrorReason, StatementNote } from "../statement/index.js"
import { czechDay, type StatementLanguage } from "./StatementTexts.js"

/** Words that name an option of a function, each with what stands for it on the command line. */
const commandWords: ReadonlyArray<readonly [english: RegExp, command: string]> = [
  [
    /Another CSV is read with the option columns, which says what they are called\./,
    "Describe the columns of another CSV: --columns date=Datum,type=Typ,amount=Částka."
  ],
  [/or encoding names a wrong one/, "or --encoding names a wrong one"],
  [/Leave encoding out/, "Leave --encoding out"],
  [/pass encoding/, "use --encoding"],
  [/, or raise the limit/, ""],
  [/; pass types to say what it is/, ""],
  [/so (currency|encoding): /, "so --$1 "]
]

const sums: Readonly<Record<string, string>> = {
  "the balance before it": "zůstatek před ním",
  "the balance after it": "zůstatek po něm",
  "the old balance": "starý zůstatek",
  "the new balance": "nový zůstatek",
  "the amount": "částka",
  "the day of the old balance": "den starého zůstatku"
}

/** What a message calls a sum or a column: its own words in Czech, a column's name as it is. */
const named = (name: string): string => (Object.hasOwn(sums, name) ? (sums[name] ?? name) : name)

type Groups = readonly [string, string, string]

/** What stands behind the line's number, whole. */
const czech: ReadonlyArray<readonly [english: RegExp, czech: (...groups: Groups) => string]> = [
  [
    /^(\d+) (cells|characters) were expected and (\d+) found/,
    (expected, what, found) =>
      `má ${found} ${what === "cells" ? "buněk" : "znaků"} místo ${expected}. Soubor je neúplný, nebo má jiné sloupce`
  ],
  [/^order_number is missing/, () => "chybí order_number"],
  [
    /^(\w+) is (".*"): a spreadsheet has lost/,
    (name, text) => `${name} je ${text}: tabulkový program ztratil číslice. Vyexportujte ho jako text`
  ],
  [/^currency is not a code such as CZK: (.*)\.$/, (text) => `currency není kód jako CZK: ${text}`],
  [/^type must be payment or refund, not (.*)\.$/, (text) => `type musí být payment nebo refund, ne ${text}`],
  [/^amount must not be negative/, () => "amount nesmí být záporná: částku vratky pište bez znaménka"],
  [
    /^state of a (payment|refund) must be (.*), not (".*")\.$/,
    (type, known, text) => `state ${type === "payment" ? "platby" : "vratky"} musí být ${known}, ne ${text}`
  ],
  [/^payment_id is not an id: (.*)\.$/, (text) => `payment_id není číslo platby: ${text}`],
  [
    /^the refund is of payment (\d+), and the list has only other payments of order (".*"?)\. Add/,
    (id, order) =>
      `vratka patří k platbě ${id} a seznam má u objednávky ${order} jen jiné platby. Doplňte ji z kteréhokoli dne, nebo nechte payment_id prázdné`
  ],
  [/^the payment (\d+) is on line (\d+) already/, (id, line) => `platba ${id} je už na řádku ${line}`],
  [/^the movement (".*") is on line (\d+) already/, (id, line) => `pohyb ${id} je už na řádku ${line}`],
  [
    /^(.*) is not an amount such as 1 234,50: (.*)\.$/,
    (name, text) => `${named(name)} není částka jako 1 234,50: ${text}`
  ],
  [
    /^(.*) is not a day such as 31\.12\.2026: (.*)\.$/,
    (name, text) => `${named(name)} není den jako 31.12.2026: ${text}`
  ],
  [/^a quotation mark is not closed/, () => "uvozovky nejsou uzavřené, takže soubor je neúplný"],
  [/^a quotation mark stands within a cell/, () => "uprostřed buňky jsou uvozovky"],
  [/^text follows a closing quotation mark/, () => "za uzavřenými uvozovkami pokračuje text"],
  [/^it has more than (\d+) columns/, (count) => `má více než ${count} sloupců`],
  [/^the column (".*") is there twice/, (name) => `sloupec ${name} je tu dvakrát`],
  [/^not the id of a payment: (.*)\.$/, (text) => `není číslo platby: ${text}`],
  [/^not a currency's code: (.*)\.$/, (text) => `není kód měny: ${text}`],
  [
    /^the currency is (\w+), and that of the lines above (?:is )?(\w+)\./,
    (own, above) => `měna je ${own}, na řádcích výše ${above}. Objednejte výpis pro každou měnu zvlášť`
  ],
  [
    /^(.*) is (-?[\d.]+), and the movements come to (-?[\d.]+)\. The file/,
    (name, actual, expected) =>
      `${named(name)} je ${actual} a pohyby dávají ${expected}. Soubor není úplný, nebo ho někdo upravil: stáhněte ho znovu`
  ],
  [/^The file is empty/, () => "Soubor je prázdný. Stáhněte ho znovu."],
  [/the file is a PDF/, () => "Soubor je PDF. Objednejte formát CSV_B."],
  [/the file is (\S+)\. Leave encoding out/, (encoding) => `Soubor je v kódování ${encoding}: vynechte --encoding.`],
  [
    /^Not a known kind of statement: no columns were found/,
    () => "V prvním řádku nejsou sloupce. Čte se CSV_B, XLS, ABO a XML vyúčtování. Objednejte CSV_B."
  ],
  [
    /^Not a known kind of statement: its columns are (.*?)\. (Their letters)?.*The columns described and not found: (.*)\.$/,
    (columns, spoilt, missing) =>
      `Sloupce souboru: ${columns}.${spoiltText(spoilt)} V popisu --columns a ne v souboru: ${missing}.`
  ],
  [
    /^Not a known kind of statement: its columns are (.*?)\. (Their letters)?/,
    (columns, spoilt) =>
      `Sloupce souboru: ${columns}.${spoiltText(spoilt)} Čte se CSV_B, XLS, ABO a XML vyúčtování. Jiné CSV popište: --columns date=Datum,type=Typ,amount=Částka.`
  ],
  [/^Not a known kind of bank statement/, () => "Výpis z banky vyexportujte jako ABO (GPC)."],
  [/^the account is not that of the first line/, () => "účet není ten z prvního řádku. Soubor má jeden účet"],
  [/^a record 074 was expected/, () => "čekal se záznam 074"],
  [/^the record (".*") was not expected/, (kind) => `záznam ${kind} se nečekal`],
  [/^the XML is not well-formed/, () => "XML není správně utvořené, nebo je soubor neúplný"],
  [/^a clearing has no DOCTYPE/, () => "vyúčtování nemá DOCTYPE, soubor se proto nečte"],
  [/^(\w+) has no (\w+)/, (element, attribute) => `${element} nemá ${attribute}`],
  [/^a cell has a formula/, () => "buňka má vzorec. Výpis žádný nemá"],
  [/^(.*) is missing or has no value/, (name) => `chybí ${name}, nebo nemá hodnotu`],
  [/^The spreadsheet cannot be read/, () => "Tabulku nelze přečíst: je poškozená, neúplná, nebo chráněná heslem."],
  [/^The file has more than (\d+) movements/, (count) => `Soubor má více než ${count} pohybů.`],
  [/^The file has more than (\d+ \w+)/, (size) => `Soubor má více než ${size}.`]
]

const spoiltText = (spoilt: string): string =>
  spoilt === ""
    ? ""
    : " Jejich písmena jsou poškozená: soubor byl uložen ve špatném kódování, nebo je špatné --encoding. Stáhněte ho znovu."

/** Whole messages in Czech; one that is not listed stays English. */
const czechText = (message: string): string => {
  const [, line, rest = ""] = /^Line (\d+): (.*)$/s.exec(message) ?? [undefined, undefined, message]
  for (const [pattern, text] of czech) {
    const found = pattern.exec(rest)
    if (found === null) continue
    const said = text(found[1] ?? "", found[2] ?? "", found[3] ?? "")
    return line === undefined ? said : `Řádek ${line}: ${said}.`
  }
  return message
}

/** What is wrong in particular, behind what the problem is called. Empty where its name says all. */
export const detailText = ({ _tag, message }: StatementErrorReason, language: StatementLanguage): string => {
  if (_tag === "CurrencyNeeded" || _tag === "SpreadsheetReaderNeeded") return ""
  if (language === "cs") return message.startsWith("Not a file of orders") ? "" : czechText(message)
  return commandWords.reduce((text, [english, command]) => text.replace(english, command), message)
}

const czechNotes: Readonly<Record<StatementNote["_tag"], (text: string) => string>> = {
  UnknownType: (text) => `neznámý typ „${text}“. Jeho pohyby jsou vedeny jako neznámé`,
  UnexpectedSign: (text) => `částka pohybu „${text}“ má opačné znaménko. Je veden jako neznámý`,
  UnknownColumn: (text) => `sloupec „${text}“ není známý a nečte se`,
  UnknownAttribute: (text) => `„${text}“ není v XML vyúčtování známé`,
  UnknownElement: (text) => `„${text}“ není v XML vyúčtování známé a nečte se`,
  ChannelFees: (text) => `poplatky platebních metod s externími nedávají poplatky vyúčtování ${text}`,
  SpoiltNumber: (text) =>
    `číslo „${text}“ poškodil tabulkový program a nic se podle něj nepáruje. Stáhněte soubor znovu a neukládejte ho z tabulkového programu`,
  DayOutOfOrder: (text) => `den ${czechDay(text)} je pozdější než den následujícího pohybu. Neupravil soubor někdo?`,
  OutsideOfPeriod: (text) => `den ${czechDay(text)} je mimo dny vyúčtování. Pohyb zůstává`,
  GuessedEncoding: (text) => `soubor neuvádí kódování a čte se jako ${text}. Jsou-li jména špatně, použijte --encoding`,
  OptionNotUsed: (text) => `volba ${text} souboru odporuje, takže se nepoužila`,
  UnknownRow: (text) => `„${text}“ není pohyb a nečte se`,
  NoFinalLineEnd: () => "poslední řádek není ukončený. Ověřte, že je soubor celý",
  NoBalances: () => "soubor nemá zůstatky, takže se součty neověřily"
}

/** A note in the language of the page. */
export const noteText = ({ _tag, line, message, text }: StatementNote, language: StatementLanguage): string =>
  language === "cs"
    ? `Řádek ${line}: ${czechNotes[_tag](text)}.`
    : commandWords.reduce((said, [english, command]) => said.replace(english, command), message)
