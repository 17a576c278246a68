/**
 * The texts of the page for accountants, and how it writes amounts and times.
 */
import { decimalText, moneyText } from "../../html/Money.js"
import type { AttentionKind } from "../model/Attention.js"
import { type Subject, wordsOf } from "../model/Decisions.js"

export type AdminLanguage = "en" | "cs"

/** Every text; `t` chooses between English and Czech. */
const textsBy = (t: <Text>(en: Text, cs: Text) => Text) => ({
  title: t("GoPay: refunds and captures", "GoPay: refundace a stržení plateb"),
  otherLanguage: t("Česky", "English"),
  forOperator: t("Needs a decision", "Čeká na rozhodnutí"),
  nothingForOperator: t("Nothing needs a decision.", "Na rozhodnutí nic nečeká."),
  open: t("Under way", "Probíhá"),
  openHint: t("The shop goes on with these by itself.", "O tyto operace se obchod postará sám."),
  nothingOpen: t("Nothing is under way.", "Nic neprobíhá."),
  columns: {
    key: t("Key", "Klíč"),
    order: t("Order", "Objednávka"),
    payment: t("Payment", "Platba"),
    operation: t("Operation", "Operace"),
    amount: t("Amount", "Částka"),
    since: t("Since", "Od"),
    status: t("Status", "Stav")
  },
  numbers: {
    title: t("At a glance", "Přehled"),
    decisions: t("need a decision", "čeká na rozhodnutí"),
    underWay: t("under way", "probíhá"),
    doubtful: t("being looked up", "dohledává se"),
    oldest: t("oldest request", "nejstarší požadavek")
  },
  search: {
    label: t("Find by order, payment or key", "Najít podle objednávky, platby nebo klíče"),
    button: t("Find", "Najít"),
    found: t("Found for", "Nalezeno pro"),
    nothing: t("There is no such order, payment or key.", "Taková objednávka, platba ani klíč tu není."),
    payments: t("Payments found", "Nalezené platby"),
    changes: t("Refunds, captures and charges found", "Nalezené refundace a stržení")
  },
  sent: t("Sending began", "Odesílání začalo"),
  ofPayment: t("Refunds, captures and charges of payment", "Refundace a stržení platby"),
  thisOne: t("this one", "tato"),
  listed: {
    title: t("GoPay's list of the refunds of payment", "Seznam refundací GoPay k platbě"),
    number: t("Number at GoPay", "Číslo v GoPay"),
    owner: t("Belongs to", "Patří"),
    none: t("GoPay lists no refund of this payment.", "GoPay u této platby žádnou refundaci neuvádí."),
    unread: t(
      "GoPay's list of refunds is not shown: it could not be read now, or too many decisions are open.",
      "Seznam refundací GoPay tu není: teď ho nelze načíst, nebo čeká příliš mnoho rozhodnutí."
    ),
    unknown: t("no refund of the shop's", "žádné refundaci obchodu"),
    perhaps: (key: string): string => t(`perhaps ${key}`, `možná ${key}`),
    // The name may have been erased.
    acknowledged: (by: string): string =>
      by === "" ? t("another reason", "jiný důvod") : t(`another reason, says ${by}`, `jiný důvod, uvádí ${by}`),
    proposed: (by: string): string =>
      t(
        `another reason, says ${by || "one operator"}, and a second one has to agree`,
        `jiný důvod, uvádí ${by || "jeden pracovník"}, a druhý musí souhlasit`
      )
  },
  details: t("For the developers", "Podrobnosti (anglicky)"),
  proposed: t(
    "One operator has decided, and another one has to agree",
    "Jeden pracovník už rozhodl a druhý musí rozhodnout stejně"
  ),
  history: t("History", "Historie"),
  historyColumns: t(
    ["Time", "Status", "Process", "What was said, read or decided"],
    ["Čas", "Stav", "Proces", "Co se stalo (anglicky)"]
  ),
  noHistory: t("There is no history of it.", "Žádná historie tu není."),
  several: {
    change: t("Decide several at once", "Rozhodnout více operací najednou"),
    payment: t("Settle several payments at once", "Vyřídit více plateb najednou")
  },
  severalItems: t("These", "Operace"),
  doubtHint: t(
    "It is not known yet whether GoPay has carried out those that are being looked up. Do not refund anything of their payments by hand.",
    "U dohledávaných operací není jisté, zda je GoPay provedlo. Z jejich plateb nic nerefundujte ručně."
  ),
  times: t("Time zone", "Časové pásmo"),
  decision: t("Decision", "Rozhodnutí"),
  /** The choices for an item: decisions, or that a refund of unknown origin has another reason. */
  wordsOf: (subject: Subject, kind: AttentionKind, decision: string): string => {
    const words = wordsOf(subject, kind, decision)
    return words === undefined ? decision : t(words.en, words.cs)
  },
  refundId: t("Number of that refund at GoPay", "Číslo té refundace v GoPay"),
  chargeId: t("Number of the charged payment at GoPay", "Číslo stržené platby v GoPay"),
  readOnly: t(
    "You can view this page. Only operators who are signed in by name can decide.",
    "Stránku můžete prohlížet. Rozhoduje jen ten, komu přihlášení dá jméno."
  ),
  note: t("Evidence", "Zdůvodnění"),
  noteHint: t(
    "What you have seen and where, such as in GoPay's administration or on a statement.",
    "Co jste zjistili a kde, například v administraci GoPay nebo na výpisu."
  ),
  decide: t("Confirm the decision", "Potvrdit rozhodnutí"),
  recorded: t("Recorded now", "Nyní je zaznamenáno"),
  missing: t("choose a decision and give the evidence.", "zvolte rozhodnutí a vyplňte zdůvodnění."),
  notDecided: t("Nothing was decided", "Nic nebylo rozhodnuto"),
  partlyDecided: (decided: number, all: number): string =>
    t(`${decided} of ${all} decided. Not decided`, `Rozhodnuto: ${decided} z ${all}. Nerozhodnuto`),
  noStatement: t("The statement could not be compared", "Výpis se nepodařilo porovnat"),
  noFile: t("Choose a file.", "Vyberte soubor."),
  forbidden: t(
    "You may not do this here: you are not signed in as someone who may, or the form comes from another page.",
    "Tady to nemůžete: nejste přihlášeni jako někdo, kdo smí, nebo formulář přišel z jiné stránky."
  ),
  noMonth: t("There is no such month.", "Takový měsíc není."),
  month: {
    title: t("A month's statement", "Výpis za měsíc"),
    month: t("Month", "Měsíc"),
    file: t("Or a file from GoPay", "Nebo soubor od GoPay"),
    show: t("Compare with the books", "Porovnat s knihami"),
    shows: t("The statement shows that it was done", "Podle výpisu operace proběhla"),
    mayShow: t(
      "The statement shows one of this amount, which may be another one: the order has several. Compare the refunds with GoPay's list",
      "Na výpisu je jedna o této částce, ale může být jiná: objednávka jich má víc. Porovnejte refundace se seznamem GoPay"
    ),
    agrees: t("All that is due agrees", "Vše, co má být na výpisu, souhlasí"),
    through: t("through", "do"),
    differs: t("It does not agree.", "Nesouhlasí."),
    matched: t("Matched", "Spárováno"),
    notYetDue: t("Perhaps on the next statement", "Možná na příštím výpisu"),
    evidence: t(
      "Outcome unknown to the shop, but done: decide these accordingly",
      "S neznámým výsledkem, a přitom proběhly: rozhodněte je podle toho"
    ),
    ambiguousEvidence: t(
      "Perhaps one whose outcome is unknown to the shop: the order has several of this amount",
      "Možná operace s neznámým výsledkem: objednávka jich má o této částce víc"
    ),
    foreign: t("On the statement and not in the books", "Na výpisu, ale v žádných knihách"),
    foreignKinds: {
      NotCountedAsPaid: t("the shop does not count it as paid", "obchod ji nepovažuje za zaplacenou"),
      FailedRefund: t("the shop has recorded the refund as failed", "obchod má vratku jako neúspěšnou"),
      Surplus: t(
        "the order's payments of this amount are matched already",
        "platby objednávky v této částce už jsou spárované"
      ),
      UnknownOrder: t("no such payment or refund in the books", "taková platba ani vratka v knihách není")
    },
    missing: t("In the books and not on the statement", "V knihách, ale ne na výpisu"),
    differentAmounts: t("Other amounts", "Jiné částky"),
    ambiguous: t("Several fit", "Hodí se jich více"),
    gatewayDifferences: t("Shop and gateway differ", "Obchod a brána se liší"),
    contradictions: t("Files contradict each other", "Soubory si odporují"),
    toCheck: t(
      "To check: unmatched transfers, holds, unknown types",
      "Ke kontrole: nespárované převody, blokace, neznámé typy"
    ),
    result: t("What does not agree", "Co nesouhlasí"),
    columns: t(
      ["Finding", "Where", "Order", "Payment", "Amount", "Currency", "Day", "Note"],
      ["Zjištění", "Kde", "Objednávka", "Platba", "Částka", "Měna", "Den", "Poznámka"]
    ),
    inBooks: t("in the books", "v knihách"),
    onStatement: t("on the statement", "na výpisu"),
    download: t("Download the table as CSV", "Stáhnout tabulku jako CSV"),
    clearings: t("Clearings", "Vyúčtování"),
    clearingColumns: t(
      ["Clearing", "Payments", "Refunds", "Fees", "Transfer", "Explained"],
      ["Vyúčtování", "Platby", "Vratky", "Poplatky", "Převod", "Vysvětleno"]
    ),
    explained: {
      file: t("by its file", "jeho souborem"),
      cutOff: t("by all booked before it", "vším zaúčtovaným předtím"),
      no: t("no", "ne")
    },
    notSent: t("transferred and not sent", "převedeno, ale neodesláno")
  },
  unavailable: t("The ledger cannot be read now", "Evidenci teď nelze načíst"),
  kinds: {
    InDoubt: t("In doubt", "Nejistý výsledek"),
    StrangeRefund: t("Refund of unknown origin", "Refundace neznámého původu"),
    ListIncomplete: t("List incomplete", "Neúplný seznam"),
    NotSent: t("Not sent", "Neodesláno"),
    Unbound: t("Refund not identified", "Nepřiřazená refundace"),
    CredentialsRefused: t("Access refused", "Přístup odmítnut"),
    AccountEmpty: t("Account empty", "Málo peněz na účtu"),
    ChargesDisabled: t("Charges not enabled", "Opakované platby nejsou povolené"),
    ChargeRefused: t("Charge refused", "Stržení odmítnuto"),
    DecisionContradicted: t("Decision contradicted", "Rozpor s rozhodnutím"),
    PaidTwice: t("Paid twice", "Zaplaceno dvakrát"),
    PaidLate: t("Paid late", "Zaplaceno pozdě"),
    Unfulfillable: t("Cannot be fulfilled", "Nelze splnit"),
    UnknownPayment: t("Unknown payment", "Neznámá platba"),
    PaymentMismatch: t("Another payment", "Jiná platba"),
    StateContradicted: t("State contradicted", "Rozpor ve stavu"),
    ReturnedElsewhere: t("Returned elsewhere", "Vráceno jinudy"),
    HoldNotEnded: t("Hold not ended", "Neukončená blokace"),
    ChargeMissing: t("Charge missing", "Chybí stržení"),
    OnPaymentFailed: t("Payment not entered", "Platba nezapsána"),
    OnChangeFailed: t("Outcome not entered", "Výsledek nezapsán"),
    OnSubscriptionFailed: t("Subscription not entered", "Předplatné nezapsáno"),
    UnreadableRow: t("Unreadable", "Nečitelný záznam"),
    SendingStopped: t("Nothing is sent", "Nic se neodesílá"),
    WorkStopped: t("Part of the work stands still", "Část práce stojí"),
    DatabaseRestored: t("Database restored", "Obnovená databáze")
  },
  explanations: {
    InDoubt: t(
      "Whether GoPay has carried it out is not known. Check GoPay's administration, and refund nothing of this payment by hand before it is decided.",
      "Není jisté, zda GoPay požadavek provedlo. Ověřte to v administraci GoPay a do rozhodnutí z této platby nic nerefundujte ručně."
    ),
    StrangeRefund: t(
      "Nothing was sent: the payment has a refund that the shop did not make. Was it made by hand for the same reason, or for another one?",
      "Nic nebylo odesláno: u platby je refundace, kterou neprovedl obchod. Provedl ji někdo ručně ze stejného důvodu, nebo z jiného?"
    ),
    ListIncomplete: t(
      "GoPay's list lacks a refund that is done. The shop waits for it.",
      "V seznamu GoPay chybí refundace, která už proběhla. Obchod na něj čeká."
    ),
    NotSent: t(
      "Nothing was sent: GoPay does not say how the payment stands. The shop tries again.",
      "Nic nebylo odesláno: GoPay neříká, v jakém stavu platba je. Obchod to zkouší znovu."
    ),
    Unbound: t(
      "The refund is done, and which one of GoPay's list it is cannot be determined. The payment's next change waits.",
      "Refundace proběhla, ale nelze určit, která položka seznamu GoPay to je. Další operace s platbou čeká."
    ),
    CredentialsRefused: t(
      "GoPay refuses the credentials. The shop tries again by itself. Decide only to give it up: “Do not send it”.",
      "GoPay odmítá přihlašovací údaje. Obchod to zkouší sám znovu. Rozhodujte, jen když se operace provést nemá: „Neodesílat“."
    ),
    AccountEmpty: t(
      "The account at GoPay holds too little for the refund. Put money into it: the shop tries again by itself, about every ten minutes. Decide only to give the refund up: “Do not send it”.",
      "Na účtu u GoPay není dost peněz na refundaci. Doplňte je: obchod to zkouší sám znovu, asi každých deset minut. Rozhodujte, jen když se refundace provést nemá: „Neodesílat“."
    ),
    ChargesDisabled: t(
      "GoPay has not enabled recurring payments for the shop, so nothing was charged. Ask GoPay for them: the shop tries again by itself, once an hour. Decide only to give the charge up: “Do not send it”.",
      "GoPay obchodu nepovolilo opakované platby, takže se nic nestrhlo. Požádejte o ně GoPay: obchod to zkouší sám znovu, jednou za hodinu. Rozhodujte, jen když se stržení provést nemá: „Neodesílat“."
    ),
    ChargeRefused: t(
      "GoPay has refused to charge this period for a reason that its payer cannot help. The shop's developers have to mend the request or the shop's account at GoPay; then let it be charged again.",
      "GoPay odmítlo toto období strhnout z důvodu, který plátce neovlivní. Vývojáři musí opravit požadavek nebo nastavení obchodu u GoPay; pak nechte období strhnout znovu."
    ),
    DecisionContradicted: t(
      "An operator decided that it was not made, and GoPay shows that it was. Correct the books.",
      "Podle rozhodnutí operace neproběhla, ale GoPay ji uvádí. Opravte účetnictví."
    ),
    PaidTwice: t(
      "Another payment of the same order, group or period is paid as well. Give the money of one of them back.",
      "Zaplacena je i jiná platba téže objednávky, skupiny nebo období. Peníze z jedné z nich vraťte."
    ),
    PaidLate: t(
      "It was paid after it was no longer offered. Deliver, or refund it.",
      "Platba přišla, když už nebyla nabízena. Dodejte zboží, nebo ji vraťte."
    ),
    Unfulfillable: t(
      "The shop says that the order cannot take the money. Refund it, or deliver.",
      "Obchod oznámil, že objednávku nelze splnit. Peníze vraťte, nebo zboží dodejte."
    ),
    UnknownPayment: t(
      "It was paid, and the shop does not know it, as after a backup was restored.",
      "Je zaplacena a obchod ji nezná, například po obnovení zálohy."
    ),
    PaymentMismatch: t(
      "GoPay shows another amount, currency, order or merchant than requested. Take the payment as it is, or refuse it and give its money back.",
      "GoPay uvádí jinou částku, měnu, objednávku nebo obchodníka, než o co bylo požádáno. Přijměte ji tak, jak je, nebo ji odmítněte a peníze vraťte."
    ),
    StateContradicted: t(
      "It was paid, and GoPay says that it was not. It stays paid.",
      "Byla zaplacena a GoPay teď tvrdí, že nebyla. Zůstává zaplacená."
    ),
    ReturnedElsewhere: t(
      "GoPay says that money was returned, and lists no refund: perhaps a chargeback. Check GoPay's administration and mail.",
      "Podle GoPay byly peníze vráceny, ale v seznamu žádná refundace není: možná jde o chargeback. Podívejte se do administrace GoPay a do pošty."
    ),
    HoldNotEnded: t(
      "The hold should have been captured or released by now.",
      "Blokace už měla být stržena nebo uvolněna."
    ),
    ChargeMissing: t(
      "GoPay charges this subscription by itself, and no charge has been heard of since its day. Check GoPay's administration.",
      "GoPay tuto opakovanou platbu strhává samo a od jejího dne o žádném stržení nevíme. Podívejte se do administrace GoPay."
    ),
    OnPaymentFailed: t(
      "The shop could not enter what became of the payment. Its developers have to look.",
      "Obchodu se nedaří zapsat, co se s platbou stalo. Musí se podívat vývojáři."
    ),
    OnChangeFailed: t(
      "The shop could not enter what became of it. Its developers have to look.",
      "Obchodu se nedaří zapsat, jak to dopadlo. Musí se podívat vývojáři."
    ),
    OnSubscriptionFailed: t(
      "The shop could not enter what became of the subscription. Its developers have to look.",
      "Obchodu se nedaří zapsat, co se s předplatným stalo. Musí se podívat vývojáři."
    ),
    UnreadableRow: t(
      "The shop cannot read this row. Its developers have to check it. All others go on.",
      "Obchod tento záznam nedokáže přečíst. Musí ho zkontrolovat vývojáři. Ostatní operace běží dál."
    ),
    SendingStopped: t("The shop sends nothing to GoPay.", "Obchod do GoPay nic neodesílá."),
    WorkStopped: t(
      "A part of the work does not go on, and everything else does. The shop's developers have to look.",
      "Část práce nepokračuje, ostatní operace běží dál. Musí se podívat vývojáři."
    ),
    DatabaseRestored: t(
      "The database was restored or replaced. The shop's developers have to check it.",
      "Databáze byla obnovena nebo vyměněna. Musí ji zkontrolovat vývojáři."
    )
  },
  operations: {
    refundPayment: t("Refund", "Refundace"),
    createRecurrence: t("Charge", "Stržení opakované platby"),
    captureAuthorization: t("Capture", "Stržení předautorizace"),
    captureAuthorizationPartial: t("Partial capture", "Částečné stržení předautorizace"),
    voidAuthorization: t("Release of a hold", "Uvolnění předautorizace"),
    createPayment: t("Payment", "Platba")
  },
  statuses: {
    queued: t("Queued", "Ve frontě"),
    sending: t("Being sent", "Odesílá se"),
    unknown: t("Being looked up", "Dohledává se"),
    accepted: t("Accepted by GoPay", "Přijato GoPay"),
    needsOperator: t("Needs a decision", "Čeká na rozhodnutí"),
    done: t("Done", "Provedeno"),
    refused: t("Not carried out", "Neprovedeno"),
    failed: t("Done, then returned", "Provedeno a pak vráceno")
  },
  stepStatuses: {
    refusing: t("Refused, being checked", "Odmítnuto, ověřuje se")
  },
  paymentStatuses: {
    creating: t("Being created", "Zakládá se"),
    created: t("Created", "Založena"),
    lost: t("Response lost", "Odpověď se ztratila"),
    inDoubt: t("In doubt", "Nejistý výsledek"),
    unknown: t("Not known to the shop", "Obchod ji nezná")
  }
})

export type AdminTexts = ReturnType<typeof textsBy>

export const textsOf = (language: AdminLanguage): AdminTexts => textsBy((en, cs) => (language === "en" ? en : cs))

export type Formats = ReturnType<typeof formatsOf>

const locales: Readonly<Record<AdminLanguage, string>> = { cs: "cs-CZ", en: "en-GB" }

export const formatsOf = (language: AdminLanguage, timeZone: string) => {
  const month = language === "cs" ? "numeric" : "short"
  const calendar = { timeZone, year: "numeric", month, day: "numeric" } as const
  const days = new Intl.DateTimeFormat(locales[language], calendar)
  const clock = new Intl.DateTimeFormat(locales[language], { ...calendar, hour: "2-digit", minute: "2-digit" })
  return {
    /** An amount in minor units, with its currency if that is known. */
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
