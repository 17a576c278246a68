/**
 * The pay page, and the script that opens it over a merchant's page.
 *
 * Every step is a plain form: it is sent, the payment changes, and the browser is redirected to a page that depends
 * only on the payment. Form data goes no further than this module. Forms carry no token against cross-site requests:
 * anyone who knows the secret address of the page may act on the payment, which is not a real one.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { GatewayLanguages, PaymentSubStates, type PaymentSubState } from "../../contract/CodeLists.js"
import { moneyText } from "../../html/Money.js"
import { embedScript } from "./EmbedScript.js"
import type { Engine } from "../server/Engine.js"
import { instrumentsIn } from "../books/InstrumentCatalogue.js"
import type { EventContext } from "../books/EventContext.js"
import type { MeansOfPayment, PayerActionRefused, PayerControls } from "../server/PayerControls.js"
import { allowsRetry, isOpen, lastDecline, mayBePaidLate, offers, type Payment } from "../books/Payment.js"
import { merchantControls, type MerchantActionRefused } from "../server/MerchantControls.js"
import { isPageLanguage, pageTexts, slovakInstruments, type PageLanguage } from "./PayPageTexts.js"
import {
  cardFields,
  leftPage,
  openPage,
  overPage,
  processedPage,
  threeDSecurePage,
  type CardField,
  type OfferedInstrument,
  type PayPageView
} from "./PayPageView.js"
import { day } from "../books/Times.js"
import { basePath } from "../server/BasePath.js"
import { payPagePath } from "../server/Responses.js"
import { returnAddress, webOrigin } from "./ReturnAddress.js"
import type { Route } from "../server/Routes.js"
import { controlPrefix } from "./ControlApi.js"
import { newestPayments } from "../server/NewestPayments.js"
import { unknownAddressPage } from "../server/UnknownAddressPage.js"
import { settings, type NotificationTiming, type LocalGatewaySettings } from "../books/LocalGatewaySettings.js"
import { isTestCardNumber, testCardNumbers, type TestCardNumber } from "../books/TestCards.js"
import { ownMember } from "../../basics/OwnMember.js"

type Response = HttpServerResponse.HttpServerResponse

/** A visit to the page of a payment. */
interface Visit {
  readonly engine: Engine
  readonly controls: PayerControls
  readonly payment: Payment
  readonly eventContext: EventContext
  readonly query: (name: string) => string | undefined
  readonly headers: { readonly [name: string]: string | undefined }
}

type Form = URLSearchParams

// ---------------------------------------------------------------------------------------------------------------------
// Views
// ---------------------------------------------------------------------------------------------------------------------

/** The language to which the payer has switched. */
const switchedLanguage = ({ query }: Visit): PageLanguage | undefined => {
  const language = query("lang")
  return isPageLanguage(language) ? language : undefined
}

/** The language of the order, or English if the page does not exist in it. */
const orderedLanguage = ({ engine, payment }: Visit): PageLanguage => {
  const ordered = (payment.order.lang ?? engine.settings.defaultLanguage).toLowerCase()
  return isPageLanguage(ordered) ? ordered : "en"
}

/** The name of the order's language, if the local gateway has no page in it and the payer has not chosen one. */
const missingLanguage = (visit: Visit): string | undefined => {
  const { lang = "" } = visit.payment.order
  if (isPageLanguage(lang.toLowerCase()) || switchedLanguage(visit) !== undefined) return undefined
  return ownMember(GatewayLanguages, lang.toUpperCase())
}

/** The language to which the page links: English; and from English, the order's own or Czech. */
const otherLanguage = (visit: Visit): PageLanguage => {
  if (languageOf(visit) !== "en") return "en"
  const ordered = orderedLanguage(visit)
  return ordered === "en" ? "cs" : ordered
}

const languageOf = (visit: Visit): PageLanguage => switchedLanguage(visit) ?? orderedLanguage(visit)

const instrumentsFor = (payment: Payment): ReadonlyArray<OfferedInstrument> =>
  instrumentsIn(payment.order.currency)
    .enabledPaymentInstruments.filter(({ paymentInstrument }) => offers(payment, paymentInstrument))
    .map(({ label, paymentInstrument }) => ({
      code: paymentInstrument,
      label: { ...label, sk: ownMember(slovakInstruments, paymentInstrument) ?? label.en }
    }))

const isOffered = (payment: Payment, instrument: string): boolean =>
  instrumentsFor(payment).some(({ code }) => code === instrument)

/** The payer's choice, else the order's default, else the first. */
const shownInstrument = (
  { instrument, order }: Payment,
  instruments: ReadonlyArray<OfferedInstrument>
): OfferedInstrument | undefined => {
  const wanted = [instrument, order.payer?.default_payment_instrument]
  return wanted.map((code) => instruments.find((offered) => offered.code === code)).find(Boolean) ?? instruments[0]
}

/** In an address, a test card is identified by its last four digits. */
const cardEnding = (ending: string | undefined | null): TestCardNumber | undefined =>
  testCardNumbers.find((number) => number.slice(-4) === ending)

/** The typed expiry, to be shown again: only digits and separators. */
const expiryLike = (text: string | undefined | null): string | undefined =>
  text !== undefined && text !== null && /^[\d\s/.-]{1,7}$/.test(text) ? text : undefined

/** The address of the page. The language and the frame are passed on from address to address. */
const pageAddress = (visit: Visit, query: { readonly [name: string]: string } = {}): string => {
  const inline = webOrigin(visit.query("inline"))
  const lang = switchedLanguage(visit)
  const all = new URLSearchParams({
    ...(inline === undefined ? {} : { inline }),
    ...(lang === undefined ? {} : { lang }),
    ...query
  }).toString()
  return `${basePath(visit.engine.url)}${payPagePath(visit.payment)}${all === "" ? "" : `?${all}`}`
}

/** The same page in another language. */
const translatedAddress = (visit: Visit, lang: PageLanguage): string => {
  const shown = ["step", "card", "problems", "expiry"].flatMap((name) => {
    const value = visit.query(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return pageAddress(visit, { ...Object.fromEntries(shown), lang })
}

/**
 * Where an open page polls the state of its payment. It is not one of the gateway's own addresses, which are logged.
 */
const standingPath = `${controlPrefix}/pay-page` as const

/** The state of a payment that a page shows: a page that shows another one is outdated. */
const standingOf = (payment: Payment, controls: PayerControls): string =>
  [
    payment.state,
    payment.subState,
    controls.isProcessed(payment) && "processed",
    controls.confirmationOf(payment) && "3ds"
  ]
    .filter(Boolean)
    .join(" ")

const viewOf = (visit: Visit): PayPageView => {
  const { controls, engine, headers, payment, query } = visit
  const { goid } = payment.order.target
  const instruments = instrumentsFor(payment)
  const problems = (query("problems") ?? "").split(",")
  const language = languageOf(visit)
  return {
    payment,
    shopName: engine.merchants.find((merchant) => merchant.goid === goid)?.name ?? String(goid),
    language,
    texts: pageTexts[language],
    amount: moneyText(payment.order.amount, payment.order.currency, language),
    otherLanguage: otherLanguage(visit),
    inline: webOrigin(query("inline")),
    address: (query) => pageAddress(visit, query),
    translatedAddress: (language) => translatedAddress(visit, language),
    instruments,
    shown: shownInstrument(payment, instruments),
    storedCard: engine.books.presentedCard(payment),
    card: cardEnding(query("card")) ?? (problems.includes("number") ? undefined : testCardNumbers[0]),
    problems: cardFields.filter((field) => problems.includes(field)),
    typedExpiry: expiryLike(query("expiry")),
    missingLanguage: missingLanguage(visit),
    dashboardAddress: `${basePath(engine.url)}/#/payments/${payment.id}`,
    newest: newestPayments(engine, { language, headers, besides: payment }),
    standing: standingOf(payment, controls),
    standingAddress: `${basePath(engine.url)}${standingPath}/${payment.payPage}`
  }
}

const show = (visit: Visit): Response => {
  const { controls, payment, query } = visit
  const view = viewOf(visit)
  if (!isOpen(payment)) return query("step") === "left" ? leftPage(view) : overPage(view)
  if (query("step") === "finished") return overPage(view)
  if (controls.isProcessed(payment)) return processedPage(view)
  // Another tab of the same payer is in the same step.
  const confirmation = query("step") === undefined ? controls.confirmationOf(payment) : undefined
  if (confirmation !== undefined) return threeDSecurePage({ ...view, card: confirmation.card })
  return query("step") === "3ds" && offers(payment, "PAYMENT_CARD") ? threeDSecurePage(view) : openPage(view)
}

// ---------------------------------------------------------------------------------------------------------------------
// Actions of the payer
// ---------------------------------------------------------------------------------------------------------------------

const redirect = (address: string): Response =>
  HttpServerResponse.redirect(address, {
    status: 303,
    headers: { "cache-control": "no-store", "referrer-policy": "same-origin" }
  })

const toPage = (visit: Visit, query?: { readonly [name: string]: string }): Response =>
  redirect(pageAddress(visit, query))

/**
 * Returns to the shop: an overlay leaves that to the page around it, and only http and https addresses are followed.
 */
const toShop = (visit: Visit): Effect.Effect<Response> => {
  const { id, order } = visit.payment
  const address = returnAddress(order.callback.return_url, id)
  if (address === undefined) return Effect.succeed(toPage(visit, { step: "finished" }))
  const isOverlay = webOrigin(visit.query("inline")) !== undefined
  return Effect.as(logPayer(visit, "returned"), isOverlay ? toPage(visit, { step: "finished" }) : redirect(address))
}

const logPayer = ({ engine, payment }: Visit, action: "threeDSecure" | "returned"): Effect.Effect<void> =>
  Effect.map(engine.now, (now) => engine.journal.add(now, { type: "payer", paymentId: payment.id, action }))

const notificationTimings = settings.notificationTiming.choices.filter((timing) => timing !== "varied")

const notificationTimingOf = (
  { notificationTiming }: LocalGatewaySettings,
  { random }: EventContext
): NotificationTiming =>
  notificationTiming === "varied"
    ? (notificationTimings[Math.floor(random.nextDoubleUnsafe() * notificationTimings.length)] ?? "notificationFirst")
    : notificationTiming

/** Waits until the shop has been notified, but no longer than its response may take. */
const notified = ({ engine, payment }: Visit): Effect.Effect<void> =>
  Effect.timeoutOption(
    engine.notifications.firstAttempts(payment.id),
    `${engine.settings.notificationTimeoutSeconds} seconds`
  ).pipe(Effect.asVoid)

/** Pays, and sends the payer back before or after the notification, depending on the settings. */
const pay = (visit: Visit, means: MeansOfPayment): Effect.Effect<Response, PayerActionRefused> =>
  Effect.gen(function* () {
    const { controls, engine, eventContext, payment } = visit
    const { settings } = engine
    switch (notificationTimingOf(settings, eventContext)) {
      case "notificationFirst":
        yield* controls.pay(payment.id, means)
        yield* notified(visit)
        return yield* toShop(visit)
      case "returnFirst":
        engine.notifications.hold(payment.id, settings.returnLeadSeconds)
        yield* controls.pay(payment.id, means)
        return yield* toShop(visit)
      case "whilePending":
        yield* controls.payLater(payment.id, means, settings.returnLeadSeconds)
        return yield* toShop(visit)
      case "never":
        yield* controls.pay(payment.id, means)
        return toPage(visit, { step: "left" })
    }
  })

/** The payer ends the payment without paying. After a declined attempt, the sub-state keeps its reason. */
const cancel = (visit: Visit): Effect.Effect<Response, PayerActionRefused> =>
  Effect.gen(function* () {
    const { controls, payment } = visit
    const reason = lastDecline(payment)
    yield* reason === undefined ? controls.cancelPayment(payment.id) : controls.declinePayment(payment.id, reason)
    yield* notified(visit)
    return yield* toShop(visit)
  })

const decline = (visit: Visit, subState: PaymentSubState): Effect.Effect<Response, PayerActionRefused> =>
  Effect.gen(function* () {
    const { controls, engine, payment } = visit
    if (allowsRetry(payment, engine.settings)) {
      yield* controls.declineAttempt(payment.id, subState)
      return toPage(visit)
    }
    yield* controls.declinePayment(payment.id, subState)
    yield* notified(visit)
    return yield* toShop(visit)
  })

/** Whether a card is valid until a month such as `12/39`, `12 / 2039` or `1239` that has not ended. */
const isMonthFromNow = (text: string, now: number): boolean => {
  const [, month = "", year = ""] = /^(0[1-9]|1[0-2])\s*[/.-]?\s*(?:20)?(\d\d)$/.exec(text.trim()) ?? []
  return `20${year}-${month}` >= day(now).slice(0, 7) && month !== ""
}

/** The card of a form and its wrong fields. A number that is not a test card's is not kept. */
const typedCard = (
  form: Form,
  now: number
): { readonly card: TestCardNumber | undefined; readonly problems: ReadonlyArray<CardField> } => {
  const field = (name: CardField) => form.get(name) ?? ""
  const number = field("number").replaceAll(/[\s-]/g, "")
  const isRight = {
    number: isTestCardNumber(number),
    expiry: isMonthFromNow(field("expiry"), now),
    cvc: /^\d{3,4}$/.test(field("cvc").trim())
  }
  return {
    card: isTestCardNumber(number) ? number : undefined,
    problems: cardFields.filter((name) => !isRight[name])
  }
}

/** An attempt to pay. A card must be valid, and the attempt is marked as begun before it ends. */
const attempt = (
  visit: Visit,
  form: Form,
  end: (means: MeansOfPayment) => Effect.Effect<Response, PayerActionRefused>
): Effect.Effect<Response, PayerActionRefused> =>
  Effect.gen(function* () {
    const { controls, engine, eventContext, payment } = visit
    const instrument = form.get("method")
    if (instrument === null || !isOffered(payment, instrument)) return toPage(visit)
    const chosen = cardEnding(form.get("card"))
    const needsCard =
      instrument === "PAYMENT_CARD" && chosen === undefined && engine.books.presentedCard(payment) === undefined
    const typed = needsCard ? typedCard(form, eventContext.now) : { card: chosen, problems: [] }
    const { card, problems } = typed
    if (problems.length > 0) {
      const known = card === undefined ? {} : { card: card.slice(-4) }
      const expiry = problems.includes("expiry") ? expiryLike(form.get("expiry")) : undefined
      return toPage(visit, { ...known, problems: problems.join(","), ...(expiry === undefined ? {} : { expiry }) })
    }
    // An attempt after a declined one counts as new.
    const isBegun = payment.instrument === instrument && lastDecline(payment) === undefined
    if (!isBegun) yield* controls.choosePaymentMethod(payment.id, instrument)
    return yield* end({ instrument, card })
  })

const askForThreeDSecure = (visit: Visit, means: MeansOfPayment): Effect.Effect<Response, PayerActionRefused> =>
  Effect.gen(function* () {
    const { card } = means
    yield* visit.controls.askForConfirmation(visit.payment.id, means)
    yield* logPayer(visit, "threeDSecure")
    return toPage(visit, { step: "3ds", ...(card === undefined ? {} : { card: card.slice(-4) }) })
  })

const act = (
  visit: Visit,
  action: string,
  form: Form
): Effect.Effect<Response, PayerActionRefused | MerchantActionRefused> => {
  const { controls, payment } = visit
  const [name, argument = ""] = action.split(":", 2)
  const shownAfter = (done: Effect.Effect<Payment, PayerActionRefused>) => Effect.map(done, () => toPage(visit))
  switch (name) {
    case "choose":
      if (!isOffered(payment, argument)) break
      return shownAfter(controls.choosePaymentMethod(payment.id, argument))
    case "approve":
      return attempt(visit, form, (means) => pay(visit, means))
    case "threeDSecure":
      return attempt(visit, form, (means) => askForThreeDSecure(visit, means))
    case "decline":
      if (!Object.hasOwn(PaymentSubStates, argument)) break
      return attempt(visit, form, () => decline(visit, argument))
    case "leave":
      return toShop(visit)
    case "lateTransfer":
      if (!mayBePaidLate(payment)) break
      return shownAfter(controls.payByBankTransfer(payment.id))
    case "orderAgain":
      // A payment that is still open can be paid itself.
      if (isOpen(payment)) break
      return Effect.map(merchantControls(visit.engine).orderAgain(String(payment.id)), (again) =>
        toPage({ ...visit, payment: again })
      )
    case "cancel":
      return cancel(visit)
    case "timeOut":
      return shownAfter(controls.timeOutPayment(payment.id))
    case undefined:
    default:
      return Effect.succeed(show(visit))
  }
  return Effect.succeed(toPage(visit))
}

// ---------------------------------------------------------------------------------------------------------------------
// Routes
// ---------------------------------------------------------------------------------------------------------------------

const visitPage = (engine: Engine, controls: PayerControls) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const parameters = yield* HttpRouter.params
    const search = yield* HttpServerRequest.ParsedSearchParams
    const eventContext = yield* engine.eventContext("payer")
    const payment = engine.books.paymentAtPage(parameters["page"] ?? "")
    if (payment === undefined) return unknownAddressPage(engine, request.headers)
    const visit: Visit = {
      engine,
      controls,
      payment,
      eventContext,
      query: (name) => [ownMember(search, name)].flat()[0],
      headers: request.headers
    }
    if (request.method !== "POST") return show(visit)
    if (controls.isProcessed(payment)) return toPage(visit)
    const form = new URLSearchParams(yield* Effect.orElseSucceed(request.text, () => ""))
    // A merchant's form also opens the page by POST, with its own fields.
    return yield* act(visit, form.get("payer_action") ?? "", form).pipe(
      // The payment has changed since the page was loaded; the new page shows how.
      Effect.catch(() => Effect.succeed(toPage(visit)))
    )
  })

const sendStanding = (engine: Engine, controls: PayerControls) =>
  Effect.gen(function* () {
    const { page = "" } = yield* HttpRouter.params
    yield* engine.eventContext("payer")
    const payment = engine.books.paymentAtPage(page)
    return payment === undefined
      ? HttpServerResponse.empty({ status: 404 })
      : HttpServerResponse.text(standingOf(payment, controls), { headers: { "cache-control": "no-store" } })
  })

const sendEmbedScript = HttpServerResponse.text(embedScript, {
  contentType: "text/javascript; charset=utf-8",
  headers: {
    "cache-control": "no-store",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff"
  }
})

/** Routes of the pay page and of the script that opens it over a merchant's page. */
export const payPageRoutes = (engine: Engine, controls: PayerControls): ReadonlyArray<Route> => [
  ...(["v3", "v4"] as const).flatMap((api) => [
    HttpRouter.route("GET", `/gw/${api}/:page`, visitPage(engine, controls)),
    HttpRouter.route("POST", `/gw/${api}/:page`, visitPage(engine, controls))
  ]),
  HttpRouter.route("GET", `${standingPath}/:page`, sendStanding(engine, controls)),
  HttpRouter.route("GET", "/gp-gw/js/embed.js", sendEmbedScript)
]
