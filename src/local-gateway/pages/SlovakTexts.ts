/**
 * Slovak for the pay page.
 */
/** The texts. */
export const slovak = {
  locale: "sk-SK",
  banner:
    "Toto nie je GoPay, ale lokálna testovacia brána. Neprevádzajú sa žiadne peniaze. Nikdy nezadávajte skutočnú kartu.",
  test: "TEST",
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
  cvc: "CVC",
  anyCvc: "Ľubovoľné tri alebo štyri číslice.",
  storedCard: (number: string, expiry: string) => `Zaplatíte uloženou kartou ${number} s platnosťou do ${expiry}.`,
  problemTitle: "Karta nebola prijatá",
  problems: {
    number: "Toto nie je testovacia karta. Číslo sa neuložilo. Vyberte niektorú z testovacích kariet.",
    expiry: "Zadajte mesiac, ktorý sa ešte neskončil, napríklad 12/39.",
    cvc: "Zadajte tri alebo štyri číslice."
  },
  pay: (amount: string) => `Zaplatiť ${amount}`,
  simulationTitle: "Rozhodnite, čo sa stane",
  simulationNote: "Táto časť je len tu, v GoPay nie je.",
  threeDSecure: "Vyžiadať overenie 3-D Secure",
  declinedFor: "Zamietnuť",
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
  qrAlt: (name: string) => `QR kód ${name}`,
  account: "Účet",
  iban: "IBAN",
  bic: "BIC",
  variableSymbol: "Variabilný symbol",
  amount: "Suma",
  transferComes: "Prevod dorazí",
  transferStays: "Vrátiť sa bez zaplatenia",
  transferStaysNote: "platba zostane otvorená, kým nevyprší.",
  transferDeclined: "Zamietnuť prevod",
  otherNote: (label: string) => `Spôsob platby ${label} sa tu nesimuluje, rozhodujete len o výsledku.`,
  otherDeclined: "Platba sa nepodarí",
  declined: "Pokus o platbu bol zamietnutý",
  tryAgain: "Môžete to skúsiť znova, zvoliť iný spôsob platby alebo platbu zrušiť.",
  cancel: "Zrušiť a vrátiť sa do obchodu",
  giveUp: "Vzdať platbu a vrátiť sa do obchodu",
  bankTitle: "Potvrďte platbu",
  bankName: "Testovacia banka · 3-D Secure",
  bankNote: (amount: string, shop: string) =>
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
  stillOpen: "Platba ešte nie je dokončená. Keď bude, obchod dostane notifikáciu.",
  overNote: "Na tejto stránke už nie je potrebné nič robiť.",
  backToShop: "Späť do obchodu",
  unsafeReturn: "Návratová adresa obchodu sa nezačína http ani https, preto na ňu nevedie odkaz:",
  lateTransfer: "Prevod príde neskoro",
  lateTransferNote: "Platiteľ zvolil bankový prevod, ktorý ešte môže prísť (_5047).",
  leftTitle: "Platiteľ zavrel okno",
  leftNote:
    "Platba prebehla, ale platiteľ sa do obchodu nevráti. Obchod sa o nej dozvie len z notifikácie alebo keď sa na ňu spýta. Rozhoduje o tom nastavenie notificationTiming.",
  finishedTitle: "Návrat do obchodu"
}

/** The payment instruments of the local gateway. */
export const slovakInstruments: { readonly [code: string]: string } = {
  PAYMENT_CARD: "Platobná karta",
  BANK_ACCOUNT: "Rýchly bankový prevod",
  GOPAY: "Účet GoPay",
  TWISTO: "Twisto",
  PRSMS: "Premium SMS"
}
