/**
 * Problems and notes of statements in Czech. The errors of `effect-gopay/statement` speak English to programmers.
 */
import { amountToDecimal } from "../contract/Amount.js"
import { bytesText, quoted, quotedList } from "../statement/EnglishProblems.js"
import type { NoteFacts, UnwordedNote } from "../statement/ParsedStatement.js"
import type { ProblemWords, StatementField } from "../statement/StatementProblem.js"
import { czechDay } from "./OutputText.js"

const fields = {
  account: "účet",
  amount: "částka",
  balanceAfter: "zůstatek po něm",
  balanceBefore: "zůstatek před ním",
  credits: "součet připsaných částek",
  day: "den",
  debits: "součet odepsaných částek",
  documentNumber: "číslo dokladu",
  newBalance: "nový zůstatek",
  oldBalance: "starý zůstatek",
  oldBalanceDay: "den starého zůstatku",
  otherAccount: "protiúčet",
  statementDay: "den výpisu",
  variableSymbol: "variabilní symbol"
} as const satisfies Readonly<Record<StatementField, string>>

const orderTypes = { payment: "platby", refund: "vratky" } as const

const at = (line: number, text: string): string => `Řádek ${line}: ${text}.`

const imbalance = (line: number, what: string, expected: number, actual: number): string =>
  at(
    line,
    `${what} je ${amountToDecimal(actual)} a pohyby dávají ${amountToDecimal(expected)}. Soubor není úplný, nebo ho někdo upravil: stáhněte ho znovu`
  )

const tooMuch = (what: string): string => `Soubor má více než ${what}.`

const spoilt =
  " Jejich písmena jsou poškozená: soubor byl uložen ve špatném kódování, nebo je špatné --encoding. Stáhněte ho znovu."

export const czechProblems = {
  EmptyFile: () => "Soubor je prázdný. Stáhněte ho znovu.",
  PdfFile: () => "Soubor je PDF. Objednejte formát CSV_B.",
  OtherEncoding: ({ encoding }) => `Soubor je v kódování ${encoding}: vynechte --encoding.`,
  UnknownColumns: ({ columns, isSpoilt, missing }) => {
    if (columns.length === 0) {
      return "V prvním řádku nejsou sloupce. Čte se CSV_B, XLS, ABO a XML vyúčtování. Objednejte CSV_B."
    }
    const advice =
      missing === undefined
        ? "Čte se CSV_B, XLS, ABO a XML vyúčtování. Jiné CSV popište: --columns date=Datum,type=Typ,amount=Částka."
        : `V popisu --columns a ne v souboru: ${quotedList(missing)}.`
    return `Sloupce souboru: ${quotedList(columns)}.${isSpoilt ? spoilt : ""} ${advice}`
  },
  UnknownSheet: ({ columns, title, wanted }) => {
    const found = columns.length === 0 ? "" : ` Sloupce souboru: ${quotedList(columns)}.`
    return `Tabulka nemá nadpis ${title} a sloupce ${wanted.join(", ")}.${found} Objednejte CSV_B.`
  },
  UnknownXml: ({ namespace, root }) =>
    `Kořenem XML je ${quoted(root)}, a v XML vyúčtování je to clearing z ${namespace}.`,
  NotBankStatement: () => "Výpis z banky vyexportujte jako ABO (GPC).",
  // What the failure is called says all of it.
  NotOrders: () => "",
  UnreadableSheet: () => "Tabulku nelze přečíst: je poškozená, neúplná, nebo chráněná heslem.",
  TooManyBytes: ({ bytes }) => tooMuch(bytesText(bytes)),
  TooManyUnpackedBytes: ({ bytes }) => tooMuch(`${bytesText(bytes)} po rozbalení`),
  TooManyIndexBytes: ({ bytes }) => tooMuch(`${bytesText(bytes)} v části, která popisuje ostatní`),
  TooManyMovements: ({ limit }) => tooMuch(`${limit} pohybů`),
  TooManyLines: ({ limit }) => tooMuch(`${limit} řádků`),
  TooManyParts: ({ limit }) => tooMuch(`${limit} částí`),

  CellCount: ({ expected, found }, line) =>
    at(line, `má ${found} buněk místo ${expected}. Soubor je neúplný, nebo má jiné sloupce`),
  TooManyColumns: ({ limit }, line) => at(line, `má více než ${limit} sloupců`),
  RepeatedColumn: ({ column }, line) => at(line, `sloupec ${quoted(column)} je tu dvakrát`),
  OpenQuotation: (_, line) => at(line, "uvozovky nejsou uzavřené, takže soubor je neúplný"),
  QuotationWithin: (_, line) => at(line, "uprostřed buňky jsou uvozovky"),
  TextAfterQuotation: (_, line) => at(line, "za uzavřenými uvozovkami pokračuje text"),
  NotAmount: ({ column, text }, line) => at(line, `${column} není částka jako 1 234,50: ${quoted(text)}`),
  NotDay: ({ column, text }, line) => at(line, `${column} není den jako 31.12.2026: ${quoted(text)}`),
  NotPaymentId: ({ text }, line) => at(line, `není číslo platby: ${quoted(text)}`),
  NotCurrency: ({ text }, line) => at(line, `není kód měny: ${quoted(text)}`),
  SecondCurrency: ({ above, currency, format }, line) =>
    at(
      line,
      `měna je ${currency}, na řádcích výše ${above}. ${format === "ABO" ? "Vyexportujte soubor" : "Objednejte výpis"} pro každou měnu zvlášť`
    ),
  RepeatedMovement: ({ before, movementId }, line) => at(line, `pohyb ${quoted(movementId)} je už na řádku ${before}`),
  OutsideOfOrder: ({ day }, line) => at(line, `den ${czechDay(day)} je mimo objednané období`),
  OutsideOfStatement: ({ day, from, to }, line) =>
    at(line, `den ${czechDay(day)} je mimo období výpisu ${czechDay(from)} – ${czechDay(to)}`),
  FieldImbalance: ({ actual, expected, field }, line) => imbalance(line, fields[field], expected, actual),
  LabelImbalance: ({ actual, expected, label }, line) => imbalance(line, label, expected, actual),
  RecordLength: ({ expected, found }, line) =>
    at(line, `má ${found} znaků místo ${expected}. Soubor je neúplný, nebo to není ABO`),
  UnexpectedRecord: ({ record }, line) => at(line, `záznam ${quoted(record)} se nečekal`),
  NoHeadRecord: (_, line) => at(line, "čekal se záznam 074"),
  BookingCode: ({ code }, line) => at(line, `kód účtování ${quoted(code)} není 1, 2, 4 ani 5`),
  CurrencyNumber: ({ known, number }, line) =>
    at(line, `číslo měny ${quoted(number)} není žádné z těchto: ${known.join(", ")}`),
  OtherAccount: (_, line) => at(line, "účet není ten z prvního řádku. Soubor má jeden účet"),
  EarlierRecord: ({ above, day }, line) =>
    at(line, `den ${czechDay(day)} je před ${czechDay(above)} z předchozího záznamu 074`),
  NotDigits: ({ field, text }, line) => at(line, `${fields[field]} smí mít jen číslice: ${quoted(text)}`),
  NotSign: ({ field, text }, line) => at(line, `${fields[field]} má znaménko ${quoted(text)}`),
  FieldNotDay: ({ field, text }, line) => at(line, `${fields[field]} není den v kalendáři: ${quoted(text)}`),
  NoOrderNumber: (_, line) => at(line, "chybí order_number"),
  LostDigits: ({ column, text }, line) =>
    at(line, `${column} je ${quoted(text)}: tabulkový program ztratil číslice. Vyexportujte ho jako text`),
  OrderCurrency: ({ text }, line) => at(line, `currency není kód jako CZK: ${quoted(text)}`),
  OrderType: ({ text }, line) => at(line, `type musí být payment nebo refund, ne ${quoted(text)}`),
  NegativeAmount: (_, line) => at(line, "amount nesmí být záporná: částku vratky pište bez znaménka"),
  OrderState: ({ known, text, type }, line) =>
    at(line, `state ${orderTypes[type]} musí být ${known.join(", ")}, ne ${quoted(text)}`),
  OrderPaymentId: ({ text }, line) => at(line, `payment_id není číslo platby: ${quoted(text)}`),
  RepeatedPayment: ({ before, paymentId }, line) => at(line, `platba ${paymentId} je už na řádku ${before}`),
  RefundOfOther: ({ orderNumber, paymentId }, line) =>
    at(
      line,
      `vratka patří k platbě ${paymentId} a seznam má u objednávky ${quoted(orderNumber)} jen jiné platby. Doplňte ji z kteréhokoli dne, nebo nechte payment_id prázdné`
    ),
  NoValue: ({ label }, line) => at(line, `chybí ${label}, nebo nemá hodnotu`),
  SerialNotDay: ({ column, serial }, line) => at(line, `${column} není den: ${serial}`),
  TooManyDecimals: ({ column, value }, line) => at(line, `${column} má více než dvě desetinná místa: ${value}`),
  NoDayOrAmount: (_, line) => at(line, "chybí den nebo částka"),
  NoType: (_, line) => at(line, "chybí typ"),
  NotAccountCurrency: ({ currency, text }, line) => at(line, `měna je ${quoted(text)}, a měna účtu ${currency}`),
  NotSpan: ({ label, text }, line) => at(line, `${label} není rozmezí dnů: ${quoted(text)}`),
  ReversedSpan: ({ label }, line) => at(line, `${label} končí dříve, než začíná`),
  NotAccount: ({ text }, line) => at(line, `ID účtu není číslo, název a měna: ${quoted(text)}`),
  Formula: (_, line) => at(line, "buňka má vzorec. Výpis žádný nemá"),
  LongCell: ({ limit }, line) => at(line, `buňka má více než ${limit} znaků`),
  Doctype: (_, line) => at(line, "vyúčtování nemá DOCTYPE, soubor se proto nečte"),
  TooManyAttributes: ({ limit }, line) => at(line, `prvek má více než ${limit} atributů`),
  TooDeep: ({ limit }, line) => at(line, `prvky jsou vnořené hlouběji než ${limit}`),
  NotWellFormed: (_, line) => at(line, "XML není správně utvořené, nebo je soubor neúplný"),
  NoAttribute: ({ attribute, element }, line) => at(line, `${element} nemá ${attribute}`),
  NotSession: ({ text }, line) => at(line, `paymentSessionId není číslo platby: ${quoted(text)}`),
  ExternalFees: ({ external, fees: all }, line) =>
    at(
      line,
      `amountFeeExternal je ${amountToDecimal(external)}, a jako část amountFee nemůže být nad ${amountToDecimal(all)}`
    ),
  NoAccountCurrency: ({ text }, line) => at(line, `accountName nekončí měnou: ${quoted(text)}`)
} satisfies ProblemWords

export const czechNotes: { readonly [Tag in keyof NoteFacts]: (note: UnwordedNote<Tag>) => string } = {
  UnknownType: ({ line, text }) => at(line, `neznámý typ „${text}“. Jeho pohyby jsou vedeny jako neznámé`),
  UnexpectedSign: ({ line, text }) => at(line, `částka pohybu „${text}“ má opačné znaménko. Je veden jako neznámý`),
  UnknownColumn: ({ line, text }) => at(line, `sloupec „${text}“ není známý a nečte se`),
  UnknownAttribute: ({ line, text }) => at(line, `„${text}“ není v XML vyúčtování známé`),
  UnknownElement: ({ line, text }) => at(line, `„${text}“ není v XML vyúčtování známé a nečte se`),
  ChannelFees: ({ line, text }) =>
    at(line, `poplatky platebních metod s externími nedávají poplatky vyúčtování ${text}`),
  SpoiltNumber: ({ line, text }) =>
    at(
      line,
      `číslo „${text}“ poškodil tabulkový program a nic se podle něj nepáruje. Stáhněte soubor znovu a neukládejte ho z tabulkového programu`
    ),
  DayOutOfOrder: ({ line, text }) =>
    at(line, `den ${czechDay(text)} je pozdější než den následujícího pohybu. Neupravil soubor někdo?`),
  OutsideOfPeriod: ({ line, text }) => at(line, `den ${czechDay(text)} je mimo dny vyúčtování. Pohyb zůstává`),
  GuessedEncoding: ({ line, text }) =>
    at(line, `soubor neuvádí kódování a čte se jako ${text}. Jsou-li jména špatně, použijte --encoding`),
  OptionNotUsed: ({ line, text }) => at(line, `volba ${text} souboru odporuje, takže se nepoužila`),
  UnknownRow: ({ line, text }) => at(line, `„${text}“ není pohyb a nečte se`),
  NoFinalLineEnd: ({ line }) => at(line, "poslední řádek není ukončený. Ověřte, že je soubor celý"),
  NoBalances: ({ line }) => at(line, "soubor nemá zůstatky, takže se součty neověřily")
}
