/**
 * What the command `statement` says of statements, in English and Czech.
 */
import type { Language, Text } from "./Language.js"
import { amountText, dayText } from "./OutputText.js"

export const texts = {
  agrees: { en: "All that is due agrees", cs: "Vše, co má být na výpisu, souhlasí" },
  differs: { en: "It does not agree. See below.", cs: "Výpis s objednávkami nesouhlasí, viz níže." },
  through: { en: "through", cs: "do" },
  daysOf: { en: "Statements from", cs: "Výpisy za dny" },
  ofMovements: { en: "the days of its movements", cs: "dny jeho pohybů" },
  lateThrough: {
    en: "is after the last day of the statements, so an order of the days between counts as missing: is it mistyped, or a file cut off?",
    cs: "je po posledním dni výpisů, takže objednávka z dnů mezi nimi chybí: není to překlep, nebo neúplný soubor?"
  },
  unchecked: {
    en: "No orders were given (--orders), so the movements were not matched.",
    cs: "Objednávky nebyly zadány (--orders), takže se pohyby nepárovaly."
  },
  strangeOrders: {
    en: "Hardly any payment on the statement is in the books with its order number and amount: are both of the same shop?",
    cs: "Skoro žádná platba z výpisu není v účetnictví se svým číslem objednávky a částkou: jsou oba od téhož obchodníka?"
  },
  decisions: {
    en: "The ledger has open decisions, which `effect-gopay ledger list` shows. Take them before you correct the books",
    cs: "Ledger má otevřená rozhodnutí, vypíše je `effect-gopay ledger list`. Rozhodněte, než opravíte účetnictví"
  },
  decisionsHere: { en: "about orders of these statements", cs: "z toho k objednávkám na těchto výpisech" },
  severalAccounts: {
    en: "The files are of several accounts. Are all of them this shop's?",
    cs: "Soubory jsou z několika účtů. Patří všechny tomuto obchodníkovi?"
  },
  strangeClearing: {
    en: "no movement of this clearing is on the statement, so it may be another shop's",
    cs: "žádný pohyb tohoto vyúčtování na výpisu není, takže může patřit jinému obchodníkovi"
  },
  file: { en: "File", cs: "Soubor" },
  account: { en: "account", cs: "účet" },
  opening: { en: "opening balance", cs: "počáteční zůstatek" },
  closing: { en: "closing balance", cs: "konečný zůstatek" },
  movements: { en: "movements", cs: "počet pohybů" },
  matched: { en: "Matched", cs: "Spárováno" },
  net: { en: "payments less refunds", cs: "platby po odečtení vratek" },
  notYetDue: { en: "Not yet due: perhaps on the next statement", cs: "Na tomto výpisu ještě být nemusí" },
  notCovered: {
    en: "Orders of days or currencies that no statement has, not compared",
    cs: "Objednávky z dnů nebo v měnách, které žádný výpis nemá, neporovnány"
  },
  repeated: {
    en: "Movements that several files have, counted once",
    cs: "Pohyby, které má více souborů, započtené jednou"
  },
  evidence: {
    en: "Changes of unknown outcome that were carried out",
    cs: "Změny s neznámým výsledkem, které proběhly"
  },
  foreign: { en: "On the account and not in the books", cs: "Na účtu, ale ne v účetnictví" },
  missing: { en: "In the books and not on the account", cs: "V účetnictví, ale ne na účtu" },
  differentAmounts: { en: "Amounts that differ from the books", cs: "Částky, které se liší od účetnictví" },
  ambiguous: { en: "Movements that fit several orders", cs: "Pohyby, které odpovídají více objednávkám" },
  gatewayDifferences: {
    en: "Payments that GoPay has otherwise than the books",
    cs: "Platby, které má GoPay jinak než účetnictví"
  },
  contradictions: { en: "Files that contradict each other", cs: "Soubory, které si odporují" },
  toCheck: {
    en: "Unmatched transfers, holds and movements of an unknown type",
    cs: "Nespárované převody, blokace a pohyby neznámého typu"
  },
  unexplainedTransfers: {
    en: "Transfers from GoPay to the bank that belong to no clearing",
    cs: "Převody od GoPay na bankovní účet, které nepatří k žádnému vyúčtování"
  },
  clearings: {
    en: "Clearings, each by the variable symbol of its transfer",
    cs: "Vyúčtování podle variabilního symbolu převodu"
  },
  on: { en: "on", cs: "dne" },
  notOnStatement: { en: "its payout is on a later statement", cs: "jeho výplata je až na dalším výpisu" },
  carriedAdvice: {
    en: "what was carried over came in before these statements: add the statement before them to see its orders",
    cs: "převedený zůstatek vznikl před těmito výpisy: doplňte předchozí výpis, aby se ukázaly i jeho objednávky"
  },
  feesByChannel: { en: "fees by payment channel", cs: "poplatky podle platebních metod" },
  allFees: { en: "Fees on these statements", cs: "Poplatky na těchto výpisech" },
  feesOfClearings: { en: "fees of payments and clearings", cs: "poplatky za platby a vyúčtování" },
  creditNotes: { en: "credit notes", cs: "dobropisy" },
  later: {
    en: "payments whose fee comes with a later clearing",
    cs: "platby, jejichž poplatek přijde až s dalším vyúčtováním"
  },
  notPaidOut: {
    en: "Not paid out yet: in none of these clearings",
    cs: "Zatím nevyplaceno: v žádném z těchto vyúčtování"
  },
  ordersPaidOut: { en: "orders that it paid out", cs: "vyplacené objednávky" },
  topUps: { en: "Top-ups", cs: "Dobití účtu" },
  fees: { en: "Fees without a clearing", cs: "Poplatky bez vyúčtování" },
  expected: { en: "expected", cs: "očekáváno" },
  booked: { en: "booked", cs: "na výpisu" },
  transfer: { en: "transfer", cs: "převod" },
  gross: { en: "payments", cs: "platby" },
  refunds: { en: "refunds", cs: "vratky" },
  refundFees: { en: "fees of refunds", cs: "poplatky za vratky" },
  feesOf: { en: "fees", cs: "poplatky" },
  carried: { en: "carried over", cs: "zůstatek z dřívějška" },
  credits: { en: "credit notes and others", cs: "dobropisy a ostatní" },
  externalFees: { en: "external among them", cs: "z toho externí" },
  "explained.file": { en: "explained by its file", cs: "odpovídá souboru vyúčtování" },
  "explained.cutOff": {
    en: "it comes to all movements through",
    cs: "odpovídá všem pohybům do"
  },
  "explained.no": { en: "NOT EXPLAINED", cs: "NENÍ JASNÉ, Z ČEHO SE SKLÁDÁ" },
  NotCountedAsPaid: {
    en: "the books have the order as unpaid. Book the payment and deliver, or refund it",
    cs: "objednávka není v účetnictví uhrazená. Zaúčtujte úhradu a objednávku vyřiďte, nebo platbu vraťte"
  },
  FailedRefund: {
    en: "the books have the refund as failed. Book it, and do not refund again",
    cs: "vratka je v účetnictví neúspěšná. Zaúčtujte ji a nevracejte podruhé"
  },
  Surplus: {
    en: "one more than the books have for this order. Check whether it was paid or refunded twice",
    cs: "o jeden pohyb více, než má objednávka v účetnictví. Ověřte, zda nebyla uhrazena nebo vrácena dvakrát"
  },
  UnknownOrder: {
    en: "the books have no such payment. Find out what it belongs to before you book it",
    cs: "taková platba v účetnictví není. Než ji zaúčtujete, zjistěte, kam patří"
  },
  UnknownRefund: {
    en: "the books have no such refund. If it is of an order of an earlier month, add these lines to the file of orders",
    cs: "taková vratka v účetnictví není. Je-li k objednávce z dřívějšího měsíce, doplňte do souboru objednávek tyto řádky"
  },
  UnknownRefundOfLedger: {
    en: "the ledger has no such refund. Find out who made it, such as in GoPay's administration, before you book it",
    cs: "taková vratka v ledgeru není. Než ji zaúčtujete, zjistěte, kdo ji provedl, například v administraci GoPay"
  },
  TwoAccounts: { en: "files of two accounts", cs: "soubory ze dvou účtů" },
  otherBalance: {
    en: "they have no movement in common, and their balances differ by",
    cs: "nemají společný žádný pohyb a jejich zůstatky se liší o"
  },
  nothingInCommon: { en: "they have no movement in common", cs: "nemají společný žádný pohyb" },
  TwoAccountsAdvice: {
    en: "Read the files of each account alone. If both are of one account, download them again",
    cs: "Čtěte soubory každého účtu zvlášť. Jsou-li oba z jednoho účtu, stáhněte je znovu"
  },
  GapAdvice: {
    en: "Add the statement of the days between, or read each file alone",
    cs: "Doplňte výpis za dny mezi nimi, nebo čtěte každý soubor zvlášť"
  },
  OtherAmountAdvice: {
    en: "Download both files again. If they are two shops', read those of each shop alone",
    cs: "Stáhněte oba soubory znovu. Jsou-li od dvou obchodníků, čtěte každého zvlášť"
  },
  OnlyInClearingAdvice: {
    en: "Download the statement of these days again. If the clearing is another shop's, leave it out",
    cs: "Stáhněte výpis za tyto dny znovu. Je-li vyúčtování jiného obchodníka, vynechte je"
  },
  Gap: { en: "a file is missing between", cs: "chybí soubor mezi" },
  OtherAmount: { en: "one movement with two amounts on", cs: "jeden pohyb se dvěma částkami dne" },
  OnlyInClearing: {
    en: "in a clearing's file and not on the statement of",
    cs: "v souboru vyúčtování, ale ne na výpisu dne"
  },
  candidates: { en: "may be any of", cs: "může to být" },
  doubled: {
    en: "the list has this line more often than the statement: delete it where it is there twice",
    cs: "seznam má tento řádek víckrát než výpis: je-li tam dvakrát, jeden smažte"
  },
  Payment: { en: "payment", cs: "platba" },
  Refund: { en: "refund", cs: "vratka" },
  notSent: { en: "transferred and not sent", cs: "převedeno, ale neodesláno" },
  notSentAdvice: {
    en: "no file explains it. Ask GoPay, and do not book it as a fee",
    cs: "žádný soubor to nevysvětluje. Zeptejte se GoPay a neúčtujte to jako poplatek"
  },
  difference: {
    en: "the payouts on the statement differ from the clearing's file by",
    cs: "výplaty na výpisu se od souboru vyúčtování liší o"
  },
  differenceAdvice: {
    en: "download both again, then ask GoPay",
    cs: "stáhněte oba soubory znovu, pak se zeptejte GoPay"
  },
  outstanding: { en: "still to be paid out", cs: "zbývá vyplatit" },
  atBank: { en: "the bank received", cs: "na účet v bance přišlo" },
  nothingAtBank: { en: "the bank has received nothing", cs: "na účet v bance nepřišlo nic" },
  "received.complete": { en: "", cs: "" },
  "received.open": { en: "the rest is not due yet", cs: "zbytek ještě přijít nemusel" },
  "received.late": { en: "the rest is late: ask GoPay", cs: "zbytek už přijít měl: zeptejte se GoPay" },
  "received.differs": {
    en: "that is not the clearing: compare the transfers, then ask GoPay",
    cs: "to vyúčtování neodpovídá: porovnejte převody, pak se zeptejte GoPay"
  },
  ambiguousEvidence: {
    en: "not certain: the order has other movements or changes of this amount",
    cs: "není jisté: objednávka má další pohyby nebo změny o této částce"
  },
  rest: { en: "rest", cs: "zbývá" }
} as const satisfies Readonly<Record<string, Text>>

/** What to do about a section. */
export const advice: { readonly [heading: string]: Text } = {
  evidence: {
    en: "Record them as done unless one is not certain, and repeat none of them.",
    cs: "Zaúčtujte je jako provedené, pokud u nich nestojí, že to není jisté, a žádnou neopakujte."
  },
  missing: {
    en: "Check each payment and refund at GoPay. If it was not made, correct the books.",
    cs: "Ověřte každou platbu a vratku u GoPay. Pokud neproběhla, opravte účetnictví."
  },
  differentAmounts: {
    en: "Find the reason, such as a partial capture, and correct the books.",
    cs: "Zjistěte důvod, například částečné stržení předautorizace, a opravte účetnictví."
  },
  ambiguous: {
    en: "Assign them by hand, by the payments in GoPay's administration.",
    cs: "Přiřaďte je ručně podle plateb v administraci GoPay."
  },
  gatewayDifferences: {
    en: "Correct the books: what GoPay has is what was paid.",
    cs: "Opravte účetnictví: zaplaceno bylo to, co má GoPay."
  },
  toCheck: {
    en: "Ask GoPay what they are before you book them.",
    cs: "Než je zaúčtujete, zeptejte se GoPay, o co jde."
  },
  unexplainedTransfers: {
    en: "Add the clearing whose number is the variable symbol, or ask GoPay for it.",
    cs: "Doplňte vyúčtování, jehož číslo je variabilním symbolem, nebo si o ně GoPay napište."
  }
}

export const inLanguage = (language: Language) => ({
  language,
  text: (name: keyof typeof texts): string => texts[name][language],
  /** A day as people of the language write it. */
  day: (iso: string): string => dayText(iso, language),
  money: (amount: number, currency?: string): string => amountText(amount, currency, language)
})

export type Said = ReturnType<typeof inLanguage>
