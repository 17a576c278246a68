/**
 * What the pay page says, in its two languages.
 */
import { PaymentSubStates, type PaymentSubState } from "../../api/CodeLists.plain.js"

/** A language of the pay page. */
export type PageLanguage = "cs" | "en"

const english = {
  locale: "en-GB",
  banner: "This is not GoPay but a local test gateway. No money moves; never enter a real card.",
  test: "TEST",
  switchLanguage: "Česky",
  payTo: "Payment to",
  order: "Your order",
  orderNumber: "Order number",
  description: "Description",
  items: "Items",
  total: "Total",
  paymentId: "Payment",
  held: "The amount is only held on the card; the shop takes it later.",
  recurring: "This payment starts a recurrence: the card can be charged again without you.",
  chooseMethod: "How do you want to pay?",
  noMethod: (allowed: string) =>
    `Nothing that the shop allows for this payment (${allowed}) is offered by the local gateway in this currency.`,
  cardTitle: "Pay by card",
  testCards: "Test cards",
  testCardsNote: "GoPay's sandbox cards; no other number is accepted here.",
  cardNumber: "Card number",
  expiry: "Expiry (MM/YY)",
  cvc: "CVC",
  anyCvc: "Any three or four digits.",
  storedCard: (number: string, expiry: string) => `The stored card ${number}, valid to ${expiry}, pays.`,
  problemTitle: "The card was not accepted",
  problems: {
    number: "This is none of the test cards. The number was not stored; choose one of the test cards.",
    expiry: "Write a month from now on, such as 12/39.",
    cvc: "Write three or four digits."
  },
  pay: (amount: string) => `Pay ${amount}`,
  simulationTitle: "Decide what happens",
  simulationNote: "This part exists only here, not at GoPay.",
  threeDSecure: "Ask for 3-D Secure",
  declinedFor: "Decline it",
  declineGroups: {
    money: "Money and limits",
    card: "The card",
    bank: "The bank",
    threeDSecure: "3-D Secure"
  },
  timeOut: "Time runs out",
  transferTitle: "Bank transfer",
  transferNote: "Scan a code in a banking application, or send the amount with these details.",
  transferTest: "The account cannot exist, so a scan moves no money.",
  transferLater: "Close the page and send it later; your bank will confirm the payment.",
  qrAlt: (name: string) => `QR code ${name}`,
  account: "Account",
  iban: "IBAN",
  bic: "BIC",
  variableSymbol: "Variable symbol",
  amount: "Amount",
  transferComes: "The transfer comes",
  transferStays: "Return without it",
  transferStaysNote: "The payment stays open until its time runs out.",
  transferDeclined: "The transfer is declined",
  otherNote: (label: string) => `Nothing of ${label} is imitated here but how it ends.`,
  otherDeclined: "The payment is not made",
  declined: "The attempt was declined",
  tryAgain: "You can try again, choose another way to pay, or give up.",
  cancel: "Cancel and return to the shop",
  giveUp: "Give up and return to the shop",
  bankTitle: "Confirm the payment",
  bankName: "Test bank · 3-D Secure",
  bankNote: (amount: string, shop: string) => `${shop} asks for ${amount}. Your bank would send you a code now.`,
  confirm: "Confirm",
  back: "Back",
  over: {
    PAID: "Paid",
    AUTHORIZED: "The amount is held on the card",
    CANCELED: "The payment was cancelled",
    TIMEOUTED: "The time to pay has run out",
    REFUNDED: "The payment was refunded",
    PARTIALLY_REFUNDED: "A part of the payment was refunded"
  },
  stillOpen: "The payment is not made yet; the shop will be notified when it is.",
  overNote: "There is nothing left to do on this page.",
  backToShop: "Back to the shop",
  unsafeReturn: "The shop's return address is no http or https address, so it is no link here:",
  lateTransfer: "The transfer comes too late",
  lateTransferNote: "The payer had chosen a bank transfer, which may still come (_5047).",
  leftTitle: "The payer has closed the window",
  leftNote:
    "The payment is made, but the payer never returns to the shop. All that the shop learns is by notification, or by asking. The setting returnOrder decides this.",
  finishedTitle: "Returning to the shop",
  unknownTitle: "There is no such payment",
  unknownNote:
    "The address of a pay page is the gw_url of a payment. The local gateway may have been started anew since this one was made."
}

/** What the page says in one language. */
export type Texts = typeof english

const czech: Texts = {
  locale: "cs-CZ",
  banner: "Toto není GoPay, ale místní testovací brána. Žádné peníze se nepohnou; nezadávejte skutečnou kartu.",
  test: "TEST",
  switchLanguage: "English",
  payTo: "Platba pro",
  order: "Vaše objednávka",
  orderNumber: "Číslo objednávky",
  description: "Popis",
  items: "Položky",
  total: "Celkem",
  paymentId: "Platba",
  held: "Částka se na kartě jen zablokuje; obchod ji strhne později.",
  recurring: "Touto platbou začíná opakování: z karty lze strhávat další platby i bez vás.",
  chooseMethod: "Jak chcete zaplatit?",
  noMethod: (allowed) =>
    `Nic z toho, co obchod u této platby povoluje (${allowed}), místní brána v této měně nenabízí.`,
  cardTitle: "Platba kartou",
  testCards: "Testovací karty",
  testCardsNote: "Karty ze sandboxu GoPay; žádné jiné číslo zde nelze použít.",
  cardNumber: "Číslo karty",
  expiry: "Platnost (MM/RR)",
  cvc: "CVC",
  anyCvc: "Libovolné tři nebo čtyři číslice.",
  storedCard: (number, expiry) => `Platí se uloženou kartou ${number}, platnou do ${expiry}.`,
  problemTitle: "Karta nebyla přijata",
  problems: {
    number: "Toto není žádná z testovacích karet. Číslo nebylo uloženo; vyberte některou z testovacích karet.",
    expiry: "Napište měsíc, který ještě neskončil, například 12/39.",
    cvc: "Napište tři nebo čtyři číslice."
  },
  pay: (amount) => `Zaplatit ${amount}`,
  simulationTitle: "Rozhodněte, co se stane",
  simulationNote: "Tato část je jen zde, v GoPay není.",
  threeDSecure: "Vyžádat 3-D Secure",
  declinedFor: "Zamítnout",
  declineGroups: {
    money: "Peníze a limity",
    card: "Karta",
    bank: "Banka",
    threeDSecure: "3-D Secure"
  },
  timeOut: "Vyprší čas",
  transferTitle: "Bankovní převod",
  transferNote: "Načtěte kód v bankovní aplikaci, nebo pošlete částku podle těchto údajů.",
  transferTest: "Účet nemůže existovat, načtením kódu se tedy žádné peníze nepohnou.",
  transferLater: "Stránku můžete zavřít a převod poslat později; platbu potvrdí vaše banka.",
  qrAlt: (name) => `QR kód ${name}`,
  account: "Účet",
  iban: "IBAN",
  bic: "BIC",
  variableSymbol: "Variabilní symbol",
  amount: "Částka",
  transferComes: "Převod přijde",
  transferStays: "Vrátit se bez převodu",
  transferStaysNote: "Platba zůstane otevřená, dokud jí nevyprší čas.",
  transferDeclined: "Převod je zamítnut",
  otherNote: (label) => `Z platby ${label} se zde napodobuje jen to, jak dopadne.`,
  otherDeclined: "Platba se neprovede",
  declined: "Pokus o platbu byl zamítnut",
  tryAgain: "Můžete to zkusit znovu, zaplatit jinak, nebo to vzdát.",
  cancel: "Zrušit a vrátit se do obchodu",
  giveUp: "Vzdát to a vrátit se do obchodu",
  bankTitle: "Potvrďte platbu",
  bankName: "Testovací banka · 3-D Secure",
  bankNote: (amount, shop) => `${shop} žádá ${amount}. Vaše banka by vám teď poslala kód.`,
  confirm: "Potvrdit",
  back: "Zpět",
  over: {
    PAID: "Zaplaceno",
    AUTHORIZED: "Částka je na kartě zablokována",
    CANCELED: "Platba byla zrušena",
    TIMEOUTED: "Čas na zaplacení vypršel",
    REFUNDED: "Platba byla vrácena",
    PARTIALLY_REFUNDED: "Část platby byla vrácena"
  },
  stillOpen: "Platba ještě není provedena; až bude, obchod o tom dostane notifikaci.",
  overNote: "Na této stránce už není co dělat.",
  backToShop: "Zpět do obchodu",
  unsafeReturn: "Návratová adresa obchodu není adresa http ani https, proto zde není odkazem:",
  lateTransfer: "Převod přijde pozdě",
  lateTransferNote: "Plátce zvolil bankovní převod, který ještě může přijít (_5047).",
  leftTitle: "Plátce zavřel okno",
  leftNote:
    "Platba je provedena, ale plátce se do obchodu nevrátí. Obchod se to dozví jen z notifikace, nebo když se zeptá. Rozhoduje o tom nastavení returnOrder.",
  finishedTitle: "Návrat do obchodu",
  unknownTitle: "Taková platba neexistuje",
  unknownNote: "Adresa platební stránky je gw_url platby. Místní brána mohla být od jejího vzniku spuštěna znovu."
}

/** What the page says, by language. */
export const pageTexts: { readonly [Language in PageLanguage]: Texts } = { en: english, cs: czech }

/** The sub-states with which an attempt by card can be declined here, in groups; all others can be had by the controls. */
export const cardDeclines = {
  money: ["_5006", "_5002", "_5021"],
  card: ["_5005", "_5007", "_5008", "_5013", "_5016", "_5035"],
  bank: ["_5003", "_5012", "_5031"],
  threeDSecure: ["_5018", "_5033", "_5037"]
} as const satisfies { readonly [Group in keyof Texts["declineGroups"]]: ReadonlyArray<PaymentSubState> }

/** How the 3-D Secure step can fail: refused by the bank, no SMS, cancelled by the cardholder, not finished in time. */
export const threeDSecureDeclines = [
  "_5018",
  "_5033",
  "_5037",
  "_5024"
] as const satisfies ReadonlyArray<PaymentSubState>

/** Czech for the sub-states that the page shows; the English texts are those of the code list. */
const czechSubStates: { readonly [code: string]: string } = {
  _5002: "Limit karty je vyčerpán",
  _5003: "Potíže u vydavatele karty",
  _5005: "Karta je blokována",
  _5006: "Nedostatek prostředků",
  _5007: "Platnost karty vypršela",
  _5008: "Kód CVV/CVC nebyl přijat",
  _5012: "Technické potíže v autorizačním centru banky plátce",
  _5013: "Chybné číslo karty",
  _5016: "Kartou nelze tuto platbu provést",
  _5018: "Zamítnuto v 3-D Secure bankou plátce",
  _5021: "Limity karty jsou překročeny",
  _5023: "Platba nebyla provedena",
  _5024: "Plátce nezadal platební údaje včas",
  _5031: "Technické potíže v bance při zpracování platby",
  _5033: "SMS nepřišla",
  _5035: "Karta byla vydána v nepodporovaném regionu",
  _5037: "Zrušeno držitelem karty",
  _5042: "Bankovní převod byl zamítnut",
  _5043: "Zrušeno uživatelem"
}

/** What a sub-state says, without the word that it was declined; empty for one that is not known. */
export const subStateText = (code: string, language: PageLanguage): string => {
  const list: { readonly [code: string]: string } = PaymentSubStates
  const text = (list[code] ?? "").replace(/^(Declined|Not made): /, "")
  const own = language === "cs" ? czechSubStates[code] : undefined
  return own ?? text.charAt(0).toUpperCase() + text.slice(1)
}
