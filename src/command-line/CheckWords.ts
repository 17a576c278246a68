/**
 * What `effect-gopay check` says.
 */
import type { Choice } from "./Choice.js"

export const checkWords = (t: Choice) => ({
  names: {
    credentials: t("credentials", "přihlašovací údaje"),
    scope: t("scope", "rozsah oprávnění"),
    "ways to pay": t("ways to pay", "způsoby platby"),
    "recurrences, preauthorizations": t("recurrences, preauthorizations", "opakované platby, předautorizace"),
    notification_url: "notification_url",
    clock: t("clock", "hodiny"),
    "time zone": t("time zone", "časové pásmo"),
    ledger: t("ledger", "ledger")
  },
  firewall: t(
    "Something in front of the gateway, such as a firewall or a proxy, refuses this machine. Check the proxy, or ask GoPay to allow its address",
    "Tento počítač odmítá něco před bránou, například firewall nebo proxy. Zkontrolujte proxy, nebo požádejte GoPay o povolení adresy"
  ),
  failed: {
    AuthenticationFailed: (environment: string): string =>
      t(
        `${environment} refuses GOPAY_CLIENT_ID and GOPAY_CLIENT_SECRET. Sandbox and production have different ones: use those of this environment`,
        `${environment} odmítá GOPAY_CLIENT_ID a GOPAY_CLIENT_SECRET. Sandbox a produkce mají různé: použijte ty pro toto prostředí`
      ),
    GatewayUnavailable: (environment: string): string =>
      t(
        `${environment} does not answer. Check GOPAY_ENVIRONMENT, and that this machine can reach it`,
        `${environment} neodpovídá. Zkontrolujte GOPAY_ENVIRONMENT a zda je odsud dostupné`
      ),
    InvalidRequest: (): string =>
      t(
        "The gateway knows no shop with this GOPAY_GOID. Check it",
        "Brána nezná obchod s tímto GOPAY_GOID. Zkontrolujte ho"
      ),
    PermissionDenied: (): string =>
      t(
        "The gateway issues no token to these credentials. Ask GoPay to enable the API",
        "Brána k těmto údajům nevydá token. Požádejte GoPay o povolení API"
      )
  },
  otherFailure: (environment: string, reason: string): string =>
    t(
      `A read of ${environment} failed: ${reason}. Run the check again, then ask GoPay`,
      `Čtení z ${environment} selhalo: ${reason}. Spusťte kontrolu znovu, pak se zeptejte GoPay`
    ),
  accepted: (environment: string, scopes: string): string =>
    t(`${environment} accepts them, with the scopes ${scopes}`, `${environment} je přijímá, s rozsahy ${scopes}`),
  noToken: (scope: string): string =>
    t(
      `The gateway issues no token for GOPAY_SCOPE=${scope}. Leave it out`,
      `Pro GOPAY_SCOPE=${scope} brána nevydá token. Vynechte ji`
    ),
  mayNotRead: (scope: string): string =>
    t(
      `A token of the scope ${scope} may not read. Notifications, refunds and the ledger need payment-all: leave GOPAY_SCOPE out`,
      `Token s rozsahem ${scope} nesmí číst. Notifikace, refundace a ledger potřebují payment-all: vynechte GOPAY_SCOPE`
    ),
  mayRead: (scope: string): string => t(`${scope} may read`, `${scope} smí číst`),
  noWays: t("None is enabled. Ask GoPay to enable some", "Žádný není povolený. Požádejte o ně GoPay"),
  unseen: t(
    "No read shows whether they are enabled. If you use them, ask GoPay; in the sandbox, create a payment with one",
    "Žádné čtení neukáže, zda jsou povolené. Používáte-li je, zeptejte se GoPay; v sandboxu s nimi založte platbu"
  ),
  notChecked: (option: string): string => t(`Not checked. Give ${option}`, `Nekontrolováno. Zadejte ${option}`),
  noStore: t("Not checked. Give --store, if the shop has one", "Nekontrolován. Má-li ho obchod, zadejte --store"),
  noAddress: t("It is not an address: it must begin with https://", "Není to adresa: musí začínat https://"),
  notHttps: t(
    "It is not https. Notifications and payers must come over https",
    "Není to https. Notifikace i plátci musí chodit přes https"
  ),
  statuses: {
    400: t(
      "it does not recognise the id. Pass the query on to the handler",
      "nepoznává id. Předejte handleru i dotaz z adresy"
    ),
    401: t(
      "it requires a login, and GoPay has none. Exempt it from the login",
      "chce přihlášení a GoPay žádné nemá. Vyjměte adresu z přihlašování"
    ),
    403: t(
      "it is forbidden. Exempt it from logins, bot checks and address lists",
      "přístup je zakázán. Vyjměte adresu z přihlašování, ochrany proti robotům a seznamů adres"
    ),
    404: t(
      "it is not there. Check the path, and that the handler is mounted",
      "nic tam není. Zkontrolujte cestu a zda je handler připojen"
    ),
    405: t("it does not accept GET, which GoPay sends", "nepřijímá GET, které GoPay posílá")
  } as Readonly<Record<number, string>>,
  otherStatus: t("it fails. See the shop's log", "selhala. Podívejte se do logu obchodu"),
  redirectsWithin: (path: string): string =>
    t(
      `It redirects to ${path}. Give the final address; if that is a login, exempt it`,
      `Přesměrovává na ${path}. Zadejte konečnou adresu; je-li to přihlášení, vyjměte ji z něj`
    ),
  redirectsAway: (origin: string): string =>
    t(`It redirects to ${origin}. Give the final address`, `Přesměrovává na ${origin}. Zadejte konečnou adresu`),
  isPage: (status: number): string =>
    t(
      `It answers ${status} with a page: a login, a bot check, or not the handler. Exempt it from both, or correct the address`,
      `Odpovídá ${status} a stránkou: přihlášení, ochrana proti robotům, nebo to není handler. Vyjměte ji z obojího, nebo opravte adresu`
    ),
  answers200: t("It answers 200 to an unknown payment", "Na neznámou platbu odpovídá 200"),
  answers503: t(
    "It answers 503 to an unknown payment, as the client's handler does: GoPay repeats it",
    "Na neznámou platbu odpovídá 503 jako handler klienta: GoPay notifikaci opakuje"
  ),
  answers: (status: number, meaning: string): string =>
    t(`It answers ${status}: ${meaning}`, `Odpovídá ${status}: ${meaning}`),
  tls: (code: string): string =>
    t(
      `Its https fails (${code}). Check the port, and that its certificate is one that browsers trust`,
      `Její https selhává (${code}). Zkontrolujte port a zda prohlížeče certifikátu věří`
    ),
  noAnswer: (why: string): string =>
    t(
      `It does not answer from here: ${why}. Check the address, and that the shop runs`,
      `Odsud neodpovídá: ${why}. Zkontrolujte adresu a zda obchod běží`
    ),
  noTime: t(
    "The gateway does not say what time it is. Is this machine's clock set by NTP?",
    "Brána neuvádí čas. Nastavuje hodiny tohoto počítače NTP?"
  ),
  movedTime: (duration: string): string =>
    t(
      `It agrees with that of the local gateway's machine, but the gateway's own time has been moved ${duration} ahead`,
      `Souhlasí s hodinami počítače lokální brány, ale čas brány byl posunut o ${duration} dopředu`
    ),
  clockAgrees: t("It agrees with the gateway's", "Souhlasí s bránou"),
  clockDiffers: (seconds: number): string =>
    t(
      `It is ${Math.abs(seconds)} seconds ${seconds > 0 ? "ahead of" : "behind"} the gateway's. Set it by NTP: the ledger recognises a lost refund by its time`,
      `Oproti bráně ${seconds > 0 ? "jdou napřed" : "se opožďují"} o ${Math.abs(seconds)} s. Nastavujte je přes NTP: ledger poznává ztracenou refundaci podle času`
    ),
  zoneKnown: t("Europe/Prague is known here", "Europe/Prague je zde známé"),
  zoneUnknown: t(
    "This Node.js does not know Europe/Prague. Use one with full ICU",
    "Tento Node.js nezná Europe/Prague. Použijte Node.js s úplným ICU"
  ),
  ledgerReady: (installation: string): string =>
    t(
      `Migrated, its installation is ${installation}, its worker runs`,
      `Tabulky jsou připravené, instalace je ${installation}, worker běží`
    ),
  checkStore: t("Check --store, and that its database runs", "Zkontrolujte --store a zda databáze běží"),
  problems: (count: number): string => t(count === 1 ? "1 problem." : `${count} problems.`, `Počet problémů: ${count}.`)
})
