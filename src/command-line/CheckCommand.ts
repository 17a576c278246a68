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
  readonly check: string
  readonly status: FindingStatus
  readonly message: string
}

const findingsOf = (check: string) => ({
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

const behindFirewall =
  "Something in front of the gateway, such as a firewall or a proxy, refuses this machine. Check the proxy, or ask GoPay to allow its address"

/** Why a read failed, keyed by its reason. */
const failures: Partial<Record<GatewayErrorReason["_tag"], (environment: string) => string>> = {
  AuthenticationFailed: (environment) =>
    `${environment} refuses GOPAY_CLIENT_ID and GOPAY_CLIENT_SECRET. Sandbox and production have different ones: use those of this environment`,
  GatewayUnavailable: (environment) =>
    `${environment} does not answer. Check GOPAY_ENVIRONMENT, and that this machine can reach it`,
  InvalidRequest: () => "The gateway knows no shop with this GOPAY_GOID. Check it",
  PermissionDenied: () => "The gateway issues no token to these credentials. Ask GoPay to enable the API"
}

const failed = (reason: GatewayErrorReason, environment: string): Finding => {
  const other = `A read of ${environment} failed: ${reason._tag}. Run the check again, then ask GoPay`
  return credentials.problem(isFirewall(reason) ? behindFirewall : (failures[reason._tag]?.(environment) ?? other))
}

/** What a shop may do at the gateway: its credentials, their scopes, its payment methods. */
const checkMerchant = async (variables: ShopVariables): Promise<ReadonlyArray<Finding>> => {
  const { GOPAY_ENVIRONMENT: environment = "", GOPAY_SCOPE: configured = "payment-all" } = variables
  const scopes = [...new Set([configured, "payment-all", "payment-create"])]
  const own = await readWith(variables, configured)
  const reads = new Map([[configured, own]])
  for (const scope of scopes.slice(1)) reads.set(scope, await readWith(variables, scope))
  const granted = scopes.filter((scope) => reads.get(scope)?.token === "success")
  if (granted.length === 0 && own.reason !== undefined) return [failed(own.reason, environment)]
  const scope = findingsOf("scope")
  const ways = findingsOf("ways to pay")
  const found = [credentials.ok(`${environment} accepts them, with the scopes ${granted.join(", ")}`)]
  if (!granted.includes(configured)) {
    return [...found, scope.problem(`The gateway issues no token for GOPAY_SCOPE=${configured}. Leave it out`)]
  }
  if (own.reason !== undefined) {
    if (own.reason._tag === "PermissionDenied" && !isFirewall(own.reason)) {
      return [
        ...found,
        scope.problem(
          `A token of the scope ${configured} may not read. Notifications, refunds and the ledger need payment-all: leave GOPAY_SCOPE out`
        )
      ]
    }
    return [failed(own.reason, environment)]
  }
  const text = instrumentsText(own.instruments)
  return [
    ...found,
    scope.ok(`${configured} may read`),
    text === "" ? ways.problem("None is enabled. Ask GoPay to enable some") : ways.ok(printable(text)),
    findingsOf("recurrences, preauthorizations").unknown(
      "No read shows whether they are enabled. If you use them, ask GoPay; in the sandbox, create a payment with one"
    )
  ]
}

const address = findingsOf("notification_url")

/** What is wrong, keyed by the status of the response. */
const wrong: Readonly<Record<number, string>> = {
  400: "it does not recognise the id. Pass the query on to the handler",
  401: "it requires a login, and GoPay has none. Exempt it from the login",
  403: "it is forbidden. Exempt it from logins, bot checks and address lists",
  404: "it is not there. Check the path, and that the handler is mounted",
  405: "it does not accept GET, which GoPay sends"
}

/** A handler of notifications answers with an empty body. */
const isPage = ({ headers }: Response): boolean => headers.get("content-type")?.startsWith("text/html") === true

const answered = (response: Response): Finding => {
  const { headers, status } = response
  if (status >= 300 && status < 400) {
    const { origin, pathname } = new URL(headers.get("location") ?? "", response.url)
    return origin === new URL(response.url).origin
      ? address.problem(`It redirects to ${pathname}. Give the final address; if that is a login, exempt it`)
      : address.problem(`It redirects to ${origin}. Give the final address`)
  }
  if (isPage(response)) {
    return address.problem(
      `It answers ${status} with a page: a login, a bot check, or not the handler. Exempt it from both, or correct the address`
    )
  }
  if (status === 200) return address.ok("It answers 200 to an unknown payment")
  if (status === 503)
    return address.ok("It answers 503 to an unknown payment, as the client's handler does: GoPay repeats it")
  return address.problem(`It answers ${status}: ${wrong[status] ?? "it fails. See the shop's log"}`)
}

/** Errors of OpenSSL and of certificates. OpenSSL's messages name its own source files, so they are not shown. */
const isTls = /^ERR_SSL|^ERR_TLS|CERT|SIGNATURE/

const unanswered = (error: unknown): Finding => {
  const code = isError(error) && "code" in error ? String(error.code) : ""
  return isTls.test(code)
    ? address.problem(`Its https fails (${code}). Check the port, and that its certificate is one that browsers trust`)
    : address.problem(`It does not answer from here: ${messageOf(error)}. Check the address, and that the shop runs`)
}

/** Sends a notification as GoPay does, about a payment that does not exist. */
export const checkNotificationUrl = async (text: string | undefined): Promise<Finding> => {
  if (text === undefined) return address.unknown("Not checked. Give --notification-url")
  if (!URL.canParse(text)) return address.problem("It is not an address: it must begin with https://")
  const url = new URL(text)
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    return address.problem("It is not https. Notifications and payers must come over https")
  }
  url.searchParams.set("id", "1")
  try {
    const response = await loopbackFetch(url, { signal: AbortSignal.timeout(35_000) })
    await response.body?.cancel()
    return answered(response)
  } catch (error) {
    return unanswered(isError(error) && isError(error.cause) ? error.cause : error)
  }
}

const clock = findingsOf("clock")
const calendar = findingsOf("time zone")

/** In seconds. The ledger recognises a lost refund within two minutes of the time it was sent. */
const maxSeconds = 30

/** By how many seconds a local gateway's time has been moved ahead; 0 of any other gateway. */
const movedTime = async (baseUrl: string): Promise<number> => {
  if (!isLoopback(new URL(baseUrl).hostname)) return 0
  try {
    const response = await loopbackFetch(`${baseUrl.replace(/\/api$/, "")}/local-gateway/state`, {
      signal: AbortSignal.timeout(10_000)
    })
    const { time_ahead }: { readonly time_ahead?: unknown } = JSON.parse(await response.text())
    return typeof time_ahead === "number" ? time_ahead : 0
  } catch {
    // It is no local gateway, or it is mounted without its dashboard.
    return 0
  }
}

/** Whether this machine's clock agrees with the gateway's, by the `Date` of a response. */
export const checkClock = async (baseUrl: string): Promise<Finding> => {
  const response = await loopbackFetch(baseUrl, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined)
  await response?.body?.cancel()
  const date = Date.parse(response?.headers.get("date") ?? "")
  if (Number.isNaN(date))
    return clock.unknown("The gateway does not say what time it is. Is this machine's clock set by NTP?")
  const seconds = Math.round((Date.now() - date) / 1_000)
  const ahead = await movedTime(baseUrl)
  if (ahead >= 1) {
    return clock.unknown(
      `It agrees with that of the local gateway's machine, but the gateway's own time has been moved ${durationText(ahead)} ahead`
    )
  }
  return Math.abs(seconds) <= maxSeconds
    ? clock.ok("It agrees with the gateway's")
    : clock.problem(
        `It is ${Math.abs(seconds)} seconds ${seconds > 0 ? "ahead of" : "behind"} the gateway's. Set it by NTP: the ledger recognises a lost refund by its time`
      )
}

/** Statements and subscriptions use days in Prague, wherever the machine is: it only has to know that time zone. */
export const checkTimeZone = (): Finding => {
  try {
    const hour = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Prague", hour: "2-digit" })
    if (hour.format(new Date("2026-07-01T12:00:00Z")) === "14") return calendar.ok("Europe/Prague is known here")
  } catch {
    // Reported below.
  }
  return calendar.problem("This Node.js does not know Europe/Prague. Use one with full ICU")
}

const ofLedger = findingsOf("ledger")

/** Whether a shop's ledger is ready: its database, its tables, its installation, its worker. */
const checkLedger = async (store: string | undefined, flags: LedgerFlags): Promise<ReadonlyArray<Finding>> => {
  if (store === undefined) return [ofLedger.unknown("Not checked. Give --store, if the shop has one")]
  try {
    const { health, metrics } = await withLedger(store, flags, readLedger)
    const found = ledgerFindings(health, metrics, Date.now())
    return found.length > 0
      ? found.map(ofLedger.problem)
      : [ofLedger.ok(`Migrated, its installation is ${flags.installation ?? "main"}, its worker runs`)]
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    const message = error.message.replaceAll("\n", " ")
    return [
      ofLedger.problem(
        /no file|cannot be reached/.test(message) ? `${message} Check --store, and that its database runs` : message
      )
    ]
  }
}

const marks: { readonly [Status in FindingStatus]: string } = { ok: "✓", problem: "✗", unknown: "?" }

const lineOf = ({ check, message, status }: Finding): string => printable(`${marks[status]} ${check}: ${message}`)

export const checkCommand = commandOf({
  name: "check",
  summary: "check whether a shop is ready for its first payer",
  about: `Usage: effect-gopay check [--notification-url URL] [--store STORE] [--json]

Checks whether a shop is ready for its first payer: its credentials and their scopes, its ways to
pay, its notification_url, the clock, its ledger. A line each: ✓, ✗ with what to do, or ? for what
cannot be seen from here. It reads only: it creates no payment and sends no change. The
notification_url is called once, for a payment that no one has. Nothing secret is printed.

The merchant is that of GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET, GOPAY_ENVIRONMENT and
GOPAY_SCOPE; when none of the first four is set, the one of the local gateway at
${localUrl}.`,
  options: {
    "notification-url": option("URL", "the address at which the shop answers notifications"),
    store: option("STORE", "the ledger's database: a file with SQLite, or the address of a PostgreSQL"),
    installation: installationOption,
    schema: option("NAME", "PostgreSQL: the schema of the ledger's tables (default: gopay)"),
    json: flag("print JSON")
  },
  end: `Exit status: 0 when nothing is wrong, 1 when something is, 2 for wrong usage.`,
  run: async (values) => {
    const { installation, json, schema, store } = values
    const scope = process.env["GOPAY_SCOPE"]
    const merchant = { ...merchantVariables(), ...(scope === undefined ? undefined : { GOPAY_SCOPE: scope }) }
    const found = await withClient(async ({ baseUrl }) => {
      const found = await Promise.all([
        checkMerchant(merchant),
        checkNotificationUrl(values["notification-url"]),
        checkClock(baseUrl),
        checkLedger(store, { installation, schema })
      ])
      return [...found.flat(), checkTimeZone()]
    })
    const problems = found.filter(({ status }) => status === "problem").length
    console.log(json ? JSON.stringify({ problems, checks: found }, null, 2) : found.map(lineOf).join("\n"))
    if (problems > 0) throw new CommandFailure(1, problems === 1 ? "1 problem." : `${problems} problems.`)
  }
})
