/**
 * The words of the page for accountants, and how it writes amounts and times.
 */
import * as Record from "effect/Record"
import { decimalText, moneyText } from "../../html/Money.js"
import type { AttentionKind, ChangeDecision, PaymentDecision } from "../model/Attention.js"
import type { ChangeEntry } from "../model/Change.js"

export type AdminLanguage = "en" | "cs"

/** What may be chosen on the page: a decision, or that a refund of unknown origin has another reason. */
export type Decision = ChangeDecision | PaymentDecision | "acknowledge"

/** A text, or several, in English and in Czech. */
type Translated<Text> = readonly [en: Text, cs: Text]

/** A text for each of these names. */
type Each<Name extends string> = Readonly<Record<Name, Translated<unknown>>>

interface Group {
  readonly [name: string]: Translated<unknown> | Group
}

const texts = {
  title: ["GoPay: refunds and captures", "GoPay: refundace a stržení plateb"],
  otherLanguage: ["Česky", "English"],
  forPerson: ["Needs a decision", "Čeká na rozhodnutí"],
  nothingForPerson: ["Nothing needs a decision.", "Na rozhodnutí nic nečeká."],
  open: ["Under way", "Probíhá"],
  openHint: ["The shop goes on with these by itself.", "O tyto operace se obchod postará sám."],
  nothingOpen: ["Nothing is under way.", "Nic neprobíhá."],
  columns: {
    key: ["Key", "Klíč"],
    order: ["Order", "Objednávka"],
    payment: ["Payment", "Platba"],
    operation: ["Operation", "Operace"],
    amount: ["Amount", "Částka"],
    since: ["Since", "Od"],
    status: ["Status", "Stav"]
  },
  numbers: {
    title: ["At a glance", "Přehled"],
    decisions: ["need a decision", "čeká na rozhodnutí"],
    underWay: ["under way", "probíhá"],
    doubtful: ["being searched for", "dohledává se"],
    oldest: ["oldest request", "nejstarší požadavek"]
  },
  search: {
    label: ["Find by order, payment or key", "Najít podle objednávky, platby nebo klíče"],
    button: ["Find", "Najít"],
    found: ["Found for", "Nalezeno pro"],
    nothing: ["There is no such order, payment or key.", "Taková objednávka, platba ani klíč tu není."],
    payments: ["Payments found", "Nalezené platby"],
    changes: ["Refunds, captures and charges found", "Nalezené refundace a stržení"]
  },
  sent: ["Sent", "Odesláno"],
  details: ["For the developers", "Podrobnosti (anglicky)"],
  proposed: [
    "One operator has decided, and another one has to agree",
    "Jeden pracovník už rozhodl a druhý musí rozhodnout stejně"
  ],
  history: ["History", "Historie"],
  historyColumns: [
    ["Time", "Status", "Process", "What was said, read or decided"],
    ["Čas", "Stav", "Proces", "Co se stalo (anglicky)"]
  ],
  noHistory: ["There is no history of it.", "Žádná historie tu není."],
  several: ["Decide several at once", "Rozhodnout více operací najednou"],
  severalItems: ["These", "Operace"],
  severalDecided: ["decided", "rozhodnuto"],
  doubtHint: [
    "It is not known yet whether GoPay has carried out those that are being searched for. Refund nothing of their payments by hand.",
    "U dohledávaných operací není jisté, zda je GoPay provedlo. Z jejich plateb nic nerefundujte ručně."
  ],
  times: ["Times are those of", "Časy jsou v pásmu"],
  decision: ["Decision", "Rozhodnutí"],
  decisions: {
    done: ["GoPay carried it out", "Operace proběhla"],
    notDone: ["GoPay did not carry it out", "Operace neproběhla"],
    cancelled: ["Do not send it", "Neodesílat"],
    byHand: ["It was already refunded by hand", "Refundaci už někdo provedl ručně"],
    undecided: ["Take the decision back", "Vzít rozhodnutí zpět"],
    accepted: ["Accept the payment as it is", "Platbu přijmout tak, jak je"],
    refused: ["Do not accept the payment: its money is given back", "Platbu nepřijmout: peníze se vrátí"],
    acknowledge: [
      "The other refund has another reason: send this one, too",
      "Druhá refundace má jiný důvod: odeslat i tuto"
    ]
  },
  refundId: ["Number of that refund at GoPay", "Číslo té refundace v GoPay"],
  chargeId: ["Number of the charged payment at GoPay", "Číslo stržené platby v GoPay"],
  readOnly: [
    "You can see this page. Only those whom the sign-in names can decide.",
    "Stránku můžete prohlížet. Rozhoduje jen ten, komu přihlášení dá jméno."
  ],
  note: ["Evidence", "Zdůvodnění"],
  noteHint: [
    "For example: GoPay's administration shows no such refund.",
    "Například: v administraci GoPay žádná taková refundace není."
  ],
  decide: ["Confirm the decision", "Potvrdit rozhodnutí"],
  decided: ["The decision is recorded", "Rozhodnutí je zaznamenáno"],
  missing: ["choose a decision, and give the evidence.", "zvolte rozhodnutí a vyplňte zdůvodnění."],
  notDecided: ["Nothing was decided", "Nic nebylo rozhodnuto"],
  noStatement: ["The statement could not be compared", "Výpis se nepodařilo porovnat"],
  noFile: ["Choose a file.", "Vyberte soubor."],
  month: {
    title: ["A month's statement", "Výpis za měsíc"],
    month: ["Month", "Měsíc"],
    file: ["Or a file from GoPay", "Nebo soubor od GoPay"],
    show: ["Compare with the books", "Porovnat s knihami"],
    shows: ["The statement shows that it was done", "Podle výpisu operace proběhla"],
    agrees: ["All that is due agrees.", "Vše, co má být na výpisu, souhlasí."],
    differs: ["It does not agree.", "Nesouhlasí."],
    matched: ["Matched", "Spárováno"],
    notYetDue: ["Perhaps on the next statement", "Možná na příštím výpisu"],
    evidence: [
      "Outcome unknown to the shop, but done: decide these accordingly",
      "S neznámým výsledkem, a přitom proběhly: rozhodněte je podle toho"
    ],
    foreign: ["On the statement and not in the books", "Na výpisu, ale v žádných knihách"],
    foreignKinds: {
      NotCountedAsPaid: ["the shop does not count it as paid", "obchod ji nepovažuje za zaplacenou"],
      FailedRefund: ["the shop has recorded the refund as failed", "obchod má vratku jako neúspěšnou"],
      Surplus: [
        "the order's payments of this amount are matched already",
        "platby objednávky v této částce už jsou spárované"
      ],
      UnknownOrder: ["no such payment or refund in the books", "taková platba ani vratka v knihách není"]
    },
    missing: ["In the books and not on the statement", "V knihách, ale ne na výpisu"],
    differentAmounts: ["Other amounts", "Jiné částky"],
    ambiguous: ["Several fit", "Hodí se jich více"],
    gatewayDifferences: ["Shop and gateway differ", "Obchod a brána se liší"],
    contradictions: ["Files contradict each other", "Soubory si odporují"],
    toCheck: [
      "To check: unmatched transfers, holds, unknown types",
      "Ke kontrole: nespárované převody, blokace, neznámé typy"
    ],
    result: ["What does not agree", "Co nesouhlasí"],
    columns: [
      ["Finding", "In the books", "On the statement"],
      ["Zjištění", "V knihách", "Na výpisu"]
    ],
    clearings: ["Clearings", "Vyúčtování"],
    clearingColumns: [
      ["Clearing", "Payments", "Refunds", "Fees", "Transfer", "Explained"],
      ["Vyúčtování", "Platby", "Vratky", "Poplatky", "Převod", "Vysvětleno"]
    ],
    explained: {
      file: ["by its file", "jeho souborem"],
      cutOff: ["by all booked before it", "vším zaúčtovaným předtím"],
      no: ["no", "ne"]
    },
    notSent: ["transferred and not sent", "převedeno, ale neodesláno"]
  },
  unavailable: ["The ledger cannot be read now", "Evidenci teď nelze načíst"],
  kinds: {
    InDoubt: ["In doubt", "Nejistý výsledek"],
    StrangeRefund: ["Refund of unknown origin", "Refundace neznámého původu"],
    ListIncomplete: ["List incomplete", "Neúplný seznam"],
    Unbound: ["Refund not identified", "Nepřiřazená refundace"],
    CredentialsRefused: ["Access refused", "Přístup odmítnut"],
    AccountEmpty: ["Account empty", "Málo peněz na účtu"],
    ChargesDisabled: ["Charges not enabled", "Opakované platby nejsou povolené"],
    DecisionContradicted: ["Decision contradicted", "Rozpor s rozhodnutím"],
    PaidTwice: ["Paid twice", "Zaplaceno dvakrát"],
    PaidLate: ["Paid late", "Zaplaceno pozdě"],
    Unfulfillable: ["Cannot be fulfilled", "Nelze splnit"],
    UnknownPayment: ["Unknown payment", "Neznámá platba"],
    PaymentMismatch: ["Another payment", "Jiná platba"],
    StateContradicted: ["State contradicted", "Rozpor ve stavu"],
    ReturnedElsewhere: ["Returned elsewhere", "Vráceno jinudy"],
    HoldNotEnded: ["Hold not ended", "Neukončená blokace"],
    ChargeMissing: ["Charge missing", "Chybí stržení"],
    HandlerFailed: ["Not entered", "Nezapsáno"],
    UnreadableRow: ["Unreadable", "Nečitelný záznam"],
    SendingStopped: ["Nothing is sent", "Nic se neodesílá"],
    DatabaseRestored: ["Database restored", "Obnovená databáze"]
  },
  explanations: {
    InDoubt: [
      "It was sent, and whether GoPay took it is not known. Check GoPay's administration, and refund nothing of this payment by hand before it is decided.",
      "Požadavek byl odeslán a není jisté, zda ho GoPay provedlo. Ověřte to v administraci GoPay a do rozhodnutí z této platby nic nerefundujte ručně."
    ],
    StrangeRefund: [
      "Nothing was sent: the payment has a refund that the shop did not make. Was it made by hand for the same reason, or for another one?",
      "Nic nebylo odesláno: u platby je refundace, kterou neprovedl obchod. Provedl ji někdo ručně ze stejného důvodu, nebo z jiného?"
    ],
    ListIncomplete: [
      "GoPay's list lacks a refund that is done. The shop waits for it.",
      "V seznamu GoPay chybí refundace, která už proběhla. Obchod na něj čeká."
    ],
    Unbound: [
      "The refund is done, and which one of GoPay's list it is cannot be determined. The payment's next change waits.",
      "Refundace proběhla, ale nelze určit, která položka seznamu GoPay to je. Další operace s platbou čeká."
    ],
    CredentialsRefused: [
      "GoPay refuses the credentials. The shop tries again.",
      "GoPay odmítá přihlašovací údaje. Obchod to zkouší znovu."
    ],
    AccountEmpty: [
      "The account at GoPay holds too little for the refund. The shop tries again.",
      "Na účtu u GoPay není dost peněz na refundaci. Obchod to zkouší znovu."
    ],
    ChargesDisabled: [
      "GoPay has not enabled recurring payments for the shop, so nothing was charged. Ask GoPay for them. The shop tries again.",
      "GoPay obchodu nepovolilo opakované platby, takže se nic nestrhlo. Požádejte o ně GoPay. Obchod to zkouší znovu."
    ],
    DecisionContradicted: [
      "An operator decided that it was not made, and GoPay shows that it was. Correct the books.",
      "Podle rozhodnutí operace neproběhla, ale GoPay ji uvádí. Opravte účetnictví."
    ],
    PaidTwice: [
      "Another payment of the same order is paid as well. Refund or release one.",
      "Zaplacena je i jiná platba téže objednávky. Jednu z nich vraťte nebo uvolněte."
    ],
    PaidLate: [
      "It was paid after it was no longer offered. Deliver, or refund it.",
      "Platba přišla, když už nebyla nabízena. Dodejte zboží, nebo ji vraťte."
    ],
    Unfulfillable: [
      "The shop says that the order cannot take the money. Refund it, or deliver.",
      "Obchod oznámil, že objednávku nelze splnit. Peníze vraťte, nebo zboží dodejte."
    ],
    UnknownPayment: [
      "It was paid, and the shop does not know it, as after a backup was restored.",
      "Je zaplacena a obchod ji nezná, například po obnovení zálohy."
    ],
    PaymentMismatch: [
      "GoPay shows another amount, currency, order or merchant than requested. Take the payment as it is, or refuse it and give its money back.",
      "GoPay uvádí jinou částku, měnu, objednávku nebo obchodníka, než o co bylo požádáno. Přijměte ji tak, jak je, nebo ji odmítněte a peníze vraťte."
    ],
    StateContradicted: [
      "It was paid, and GoPay says that it was not. It stays paid.",
      "Byla zaplacena a GoPay teď tvrdí, že nebyla. Zůstává zaplacená."
    ],
    ReturnedElsewhere: [
      "GoPay says that money was returned, and lists no refund: perhaps a chargeback. Check GoPay's administration and mail.",
      "Podle GoPay byly peníze vráceny, ale v seznamu žádná refundace není: možná jde o chargeback. Podívejte se do administrace GoPay a do pošty."
    ],
    HoldNotEnded: [
      "The hold should have been captured or released by now.",
      "Blokace už měla být stržena nebo uvolněna."
    ],
    ChargeMissing: [
      "GoPay charges this subscription by itself, and no charge has been heard of since its day. Check GoPay's administration.",
      "GoPay tuto opakovanou platbu strhává samo a od jejího dne o žádném stržení nevíme. Podívejte se do administrace GoPay."
    ],
    HandlerFailed: [
      "The shop could not enter what became of the payment. Its developers have to look.",
      "Obchodu se nedaří zapsat, co se s platbou stalo. Musí se podívat vývojáři."
    ],
    UnreadableRow: [
      "The shop cannot read this row. Its developers have to check it. All others go on.",
      "Obchod tento záznam nedokáže přečíst. Musí ho zkontrolovat vývojáři. Ostatní operace běží dál."
    ],
    SendingStopped: ["The shop sends nothing to GoPay.", "Obchod do GoPay nic neodesílá."],
    DatabaseRestored: [
      "The database was restored or replaced. The shop's developers have to check it.",
      "Databáze byla obnovena nebo vyměněna. Musí ji zkontrolovat vývojáři."
    ]
  },
  operations: {
    refundPayment: ["Refund", "Refundace"],
    createRecurrence: ["Charge", "Stržení opakované platby"],
    captureAuthorization: ["Capture", "Stržení předautorizace"],
    captureAuthorizationPartial: ["Partial capture", "Částečné stržení předautorizace"],
    voidAuthorization: ["Release of a hold", "Uvolnění předautorizace"],
    createPayment: ["Payment", "Platba"]
  },
  statuses: {
    queued: ["Queued", "Ve frontě"],
    sending: ["Being sent", "Odesílá se"],
    unknown: ["Sent, being searched for", "Odesláno, dohledává se"],
    accepted: ["Accepted by GoPay", "Přijato GoPay"],
    needsOperator: ["Needs a decision", "Čeká na rozhodnutí"],
    done: ["Done", "Provedeno"],
    refused: ["Refused", "Odmítnuto"],
    failed: ["Done, then returned", "Provedeno a pak vráceno"]
  },
  stepStatuses: {
    refusing: ["Refused, being checked", "Odmítnuto, ověřuje se"]
  },
  paymentStatuses: {
    creating: ["Being created", "Zakládá se"],
    created: ["Created", "Založena"],
    lost: ["Response lost", "Odpověď se ztratila"],
    inDoubt: ["In doubt", "Nejistý výsledek"],
    unknown: ["Not known to the shop", "Obchod ji nezná"]
  }
} satisfies Group & {
  readonly decisions: Each<Decision>
  readonly kinds: Each<AttentionKind>
  readonly explanations: Each<AttentionKind>
  readonly statuses: Each<ChangeEntry["status"]>
}

type In<Texts> = Texts extends Translated<infer Text> ? Text : { readonly [name in keyof Texts]: In<Texts[name]> }

/** The texts of a language. */
export type AdminTexts = In<typeof texts>

export const isDecision = (text: string): text is Decision => Object.hasOwn(texts.decisions, text)

const isPair = (one: Group[string]): one is Translated<unknown> => Array.isArray(one)

const inLanguage = (language: AdminLanguage, group: Group): object =>
  Record.map(group, (one) => (isPair(one) ? one[language === "en" ? 0 : 1] : inLanguage(language, one)))

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has one of each pair
export const textsOf = (language: AdminLanguage): AdminTexts => inLanguage(language, texts) as AdminTexts

export type Formats = ReturnType<typeof formatsOf>

const locales: Readonly<Record<AdminLanguage, string>> = { cs: "cs-CZ", en: "en-GB" }

export const formatsOf = (language: AdminLanguage, timeZone: string) => {
  const month = language === "cs" ? "numeric" : "short"
  const calendar = { timeZone, year: "numeric", month, day: "numeric" } as const
  const days = new Intl.DateTimeFormat(locales[language], calendar)
  const clock = new Intl.DateTimeFormat(locales[language], { ...calendar, hour: "2-digit", minute: "2-digit" })
  return {
    /** An amount in minor units, with its currency where that is known. */
    amount: (minor: number | undefined, currency?: string): string => {
      if (minor === undefined) return ""
      if (currency !== undefined) return moneyText(minor, currency, language)
      return decimalText(minor, language)
    },
    /** A time, ISO 8601, as the clock of the time zone shows it. */
    time: (iso: string) => clock.format(new Date(iso)),
    day: (iso: string) => days.format(new Date(iso))
  }
}
