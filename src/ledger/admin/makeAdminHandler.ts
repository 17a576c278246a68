/**
 * The page for accountants over HTTP. Nothing here is called at the top of the module, so that a bundle leaves out a page
 * that no one uses.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { attentionKinds, type ChangeResolution } from "../model/Attention.js"
import { isResponse } from "../../basics/AnyRealm.js"
import { groupBy } from "../../basics/Lists.js"
import type { StatementReconciliation } from "../../statement/StatementReconciliation.js"
import type { AdminAuthorization, AdminOptions, AdminRequest } from "./Admin.js"
import { monthCsv, type MonthView } from "./MonthSection.js"
import { dayIn, timeZoneProblem } from "../../basics/Day.js"
import { adminStyle } from "./AdminElements.js"
import { adminPage, type AdminView, type SearchView } from "./AdminPage.js"
import { type AdminLanguage, textsOf } from "./AdminTexts.js"
import {
  changeDecisionNames,
  type Decision,
  isChangeDecision,
  isDecision,
  isPaymentDecision,
  paymentDecisionNames,
  unfitDecision
} from "../model/Decisions.js"
import { longestPage } from "../model/LedgerArguments.js"
import { isPaymentKey } from "../model/LedgerKey.js"
import type { AttentionItem } from "../model/Attention.js"
import type { AdminOperations } from "../model/LedgerOperations.js"
import type { LedgerOperator } from "../model/LedgerService.js"

type Options<E, R> = AdminOptions<
  Effect.Effect<AdminAuthorization, E, R>,
  Effect.Effect<StatementReconciliation, { readonly message: string }, R>
>

/** The most payments of a page whose orders and currencies are read. */
const mostPayments = 100

/** The most payments of a page whose refunds are read from the gateway, and how long the page waits for them. */
const mostListedPayments = 5
const patience = "5 seconds"

/**
 * The most decisions that are shown after they were recorded: they are in the page's address, whose length is limited.
 */
const mostDecided = 20

/** The longest form that is read, in characters. */
const maxForm = 100_000

/** The longest statement that is read, in bytes. */
const maxFile = 16 * 1024 * 1024

const noMonth = (language: AdminLanguage) => ({ month: "", problem: textsOf(language).noMonth })

/** The query of a request, whatever path a proxy has made of its address. */
const queryOf = ({ url }: AdminRequest): URLSearchParams => new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? "")

const contentTypeOf = ({ headers }: AdminRequest): string => headers.get("content-type") ?? ""

/** The uploaded form. Rejects if it cannot be read. */
const formOf = async (request: AdminRequest): Promise<FormData> =>
  new Response(await request.arrayBuffer?.(), { headers: { "content-type": contentTypeOf(request) } }).formData()

const hashOf = async (style: string): Promise<string> => {
  const hash = await globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(style))
  return btoa(String.fromCharCode(...new Uint8Array(hash)))
}

/**
 * Whether the form comes from a page of the same origin, as browsers report. A request without that header does not
 * come from a browser.
 */
const isSameOrigin = ({ headers }: AdminRequest): boolean => {
  const site = headers.get("sec-fetch-site")
  if (site !== null) return site === "same-origin"
  const origin = headers.get("origin")
  const host = headers.get("host")
  return origin !== null && host !== null && URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}

/** The chosen language, or else the browser's most preferred one that the page has. */
const languageOf = (chosen: unknown, { headers }: AdminRequest): AdminLanguage => {
  if (chosen === "cs" || chosen === "en") return chosen
  const wished = (headers.get("accept-language") ?? "").toLowerCase().match(/\b(cs|sk|en)\b/)?.[1]
  return wished === "cs" || wished === "sk" ? "cs" : "en"
}

interface AdminFailure {
  readonly message: string
  readonly reason: { readonly _tag: string }
}

/** The part of a ledger, of either style, that the page uses. */
export type AdminLedger = {
  readonly [Name in keyof AdminOperations]: Parameters<AdminOperations[Name]> extends []
    ? Effect.Effect<ReturnType<AdminOperations[Name]>, AdminFailure>
    : (...args: Parameters<AdminOperations[Name]>) => Effect.Effect<ReturnType<AdminOperations[Name]>, AdminFailure>
}

/**
 * One small page for accountants, in Czech and English: what needs a decision, with a form for it, and what is in
 * progress. It takes a web request and returns a web response, at any path of the shop. It needs no script, sets no
 * cookie, and accepts decisions only from its own forms.
 *
 * @throws TypeError without `authorize`
 */
export const makeAdminHandler = <E = never, R = never>(
  ledger: Pick<LedgerOperator, keyof AdminOperations>,
  options: AdminOptions<
    Effect.Effect<AdminAuthorization, E, R>,
    Effect.Effect<StatementReconciliation, { readonly message: string }, R>
  >
): ((request: AdminRequest) => Effect.Effect<Response, E, R>) => handlerOver(ledger, options)

/** Makes the handler of requests for the page, over a ledger of either style. */
export const handlerOver = <E, R>(
  ledger: AdminLedger,
  options: Options<E, R>
): ((request: AdminRequest) => Effect.Effect<Response, E, R>) => {
  const { authorize }: { readonly authorize?: unknown } = options ?? {}
  if (typeof authorize !== "function") throw new TypeError("authorize is missing. It says who may see the page.")
  const { reconcileFile, reconcileMonth, timeZone = "Europe/Prague" } = options
  const problem = timeZoneProblem(timeZone)
  if (problem !== undefined) throw new TypeError(`${problem}.`)
  const month = { takesFiles: reconcileFile !== undefined, hasMonths: reconcileMonth !== undefined }
  const styleHash = Effect.runSync(Effect.cached(Effect.promise(() => hashOf(adminStyle))))
  const parts: Parts = { ledger, month, timeZone, styleHash }
  return (request) =>
    Effect.flatMap(options.authorize(request), (authorization) => {
      if (isResponse(authorization)) return Effect.succeed(authorization)
      const operator = typeof authorization === "string" ? authorization.trim() : undefined
      if (operator === "" || (operator === undefined && authorization !== true))
        return Effect.succeed(forbidden(request))
      if (request.method === "POST") {
        if (!isSameOrigin(request)) return Effect.succeed(forbidden(request))
        if (reconcileFile !== undefined && /^multipart\/form-data\b/i.test(contentTypeOf(request))) {
          return upload(parts, request, operator, reconcileFile)
        }
        return operator === undefined ? Effect.succeed(forbidden(request)) : decide(parts, request, operator)
      }
      if (request.method !== "GET" && request.method !== "HEAD") return Effect.succeed(refusal(405))
      const query = queryOf(request)
      const visitor = { language: languageOf(query.get("lang"), request), operator }
      const chosen = query.get("month") ?? ""
      return reconcileMonth !== undefined && isMonth(chosen)
        ? comparison(parts, { ...visitor, wantsCsv: query.has("csv") }, chosen, reconcileMonth(periodOf(chosen)))
        : page(parts, visitor, {
            ...(reconcileMonth !== undefined && chosen !== "" && { compared: noMonth(visitor.language) }),
            decided: query.getAll("decided"),
            find: query.get("find")?.trim(),
            history: query.get("history") ?? undefined
          })
    })
}

/** The parts that the page is made of. */
interface Parts extends Pick<AdminView, "timeZone"> {
  readonly ledger: AdminLedger
  /** The options of the month's section. */
  readonly month: Pick<MonthView, "hasMonths" | "takesFiles">
  readonly styleHash: Effect.Effect<string>
}

/** Who sees the page: an operator, or without a name, a viewer who decides nothing. */
type Visitor = Pick<AdminView, "language" | "operator">

/** What the page shows besides what needs a decision. */
interface Shown extends Pick<AdminView, "draft" | "problem"> {
  readonly compared?: Pick<MonthView, "found" | "month" | "problem">
  /** The keys of what was just decided. */
  readonly decided?: ReadonlyArray<string>
  readonly find?: string | undefined
  readonly history?: string | undefined
  readonly status?: number
}

const page = (parts: Parts, visitor: Visitor, shown: Shown): Effect.Effect<Response> => {
  const { ledger, month, styleHash, timeZone } = parts
  const { compared = { month: "" }, decided = [], find = "", draft, history, problem, status = 200 } = shown
  const read = Effect.gen(function* () {
    const last = lastMonth(timeZone, yield* Clock.currentTimeMillis)
    const attention = yield* ledger.listAttention()
    const open = yield* ledger.listChanges({ isOpen: true })
    const search = find === "" ? undefined : yield* found(ledger, find)
    const payments = yield* paymentsOf(ledger, idsOf([...attention, ...open, ...(search?.changes ?? [])]))
    return {
      status,
      attention,
      changes: yield* changesOf(ledger, idsOf(attention)),
      listed: new Map(yield* listedOf(ledger, attention)),
      open,
      search,
      payments: new Map(payments.map((payment) => [payment.paymentId, payment])),
      health: yield* ledger.getHealth,
      decided: yield* lastStepsOf(ledger, decided),
      history: history === undefined ? undefined : { key: history, steps: yield* ledger.getHistory(history) },
      month: month.takesFiles || month.hasMonths ? { ...month, last, ...compared } : undefined,
      problem,
      draft
    }
  })
  const unavailableView = ({ message }: AdminFailure) => ({
    status: 503,
    attention: [],
    changes: new Map(),
    listed: new Map(),
    open: [],
    payments: new Map(),
    month: undefined,
    problem: `${textsOf(visitor.language).unavailable}: ${message}`
  })
  return Effect.gen(function* () {
    const { status, ...view } = yield* Effect.catch(read, (failure) => Effect.succeed(unavailableView(failure)))
    const style = `style-src 'sha256-${yield* styleHash}'`
    const headers = {
      ...plain,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; ${style}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`
    }
    return new Response(adminPage({ ...visitor, timeZone, ...view }), { status, headers })
  })
}

const idsOf = (items: ReadonlyArray<{ readonly paymentId?: number | undefined }>): ReadonlyArray<number> =>
  [...new Set(items.flatMap(({ paymentId }) => paymentId ?? []))].slice(0, mostPayments)

/** The last step of each of these keys. Anyone can put keys into a link, so only recorded steps are shown. */
const lastStepsOf = (ledger: AdminLedger, keys: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(keys.slice(0, mostDecided), (key) => ledger.getHistory(key)),
    (found) => found.flatMap((steps) => steps.at(-1) ?? [])
  )

/** The results for an order's number, a payment's id, or the key of a change or a payment. */
const found = (ledger: AdminLedger, text: string): Effect.Effect<SearchView, AdminFailure> =>
  Effect.gen(function* () {
    const known = yield* ledger.getHistory(text)
    const ordered = yield* ledger.listPayments({ orderNumber: text })
    const named = /^[1-9]\d{0,14}$/.test(text) ? [{ paymentId: Number(text) }] : []
    const ids = idsOf([...known, ...named, ...ordered])
    const changes = yield* ledger.listChanges({ paymentId: ids, limit: longestPage })
    const payments = [...ordered, ...(yield* paymentsOf(ledger, ids))]
    return { text, payments: [...new Map(payments.map((one) => [one.key, one])).values()], changes }
  })

/** The changes of these payments, by their payment. */
const changesOf = (ledger: AdminLedger, ids: ReadonlyArray<number>) =>
  Effect.map(ledger.listChanges({ paymentId: ids, limit: longestPage }), (changes) =>
    groupBy(changes, ({ paymentId }) => paymentId)
  )

/**
 * The gateway's refunds of the payments that need a decision about one. The page does not depend on them and waits only
 * briefly; what cannot be read in that time is left out.
 */
const listedOf = (ledger: AdminLedger, attention: ReadonlyArray<AttentionItem>) => {
  const ids = idsOf(attention.filter(({ operation }) => operation === "refundPayment")).slice(0, mostListedPayments)
  return Effect.map(
    Effect.forEach(
      ids,
      (paymentId) =>
        ledger.listRefunds(paymentId).pipe(
          Effect.map((refunds) => [[paymentId, refunds] as const]),
          Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed([]) }),
          Effect.catch(() => Effect.succeed([]))
        ),
      { concurrency: mostListedPayments }
    ),
    (all) => all.flat()
  )
}

/** The payments with these ids that the ledger has created. */
const paymentsOf = (ledger: AdminLedger, ids: ReadonlyArray<number>) =>
  ledger.listPayments({ paymentId: ids, limit: longestPage })

const comparison = <R>(
  parts: Parts,
  { wantsCsv = false, ...visitor }: Visitor & { readonly wantsCsv?: boolean },
  month: string,
  reconciliation: Effect.Effect<StatementReconciliation, { readonly message: string }, R>
): Effect.Effect<Response, never, R> =>
  Effect.matchEffect(reconciliation, {
    onSuccess: (found) =>
      wantsCsv
        ? Effect.succeed(csvResponse(`${month}.csv`, monthCsv(visitor.language, found)))
        : page(parts, visitor, { compared: { month, found } }),
    onFailure: ({ message }) =>
      page(parts, visitor, {
        compared: { month, problem: `${textsOf(visitor.language).noStatement}: ${message}` }
      })
  })

/** A table to be saved as a file. Without the byte order mark Excel would assume another encoding. */
const csvResponse = (name: string, text: string): Response =>
  new Response(`\uFEFF${text}\r\n`, {
    headers: {
      ...plain,
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}"`
    }
  })

const upload = <R>(
  parts: Parts,
  request: AdminRequest,
  operator: string | undefined,
  reconcile: NonNullable<Options<never, R>["reconcileFile"]>
) =>
  Effect.gen(function* () {
    const form = yield* Effect.orElseSucceed(
      Effect.tryPromise(() => formOf(request)),
      () => undefined
    )
    if (form === undefined) return refusal(400)
    const visitor = { language: languageOf(form.get("lang"), request), operator }
    const file = form.get("statement")
    if (file === null || typeof file === "string" || file.size === 0) {
      return yield* page(parts, visitor, { problem: textsOf(visitor.language).noFile, status: 400 })
    }
    if (file.size > maxFile) return refusal(413)
    const bytes = new Uint8Array(yield* Effect.promise(() => file.arrayBuffer()))
    return yield* comparison(parts, visitor, "", reconcile(bytes))
  })

const decide = (parts: Parts, request: AdminRequest, operator: string) =>
  Effect.gen(function* () {
    if (!/^application\/x-www-form-urlencoded\b/i.test(contentTypeOf(request))) return refusal(415)
    const body = yield* Effect.promise(() => request.text())
    if (body.length > maxForm) return refusal(413)
    const form = new URLSearchParams(body)
    const visitor = { language: languageOf(form.get("lang"), request), operator }
    const { missing, notDecided, partlyDecided } = textsOf(visitor.language)
    const field = (name: string): string => (form.get(name) ?? "").trim()
    const [as, key, note] = [field("as"), form.get("key") ?? "", field("note")]
    const several = form.getAll("item")
    const isOne = several.length === 0
    const given = isOne ? [`${field("kind")} ${field("version")} ${key}`.trimStart()] : several
    const items = given.flatMap(itemIn)
    if (!isDecision(as) || note === "" || items.length < given.length) {
      const draft = isOne ? { key, as, note } : undefined
      const about = isOne ? `${key}: ` : ""
      return yield* page(parts, visitor, { problem: `${notDecided}: ${about}${missing}`, draft, status: 400 })
    }
    // A decision may fit only some of several items. The others are left unchanged, and reported.
    const id = (name: string): string => (isOne ? field(name) : "")
    const [, failures] = yield* Effect.partition(items, (item) =>
      Effect.mapError(decided(parts.ledger, as, item, { by: operator, note }, id), (failure) => ({ ...item, failure }))
    )
    const [first] = failures
    if (first === undefined) {
      const decided = items.slice(0, mostDecided).map(({ key }) => ["decided", key])
      return seeOther([["lang", visitor.language], ...decided])
    }
    const { message, reason } = first.failure
    const problems = isOne ? message : failures.map(({ failure, key }) => `${key}: ${failure.message}`).join(" ")
    const status = !isOne || reason._tag === "NotResolved" ? 409 : reason._tag === "InvalidArgument" ? 400 : 503
    const count = items.length - failures.length
    const heading = count === 0 ? notDecided : partlyDecided(count, items.length)
    return yield* page(parts, visitor, { problem: `${heading}: ${problems}`, status })
  })

/** The item that is decided about, with the version that the operator has seen. */
type Item = Pick<ChangeResolution, "kind" | "version"> & { readonly key: string }

/** The item in a text of the form for several items; empty if the text is not one. */
const itemIn = (text: string): ReadonlyArray<Item> => {
  const [, name, version, key] = /^(?:([A-Za-z]+) )?(\d+) (.+)$/s.exec(text) ?? []
  const kind = attentionKinds.find((one) => one === name)
  return key === undefined || kind !== name ? [] : [{ key, kind, version: Number(version) }]
}

const decided = (
  ledger: AdminLedger,
  as: Decision,
  { key, kind, version }: Item,
  signed: Pick<ChangeResolution, "by" | "note">,
  idIn: (field: string) => string
): Effect.Effect<unknown, AdminFailure> => {
  if (as === "acknowledge") return ledger.acknowledgeRefund(idIn("payment"), idIn("refund"), signed)
  const resolution = { ...signed, kind, version }
  if (isPaymentKey(key)) {
    return isPaymentDecision(as) ? ledger.resolvePayment(key, { ...resolution, as }) : unfit(as, paymentDecisionNames)
  }
  if (!isChangeDecision(as)) return unfit(as, changeDecisionNames)
  // The form sends the number of a refund or a charge whatever decision is chosen.
  const id = (name: string) => ((as === "done" || as === "byHand") && idIn(name) !== "" ? idIn(name) : undefined)
  return ledger.resolveChange(key, { ...resolution, as, refundId: id("refund"), chargeId: id("charge") })
}

/** The decision does not fit the item. */
const unfit = (as: Decision, fitting: ReadonlyArray<Decision>): Effect.Effect<never, AdminFailure> =>
  Effect.fail({ message: unfitDecision(as, fitting), reason: { _tag: "NotResolved" } })

const isMonth = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(text)

/** The month before a time, in a time zone. */
const lastMonth = (timeZone: string, millis: number): string => {
  const [year = 0, month = 0] = dayIn(timeZone, millis).split("-").map(Number)
  return month === 1 ? `${year - 1}-12` : `${year}-${String(month - 1).padStart(2, "0")}`
}

/** The first and the last day of a month. */
const periodOf = (month: string) => {
  const [year = 0, number = 0] = month.split("-").map(Number)
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return { from: `${month}-01`, to: `${month}-${last}` }
}

const plain = {
  "cache-control": "no-store",
  // With `no-referrer`, browsers would hide the origin of a form.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY"
}

/** Redirects back to the page, by its own address. */
const seeOther = (query: Array<Array<string>>): Response =>
  new Response(null, { status: 303, headers: { ...plain, location: `?${new URLSearchParams(query)}` } })

/** That someone may not see the page or decide on it. Who that is, it does not know, so it says so in the browser's language. */
const forbidden = (request: AdminRequest): Response =>
  new Response(textsOf(languageOf(null, request)).forbidden, {
    status: 403,
    headers: { ...plain, "content-type": "text/plain; charset=utf-8" }
  })

const refusal = (status: number): Response =>
  new Response(null, { status, headers: { ...plain, ...(status === 405 ? { allow: "GET, HEAD, POST" } : undefined) } })
