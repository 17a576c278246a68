/**
 * The command `check`: whether a shop is ready for its first payer.
 */
import { durationText } from "../basics/DurationText.js"
import { isLoopback } from "../basics/Loopback.js"
import { loopbackFetch } from "../local-gateway/server/LoopbackFetch.js"
import { commandOf, CommandFailure, flag, option } from "./Command.js"
import { printable } from "./OutputText.js"
import {
  installationOption,
  ledgerFindings,
  type LedgerFlags,
  localUrl,
  merchantVariables,
  readLedger,
  withClient,
  withLedger
} from "./ShopClient.js"
import { ownMember } from "../basics/OwnMember.js"
import { type Words, words } from "./Words.js"
import type { PaymentInstrumentsAllResponse } from "../contract/Messages.js"
import type { CallOutcome } from "../client/call/CallEvent.js"
import type { GatewayErrorReason } from "../client/error/GatewayError.js"
import { isError, messageOf } from "../basics/AnyRealm.js"

/**
 * - `ok`: it is as it should be.
 * - `problem`: the message says what to do.
 * - `unknown`: it cannot be checked from here; the message says who can.
 */
type FindingStatus = "ok" | "problem" | "unknown"

interface Finding {
  readonly check: keyof Words["check"]["names"]
  readonly status: FindingStatus
  readonly message: string
}

const findingsOf = (check: Finding["check"]) => ({
  ok: (message: string): Finding => ({ check, status: "ok", message }),
  problem: (message: string): Finding => ({ check, status: "problem", message }),
  unknown: (message: string): Finding => ({ check, status: "unknown", message })
})

type ShopVariables = Readonly<Record<string, string>>

/** Makes a read with a token of this scope. Returns its result, or why it failed. */
const readWith = async (variables: ShopVariables, scope: string) => {
  const { createGatewayClient, GatewayError, optionsFromEnv } = await import("../promise/index.js")
  let token: CallOutcome | undefined
  const client = createGatewayClient({
    ...optionsFromEnv({
      ...variables,
      GOPAY_SCOPE: scope,
      GOPAY_ALLOW_INSECURE: process.env["GOPAY_ALLOW_INSECURE"]
    }),
    retry: false,
    observer: ({ operation, outcome }) => {
      if (operation === "getAccessToken") token = outcome
    }
  })
  try {
    const instruments = await client.getPaymentInstrumentsAll()
    return { token, instruments }
  } catch (error) {
    if (error instanceof GatewayError) return { token, reason: error.reason }
    throw error
  } finally {
    await client.close()
  }
}

/** The payment methods with their currencies: `PAYMENT_CARD (CZK, EUR), BANK_ACCOUNT (CZK)`. */
const instrumentsText = ({ enabledPaymentInstruments }: PaymentInstrumentsAllResponse): string =>
  enabledPaymentInstruments
    .map(({ currencies = [], paymentInstrument }) =>
      currencies.length === 0 ? paymentInstrument : `${paymentInstrument} (${currencies.join(", ")})`
    )
    .join(", ")

const credentials = findingsOf("credentials")

/** A refusal without the gateway's own body. */
const isFirewall = (reason: GatewayErrorReason): boolean =>
  (reason._tag === "AuthenticationFailed" || reason._tag === "PermissionDenied") && reason.errors === undefined

const failed = (reason: GatewayErrorReason, environment: string, { check }: Words): Finding => {
  const known = ownMember<(environment: string) => string>(check.failed, reason._tag)
  const other = check.otherFailure(environment, reason._tag)
  return credentials.problem(isFirewall(reason) ? check.firewall : (known?.(environment) ?? other))
}

/** What a shop may do at the gateway: its credentials, their scopes, its payment methods. */
const checkMerchant = async (variables: ShopVariables, said: Words): Promise<ReadonlyArray<Finding>> => {
  const { GOPAY_ENVIRONMENT: environment = "", GOPAY_SCOPE: configured = "payment-all" } = variables
  const scopes = [...new Set([configured, "payment-all", "payment-create"])]
  const own = await readWith(variables, configured)
  const reads = new Map([[configured, own]])
  for (const scope of scopes.slice(1)) reads.set(scope, await readWith(variables, scope))
  const granted = scopes.filter((scope) => reads.get(scope)?.token === "success")
  if (granted.length === 0 && own.reason !== undefined) return [failed(own.reason, environment, said)]
  const { check } = said
  const scope = findingsOf("scope")
  const ways = findingsOf("ways to pay")
  const found = [credentials.ok(check.accepted(environment, granted.join(", ")))]
  if (!granted.includes(configured)) {
    return [...found, scope.problem(check.noToken(configured))]
  }
  if (own.reason !== undefined) {
    if (own.reason._tag === "PermissionDenied" && !isFirewall(own.reason)) {
      return [...found, scope.problem(check.mayNotRead(configured))]
    }
    return [failed(own.reason, environment, said)]
  }
  const text = instrumentsText(own.instruments)
  return [
    ...found,
    scope.ok(check.mayRead(configured)),
    text === "" ? ways.problem(check.noWays) : ways.ok(printable(text)),
    findingsOf("recurrences, preauthorizations").unknown(check.unseen)
  ]
}

const address = findingsOf("notification_url")

/** A handler of notifications answers with an empty body. */
const isPage = ({ headers }: Response): boolean => headers.get("content-type")?.startsWith("text/html") === true

const answered = (response: Response, { check }: Words): Finding => {
  const { headers, status } = response
  if (status >= 300 && status < 400) {
    const { origin, pathname } = new URL(headers.get("location") ?? "", response.url)
    return address.problem(
      origin === new URL(response.url).origin ? check.redirectsWithin(pathname) : check.redirectsAway(origin)
    )
  }
  if (isPage(response)) return address.problem(check.isPage(status))
  if (status === 200) return address.ok(check.answers200)
  if (status === 503) return address.ok(check.answers503)
  return address.problem(check.answers(status, check.statuses[status] ?? check.otherStatus))
}

/** Errors of OpenSSL and of certificates. OpenSSL's messages name its own source files, so they are not shown. */
const isTls = /^ERR_SSL|^ERR_TLS|CERT|SIGNATURE/

const unanswered = (error: unknown, { check }: Words): Finding => {
  const code = isError(error) && "code" in error ? String(error.code) : ""
  return address.problem(isTls.test(code) ? check.tls(code) : check.noAnswer(messageOf(error)))
}

/** Sends a notification as GoPay does, about a payment that does not exist. */
export const checkNotificationUrl = async (text: string | undefined, said: Words = words.en): Promise<Finding> => {
  const { check } = said
  if (text === undefined) return address.unknown(check.notChecked("--notification-url"))
  if (!URL.canParse(text)) return address.problem(check.noAddress)
  const url = new URL(text)
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    return address.problem(check.notHttps)
  }
  url.searchParams.set("id", "1")
  try {
    const response = await loopbackFetch(url, { signal: AbortSignal.timeout(35_000) })
    await response.body?.cancel()
    return answered(response, said)
  } catch (error) {
    return unanswered(isError(error) && isError(error.cause) ? error.cause : error, said)
  }
}

const clock = findingsOf("clock")
const calendar = findingsOf("time zone")

/** In seconds. The ledger recognises a lost refund within two minutes of the time it was sent. */
const maxSeconds = 30

/** By how many whole seconds a local gateway's time has been moved ahead; 0 of any other gateway. */
const movedTime = async (baseUrl: string): Promise<number> => {
  if (!isLoopback(new URL(baseUrl).hostname)) return 0
  try {
    const response = await loopbackFetch(`${baseUrl.replace(/\/api$/, "")}/local-gateway/state`, {
      signal: AbortSignal.timeout(10_000)
    })
    const { time_ahead }: { readonly time_ahead?: unknown } = JSON.parse(await response.text())
    return typeof time_ahead === "number" ? Math.round(time_ahead) : 0
  } catch {
    // It is no local gateway, or it is mounted without its dashboard.
    return 0
  }
}

/** Whether this machine's clock agrees with the gateway's, by the `Date` of a response. */
export const checkClock = async (baseUrl: string, { check }: Words = words.en): Promise<Finding> => {
  const response = await loopbackFetch(baseUrl, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined)
  await response?.body?.cancel()
  const date = Date.parse(response?.headers.get("date") ?? "")
  if (Number.isNaN(date)) return clock.unknown(check.noTime)
  const seconds = Math.round((Date.now() - date) / 1_000)
  const ahead = await movedTime(baseUrl)
  if (ahead >= 1) return clock.unknown(check.movedTime(durationText(ahead)))
  return Math.abs(seconds) <= maxSeconds ? clock.ok(check.clockAgrees) : clock.problem(check.clockDiffers(seconds))
}

/** Statements and subscriptions use days in Prague, wherever the machine is: it only has to know that time zone. */
export const checkTimeZone = ({ check }: Words = words.en): Finding => {
  try {
    const hour = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Prague", hour: "2-digit" })
    if (hour.format(new Date("2026-07-01T12:00:00Z")) === "14") return calendar.ok(check.zoneKnown)
  } catch {
    // Reported below.
  }
  return calendar.problem(check.zoneUnknown)
}

const ofLedger = findingsOf("ledger")

/** Whether a shop's ledger is ready: its database, its tables, its installation, its worker. */
const checkLedger = async (
  store: string | undefined,
  flags: LedgerFlags,
  said: Words
): Promise<ReadonlyArray<Finding>> => {
  const { check } = said
  if (store === undefined) return [ofLedger.unknown(check.noStore)]
  try {
    const { health, metrics } = await withLedger(store, flags, readLedger)
    const found = ledgerFindings(health, metrics, Date.now(), said)
    return found.length > 0
      ? found.map(ofLedger.problem)
      : [ofLedger.ok(check.ledgerReady(flags.installation ?? "main"))]
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    const message = error.said(said).replaceAll("\n", " ")
    const isAway = /no file|cannot be reached/.test(error.message)
    return [ofLedger.problem(isAway ? `${message} ${check.checkStore}` : message)]
  }
}

const marks: { readonly [Status in FindingStatus]: string } = { ok: "✓", problem: "✗", unknown: "?" }

export const checkCommand = commandOf({
  name: "check",
  summary: {
    en: "check whether a shop is ready for its first payer",
    cs: "zkontrolovat, zda je obchod připraven na prvního plátce"
  },
  usage: "check [--notification-url URL] [--store STORE] [--json]",
  about: {
    en: `Checks whether a shop is ready for its first payer: its credentials and their scopes, its ways to
pay, its notification_url, the clock, its ledger. A line each: ✓, ✗ with what to do, or ? for what
cannot be seen from here. It reads only: it creates no payment and sends no change. The
notification_url is called once, for a payment that no one has. Nothing secret is printed.

The merchant is that of GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET, GOPAY_ENVIRONMENT and
GOPAY_SCOPE; when none of the first four is set, the one of the local gateway at
${localUrl}.`,
    cs: `Zkontroluje, zda je obchod připraven na prvního plátce: přihlašovací údaje a jejich rozsahy,
způsoby platby, notification_url, hodiny, ledger. Ke každému řádek: ✓, ✗ a co s tím, nebo ? u toho,
co odsud není vidět. Jen čte: nezaloží platbu a nic nemění. Na notification_url pošle jednu
notifikaci o platbě, kterou nikdo nemá. Nic tajného nevypíše.

Obchodník je ten z GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET, GOPAY_ENVIRONMENT a
GOPAY_SCOPE; není-li nastavena žádná z prvních čtyř, ten z lokální brány na
${localUrl}.`
  },
  options: {
    "notification-url": option("URL", {
      en: "the address at which the shop answers notifications",
      cs: "adresa, na které obchod přijímá notifikace"
    }),
    store: option("STORE", {
      en: "the ledger's database: a file with SQLite, or the address of a PostgreSQL",
      cs: "databáze ledgeru: soubor SQLite, nebo adresa PostgreSQL"
    }),
    installation: installationOption,
    schema: option("NAME", {
      en: "PostgreSQL: the schema of the ledger's tables (default: gopay)",
      cs: "PostgreSQL: schéma tabulek ledgeru (jinak gopay)"
    }),
    json: flag({ en: "print JSON", cs: "vypsat JSON" })
  },
  end: {
    en: "Exit status: 0 when nothing is wrong, 1 when something is, 2 for wrong usage.",
    cs: "Návratový kód: 0, když je vše v pořádku, 1, když něco není, 2 při chybném použití."
  },
  run: async (values, _, { language }) => {
    const { installation, json, schema, store } = values
    const scope = process.env["GOPAY_SCOPE"]
    const merchant = { ...merchantVariables(), ...(scope === undefined ? undefined : { GOPAY_SCOPE: scope }) }
    // What programs read does not depend on the language.
    const said = words[json ? "en" : language]
    const found = await withClient(async ({ baseUrl }) => {
      const found = await Promise.all([
        checkMerchant(merchant, said),
        checkNotificationUrl(values["notification-url"], said),
        checkClock(baseUrl, said),
        checkLedger(store, { installation, schema }, said)
      ])
      return [...found.flat(), checkTimeZone(said)]
    })
    const problems = found.filter(({ status }) => status === "problem").length
    const lines = found.map(({ check, message, status }) =>
      printable(`${marks[status]} ${said.check.names[check]}: ${message}`)
    )
    console.log(json ? JSON.stringify({ problems, checks: found }, null, 2) : lines.join("\n"))
    if (problems > 0) throw new CommandFailure(1, ({ check }) => check.problems(problems))
  }
})
