/**
 * Every sentence and label that a command prints, in English and Czech. The statements of an account have tables of
 * their own (`StatementTexts`, `StatementFailure`), and what a command is for stands beside its options.
 */
import { textsOf } from "../ledger/admin/AdminTexts.js"
import type { LedgerHealth } from "../ledger/model/Lists.js"
import type { HandlerName } from "../ledger/model/LedgerOperations.js"
import type { ChangeOutcome } from "../ledger/model/Outcome.js"
import type { Subscription, SubscriptionPeriod } from "../ledger/model/Subscription.js"
import type { GatewayErrorReason } from "../client/error/GatewayError.js"
import type { RefundStates } from "../contract/CodeLists.js"
import { documents } from "../package/Documents.js"
import type { Language, Text } from "./Language.js"

type Choice = <Value>(en: Value, cs: Value) => Value

const meantIn = (t: Choice, name: string | undefined): string =>
  name === undefined ? "" : t(`. Did you mean ${name}?`, `. Nemysleli jste ${name}?`)

const usageIn = (t: Choice) => ({
  usage: t("Usage:", "Použití:"),
  options: t("Options:", "Volby:"),
  commands: t("Commands:", "Příkazy:"),
  help: t("print this help", "vypsat tuto nápovědu"),
  helpOfAny: t("print this help, or that of a command", "vypsat tuto nápovědu, nebo nápovědu k příkazu"),
  version: t("print the version", "vypsat verzi"),
  lang: t(
    "en or cs: the language of texts and help (default: by the environment variables LC_ALL and LANG)",
    "en nebo cs: jazyk výpisů a nápovědy (jinak podle proměnných prostředí LC_ALL a LANG)"
  ),
  exit: t(
    `Exit status: 0 when done or stopped (Ctrl-C), 1 when it cannot be done
or its output cannot be written, 2 for wrong usage.`,
    `Návratový kód: 0 po dokončení nebo zastavení (Ctrl-C), 1 když to nejde
nebo nelze zapsat výstup, 2 při chybném použití.`
  ),
  tryHelp: (name: string): string => t(`Try: effect-gopay ${name}--help`, `Nápověda: effect-gopay ${name}--help`),
  unknownCommand: (name: string, meant: string | undefined): string =>
    `${t("Unknown command", "Neznámý příkaz")}: ${name}${meantIn(t, meant)}`,
  noCommand: t("The command is missing", "Chybí příkaz"),
  unknownOption: (name: string, meant: string | undefined): string =>
    `${t("Unknown option", "Neznámá volba")} ${name}${meantIn(t, meant)}`,
  once: (name: string): string => t(`--${name} may be given once`, `--${name} lze zadat jen jednou`),
  noValue: (name: string, value: string): string =>
    t(`--${name} needs a value: --${name} ${value}`, `--${name} potřebuje hodnotu: --${name} ${value}`),
  dashValue: (name: string, value: string): string =>
    t(
      `--${name} is followed by ${value}. If that is its value, write --${name}=${value}`,
      `Za --${name} stojí ${value}. Je-li to její hodnota, pište --${name}=${value}`
    ),
  surplusValue: (name: string): string => t(`--${name} takes no value`, `--${name} nemá hodnotu`),
  surplus: (arguments_: string): string => `${t("Unexpected argument", "Přebývající argument")}: ${arguments_}`,
  wrongLanguage: (given: string): string =>
    t(`--lang must be en or cs, not ${given}`, `--lang musí být en nebo cs, ne ${given}`),
  port: (given: string): string =>
    t(
      `--port must be a whole number from 0 to 65535, not ${given}`,
      `--port musí být celé číslo od 0 do 65535, ne ${given}`
    ),
  exists: (file: string): string =>
    t(`${file} exists. Name another file with --output.`, `${file} už existuje. Zvolte jiný soubor: --output.`),
  outputFailed: (why: string): string =>
    `${t("The output could not be written", "Výstup se nepodařilo zapsat")}: ${why}`,
  cannotLoad: (name: string, why: string): string =>
    t(`${name} cannot be loaded: ${why}`, `${name} nelze načíst: ${why}`)
})

/** What a failed call means, in Czech. The client's own message is English, and follows as a detail. */
const czechReasons: Readonly<Record<GatewayErrorReason["_tag"], string>> = {
  InvalidRequest: "Brána považuje požadavek za chybný.",
  AuthenticationFailed: "Brána odmítá přihlašovací údaje.",
  PermissionDenied: "Brána k tomu nedává oprávnění.",
  PaymentNotFound: "Takovou platbu brána nezná.",
  CardNotFound: "Takovou kartu brána nezná.",
  OperationRefused: "Brána operaci odmítla.",
  RateLimited: "Příliš mnoho požadavků: zkuste to později.",
  GatewayUnavailable: "Brána neodpovídá.",
  OutcomeUnknown: "Není jisté, zda brána operaci provedla. Neopakujte ji a ověřte to.",
  UnexpectedResponse: "Odpovědi brány nelze rozumět."
}

const shopIn = (t: Choice) => ({
  /** The message of a library, which is English. */
  inEnglish: (message: string): string => t(message, `Podrobnosti (anglicky): ${message}`),
  callFailed: (reason: GatewayErrorReason["_tag"], message: string): string =>
    t(message, `${czechReasons[reason]}\nPodrobnosti (anglicky): ${message}`),
  merchant: (goid: string, environment: string, isDefault: boolean): string =>
    t(
      `Merchant ${goid} at ${environment}${isDefault ? ", since none of the variables GOPAY_GOID, … is set" : ""}`,
      `Obchodník ${goid}, brána ${environment}${isDefault ? ", protože není nastavena žádná z proměnných GOPAY_GOID, …" : ""}`
    ),
  missingVariables: (names: string): string =>
    t(`These environment variables are missing: ${names}`, `Chybí tyto proměnné prostředí: ${names}`),
  isRunning: (environment: string): string =>
    t(`Is a gateway running at ${environment}?`, `Běží na ${environment} nějaká brána?`),
  wrongVariable: (message: string): string => t(message, `Chyba v proměnných prostředí (anglicky): ${message}`),
  noPaymentId: (text: string): string =>
    t(`${text} is not the id of a payment: digits only`, `${text} není ID platby: to má jen číslice`),
  noStore: (scheme: string): string =>
    t(
      `${scheme}:// is no store of a ledger: give a file with SQLite, or the address of a PostgreSQL (postgres://…).`,
      `${scheme}:// není úložiště ledgeru: zadejte soubor SQLite, nebo adresu PostgreSQL (postgres://…).`
    ),
  noPg: t("The package pg is not installed here: npm install pg", "Balíček pg zde není nainstalovaný: npm install pg"),
  noSqlite: t(
    "This Node.js has no SQLite. Use Node.js 22.13 or newer, or: npm install libsql",
    "Tento Node.js nemá SQLite. Použijte Node.js 22.13 nebo novější, nebo: npm install libsql"
  ),
  noFile: (path: string): string => t(`There is no file ${path}.`, `Soubor ${path} neexistuje.`)
})

const refundStatesIn = (t: Choice): Readonly<Record<keyof typeof RefundStates, string>> => ({
  REQUESTED: t("requested", "vyžádána"),
  SUCCESS: t("done", "provedena"),
  FAILED: t("failed", "neproběhla")
})

const paymentIn = (t: Choice) => ({
  facts: {
    payment: t("payment", "platba"),
    state: t("state", "stav"),
    amount: t("amount", "částka"),
    order: t("order", "objednávka"),
    paidBy: t("paid by", "způsob"),
    parent: t("parent", "první platba"),
    hold: t("hold", "blokace"),
    recurrence: t("recurrence", "opakování"),
    payPage: t("pay page", "stránka"),
    refund: t("refund", "refundace")
  },
  refundStates: refundStatesIn(t),
  oneId: t("Give the id of one payment", "Zadejte ID jedné platby"),
  order: t("order", "objednávka")
})

const checkIn = (t: Choice) => ({
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

/** Why nothing is sent, in Czech. The ledger's own sentence is English. */
const czechBlockages: Readonly<Record<NonNullable<LedgerHealth["reason"]>, string>> = {
  Paused: "Ledger je pozastavený. Obnoví ho resume.",
  GatewayAway: "Brána neodpovídá. Odesílání se samo obnoví, až odpoví.",
  CredentialsRefused: "Brána odmítá přihlašovací údaje. Odesílání se samo obnoví, až je přijme.",
  AnotherDatabase: "Databáze je kopie nebo obnovená záloha. Spusťte distrust.",
  OtherInstallation:
    "Databáze patří jiné instalaci. Je-li tohoto obchodu, uveďte její jméno: --installation, nebo GOPAY_INSTALLATION.",
  NewerRelease: "Tabulky patří novější verzi.",
  OldTables: "Tabulky jsou ze starší verze: zavolejte migrate().",
  NoTables: "Tabulky chybí: zavolejte migrate().",
  NoRow: "Vlastní řádek ledgeru byl smazán.",
  Standby: "Databáze nepřijímá zápisy.",
  UnsafeStore: "V procesu mají soubor otevřený dvě knihovny SQLite. Do restartu procesu ho nepoužívejte."
}

const named = " If it is this shop's own, name its installation: --installation, or GOPAY_INSTALLATION."

const findingsIn = (t: Choice) => ({
  /** The state of a ledger: its own sentence, which is English, or one for its reason. */
  health: ({ message, reason }: Pick<LedgerHealth, "message" | "reason">): string =>
    t(message, reason === undefined ? "Změny se odesílají." : czechBlockages[reason]),
  notSending: ({ message, reason }: Pick<LedgerHealth, "message" | "reason">): string =>
    t(
      `Nothing is sent. ${message.replace(/ Nothing is sent\.$/, "")}${reason === "OtherInstallation" ? named : ""}`,
      `Nic se neodesílá. ${reason === undefined ? "" : czechBlockages[reason]}`
    ),
  notSendingSince: (since: string, sentence: string): string =>
    t(
      `Nothing is sent${since === "" ? "" : ` since ${since}`}: ${sentence}`,
      `Nic se neodesílá${since === "" ? "" : ` od ${since}`}: ${sentence}`
    ),
  nothingIsSent: t("Nothing is sent.", "Nic se neodesílá."),
  exposed: (roles: string, message: string): string =>
    t(
      message,
      `Tyto role mají práva k tabulkám ledgeru a kdo je má, může vložit refundaci: ${roles}. Zavolejte migrate() jako vlastník tabulek, práva odebere.`
    ),
  noWorker: t(
    "No worker has ever run. Call startWorker() in the shop's processes, or runOnce() in a cron job.",
    "Worker ještě nikdy neběžel. Volejte startWorker() v procesech obchodu, nebo runOnce() z cronu."
  ),
  workerSilent: (minutes: number): string =>
    t(
      `The last worker ran ${minutes} minutes ago. Is the shop's worker process running?`,
      `Poslední worker běžel před ${minutes} min. Běží proces obchodu s workerem?`
    ),
  due: (count: number, minutes: number): string =>
    t(
      `${count} steps are due, the oldest for ${minutes} minutes. More workers, or a higher concurrency or readsPerSecond, make them sooner.`,
      `Čeká ${count} kroků, nejstarší už ${minutes} min. Urychlí je více workerů nebo vyšší concurrency či readsPerSecond.`
    ),
  attention: (count: number): string =>
    t(
      `${count} items need an operator. See: effect-gopay ledger list.`,
      `Na rozhodnutí čeká: ${count}. Viz effect-gopay ledger list.`
    ),
  unreported: (count: number): string =>
    t(
      `${count} outcomes wait for onChange. Does it fail? Its errors are in the shop's log.`,
      `Na onChange čeká ${count} výsledků. Neselhává? Chyby jsou v logu obchodu.`
    ),
  unknown: (count: number): string =>
    t(
      `${count} changes were sent and their outcome is unknown. They are searched for; send none again by hand.`,
      `U ${count} odeslaných změn není jistý výsledek. Dohledávají se; žádnou neposílejte ručně znovu.`
    ),
  nothingWrong: t("Nothing is wrong.", "Vše je v pořádku."),
  found: (count: number): string => t(`${count} found.`, `Nalezeno problémů: ${count}.`),
  grantees: (roles: string): string =>
    t(
      `These roles have rights on the ledger's tables, beside their owner: ${roles}.`,
      `Kromě vlastníka mají k tabulkám ledgeru práva tyto role: ${roles}.`
    )
})

const subscriptionStatusesIn = (t: Choice): Readonly<Record<Subscription["status"], string>> => ({
  waiting: t("waiting for its first payment", "čeká na první platbu"),
  active: t("active", "běží"),
  cancelling: t("being cancelled", "ruší se"),
  cancelled: t("cancelled", "zrušeno")
})

const periodStatusesIn = (t: Choice): Readonly<Record<SubscriptionPeriod["status"], string>> => ({
  due: t("not charged yet", "zatím nestrženo"),
  charging: t("being charged", "strhává se"),
  retrying: t("failed, is tried again", "nepodařilo se, zkusí se znovu"),
  blocked: t("blocked: needs a decision", "stojí: čeká na rozhodnutí"),
  paid: t("paid", "zaplaceno"),
  givenUp: t("given up", "vzdáno"),
  cancelled: t("cancelled", "zrušeno")
})

/** The outcomes of a decision. In English they are called as in the code. */
const outcomesIn = (t: Choice): Readonly<Record<ChangeOutcome["_tag"], string>> => ({
  Done: t("Done", "provedeno"),
  Refused: t("Refused", "neprovedeno"),
  Failed: t("Failed", "provedeno a pak vráceno"),
  InDoubt: t("InDoubt", "nejistý výsledek"),
  Pending: t("Pending", "čeká")
})

const ledgerIn = (t: Choice) => ({
  columns: {
    key: t("KEY", "KLÍČ"),
    payment: t("PAYMENT", "PLATBA"),
    operation: t("OPERATION", "OPERACE"),
    amount: t("AMOUNT", "ČÁSTKA"),
    since: t("SINCE", "OD"),
    status: t("STATUS", "STAV"),
    state: t("STATE", "STAV"),
    version: t("VERSION", "VERZE"),
    kind: t("KIND", "DŮVOD"),
    time: t("TIME", "ČAS"),
    process: t("PROCESS", "PROCES"),
    message: t("MESSAGE", "ZPRÁVA (ANGLICKY)"),
    returned: t("RETURNED", "VRÁCENO"),
    attention: t("ATTENTION", "ČEKÁ NA ROZHODNUTÍ"),
    name: t("NAME", "JMÉNO"),
    maximum: t("MAXIMUM", "NEJVÝŠE"),
    firstPayment: t("FIRST PAYMENT", "PRVNÍ PLATBA"),
    cardUntil: t("CARD UNTIL", "KARTA DO"),
    awaitedOrder: t("WAITS FOR ORDER", "ČEKÁ NA OBJEDNÁVKU"),
    period: t("PERIOD", "OBDOBÍ"),
    attempts: t("ATTEMPTS", "POKUSŮ"),
    nextAttempt: t("NEXT ATTEMPT", "DALŠÍ POKUS"),
    lastAttempt: t("LAST ATTEMPT", "POSLEDNÍ POKUS"),
    goid: "GOID",
    gateway: t("GATEWAY", "BRÁNA"),
    open: t("OPEN", "PROBÍHÁ"),
    needsOperator: t("NEEDS AN OPERATOR", "ČEKÁ NA ROZHODNUTÍ")
  },
  facts: {
    key: t("key", "klíč"),
    payment: t("payment", "platba"),
    order: t("order", "objednávka"),
    operation: t("operation", "operace"),
    amount: t("amount", "částka"),
    status: t("status", "stav"),
    attention: t("attention", "důvod"),
    explanation: t("meaning", "význam"),
    message: t("message", "anglicky"),
    since: t("since", "od"),
    sent: t("sent", "odesláno"),
    decided: t("decided", "rozhodnuto"),
    nextStep: t("next step", "další krok"),
    version: t("version", "verze"),
    decideAs: t("decide as", "rozhodnutí"),
    returned: t("returned", "vráceno")
  },
  subscriptionStatuses: subscriptionStatusesIn(t),
  periodStatuses: periodStatusesIn(t),
  needsOperator: t("Needs an operator:", "Čeká na rozhodnutí:"),
  nothingNeedsOperator: (isShared: boolean): string =>
    t(
      `Nothing ${isShared ? "of this merchant " : ""}needs an operator.`,
      `${isShared ? "U tohoto obchodníka na" : "Na"} rozhodnutí nic nečeká.`
    ),
  open: t("Open:", "Probíhá:"),
  nothingOpen: (isElse: boolean): string =>
    t(`Nothing ${isElse ? "else " : ""}is open.`, isElse ? "Nic dalšího neprobíhá." : "Nic neprobíhá."),
  otherMerchants: t("Not shown, rows of other merchants:", "Neuvedeno, záznamy jiných obchodníků:"),
  onlyOtherMerchants: t(
    "This ledger has rows of other merchants only. Set GOPAY_GOID and the other variables.",
    "Tento ledger má jen záznamy jiných obchodníků. Nastavte GOPAY_GOID a ostatní proměnné."
  ),
  changes: t("Changes:", "Změny:"),
  payments: t("Payments:", "Platby:"),
  nothingFound: t("Nothing is found.", "Nic nenalezeno."),
  noHistory: t("There is no history.", "Žádná historie tu není."),
  noSubscriptions: t("There are no subscriptions.", "Žádné předplatné tu není."),
  noSubscription: (name: string): string => t(`There is no subscription ${name}.`, `Předplatné ${name} neexistuje.`),
  noKey: (isPayment: boolean, key: string): string =>
    t(
      `There is no ${isPayment ? "payment" : "change"} with the key ${key}.`,
      `${isPayment ? "Platba" : "Změna"} s klíčem ${key} neexistuje.`
    ),
  nothingToDecide: (key: string): string =>
    t(`There is nothing to decide about the payment ${key}.`, `O platbě ${key} není co rozhodovat.`),
  moved: (key: string, version: number): string =>
    t(
      `${key} has moved since: it is at version ${version}. Read it again.`,
      `${key} se mezitím změnila: má verzi ${version}. Přečtěte ji znovu.`
    ),
  unfit: (key: string, decision: string, fitting: string, message: string): string =>
    t(
      `${key}: ${message}`,
      `${key}: rozhodnutí ${decision} se nehodí. Hodí se: ${fitting === "" ? "žádné" : fitting}.`
    ),
  decided: (key: string, decision: string, message: string): string =>
    t(`${key}: ${decision}. ${message}`, `${key}: zaznamenáno, ${decision}. Anglicky: ${message}`),
  outcomes: outcomesIn(t),
  acknowledged: (refund: string, payment: string): string =>
    t(`Refund ${refund} of payment ${payment} is acknowledged.`, `Refundace ${refund} platby ${payment} je uznána.`),
  acknowledgedByOne: (refund: string, payment: string): string =>
    t(
      `Recorded. Another operator has to acknowledge refund ${refund} of payment ${payment} as well.`,
      `Zaznamenáno. Refundaci ${refund} platby ${payment} musí uznat ještě druhý pracovník.`
    ),
  released: (payment: string): string =>
    t(`The charges of payment ${payment} go on.`, `Stržení s platbou ${payment} pokračují.`),
  releasedByOne: (payment: string): string =>
    t(
      `Recorded. Another operator has to release the charges of payment ${payment} as well.`,
      `Zaznamenáno. Stržení s platbou ${payment} musí uvolnit ještě druhý pracovník.`
    ),
  retired: (handler: HandlerName): string =>
    t(
      `${handler} is given up. A process that runs with it begins anew.`,
      `${handler} se už nepoužívá. Proces, který ho má, začne znovu.`
    ),
  giveVersion: t(
    "Give --version, the number that list and show print; for several keys: KEY@VERSION KEY@VERSION",
    "Zadejte --version, číslo z list nebo show; pro více klíčů: KLÍČ@VERZE KLÍČ@VERZE"
  ),
  giveSignature: t("Give your name (--by) and the evidence (--note)", "Zadejte své jméno (--by) a zdůvodnění (--note)"),
  resolvedAs: (isPayment: boolean, names: string): string =>
    t(
      `${isPayment ? "A payment" : "A change"} is resolved as one of ${names}`,
      `O ${isPayment ? "platbě" : "změně"} se rozhoduje jedním z ${names}`
    ),
  giveOneOf: (option: string, names: string): string =>
    t(`Give --${option}, one of ${names}`, `Zadejte --${option}, jedno z ${names}`),
  oneKeyOnly: (option: string): string =>
    t(`Give --${option} with one key only`, `--${option} zadejte jen s jedním klíčem`),
  jsonOrCsv: t("Give --json or --csv, not both", "Zadejte --json, nebo --csv, ne obojí"),
  nameHandler: (names: string): string => t(`Name a handler: ${names}`, `Uveďte handler: ${names}`),
  giveSince: t("Give --since, a time such as 2026-11-20T03:00:00Z", "Zadejte --since, čas jako 2026-11-20T03:00:00Z"),
  giveAmount: (option: string): string =>
    t(`Give ${option} an amount such as 1399.50`, `${option} potřebuje částku jako 1399.50`),
  nameAction: (names: string): string => t(`Name one of ${names}`, `Uveďte jedno z ${names}`),
  unknownAction: (word: string, names: string): string =>
    t(`Unknown: ${word}. Name one of ${names}`, `Neznámé: ${word}. Uveďte jedno z ${names}`),
  giveStore: t("Give the ledger's database with --store", "Zadejte databázi ledgeru: --store"),
  name: (argument: string): string => t(`Name ${argument}`, `Uveďte ${argument}`),
  args: {
    row: t("a change or a payment by its key", "změnu nebo platbu jejím klíčem"),
    subscription: t("a subscription by its name", "předplatné jeho jménem"),
    change: t("one change by its key", "jednu změnu jejím klíčem"),
    payment: t("the payment by its id", "platbu jejím ID"),
    refund: t("the refund by its id", "refundaci jejím ID"),
    firstPayment: t("the first payment by its id", "první platbu jejím ID"),
    handler: t("a handler", "handler")
  }
})

const triggerIn = (t: Choice) => ({
  nameEvent: t("Name an event", "Uveďte událost"),
  unknownEvent: (event: string, meant: string | undefined): string =>
    `${t("Unknown event", "Neznámá událost")}: ${event}${meantIn(t, meant)}`,
  idOrOrder: t("Give the payment's ID or --order", "Zadejte ID platby, nebo --order"),
  notLocal: (environment: string): string =>
    t(
      `trigger works at a local gateway, not at ${environment}`,
      `trigger funguje s lokální bránou, ne s ${environment}`
    ),
  noneRunning: (base: string): string =>
    t(
      `No local gateway is running at ${base}. Start one: effect-gopay local-gateway`,
      `Na ${base} žádná lokální brána neběží. Spusťte ji: effect-gopay local-gateway`
    ),
  isNone: (base: string): string => t(`${base} is not a local gateway.`, `${base} není lokální brána.`),
  wrongState: (state: string, words: string): string =>
    t(
      `Refused: the payment is ${state}, and this cannot happen to it any more.`,
      `Odmítnuto: platba je ve stavu „${words}“ a tohle už se s ní stát nemůže.`
    ),
  refused: (message: string): string => t(`Refused: ${message}`, `Odmítnuto (anglicky): ${message}`),
  noOrder: (orderNumber: string): string =>
    t(`No payment has the order number ${orderNumber}.`, `Žádná platba nemá číslo objednávky ${orderNumber}.`)
})

const localGatewayIn = (t: Choice) => ({
  setForm: (text: string): string =>
    t(`--set must be NAME=VALUE, not ${text}`, `--set musí být NÁZEV=HODNOTA, ne ${text}`),
  setList: (name: string): string =>
    t(
      `--set ${name}: a list must be JSON, such as ["shop.test"]`,
      `--set ${name}: seznam musí být JSON, například ["shop.test"]`
    ),
  noSetting: (name: string, meant: string | undefined): string =>
    `${t("There is no setting", "Neexistuje nastavení")} ${name}${meantIn(t, meant)}`,
  noSeed: (path: string, why: string): string =>
    t(`Cannot read the seed ${path}: ${why}`, `Počáteční data ${path} nelze přečíst: ${why}`),
  cannotRun: (program: string, why: string): string =>
    t(`${program} cannot be run: ${why}`, `${program} nelze spustit: ${why}`),
  reachable: (host: string): string =>
    t(
      `Warning: other machines can reach this gateway on ${host}. Anyone who does can act as the payer and read the credentials.`,
      `Pozor: na ${host} je brána dostupná i z jiných počítačů. Kdo se k ní dostane, může jednat za plátce a číst přihlašovací údaje.`
    ),
  runs: t("The local gateway is running.", "Lokální brána běží."),
  noMoney: t("No money moves here.", "Peníze tu žádné nejsou."),
  dashboard: t("dashboard", "přehled"),
  continuing: (file: string, isSeedIgnored: boolean): string =>
    t(
      `Continuing with the state in ${file}${isSeedIgnored ? "; the seed is not used" : ""}.`,
      `Pokračuje se stavem z ${file}${isSeedIgnored ? "; počáteční data se nepoužijí" : ""}.`
    ),
  forEnv: t(
    "For an .env file (in a shell, put export before each line):",
    "Do souboru .env (v shellu dejte před každý řádek export):"
  ),
  stop: t("Press Ctrl-C to stop.", "Zastavíte ji pomocí Ctrl-C."),
  running: (command: string): string => t(`Running: ${command}`, `Spouští se: ${command}`),
  noCommand: t("There is no command after --", "Za -- chybí příkaz"),
  inEnglish: (message: string): string => t(message, `Anglicky: ${message}`)
})

const othersIn = (t: Choice) => ({
  demo: {
    shop: t("The shop:", "Obchod:"),
    gateway: t("The gateway:", "Brána:"),
    pay: t(
      "Pay with the test card 4444 4444 4444 4448. Press Ctrl-C to stop.",
      "Plaťte testovací kartou 4444 4444 4444 4448. Zastavíte pomocí Ctrl-C."
    )
  },
  listen: {
    answered: (status: number, url: string): string => t(`${status} from ${url}`, `${status} z ${url}`),
    noAnswer: (url: string, why: string): string => t(`${url} did not answer: ${why}`, `${url} neodpověděla: ${why}`),
    noForward: t("--forward-to is missing", "Chybí --forward-to"),
    wrongForward: (text: string): string =>
      t(`--forward-to must be an address, not ${text}`, `--forward-to musí být adresa, ne ${text}`),
    noId: t("--id is missing", "Chybí --id"),
    wrongPause: t("--every must be from 1 to 3600 seconds", "--every musí být od 1 do 3600 sekund"),
    watching: t("watching", "sleduje se")
  },
  record: {
    wrongEnvironment: t(
      "GOPAY_ENVIRONMENT must be sandbox or the address of a local gateway: a recording creates payments",
      "GOPAY_ENVIRONMENT musí být sandbox nebo adresa lokální brány: nahrávka zakládá platby"
    ),
    requests: {
      pays: t("pay with the test card 4188 0300 0000 0003", "zaplaťte testovací kartou 4188 0300 0000 0003"),
      isDeclined: t("have a payment by card declined", "nechte platbu kartou zamítnout"),
      cancels: t("cancel the payment", "zrušte platbu"),
      choosesTransfer: t("choose the bank transfer, and do not pay", "zvolte bankovní převod a neplaťte"),
      letsTimeOut: t(
        "choose the card and wait until the payment has timed out",
        "zvolte kartu a počkejte, až platba vyprší"
      )
    },
    unchanged: (state: string, words: string): string =>
      t(`The gateway says that the payment is ${state}.`, `Podle brány je platba ve stavu „${words}“.`),
    act: (url: string, request: string): string =>
      t(
        `Open ${url}\nand ${request}. Then press Enter (or s and Enter to skip): `,
        `Otevřete ${url}\na ${request}. Pak stiskněte Enter (nebo s a Enter pro přeskočení): `
      ),
    noVariables: t(
      "No GOPAY_ variables are set, so there is no shop of the sandbox to record.",
      "Proměnné GOPAY_ nejsou nastavené, takže není který obchod v sandboxu nahrát."
    ),
    setThem: t("Set them, GOPAY_ENVIRONMENT among them.", "Nastavte je, i GOPAY_ENVIRONMENT."),
    confirm: (environment: string): string =>
      t(
        `Record what runs at ${environment}? Type yes and Enter: `,
        `Nahrát to, co běží na ${environment}? Napište yes a Enter: `
      ),
    nothing: t("Nothing was recorded.", "Nic se nenahrálo."),
    kept: (file: string): string =>
      t(`What was recorded by then is in ${file}.`, `Co se do té doby nahrálo, je v ${file}.`),
    written: (file: string): string =>
      t(
        `Written to ${file}. Look through it before you share it.`,
        `Zapsáno do ${file}. Než ho předáte dál, projděte ho.`
      )
  },
  init: {
    noRecipe: t("The recipe is missing", "Chybí recept"),
    unknownRecipe: (recipe: string, meant: string | undefined): string =>
      `${t("There is no recipe", "Neexistuje recept")} ${recipe}${meantIn(t, meant)}`,
    noManifest: (why: string): string => t(`package.json cannot be read: ${why}`, `package.json nelze přečíst: ${why}`),
    needsNode: (name: string, recipe: string, wanted: string, own: string): string =>
      t(
        `${name}, which the recipe ${recipe} uses, needs Node.js ${wanted} or newer, and this is ${own}.\nNothing was written.`,
        `${name}, který recept ${recipe} používá, potřebuje Node.js ${wanted} nebo novější, a tento je ${own}.\nNic se nezapsalo.`
      ),
    written: t("written ", "zapsáno  "),
    added: t("added to", "doplněno "),
    yours: t("yours    ", "vaše     "),
    recipeHas: t("; the recipe has:", "; recept má:"),
    notWritten: (path: string): string =>
      t(`; the recipe's ${path}was not written`, `; soubor ${path}z receptu se nezapsal`),
    itHas: t("it has:", "má:"),
    overwrite: t("To overwrite what is yours:", "Přepsat vaše soubory:"),
    libsql: (version: string): string =>
      t(
        `libsql is for the recipe's SQLite file and its tests: Node.js ${version} has no SQLite of its own.`,
        `libsql je pro soubor SQLite receptu a jeho testy: Node.js ${version} nemá vlastní SQLite.`
      ),
    otherClient: (name: string, page: string): string =>
      t(
        `The recipe's ledger is in a SQLite file. For one over ${name}: ${documents}/${page}`,
        `Ledger receptu je v souboru SQLite. Nad ${name}: ${documents}/${page}`
      ),
    next: t("Next:", "Dále:"),
    commonJs: t("and name your own CommonJS files .cjs", "a své soubory CommonJS pojmenujte .cjs")
  }
})

const statementIn = (t: Choice) => ({
  notWritten: (file: string, why: string): string =>
    t(`${file} could not be written: ${why}`, `${file} se nepodařilo zapsat: ${why}`),
  columnForm: (names: string, pair: string): string =>
    t(
      `--columns takes NAME=HEAD, with NAME one of ${names}, not ${pair}`,
      `--columns má NÁZEV=HLAVIČKA, kde NÁZEV je jeden z ${names}, ne ${pair}`
    ),
  columnsNeeded: t(
    "--columns needs date, type and amount: date=Datum,type=Typ,amount=Částka",
    "--columns potřebuje date, type a amount: date=Datum,type=Typ,amount=Částka"
  ),
  noFiles: t("Give one statement or more", "Zadejte jeden výpis nebo více"),
  oneFormat: t("Give one of --json, --csv and --export", "Zadejte jen jedno z --json, --csv a --export"),
  oneSource: t("Give --orders or --ledger, not both", "Zadejte --orders, nebo --ledger, ne obojí"),
  through: (text: string): string =>
    t(`--through must be a day such as 2026-06-30, not ${text}`, `--through musí být den jako 2026-06-30, ne ${text}`),
  earlyThrough: (through: string, first: string): string =>
    t(
      `--through ${through} is before the first day of the statements, ${first}: nothing would be due`,
      `--through ${through} je před prvním dnem výpisů, ${first}: na výpisu by nemuselo být nic`
    ),
  currency: (text: string): string =>
    t(`--currency must be a code such as CZK, not ${text}`, `--currency musí být kód jako CZK, ne ${text}`),
  encoding: (text: string): string =>
    t(
      `--encoding must be a name such as windows-1250 or cp852, not ${text}`,
      `--encoding musí být název jako windows-1250 nebo cp852, ne ${text}`
    ),
  pohodaOnly: t("--ico and --account are for --export pohoda", "--ico a --account patří k --export pohoda"),
  symbolOnly: t(
    "--variable-symbol is for --export, and must be digits",
    "--variable-symbol patří k --export a musí být digits"
  ),
  exportFormat: (text: string): string =>
    t(`--export must be csv or pohoda, not ${text}`, `--export musí být csv nebo pohoda, ne ${text}`),
  noIco: t("--export pohoda needs the firm's number: --ico", "--export pohoda potřebuje IČO firmy: --ico"),
  icoForm: (text: string): string =>
    t(
      `--ico must be eight digits such as 12345679, not ${text}`,
      `--ico musí mít osm číslic jako 12345679, ne ${text}`
    ),
  icoDigit: (text: string): string =>
    t(
      `--ico ${text} has a wrong digit: the last one does not fit the others`,
      `--ico ${text} má špatnou číslici: poslední neodpovídá ostatním`
    ),
  noAccount: t(
    "--export pohoda needs the abbreviation of the account in Pohoda, 19 characters at most: --account",
    "--export pohoda potřebuje zkratku účtu v Pohodě, nejvýše 19 znaků: --account"
  )
})

const wordsIn = (language: Language, t: Choice) => ({
  language,
  ...usageIn(t),
  shop: shopIn(t),
  payment: paymentIn(t),
  check: checkIn(t),
  findings: findingsIn(t),
  ledger: ledgerIn(t),
  /** The words of the page for accountants: operations, statuses, reasons to decide. */
  books: textsOf(language),
  trigger: triggerIn(t),
  localGateway: localGatewayIn(t),
  ...othersIn(t),
  statement: statementIn(t)
})

export type Words = ReturnType<typeof wordsIn>

export const words: { readonly [In in Language]: Words } = {
  en: wordsIn("en", (en) => en),
  cs: wordsIn("cs", (_, cs) => cs)
}

/** A sentence, chosen when the language is known. */
export type Said = (words: Words) => string

/** A sentence in every language. */
export const inBoth = (said: Said): Text => ({ en: said(words.en), cs: said(words.cs) })
