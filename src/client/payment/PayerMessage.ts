/**
 * Messages for the payer in Czech, Slovak and English.
 */
import { afterLoss, type ChangeFacts, changeFactsOf } from "../../contract/ChangeFacts.js"
import type { PaymentSubStates } from "../../contract/CodeLists.js"

/** The languages that messages for the payer exist in. */
export type PayerLanguage = "cs" | "sk" | "en"

/**
 * The payer's next step, to choose a button or a link by.
 *
 * - `nothing`: it is settled.
 * - `continue`: the same payment can still be made. Link to its `gw_url`.
 * - `wait`: no one knows yet. Offer no payment: the payer could pay twice.
 * - `payAgain`: offer a new payment.
 * - `tryAgain`: the same step can be taken again in a while, and charges no one twice.
 * - `contactShop`: the shop has to check. Say how to reach you.
 */
export type PayerStep = "nothing" | "continue" | "wait" | "payAgain" | "tryAgain" | "contactShop"

/** A message for the payer: plain text, without codes, and not escaped for HTML. */
export interface PayerMessage {
  /** The event, in a few words: a heading. */
  readonly title: string
  /** Its meaning and the next step, in one to three sentences. */
  readonly text: string
  /** The same for the page's own logic. */
  readonly nextStep: PayerStep
}

/**
 * A message to the payer about a payment, an order of a ledger or an error: what happened and what to do now, without codes, without blame,
 * and never an invitation to pay twice.
 *
 * ```ts
 * try {
 *   const { payment } = await gateway.verifyPayment(request.url, orders.byPaymentId)
 *   return page(payerMessage(payment, "cs"))
 * } catch (error) {
 *   return page(payerMessage(error, "cs"))
 * }
 * ```
 *
 * For a payment, the state decides, and a known sub-state says why; an unknown state of the gateway's is being checked. For an order, its
 * `status`. For a `GatewayError`, the reason and the operation: after `OutcomeUnknown` the payer is asked not to pay
 * again, except after that of a `createPayment` without a stored card: no one has the address of the lost payment, so no one
 * pays it. For a `NotificationError`, its reason. Where the text says that the shop will get in touch, do so. Whatever else is
 * handed over is answered with a request to reload the page.
 *
 * Sends nothing, and never throws. An unknown language is English.
 */
export const payerMessage = (subject: unknown, language: PayerLanguage): PayerMessage => {
  const { because, situation } = situationOf(subject)
  const texts = situations[situation]
  const [title, text] = texts[languageOf(language)]
  const why = because === undefined ? undefined : reasons[because][languageOf(language)]
  return { title, text: why === undefined ? text : `${why} ${text}`, nextStep: texts.nextStep }
}

const languageOf = (language: unknown): PayerLanguage => {
  const name = typeof language === "string" ? language.toLowerCase() : ""
  return name === "cs" || name === "sk" ? name : "en"
}

type Situation = keyof typeof situations

type Reason = keyof typeof reasons

interface Finding {
  readonly situation: Situation
  readonly because?: Reason | undefined
}

const situationOf = (subject: unknown): Finding => {
  try {
    return findingOf(subject)
  } catch {
    return { situation: "notKnown" }
  }
}

const findingOf = (value: unknown): Finding => {
  const tag = field(value, "_tag")
  const reason = field(value, "reason")
  if (tag === "GatewayError") return ofGatewayError(field(value, "operation"), reason)
  if (tag === "NotificationError") return { situation: isStranger(field(reason, "_tag")) ? "notFound" : "cannotCheck" }
  const state = field(value, "state")
  if (typeof state === "string") return ofPayment(state, field(value, "sub_state"))
  return { situation: typeof field(value, "orderNumber") === "string" ? ofOrder(field(value, "status")) : "notKnown" }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

// ---------------------------------------------------------------------------------------------------------------------
// Payments
// ---------------------------------------------------------------------------------------------------------------------

const ofPayment = (state: string, subState: unknown): Finding => {
  switch (state) {
    case "CREATED":
      return { situation: "notPaidYet" }
    case "PAYMENT_METHOD_CHOSEN":
      return { situation: subState === "_102" ? "awaitingTransfer" : subState === "_5045" ? "checking" : "unfinished" }
    case "PAID":
      return { situation: "paid" }
    case "AUTHORIZED":
      return { situation: "authorized" }
    case "REFUNDED":
      return { situation: "refunded" }
    case "PARTIALLY_REFUNDED":
      return { situation: "partlyRefunded" }
    case "CANCELED":
      return closed("canceled", subState)
    case "TIMEOUTED":
      return closed("timedOut", subState)
    default:
      // A state that the gateway has and we do not know yet. A text in any other spelling is the state of something
      // else.
      return { situation: /^[A-Z][A-Z_]*$/.test(state) ? "checking" : "notKnown" }
  }
}

const orders: ReadonlyMap<unknown, Situation> = new Map<unknown, Situation>([
  ["open", "notPaidYet"],
  ["authorized", "authorized"],
  ["paid", "paid"],
  ["partiallyRefunded", "partlyRefunded"],
  ["refunded", "refunded"],
  ["closed", "notCompleted"],
  ["expired", "timedOut"],
  ["withdrawn", "withdrawn"],
  ["changed", "changed"],
  ["pending", "preparing"],
  ["inDoubt", "checking"]
])

const ofOrder = (status: unknown): Situation => orders.get(status) ?? "notKnown"

type SubState = keyof typeof PaymentSubStates

/** A payment that was apparently not made. Some sub-states say that money is still on its way. */
const closed = (situation: "canceled" | "timedOut", subState: unknown): Finding => {
  const special = entryWith(differing, subState)
  if (special !== undefined) return { situation: special }
  const because = entryWith(declined, subState)
  if (situation === "timedOut") return { situation, because }
  // Some sub-states say that the money has arrived or is on its way, and the meaning of others is unknown: then the
  // payer is not asked to pay again.
  const isOver = because !== undefined || isMissing(subState) || notMade.some((known) => known === subState)
  return isOver ? { situation, because: because ?? "other" } : { situation: "checking" }
}

const isMissing = (subState: unknown): boolean => subState === undefined || subState === null || subState === ""

/** Sub-states that say that nothing was paid, without a reason that the payer could use. */
const notMade: ReadonlyArray<SubState> = ["_5023", "_5025", "_5027", "_5028", "_5038"]

const entryWith = <Name extends string>(
  lists: { readonly [name in Name]?: ReadonlyArray<SubState> },
  subState: unknown
): Name | undefined => {
  for (const name in lists) {
    if (lists[name]?.some((known) => known === subState)) return name
  }
  return undefined
}

const differing: { readonly [situation in Situation]?: ReadonlyArray<SubState> } = {
  paidLate: ["_5047"],
  otherAmount: ["_5026", "_5046"],
  perhapsTwice: ["_5040", "_5041"],
  paymentFailed: ["_5020"]
}

const declined: { readonly [reason in Reason]?: ReadonlyArray<SubState> } = {
  limit: ["_5002", "_5021"],
  funds: ["_5006"],
  blocked: ["_5005", "_5039"],
  expired: ["_5007"],
  securityCode: ["_5008"],
  cardNumber: ["_5013"],
  unverified: ["_5009", "_5015", "_5017", "_5018", "_5019", "_6502", "_6504"],
  issuer: ["_5003", "_5004", "_5010", "_5011", "_5014", "_5036"],
  unsuitable: ["_5016", "_5035"],
  technical: ["_5012", "_5022", "_5031"],
  bank: ["_3003", "_5042"],
  cancelled: ["_5037", "_5043"],
  late: ["_5024"],
  textMessage: ["_5033", "_5044"]
}

// ---------------------------------------------------------------------------------------------------------------------
// Errors
// ---------------------------------------------------------------------------------------------------------------------

/** A wrong id, or one that belongs to someone else. */
const isStranger = (tag: unknown): boolean =>
  tag === "InvalidNotification" || tag === "UnknownPayment" || tag === "PaymentMismatch"

const ofGatewayError = (operation: unknown, reason: unknown): Finding => {
  const askedFor = changeFactsOf(operation)?.payerAskedFor
  const isRequest = askedFor === "something else"
  switch (field(reason, "_tag")) {
    case "OutcomeUnknown":
      if (isRequest) return { situation: "checkingRequest" }
      return { situation: mayBePaid(operation, field(reason, "change")) ? "checking" : "paymentLater" }
    case "PaymentNotFound":
      return { situation: "notFound" }
    case "CardNotFound":
      return { situation: "cardGone" }
    case "GatewayUnavailable":
    case "RateLimited":
      if (askedFor === "a payment") return { situation: "paymentLater" }
      return { situation: isRequest ? "requestLater" : "cannotCheck" }
    case "OperationRefused":
      if (field(reason, "goalReached") === true) return { situation: "doneBefore" }
      return definite(askedFor)
    case "InvalidRequest":
    case "AuthenticationFailed":
    case "PermissionDenied":
    case "UnexpectedResponse":
      return definite(askedFor)
    default:
      return { situation: "cannotCheck" }
  }
}

/** Whether the payer's money may have been taken. If an error has no record, it is unknown what it was about. */
const mayBePaid = (operation: unknown, change: unknown): boolean =>
  field(change, "operation") !== operation ||
  afterLoss(operation, field(change, "usesStoredCard") === true) === "findOut"

const definite = (askedFor: ChangeFacts["payerAskedFor"] | undefined): Finding => {
  if (askedFor === undefined) return { situation: "cannotCheck" }
  return { situation: askedFor === "a payment" ? "paymentFailed" : "requestFailed" }
}

// ---------------------------------------------------------------------------------------------------------------------
// Texts
// ---------------------------------------------------------------------------------------------------------------------

interface Texts extends Readonly<Record<PayerLanguage, readonly [title: string, text: string]>> {
  readonly nextStep: PayerStep
}

const texts = <Name extends string>(texts: Readonly<Record<Name, Texts>>): Readonly<Record<Name, Texts>> => texts

/** A payment that has ended, although money may be on its way. */
const perhapsSent: Readonly<Record<PayerLanguage, string>> = {
  cs: "Pokud jste peníze už odeslali, neplaťte prosím znovu: jakmile dorazí, ozveme se vám. Jinak můžete zaplatit znovu.",
  sk: "Ak ste peniaze už odoslali, neplaťte, prosím, znova: hneď ako dorazia, ozveme sa vám. Inak môžete zaplatiť znova.",
  en: "If you have already sent the money, please do not pay again: we will get in touch when it arrives. Otherwise you can start a new payment."
}

const situations = texts({
  notPaidYet: {
    cs: ["Čekáme na zaplacení", "Platba zatím není dokončená. Můžete v ní pokračovat na platební stránce."],
    sk: ["Čakáme na zaplatenie", "Platba zatiaľ nie je dokončená. Môžete v nej pokračovať na platobnej stránke."],
    en: ["Not paid yet", "Your payment is not finished yet. You can continue on the payment page."],
    nextStep: "continue"
  },
  unfinished: {
    cs: [
      "Platba zatím není dokončená",
      "Pokud jste ji už potvrdili, neplaťte prosím znovu; dáme vám vědět, jak dopadla. Jinak ji můžete dokončit na platební stránce."
    ],
    sk: [
      "Platba zatiaľ nie je dokončená",
      "Ak ste ju už potvrdili, neplaťte, prosím, znova; dáme vám vedieť, ako dopadla. Inak ju môžete dokončiť na platobnej stránke."
    ],
    en: [
      "Your payment is not finished yet",
      "If you have already confirmed it, please do not pay again; we will let you know the result. Otherwise you can finish it on the payment page."
    ],
    nextStep: "continue"
  },
  awaitingTransfer: {
    cs: [
      "Čekáme na převod",
      "Jakmile peníze dorazí, dáme vám vědět. Pokud jste je už odeslali, neplaťte prosím znovu; převod může trvat několik dní."
    ],
    sk: [
      "Čakáme na prevod",
      "Hneď ako peniaze dorazia, dáme vám vedieť. Ak ste ich už odoslali, neplaťte, prosím, znova; prevod môže trvať niekoľko dní."
    ],
    en: [
      "Waiting for your transfer",
      "We will let you know as soon as the money arrives. If you have already sent it, please do not pay again; a transfer can take a few days."
    ],
    nextStep: "wait"
  },
  paid: {
    cs: ["Zaplaceno", "Děkujeme, vaši platbu jsme přijali."],
    sk: ["Zaplatené", "Ďakujeme, vašu platbu sme prijali."],
    en: ["Paid", "Thank you, we have received your payment."],
    nextStep: "nothing"
  },
  authorized: {
    cs: [
      "Platba je potvrzená",
      "Částka je na vaší kartě zatím jen rezervovaná a strhne se později. Nemusíte dělat nic dalšího."
    ],
    sk: [
      "Platba je potvrdená",
      "Suma je na vašej karte zatiaľ len rezervovaná a strhne sa neskôr. Nemusíte robiť nič ďalšie."
    ],
    en: [
      "Your payment is confirmed",
      "For now the amount is only reserved on your card, and will be charged later. There is nothing else you need to do."
    ],
    nextStep: "nothing"
  },
  refunded: {
    cs: ["Platba je vrácená", "Vrátili jsme vám celou částku. Na účet může dorazit až za několik dní."],
    sk: ["Platba je vrátená", "Vrátili sme vám celú sumu. Na účet môže prísť až o niekoľko dní."],
    en: ["Your payment has been refunded", "We have returned the whole amount. It can take a few days to reach you."],
    nextStep: "nothing"
  },
  partlyRefunded: {
    cs: ["Část platby je vrácená", "Vrátili jsme vám část částky. Na účet může dorazit až za několik dní."],
    sk: ["Časť platby je vrátená", "Vrátili sme vám časť sumy. Na účet môže prísť až o niekoľko dní."],
    en: [
      "Part of your payment has been refunded",
      "We have returned part of the amount. It can take a few days to reach you."
    ],
    nextStep: "nothing"
  },
  canceled: {
    cs: ["Platba neproběhla", "Můžete to zkusit znovu nebo zvolit jiný způsob platby."],
    sk: ["Platba neprebehla", "Môžete to skúsiť znova alebo si zvoliť iný spôsob platby."],
    en: ["The payment did not go through", "You can try again or choose another way to pay."],
    nextStep: "payAgain"
  },
  timedOut: {
    cs: ["Čas na zaplacení vypršel", perhapsSent.cs],
    sk: ["Čas na zaplatenie uplynul", perhapsSent.sk],
    en: ["The time to pay has run out", perhapsSent.en],
    nextStep: "payAgain"
  },
  notCompleted: {
    cs: ["Platba nebyla dokončena", perhapsSent.cs],
    sk: ["Platba nebola dokončená", perhapsSent.sk],
    en: ["The payment was not completed", perhapsSent.en],
    nextStep: "payAgain"
  },
  withdrawn: {
    cs: ["Objednávku už nelze zaplatit", "Objednávka byla zrušena. Pokud jste ji už zaplatili, ozvěte se nám prosím."],
    sk: [
      "Objednávku už nie je možné zaplatiť",
      "Objednávka bola zrušená. Ak ste ju už zaplatili, ozvite sa nám, prosím."
    ],
    en: [
      "This order can no longer be paid",
      "The order was cancelled. If you have already paid for it, please contact us."
    ],
    nextStep: "contactShop"
  },
  changed: {
    cs: [
      "Objednávka se změnila",
      "Existuje k ní už platba na jinou částku nebo s jinými podmínkami. Než zaplatíte, ozvěte se nám prosím."
    ],
    sk: [
      "Objednávka sa zmenila",
      "Existuje k nej už platba na inú sumu alebo s inými podmienkami. Skôr než zaplatíte, ozvite sa nám, prosím."
    ],
    en: [
      "The order has changed",
      "There is already a payment for it, for a different amount or on other terms. Please contact us before you pay."
    ],
    nextStep: "contactShop"
  },
  preparing: {
    cs: ["Platbu připravujeme", "Ještě není připravená. Zkuste to prosím za chvíli znovu."],
    sk: ["Platbu pripravujeme", "Ešte nie je pripravená. Skúste to, prosím, o chvíľu znova."],
    en: ["We are preparing your payment", "It is not ready yet. Please try again in a moment."],
    nextStep: "tryAgain"
  },
  paidLate: {
    cs: ["Platba dorazila po termínu", "Neplaťte prosím znovu, ozveme se vám."],
    sk: ["Platba dorazila po termíne", "Neplaťte, prosím, znova, ozveme sa vám."],
    en: ["Your payment arrived late", "Please do not pay again, we will get in touch with you."],
    nextStep: "wait"
  },
  otherAmount: {
    cs: ["Přišla jiná částka", "Neplaťte prosím znovu a ozvěte se nám, společně to vyřešíme."],
    sk: ["Prišla iná suma", "Neplaťte, prosím, znova a ozvite sa nám, spoločne to vyriešime."],
    en: ["A different amount arrived", "Please do not pay again. Contact us, and we will sort it out together."],
    nextStep: "contactShop"
  },
  perhapsTwice: {
    cs: [
      "Možná už máte zaplaceno",
      "Podle banky jde o opakování dřívější platby. Než zaplatíte znovu, ozvěte se nám prosím."
    ],
    sk: [
      "Možno už máte zaplatené",
      "Podľa banky ide o opakovanie skoršej platby. Skôr než zaplatíte znova, ozvite sa nám, prosím."
    ],
    en: [
      "You may have paid already",
      "The bank took this payment for a repeat of an earlier one. Please contact us before you pay again."
    ],
    nextStep: "contactShop"
  },
  checking: {
    cs: ["Platbu ověřujeme", "Zatím nevíme, zda proběhla. Neplaťte prosím znovu: ověřujeme to a dáme vám vědět."],
    sk: ["Platbu overujeme", "Zatiaľ nevieme, či prebehla. Neplaťte, prosím, znova: overujeme to a dáme vám vedieť."],
    en: [
      "We are checking your payment",
      "We do not know yet whether it went through. Please do not pay again: we are checking, and will let you know."
    ],
    nextStep: "wait"
  },
  checkingRequest: {
    cs: [
      "Váš požadavek ověřujeme",
      "Zatím nevíme, zda byl vyřízen. Nezadávejte ho prosím znovu: ověřujeme to a dáme vám vědět."
    ],
    sk: [
      "Vašu požiadavku overujeme",
      "Zatiaľ nevieme, či bola vybavená. Nezadávajte ju, prosím, znova: overujeme to a dáme vám vedieť."
    ],
    en: [
      "We are checking your request",
      "We do not know yet whether it was carried out. Please do not send it again: we are checking, and will let you know."
    ],
    nextStep: "wait"
  },
  cannotCheck: {
    cs: [
      "Stav platby teď nemůžeme ověřit",
      "Pokud jste už zaplatili, neplaťte prosím znovu. Zkuste stránku za chvíli načíst znovu, nebo počkejte, až se vám ozveme."
    ],
    sk: [
      "Stav platby teraz nevieme overiť",
      "Ak ste už zaplatili, neplaťte, prosím, znova. Skúste stránku o chvíľu načítať znova, alebo počkajte, kým sa vám ozveme."
    ],
    en: [
      "We cannot check your payment right now",
      "If you have already paid, please do not pay again. Reload the page in a moment, or wait to hear from us."
    ],
    nextStep: "wait"
  },
  notKnown: {
    cs: [
      "Platbu teď nemůžeme zobrazit",
      "Zkuste prosím stránku za chvíli načíst znovu. Pokud se to opakuje, ozvěte se nám."
    ],
    sk: [
      "Platbu teraz nevieme zobraziť",
      "Skúste, prosím, stránku o chvíľu načítať znova. Ak sa to opakuje, ozvite sa nám."
    ],
    en: [
      "We cannot show your payment right now",
      "Please reload the page in a moment. If you see this again, contact us."
    ],
    nextStep: "wait"
  },
  notFound: {
    cs: [
      "Platbu jsme nenašli",
      "Nepodařilo se nám ji přiřadit k objednávce. Pokud jste zaplatili, neplaťte prosím znovu a ozvěte se nám."
    ],
    sk: [
      "Platbu sme nenašli",
      "Nepodarilo sa nám ju priradiť k objednávke. Ak ste zaplatili, neplaťte, prosím, znova a ozvite sa nám."
    ],
    en: [
      "We could not find the payment",
      "We could not match it to an order. If you have paid, please do not pay again, and contact us."
    ],
    nextStep: "contactShop"
  },
  paymentLater: {
    cs: ["Platbu teď nelze provést", "Nic jsme vám nestrhli. Zkuste to prosím za chvíli znovu."],
    sk: ["Platbu teraz nie je možné uskutočniť", "Nič sme vám nestrhli. Skúste to, prosím, o chvíľu znova."],
    en: ["The payment cannot be made right now", "You have not been charged. Please try again in a moment."],
    nextStep: "tryAgain"
  },
  paymentFailed: {
    cs: ["Platbu se nepodařilo provést", "Omlouváme se. Zkuste prosím jiný způsob platby, nebo se nám ozvěte."],
    sk: [
      "Platbu sa nepodarilo uskutočniť",
      "Ospravedlňujeme sa. Skúste, prosím, iný spôsob platby, alebo sa nám ozvite."
    ],
    en: ["The payment could not be made", "We are sorry. Please choose another way to pay, or contact us."],
    nextStep: "contactShop"
  },
  requestLater: {
    cs: ["Požadavek teď nelze vyřídit", "Nic se nezměnilo. Zkuste to prosím za chvíli znovu."],
    sk: ["Požiadavku teraz nie je možné vybaviť", "Nič sa nezmenilo. Skúste to, prosím, o chvíľu znova."],
    en: ["Your request cannot be carried out right now", "Nothing has changed. Please try again in a moment."],
    nextStep: "tryAgain"
  },
  requestFailed: {
    cs: ["Požadavek se nepodařilo vyřídit", "Nic se nezměnilo. Ozvěte se nám prosím."],
    sk: ["Požiadavku sa nepodarilo vybaviť", "Nič sa nezmenilo. Ozvite sa nám, prosím."],
    en: ["Your request could not be carried out", "Nothing has changed. Please contact us."],
    nextStep: "contactShop"
  },
  doneBefore: {
    cs: ["Už je vyřízeno", "Nemusíte dělat nic dalšího."],
    sk: ["Už je vybavené", "Nemusíte robiť nič ďalšie."],
    en: ["This has already been done", "There is nothing else you need to do."],
    nextStep: "nothing"
  },
  cardGone: {
    cs: ["Uložená karta už není k dispozici", "Při platbě prosím zadejte údaje karty znovu."],
    sk: ["Uložená karta už nie je k dispozícii", "Pri platbe, prosím, zadajte údaje karty znova."],
    en: ["The saved card is no longer available", "Please enter the card's details again when you pay."],
    nextStep: "payAgain"
  }
})

/** Reasons why a payment was not made, each a sentence that precedes the rest of the text. */
const reasons = {
  limit: {
    cs: "Platba přesahuje limit karty, který si můžete upravit ve své bance.",
    sk: "Platba presahuje limit karty, ktorý si môžete upraviť vo svojej banke.",
    en: "The payment is over the card's limit, which you can change with your bank."
  },
  funds: {
    cs: "Na účtu nebyl dostatek peněz.",
    sk: "Na účte nebol dostatok peňazí.",
    en: "There was not enough money in the account."
  },
  blocked: {
    cs: "Karta je zablokovaná; více vám řekne banka, která ji vydala.",
    sk: "Karta je zablokovaná; viac vám povie banka, ktorá ju vydala.",
    en: "The card is blocked; the bank that issued it can tell you more."
  },
  expired: {
    cs: "Platnost karty skončila.",
    sk: "Platnosť karty sa skončila.",
    en: "The card has expired."
  },
  securityCode: {
    cs: "Bezpečnostní kód karty (CVV/CVC) nesouhlasil.",
    sk: "Bezpečnostný kód karty (CVV/CVC) nesúhlasil.",
    en: "The card's security code (CVV/CVC) did not match."
  },
  cardNumber: {
    cs: "Číslo karty nesouhlasilo.",
    sk: "Číslo karty nesúhlasilo.",
    en: "The card number did not match."
  },
  unverified: {
    cs: "Vaše banka platbu neověřila (3-D Secure).",
    sk: "Vaša banka platbu neoverila (3-D Secure).",
    en: "Your bank did not verify the payment (3-D Secure)."
  },
  issuer: {
    cs: "Banka, která kartu vydala, platbu zamítla.",
    sk: "Banka, ktorá kartu vydala, platbu zamietla.",
    en: "The bank that issued the card declined the payment."
  },
  unsuitable: {
    cs: "Touto kartou platbu provést nelze.",
    sk: "Touto kartou nie je možné platbu uskutočniť.",
    en: "This card cannot be used for the payment."
  },
  technical: {
    cs: "V bance nastaly technické potíže.",
    sk: "V banke nastali technické problémy.",
    en: "The bank had technical difficulties."
  },
  bank: {
    cs: "Banka převod zamítla.",
    sk: "Banka prevod zamietla.",
    en: "The bank declined the transfer."
  },
  cancelled: {
    cs: "Platba byla zrušena.",
    sk: "Platba bola zrušená.",
    en: "The payment was cancelled."
  },
  late: {
    cs: "Platba nebyla potvrzena včas.",
    sk: "Platba nebola potvrdená včas.",
    en: "The payment was not confirmed in time."
  },
  textMessage: {
    cs: "Ověřovací SMS nebyla doručena.",
    sk: "Overovacia SMS nebola doručená.",
    en: "The text message with the code was not delivered."
  },
  other: {
    cs: "Platba byla zamítnuta nebo zrušena.",
    sk: "Platba bola zamietnutá alebo zrušená.",
    en: "The payment was declined or cancelled."
  }
} as const satisfies Readonly<Record<string, Readonly<Record<PayerLanguage, string>>>>
