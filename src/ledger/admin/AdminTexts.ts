/**
 * The words of the page for accountants.
 */
import type { ClearingExplanation, ForeignMovement } from "../../statement/StatementReconciliation.js"
import type { AttentionKind, ChangeDecision, PaymentDecision } from "../model/Attention.js"
import type { ChangeEntry } from "../model/Change.js"
import type { PaymentEntry } from "../model/Lists.js"

export type AdminLanguage = "en" | "cs"

/** The texts of a language: those of the first one, each as any text. */
type Translated<Texts> = Texts extends string ? string : { readonly [name in keyof Texts]: Translated<Texts[name]> }

const en = {
  title: "GoPay: refunds and captures",
  otherLanguage: "Česky",
  forPerson: "Needs a decision",
  nothingForPerson: "Nothing needs a decision.",
  open: "Under way",
  openHint: "The shop goes on with these by itself.",
  nothingOpen: "Nothing is under way.",
  columns: ["Key", "Payment", "Operation", "Amount", "Since", "Status"],
  numbers: {
    title: "At a glance",
    decisions: "need a decision",
    underWay: "under way",
    doubtful: "being searched for",
    oldest: "oldest request"
  },
  search: {
    label: "Find by order, payment or key",
    button: "Find",
    found: "Found for",
    nothing: "There is no such order, payment or key.",
    payments: "Payments found",
    changes: "Refunds, captures and charges found"
  },
  order: "Order",
  sent: "Sent",
  details: "For the developers",
  proposed: "One operator has decided, and another one has to agree",
  history: "History",
  historyColumns: ["Time", "Status", "Process", "What was said, read or decided"],
  noHistory: "There is no history of it.",
  several: "Decide several at once",
  severalItems: "These",
  severalDecided: "decided",
  doubtHint:
    "It is not known yet whether GoPay has carried out those that are being searched for. Refund nothing of their payments by hand.",
  times: "Times are those of",
  decision: "Decision",
  decisions: {
    done: "GoPay carried it out",
    notDone: "GoPay did not carry it out",
    cancelled: "Do not send it",
    byHand: "It was already refunded by hand",
    undecided: "Take the decision back",
    accepted: "Accept the payment as it is",
    refused: "Do not accept the payment: its money is given back"
  },
  acknowledge: "The other refund has another reason: send this one, too",
  refundId: "Number of that refund at GoPay",
  chargeId: "Number of the charged payment at GoPay",
  readOnly: "You can see this page. Only those whom the sign-in names can decide.",
  note: "Evidence",
  noteHint: "For example: GoPay's administration shows no such refund.",
  decide: "Confirm the decision",
  decided: "The decision is recorded",
  incomplete: "Nothing was decided: choose a decision, and give the evidence.",
  notDecided: "Nothing was decided",
  noStatement: "The statement could not be compared",
  noFile: "Choose a file.",
  month: {
    title: "A month's statement",
    month: "Month",
    file: "Or a file from GoPay",
    show: "Compare with the books",
    shows: "The statement shows that it was done",
    agrees: "All that is due agrees.",
    differs: "It does not agree.",
    matched: "Matched",
    notYetDue: "Perhaps on the next statement",
    evidence: "Outcome unknown to the shop, but done: decide these accordingly",
    foreign: "On the statement and not in the books",
    foreignKinds: {
      NotCountedAsPaid: "the shop does not count it as paid",
      FailedRefund: "the shop has recorded the refund as failed",
      Surplus: "the order's payments of this amount are matched already",
      UnknownOrder: "no such payment or refund in the books"
    },
    missing: "In the books and not on the statement",
    differentAmounts: "Other amounts",
    ambiguous: "Several fit",
    gatewayDifferences: "Shop and gateway differ",
    contradictions: "Files contradict each other",
    toCheck: "To check: unmatched transfers, holds, unknown types",
    result: "What does not agree",
    columns: ["Finding", "In the books", "On the statement"],
    clearings: "Clearings",
    clearingColumns: ["Clearing", "Payments", "Refunds", "Fees", "Transfer", "Explained"],
    explained: { file: "by its file", cutOff: "by all booked before it", no: "no" },
    notSent: "transferred and not sent"
  },
  unavailable: "The ledger cannot be read now",
  kinds: {
    InDoubt: [
      "In doubt",
      "It was sent, and whether GoPay took it is not known. Check GoPay's administration, and refund nothing of this payment by hand before it is decided."
    ],
    StrangeRefund: [
      "Refund of unknown origin",
      "Nothing was sent: the payment has a refund that the shop did not make. Was it made by hand for the same reason, or for another one?"
    ],
    ListIncomplete: ["List incomplete", "GoPay's list lacks a refund that is done. The shop waits for it."],
    Unbound: [
      "Refund not identified",
      "The refund is done, and which one of GoPay's list it is cannot be determined. The payment's next change waits."
    ],
    CredentialsRefused: ["Access refused", "GoPay refuses the credentials. The shop tries again."],
    AccountEmpty: ["Account empty", "The account at GoPay holds too little for the refund. The shop tries again."],
    ChargesDisabled: [
      "Charges not enabled",
      "GoPay has not enabled recurring payments for the shop, so nothing was charged. Ask GoPay for them. The shop tries again."
    ],
    DecisionContradicted: [
      "Decision contradicted",
      "An operator decided that it was not made, and GoPay shows that it was. Correct the books."
    ],
    PaidTwice: ["Paid twice", "Another payment of the same order is paid as well. Refund or release one."],
    PaidLate: ["Paid late", "It was paid after it was no longer offered. Deliver, or refund it."],
    Unfulfillable: [
      "Cannot be fulfilled",
      "The shop says that the order cannot take the money. Refund it, or deliver."
    ],
    UnknownPayment: ["Unknown payment", "It was paid, and the shop does not know it, as after a backup was restored."],
    PaymentMismatch: [
      "Another payment",
      "GoPay shows another amount, currency, order or merchant than requested. Take the payment as it is, or refuse it and give its money back."
    ],
    StateContradicted: ["State contradicted", "It was paid, and GoPay says that it was not. It stays paid."],
    ReturnedElsewhere: [
      "Returned elsewhere",
      "GoPay says that money was returned, and lists no refund: perhaps a chargeback. Check GoPay's administration and mail."
    ],
    HoldNotEnded: ["Hold not ended", "The hold should have been captured or released by now."],
    ChargeMissing: [
      "Charge missing",
      "GoPay charges this subscription by itself, and no charge has been heard of since its day. Check GoPay's administration."
    ],
    HandlerFailed: ["Not entered", "The shop could not enter what became of the payment. Its developers have to look."],
    UnreadableRow: ["Unreadable", "The shop cannot read this row. Its developers have to check it. All others go on."],
    SendingStopped: ["Nothing is sent", "The shop sends nothing to GoPay."],
    DatabaseRestored: [
      "Database restored",
      "The database was restored or replaced. The shop's developers have to check it."
    ]
  },
  operations: {
    refundPayment: "Refund",
    createRecurrence: "Charge",
    captureAuthorization: "Capture",
    captureAuthorizationPartial: "Partial capture",
    voidAuthorization: "Release of a hold",
    createPayment: "Payment"
  },
  statuses: {
    queued: "Queued",
    sending: "Being sent",
    unknown: "Sent, being searched for",
    accepted: "Accepted by GoPay",
    needsOperator: "Needs a decision",
    done: "Done",
    refused: "Refused",
    failed: "Done, then returned"
  },
  stepStatuses: { refusing: "Refused, being checked" },
  paymentStatuses: {
    creating: "Being created",
    created: "Created",
    lost: "Response lost",
    inDoubt: "In doubt",
    unknown: "Not known to the shop"
  }
} satisfies {
  readonly columns: readonly [
    key: string,
    payment: string,
    operation: string,
    amount: string,
    since: string,
    status: string
  ]
  readonly decisions: Readonly<Record<ChangeDecision | PaymentDecision, string>>
  readonly historyColumns: readonly [time: string, status: string, process: string, message: string]
  readonly kinds: Readonly<Record<AttentionKind, readonly [label: string, explanation: string]>>
  readonly month: {
    readonly columns: readonly [finding: string, books: string, statement: string]
    readonly explained: Readonly<Record<ClearingExplanation["explainedBy"], string>>
    readonly foreignKinds: Readonly<Record<ForeignMovement["_tag"], string>>
    readonly [name: string]: unknown
  }
  readonly paymentStatuses: Readonly<Record<PaymentEntry["status"], string>>
  readonly statuses: Readonly<Record<ChangeEntry["status"], string>>
  readonly [name: string]: unknown
}

export type AdminTexts = Translated<typeof en>

const cs: AdminTexts = {
  title: "GoPay: refundace a stržení plateb",
  otherLanguage: "English",
  forPerson: "Čeká na rozhodnutí",
  nothingForPerson: "Na rozhodnutí nic nečeká.",
  open: "Probíhá",
  openHint: "O tyto operace se obchod postará sám.",
  nothingOpen: "Nic neprobíhá.",
  columns: ["Klíč", "Platba", "Operace", "Částka", "Od", "Stav"],
  numbers: {
    title: "Přehled",
    decisions: "čeká na rozhodnutí",
    underWay: "probíhá",
    doubtful: "dohledává se",
    oldest: "nejstarší požadavek"
  },
  search: {
    label: "Najít podle objednávky, platby nebo klíče",
    button: "Najít",
    found: "Nalezeno pro",
    nothing: "Taková objednávka, platba ani klíč tu není.",
    payments: "Nalezené platby",
    changes: "Nalezené refundace a stržení"
  },
  order: "Objednávka",
  sent: "Odesláno",
  details: "Podrobnosti (anglicky)",
  proposed: "Jeden pracovník už rozhodl a druhý musí rozhodnout stejně",
  history: "Historie",
  historyColumns: ["Čas", "Stav", "Proces", "Co se stalo (anglicky)"],
  noHistory: "Žádná historie tu není.",
  several: "Rozhodnout více operací najednou",
  severalItems: "Operace",
  severalDecided: "rozhodnuto",
  doubtHint: "U dohledávaných operací není jisté, zda je GoPay provedlo. Z jejich plateb nic nerefundujte ručně.",
  times: "Časy jsou v pásmu",
  decision: "Rozhodnutí",
  decisions: {
    done: "Operace proběhla",
    notDone: "Operace neproběhla",
    cancelled: "Neodesílat",
    byHand: "Refundaci už někdo provedl ručně",
    undecided: "Vzít rozhodnutí zpět",
    accepted: "Platbu přijmout tak, jak je",
    refused: "Platbu nepřijmout: peníze se vrátí"
  },
  acknowledge: "Druhá refundace má jiný důvod: odeslat i tuto",
  refundId: "Číslo té refundace v GoPay",
  chargeId: "Číslo stržené platby v GoPay",
  readOnly: "Stránku můžete prohlížet. Rozhoduje jen ten, komu přihlášení dá jméno.",
  note: "Zdůvodnění",
  noteHint: "Například: v administraci GoPay žádná taková refundace není.",
  decide: "Potvrdit rozhodnutí",
  decided: "Rozhodnutí je zaznamenáno",
  incomplete: "Nic nebylo rozhodnuto: zvolte rozhodnutí a vyplňte zdůvodnění.",
  notDecided: "Nic nebylo rozhodnuto",
  noStatement: "Výpis se nepodařilo porovnat",
  noFile: "Vyberte soubor.",
  month: {
    title: "Výpis za měsíc",
    month: "Měsíc",
    file: "Nebo soubor od GoPay",
    show: "Porovnat s knihami",
    shows: "Podle výpisu operace proběhla",
    agrees: "Vše, co má být na výpisu, souhlasí.",
    differs: "Nesouhlasí.",
    matched: "Spárováno",
    notYetDue: "Možná na příštím výpisu",
    evidence: "S neznámým výsledkem, a přitom proběhly: rozhodněte je podle toho",
    foreign: "Na výpisu, ale v žádných knihách",
    foreignKinds: {
      NotCountedAsPaid: "obchod ji nepovažuje za zaplacenou",
      FailedRefund: "obchod má vratku jako neúspěšnou",
      Surplus: "platby objednávky v této částce už jsou spárované",
      UnknownOrder: "taková platba ani vratka v knihách není"
    },
    missing: "V knihách, ale ne na výpisu",
    differentAmounts: "Jiné částky",
    ambiguous: "Hodí se jich více",
    gatewayDifferences: "Obchod a brána se liší",
    contradictions: "Soubory si odporují",
    toCheck: "Ke kontrole: nespárované převody, blokace, neznámé typy",
    result: "Co nesouhlasí",
    columns: ["Zjištění", "V knihách", "Na výpisu"],
    clearings: "Vyúčtování",
    clearingColumns: ["Vyúčtování", "Platby", "Vratky", "Poplatky", "Převod", "Vysvětleno"],
    explained: { file: "jeho souborem", cutOff: "vším zaúčtovaným předtím", no: "ne" },
    notSent: "převedeno, ale neodesláno"
  },
  unavailable: "Evidenci teď nelze načíst",
  kinds: {
    InDoubt: [
      "Nejistý výsledek",
      "Požadavek byl odeslán a není jisté, zda ho GoPay provedlo. Ověřte to v administraci GoPay a do rozhodnutí z této platby nic nerefundujte ručně."
    ],
    StrangeRefund: [
      "Refundace neznámého původu",
      "Nic nebylo odesláno: u platby je refundace, kterou neprovedl obchod. Provedl ji někdo ručně ze stejného důvodu, nebo z jiného?"
    ],
    ListIncomplete: ["Neúplný seznam", "V seznamu GoPay chybí refundace, která už proběhla. Obchod na něj čeká."],
    Unbound: [
      "Nepřiřazená refundace",
      "Refundace proběhla, ale nelze určit, která položka seznamu GoPay to je. Další operace s platbou čeká."
    ],
    CredentialsRefused: ["Přístup odmítnut", "GoPay odmítá přihlašovací údaje. Obchod to zkouší znovu."],
    AccountEmpty: ["Málo peněz na účtu", "Na účtu u GoPay není dost peněz na refundaci. Obchod to zkouší znovu."],
    ChargesDisabled: [
      "Opakované platby nejsou povolené",
      "GoPay obchodu nepovolilo opakované platby, takže se nic nestrhlo. Požádejte o ně GoPay. Obchod to zkouší znovu."
    ],
    DecisionContradicted: [
      "Rozpor s rozhodnutím",
      "Podle rozhodnutí operace neproběhla, ale GoPay ji uvádí. Opravte účetnictví."
    ],
    PaidTwice: ["Zaplaceno dvakrát", "Zaplacena je i jiná platba téže objednávky. Jednu z nich vraťte nebo uvolněte."],
    PaidLate: ["Zaplaceno pozdě", "Platba přišla, když už nebyla nabízena. Dodejte zboží, nebo ji vraťte."],
    Unfulfillable: ["Nelze splnit", "Obchod oznámil, že objednávku nelze splnit. Peníze vraťte, nebo zboží dodejte."],
    UnknownPayment: ["Neznámá platba", "Je zaplacena a obchod ji nezná, například po obnovení zálohy."],
    PaymentMismatch: [
      "Jiná platba",
      "GoPay uvádí jinou částku, měnu, objednávku nebo obchodníka, než o co bylo požádáno. Přijměte ji tak, jak je, nebo ji odmítněte a peníze vraťte."
    ],
    StateContradicted: ["Rozpor ve stavu", "Byla zaplacena a GoPay teď tvrdí, že nebyla. Zůstává zaplacená."],
    ReturnedElsewhere: [
      "Vráceno jinudy",
      "Podle GoPay byly peníze vráceny, ale v seznamu žádná refundace není: možná jde o chargeback. Podívejte se do administrace GoPay a do pošty."
    ],
    HoldNotEnded: ["Neukončená blokace", "Blokace už měla být stržena nebo uvolněna."],
    ChargeMissing: [
      "Chybí stržení",
      "GoPay tuto opakovanou platbu strhává samo a od jejího dne o žádném stržení nevíme. Podívejte se do administrace GoPay."
    ],
    HandlerFailed: ["Nezapsáno", "Obchodu se nedaří zapsat, co se s platbou stalo. Musí se podívat vývojáři."],
    UnreadableRow: [
      "Nečitelný záznam",
      "Obchod tento záznam nedokáže přečíst. Musí ho zkontrolovat vývojáři. Ostatní operace běží dál."
    ],
    SendingStopped: ["Nic se neodesílá", "Obchod do GoPay nic neodesílá."],
    DatabaseRestored: ["Obnovená databáze", "Databáze byla obnovena nebo vyměněna. Musí ji zkontrolovat vývojáři."]
  },
  operations: {
    refundPayment: "Refundace",
    createRecurrence: "Stržení opakované platby",
    captureAuthorization: "Stržení předautorizace",
    captureAuthorizationPartial: "Částečné stržení předautorizace",
    voidAuthorization: "Uvolnění předautorizace",
    createPayment: "Platba"
  },
  statuses: {
    queued: "Ve frontě",
    sending: "Odesílá se",
    unknown: "Odesláno, dohledává se",
    accepted: "Přijato GoPay",
    needsOperator: "Čeká na rozhodnutí",
    done: "Provedeno",
    refused: "Odmítnuto",
    failed: "Provedeno a pak vráceno"
  },
  stepStatuses: { refusing: "Odmítnuto, ověřuje se" },
  paymentStatuses: {
    creating: "Zakládá se",
    created: "Založena",
    lost: "Odpověď se ztratila",
    inDoubt: "Nejistý výsledek",
    unknown: "Obchod ji nezná"
  }
}

export const adminTexts: Readonly<Record<AdminLanguage, AdminTexts>> = { en, cs }
