/**
 * Texts of the pay page, in its three languages.
 */
import type { PaymentSubState } from "../../contract/CodeLists.js"

/** A language of the pay page. */
export type PageLanguage = "cs" | "en" | "sk"

/** The name of each language, in that language. */
export const languageNames: { readonly [Language in PageLanguage]: string } = {
  cs: "Česky",
  en: "English",
  sk: "Slovensky"
}

/** Whether the page exists in a language. */
export const isPageLanguage = (language: string | undefined): language is PageLanguage =>
  language !== undefined && Object.hasOwn(languageNames, language)

const english = {
  banner: "This is a local test gateway, not GoPay. No money moves. Never enter a real card number.",
  shortBanner: "Not GoPay. Never enter a real card.",
  payTo: "Payment to",
  order: "Your order",
  orderNumber: "Order number",
  description: "Description",
  items: "Items",
  total: "Total",
  paymentId: "Payment",
  held: "The amount is only held on your card. The shop can take it later.",
  recurring: "This payment sets up recurring charges: your card can be charged again without you.",
  chooseMethod: "How do you want to pay?",
  noMethod: "The local gateway does not offer any payment method that the shop allows for this payment.",
  cardTitle: "Pay by card",
  testCards: "Test cards",
  testCardsNote: "These are the cards of GoPay's sandbox. No other number is accepted here.",
  cardNumber: "Card number",
  withCard: "card",
  expiry: "Expiry (MM/YY)",
  anyCvc: "Any three or four digits.",
  storedCard: (number: string, expiry: string) => `You pay with the stored card ${number}, valid until ${expiry}.`,
  problemTitle: "The card was not accepted",
  problems: {
    number: "This is not a test card. The number was not stored. Choose one of the test cards.",
    expiry: "Enter a month that has not ended, such as 12/39.",
    cvc: "Enter three or four digits."
  },
  pay: (amount: string) => `Pay ${amount}`,
  simulationTitle: "Decide what happens",
  simulationNote: "Only here; GoPay has no such controls.",
  threeDSecure: "Ask for 3-D Secure",
  declinedFor: "Decline it",
  otherDeclines: "Other reasons",
  declineGroups: {
    money: "Money and limits",
    card: "The card",
    bank: "The bank",
    threeDSecure: "3-D Secure"
  },
  timeOut: "Let it time out",
  transferTitle: "Bank transfer",
  transferNote: "Scan the code in your banking app, or send the amount with these details.",
  transferTest: "The account does not exist, so no money can be sent to it.",
  transferLater: "You can close this page and send the transfer later. Your bank will confirm the payment.",
  qrAlt: (name: string) => `QR code ${name}`,
  copy: "Copy",
  copied: "Copied",
  account: "Account",
  variableSymbol: "Variable symbol",
  amount: "Amount",
  transferComes: "The transfer arrives",
  transferStays: "Return without paying",
  transferStaysNote: "the payment stays open until it times out.",
  transferDeclined: "Decline the transfer",
  otherNote: (label: string) => `Of ${label}, only the outcome is simulated here.`,
  otherDeclined: "The payment fails",
  declined: "The attempt was declined",
  tryAgain: "You can try again, choose another payment method, or give up.",
  cancel: "Cancel and return to the shop",
  giveUp: "Give up and return to the shop",
  bankTitle: "Confirm the payment",
  bankName: "Test bank · 3-D Secure",
  bankNote: (amount: string, shop: string) => `${shop} asks for ${amount}. Your bank would now send you a code.`,
  confirm: "Confirm",
  back: "Back",
  over: {
    PAID: "Paid",
    AUTHORIZED: "The amount is held on the card",
    CANCELED: "The payment was cancelled",
    TIMEOUTED: "The payment has timed out",
    REFUNDED: "The payment was refunded",
    PARTIALLY_REFUNDED: "Part of the payment was refunded"
  },
  overDeclined: "The payment was declined",
  stillOpen: "The payment is not complete yet. The shop will be notified when it is.",
  overNote: "You can close this page.",
  processedTitle: "Your payment is being processed",
  processedNote: "You need not pay again. This page shows the result as soon as it is known.",
  backToShop: "Back to the shop",
  unsafeReturn: "The shop's return address is neither http nor https, so it is not a link here:",
  lateTransfer: "The transfer arrives late",
  lateTransferNote: "The payer had chosen a bank transfer, which can still arrive (_5047).",
  leftTitle: "The payer has closed the window",
  leftNote:
    "The payment is complete, but the payer never returns to the shop. The shop learns of it only from a notification or by asking. The setting notificationTiming decides this.",
  finishedTitle: "Returning to the shop",
  orderAgain: "Order again",
  dashboard: "See it in the dashboard"
}

/** The texts of one language. */
export type Texts = typeof english

const czech: Texts = {
  banner:
    "Toto není GoPay, ale lokální testovací brána. Nepřevádějí se žádné peníze. Nikdy nezadávejte skutečnou kartu.",
  shortBanner: "Není to GoPay. Pravou kartu nezadávejte.",
  payTo: "Platba pro",
  order: "Vaše objednávka",
  orderNumber: "Číslo objednávky",
  description: "Popis",
  items: "Položky",
  total: "Celkem",
  paymentId: "Platba",
  held: "Částka se na kartě jen zablokuje, obchod ji může strhnout později.",
  recurring: "Tato platba zakládá opakovanou platbu: z karty pak lze strhávat další částky i bez vás.",
  chooseMethod: "Jak chcete zaplatit?",
  noMethod: "Lokální brána nenabízí žádný ze způsobů platby, které obchod u této platby povoluje.",
  cardTitle: "Platba kartou",
  testCards: "Testovací karty",
  testCardsNote: "Karty ze sandboxu GoPay. Jiné číslo zde použít nelze.",
  cardNumber: "Číslo karty",
  withCard: "kartou",
  expiry: "Platnost (MM/RR)",
  anyCvc: "Libovolné tři nebo čtyři číslice.",
  storedCard: (number, expiry) => `Zaplatíte uloženou kartou ${number} s platností do ${expiry}.`,
  problemTitle: "Karta nebyla přijata",
  problems: {
    number: "Toto není testovací karta. Číslo nebylo uloženo. Vyberte některou z testovacích karet.",
    expiry: "Zadejte měsíc, který ještě neskončil, například 12/39.",
    cvc: "Zadejte tři nebo čtyři číslice."
  },
  pay: (amount) => `Zaplatit ${amount}`,
  simulationTitle: "Rozhodněte, co se stane",
  simulationNote: "Tato část je jen zde, u GoPay není.",
  threeDSecure: "Vyžádat ověření 3-D Secure",
  declinedFor: "Zamítnout",
  otherDeclines: "Další důvody",
  declineGroups: {
    money: "Peníze a limity",
    card: "Karta",
    bank: "Banka",
    threeDSecure: "3-D Secure"
  },
  timeOut: "Nechat vypršet",
  transferTitle: "Bankovní převod",
  transferNote: "Načtěte kód v bankovní aplikaci, nebo zadejte převod podle těchto údajů.",
  transferTest: "Účet neexistuje, takže se žádné peníze nepřevedou.",
  transferLater: "Stránku můžete zavřít a převod zadat později. Platbu potvrdí vaše banka.",
  qrAlt: (name) => `QR kód ${name}`,
  copy: "Kopírovat",
  copied: "Zkopírováno",
  account: "Účet",
  variableSymbol: "Variabilní symbol",
  amount: "Částka",
  transferComes: "Převod dorazí",
  transferStays: "Vrátit se bez zaplacení",
  transferStaysNote: "platba zůstane otevřená, dokud nevyprší.",
  transferDeclined: "Zamítnout převod",
  otherNote: (label) => `Způsob platby ${label} se zde nesimuluje, rozhodujete jen o výsledku.`,
  otherDeclined: "Platba se nezdaří",
  declined: "Pokus o platbu byl zamítnut",
  tryAgain: "Můžete to zkusit znovu, zvolit jiný způsob platby, nebo platbu zrušit.",
  cancel: "Zrušit a vrátit se do obchodu",
  giveUp: "Vzdát platbu a vrátit se do obchodu",
  bankTitle: "Potvrďte platbu",
  bankName: "Testovací banka · 3-D Secure",
  bankNote: (amount, shop) => `Obchod ${shop} žádá o platbu ${amount}. Vaše banka by vám teď poslala potvrzovací kód.`,
  confirm: "Potvrdit",
  back: "Zpět",
  over: {
    PAID: "Zaplaceno",
    AUTHORIZED: "Částka je na kartě zablokována",
    CANCELED: "Platba byla zrušena",
    TIMEOUTED: "Platnost platby vypršela",
    REFUNDED: "Platba byla vrácena",
    PARTIALLY_REFUNDED: "Část platby byla vrácena"
  },
  overDeclined: "Platba byla zamítnuta",
  stillOpen: "Platba ještě není dokončena. Až bude, obchod dostane notifikaci.",
  overNote: "Stránku můžete zavřít.",
  processedTitle: "Vaše platba se zpracovává",
  processedNote: "Znovu neplaťte. Jakmile bude výsledek znám, tato stránka ho ukáže.",
  backToShop: "Zpět do obchodu",
  unsafeReturn: "Návratová adresa obchodu nezačíná http ani https, proto na ni nevede odkaz:",
  lateTransfer: "Převod dorazí pozdě",
  lateTransferNote: "Plátce zvolil bankovní převod, který ještě může dorazit (_5047).",
  leftTitle: "Plátce zavřel okno",
  leftNote:
    "Platba proběhla, ale plátce se do obchodu nevrátí. Obchod se o ní dozví jen z notifikace, nebo když se na ni dotáže. Rozhoduje o tom nastavení notificationTiming.",
  finishedTitle: "Návrat do obchodu",
  orderAgain: "Objednat znovu",
  dashboard: "Zobrazit v přehledu brány"
}

const slovak: Texts = {
  banner:
    "Toto nie je GoPay, ale lokálna testovacia brána. Neprevádzajú sa žiadne peniaze. Nikdy nezadávajte skutočnú kartu.",
  shortBanner: "Nie je to GoPay. Pravú kartu nezadávajte.",
  payTo: "Platba pre",
  order: "Vaša objednávka",
  orderNumber: "Číslo objednávky",
  description: "Popis",
  items: "Položky",
  total: "Spolu",
  paymentId: "Platba",
  held: "Suma sa na karte len zablokuje, obchod ju môže strhnúť neskôr.",
  recurring: "Táto platba zakladá opakovanú platbu: z karty potom možno strhávať ďalšie sumy aj bez vás.",
  chooseMethod: "Ako chcete zaplatiť?",
  noMethod: "Lokálna brána neponúka žiadny zo spôsobov platby, ktoré obchod pri tejto platbe povoľuje.",
  cardTitle: "Platba kartou",
  testCards: "Testovacie karty",
  testCardsNote: "Karty zo sandboxu GoPay. Iné číslo sa tu použiť nedá.",
  cardNumber: "Číslo karty",
  withCard: "kartou",
  expiry: "Platnosť (MM/RR)",
  anyCvc: "Ľubovoľné tri alebo štyri číslice.",
  storedCard: (number, expiry) => `Zaplatíte uloženou kartou ${number} s platnosťou do ${expiry}.`,
  problemTitle: "Karta nebola prijatá",
  problems: {
    number: "Toto nie je testovacia karta. Číslo sa neuložilo. Vyberte niektorú z testovacích kariet.",
    expiry: "Zadajte mesiac, ktorý sa ešte neskončil, napríklad 12/39.",
    cvc: "Zadajte tri alebo štyri číslice."
  },
  pay: (amount) => `Zaplatiť ${amount}`,
  simulationTitle: "Rozhodnite, čo sa stane",
  simulationNote: "Táto časť je len tu, v GoPay nie je.",
  threeDSecure: "Vyžiadať overenie 3-D Secure",
  declinedFor: "Zamietnuť",
  otherDeclines: "Ďalšie dôvody",
  declineGroups: {
    money: "Peniaze a limity",
    card: "Karta",
    bank: "Banka",
    threeDSecure: "3-D Secure"
  },
  timeOut: "Nechať vypršať",
  transferTitle: "Bankový prevod",
  transferNote: "Načítajte kód v bankovej aplikácii alebo zadajte prevod podľa týchto údajov.",
  transferTest: "Účet neexistuje, takže sa žiadne peniaze neprevedú.",
  transferLater: "Stránku môžete zavrieť a prevod zadať neskôr. Platbu potvrdí vaša banka.",
  qrAlt: (name) => `QR kód ${name}`,
  copy: "Kopírovať",
  copied: "Skopírované",
  account: "Účet",
  variableSymbol: "Variabilný symbol",
  amount: "Suma",
  transferComes: "Prevod dorazí",
  transferStays: "Vrátiť sa bez zaplatenia",
  transferStaysNote: "platba zostane otvorená, kým nevyprší.",
  transferDeclined: "Zamietnuť prevod",
  otherNote: (label) => `Spôsob platby ${label} sa tu nesimuluje, rozhodujete len o výsledku.`,
  otherDeclined: "Platba sa nepodarí",
  declined: "Pokus o platbu bol zamietnutý",
  tryAgain: "Môžete to skúsiť znova, zvoliť iný spôsob platby alebo platbu zrušiť.",
  cancel: "Zrušiť a vrátiť sa do obchodu",
  giveUp: "Vzdať platbu a vrátiť sa do obchodu",
  bankTitle: "Potvrďte platbu",
  bankName: "Testovacia banka · 3-D Secure",
  bankNote: (amount, shop) =>
    `Obchod ${shop} žiada o platbu ${amount}. Vaša banka by vám teraz poslala potvrdzovací kód.`,
  confirm: "Potvrdiť",
  back: "Späť",
  over: {
    PAID: "Zaplatené",
    AUTHORIZED: "Suma je na karte zablokovaná",
    CANCELED: "Platba bola zrušená",
    TIMEOUTED: "Platnosť platby vypršala",
    REFUNDED: "Platba bola vrátená",
    PARTIALLY_REFUNDED: "Časť platby bola vrátená"
  },
  overDeclined: "Platba bola zamietnutá",
  stillOpen: "Platba ešte nie je dokončená. Keď bude, obchod dostane notifikáciu.",
  overNote: "Stránku môžete zavrieť.",
  processedTitle: "Vaša platba sa spracúva",
  processedNote: "Znova neplaťte. Keď bude výsledok známy, táto stránka ho ukáže.",
  backToShop: "Späť do obchodu",
  unsafeReturn: "Návratová adresa obchodu sa nezačína http ani https, preto na ňu nevedie odkaz:",
  lateTransfer: "Prevod príde neskoro",
  lateTransferNote: "Platiteľ zvolil bankový prevod, ktorý ešte môže prísť (_5047).",
  leftTitle: "Platiteľ zavrel okno",
  leftNote:
    "Platba prebehla, ale platiteľ sa do obchodu nevráti. Obchod sa o nej dozvie len z notifikácie alebo keď sa na ňu spýta. Rozhoduje o tom nastavenie notificationTiming.",
  finishedTitle: "Návrat do obchodu",
  orderAgain: "Objednať znova",
  dashboard: "Zobraziť v prehľade brány"
}

/** The texts, by language. */
export const pageTexts: { readonly [Language in PageLanguage]: Texts } = { en: english, cs: czech, sk: slovak }

/** Sub-states for declining an attempt by card, each a button next to the form. */
export const commonDeclines = [
  "_5006",
  "_5002",
  "_5007",
  "_5008",
  "_5005",
  "_5018"
] as const satisfies ReadonlyArray<PaymentSubState>

/** More sub-states for declining an attempt by card, in groups. The test controls have all others. */
export const cardDeclines = {
  money: ["_5021"],
  card: ["_5013", "_5016", "_5035"],
  bank: ["_5003", "_5012", "_5031"],
  threeDSecure: ["_5033", "_5037"]
} as const satisfies { readonly [Group in keyof Texts["declineGroups"]]: ReadonlyArray<PaymentSubState> }

/** Failures of the 3-D Secure step: refused by the bank, no SMS, cancelled by the cardholder, not finished in time. */
export const threeDSecureDeclines = [
  "_5018",
  "_5033",
  "_5037",
  "_5024"
] as const satisfies ReadonlyArray<PaymentSubState>

/** The payment instruments in Slovak. The gateway has their names in Czech and English. */
export const slovakInstruments: { readonly [code: string]: string } = {
  PAYMENT_CARD: "Platobná karta",
  BANK_ACCOUNT: "Rýchly bankový prevod",
  GOPAY: "Účet GoPay",
  TWISTO: "Twisto",
  PRSMS: "Premium SMS"
}
