/**
 * A payment in the books, and the rules by which it moves from state to state.
 *
 * Every rule is a function from a payment to its next version, or to a refusal. The order of checks follows recordings
 * and the official SDKs' tests where they show one; otherwise it is our guess.
 */
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import type {
  PaymentStates,
  PreauthorizationStates,
  RecurrenceStates,
  ThreeDSecureResults
} from "../../contract/CodeLists.js"
import { durationText } from "../../basics/DurationText.js"
import { moneyText } from "../../html/Money.js"
import { canonicalId } from "../../contract/CanonicalId.js"
import type { BankAccountResponse, PayerContactResponse, Eet } from "../../contract/Messages.js"
import { randomHex, type EventContext } from "./EventContext.js"
import type { PaymentOrder } from "./RequestDecoder.js"
import type { Customer } from "./RequestDecoderV4.js"
import { isGivenUp } from "./GivenUp.js"
import { midnightAfter, zoned } from "./Times.js"
import { refusal, refusedFields, type Refusal } from "./Refusal.js"
import type { LocalGatewaySettings } from "./LocalGatewaySettings.js"
import type { Card } from "./TestCards.js"

/** A card in the books, stored with the payer's consent for later payments. */
export interface StoredCard {
  readonly id: number
  readonly goid: number
  readonly card: Card
  readonly token: string
  readonly fingerprint: string
  readonly status: "ACTIVE" | "DELETED"
}

/** An operation of the merchant on a payment; its result is `FINISHED`, `ACCEPTED` or `FAILED`. */
export type Operation =
  | { readonly type: "refund"; readonly amount: number; readonly refundId: number }
  | { readonly type: "capture"; readonly amount: number }
  | { readonly type: "voidAuthorization" }
  | { readonly type: "voidRecurrence" }

/** An accepted operation, which will be done or fail later; or a refused refund, which is listed until it fails. */
export interface AcceptedOperation {
  readonly operation: Operation
  /** When it ends, in milliseconds since 1970. */
  readonly endsAt: number
  readonly end: "finished" | "failed" | "refused"
}

/** The last attempt to pay a payment of API v4 by card or by a wallet. */
export interface ChargeV4 {
  readonly id: number
  readonly state: "SUCCEEDED" | "FAILED"
  /** The sub-state with the reason of the failure. */
  readonly reason: string | undefined
}

/** The members that only a payment of API v4 has. */
export interface OfV4 {
  /** A secret, with which the payer's browser gets a token for this payment. */
  readonly secret: string
  readonly customer: Customer
  /** The recurrence that it belongs to. */
  readonly recurrenceId: number | undefined
  /** When its QR code was last requested. */
  readonly qrRequestedAt: number | undefined
  readonly charge: ChargeV4 | undefined
}

/** A payment in the books. Amounts are integers in minor units, times in milliseconds since 1970. */
export interface Payment {
  readonly id: number
  /** For a charge of a recurrence: its first payment. */
  readonly parentId: number | undefined
  readonly order: PaymentOrder
  /** The last part of the pay page's address. */
  readonly payPage: string
  readonly state: keyof typeof PaymentStates
  readonly subState: string | undefined
  readonly instrument: string | undefined
  /** The card that it was paid with. */
  readonly card: Card | undefined
  /** The same card, if it is stored. */
  readonly storedCard: StoredCard | undefined
  /** The token and the 3-D Secure result that are shown with the card. */
  readonly cardToken: string | undefined
  readonly threeDSecure: keyof typeof ThreeDSecureResults | undefined
  /** The bank account that it was paid from. */
  readonly bankAccount: BankAccountResponse | undefined
  /** The payer's country, ISO 3166-1 alpha-3, which the gateway learns when they pay. */
  readonly country: string | undefined
  readonly recurrence: keyof typeof RecurrenceStates | undefined
  readonly preauthorization: keyof typeof PreauthorizationStates | undefined
  /** The money that the merchant received: the whole amount, or what was captured. */
  readonly received: number
  readonly refunded: number
  readonly createdAt: number
  /** When the payer chose how to pay: the chosen method has its own time limit. */
  readonly chosenAt: number | undefined
  /** When the amount was held. */
  readonly authorizedAt: number | undefined
  /** When the merchant received the money. */
  readonly receivedAt: number | undefined
  /** When the recurrence started. */
  readonly startedAt: number | undefined
  /** How often the gateway itself has charged the recurrence. */
  readonly charges: number
  /** The codes of the Czech sales registration, as recorded of a payment of 2019. */
  readonly eetCode: Eet | undefined
  /** The operations that are neither done nor failed yet, oldest first. */
  readonly accepted: ReadonlyArray<AcceptedOperation>
  /** The members of a payment of API v4; absent in v3. */
  readonly v4: OfV4 | undefined
}

/** A payment as it begins. */
export const newPayment = (
  id: number,
  order: PaymentOrder,
  payPage: string,
  createdAt: number,
  parentId?: number
): Payment => ({
  id,
  parentId,
  order,
  payPage,
  state: "CREATED",
  subState: undefined,
  instrument: parentId === undefined ? undefined : "PAYMENT_CARD",
  card: undefined,
  storedCard: undefined,
  cardToken: undefined,
  threeDSecure: undefined,
  bankAccount: undefined,
  country: undefined,
  recurrence: order.recurrence === undefined ? undefined : "REQUESTED",
  preauthorization: order.preauthorization === true ? "REQUESTED" : undefined,
  received: 0,
  refunded: 0,
  createdAt,
  chosenAt: undefined,
  authorizedAt: undefined,
  receivedAt: undefined,
  startedAt: undefined,
  charges: 0,
  eetCode: undefined,
  accepted: [],
  v4: undefined
})

/** The payer's contact: as ordered, with the country that the gateway has learned. */
export const contactOf = ({ country, order, v4 }: Payment): PayerContactResponse | undefined => {
  const contact = v4 === undefined ? order.payer?.contact : Struct.omit(v4.customer, ["customer_id"])
  return country === undefined ? contact : { ...contact, country_code: contact?.country_code ?? country }
}

// ---------------------------------------------------------------------------------------------------------------------
// The payer
// ---------------------------------------------------------------------------------------------------------------------

/** The members that make a new payment one of API v4. */
export const ofV4 = (customer: Customer, eventContext: EventContext, recurrenceId?: number): OfV4 => ({
  secret: `ps_${randomHex(eventContext, 16)}`,
  customer,
  recurrenceId,
  qrRequestedAt: undefined,
  charge: undefined
})

/** Whether the payer can still act on it. */
export const isOpen = ({ state }: Payment): boolean => state === "CREATED" || state === "PAYMENT_METHOD_CHOSEN"

/**
 * Whether the pay page offers an instrument: all, unless the order lists some. Only a card can be held or charged
 * again.
 */
export const offers = ({ order, preauthorization }: Payment, instrument: string): boolean => {
  const allowed = order.payer?.allowed_payment_instruments ?? []
  return (
    (allowed.length === 0 || allowed.includes(instrument)) &&
    ((preauthorization === undefined && order.recurrence === undefined) || instrument === "PAYMENT_CARD")
  )
}

/** The payer has chosen how to pay; a transfer is paid later (`_102`), anything else at once (`_101`). */
export const methodChosen = (payment: Payment, instrument: string, now: number): Payment => ({
  ...payment,
  state: "PAYMENT_METHOD_CHOSEN",
  subState: instrument === "BANK_ACCOUNT" ? "_102" : "_101",
  instrument,
  chosenAt: now
})

/** The members of a stored card that a payment shows, besides those of any card. */
export const shownOf = (storedCard: StoredCard | undefined): Pick<Payment, "cardToken" | "threeDSecure"> => ({
  cardToken: storedCard?.token,
  threeDSecure: storedCard && "Y/Y"
})

/**
 * The payer has paid by card: the amount is held if that was requested, else received; a requested recurrence starts.
 */
export const paidByCard = (payment: Payment, card: Card, storedCard: StoredCard | undefined, now: number): Payment => {
  const held = payment.preauthorization !== undefined
  const starts = payment.recurrence === "REQUESTED"
  return {
    ...payment,
    state: held ? "AUTHORIZED" : "PAID",
    subState: payment.order.amount === 0 ? "_5001" : undefined,
    instrument: "PAYMENT_CARD",
    card,
    storedCard,
    ...shownOf(storedCard),
    country: card.issuerCountry,
    recurrence: starts ? "STARTED" : payment.recurrence,
    startedAt: starts ? now : undefined,
    preauthorization: held ? "AUTHORIZED" : undefined,
    authorizedAt: held ? now : undefined,
    received: held ? 0 : payment.order.amount,
    receivedAt: held ? undefined : now
  }
}

/** Whether a bank transfer may still arrive although the payment has timed out. */
export const mayBePaidLate = ({ instrument, state }: Payment): boolean =>
  state === "TIMEOUTED" && instrument === "BANK_ACCOUNT"

/** The payer's bank transfer has arrived, in time (`_3002`) or after the payment had timed out (`_5047`). */
export const paidByBankTransfer = (
  payment: Payment,
  bankAccount: BankAccountResponse | undefined,
  now: number
): Payment => ({
  ...payment,
  state: "PAID",
  subState: mayBePaidLate(payment) ? "_5047" : "_3002",
  instrument: "BANK_ACCOUNT",
  bankAccount,
  country: "CZE",
  received: payment.order.amount,
  receivedAt: now
})

/** The payer has paid with something that is neither a card nor a bank transfer. */
export const paidOtherwise = (payment: Payment, instrument: string, now: number): Payment => ({
  ...payment,
  state: "PAID",
  subState: undefined,
  instrument,
  received: payment.order.amount,
  receivedAt: now
})

/** The gateway has charged the stored card for one more payment of a recurrence. */
export const charged = (child: Payment, now: number): Payment => ({
  ...child,
  state: "PAID",
  received: child.order.amount,
  receivedAt: now
})

/** Whether the payer may try again after a declined attempt. A payment of API v4 ends with its failed charge. */
export const allowsRetry = (
  { v4 }: Payment,
  { declinedAttempt }: Pick<LocalGatewaySettings, "declinedAttempt">
): boolean => v4 === undefined && declinedAttempt === "allowsRetry"

/**
 * An attempt to pay was declined, and the payer may try again, except by API v4; the sub-state has the reason.
 */
export const attemptDeclined = (payment: Payment, subState: string, now: number): Payment =>
  payment.v4 === undefined
    ? {
        ...payment,
        state: "PAYMENT_METHOD_CHOSEN",
        subState,
        instrument: payment.instrument ?? "PAYMENT_CARD",
        chosenAt: payment.chosenAt ?? now
      }
    : declined(payment, subState)

/** The sub-state of the last attempt to pay, if it was declined and the payer may try again. */
export const lastDecline = ({ state, subState }: Payment): string | undefined =>
  state === "PAYMENT_METHOD_CHOSEN" && subState !== "_101" && subState !== "_102" ? subState : undefined

const chargedInstruments: ReadonlySet<string | undefined> = new Set(["PAYMENT_CARD", "GPAY", "APPLE_PAY"])

/** How the last attempt by card or wallet has ended, if there was one. */
const attemptOf = (payment: Payment): Pick<ChargeV4, "state" | "reason"> | undefined => {
  const { instrument, receivedAt, state, subState } = payment
  if (!chargedInstruments.has(instrument)) return undefined
  if (receivedAt !== undefined) return { state: "SUCCEEDED", reason: undefined }
  const reason = state === "CANCELED" && !isGivenUp(subState) ? subState : lastDecline(payment)
  return reason === undefined ? undefined : { state: "FAILED", reason }
}

/** A payment of API v4 with the charge of its last attempt. Each new charge has an id of its own. */
export const withCharge = (payment: Payment, takeId: () => number): Payment => {
  const { v4 } = payment
  const attempt = v4 === undefined ? undefined : attemptOf(payment)
  if (v4 === undefined || attempt === undefined) return payment
  const isKnown = v4.charge?.state === attempt.state && v4.charge.reason === attempt.reason
  return isKnown ? payment : { ...payment, v4: { ...v4, charge: { id: takeId(), ...attempt } } }
}

/** The payment was declined; the sub-state has the reason. */
export const declined = (payment: Payment, subState: string): Payment => ({
  ...payment,
  state: "CANCELED",
  subState,
  instrument: payment.instrument ?? "PAYMENT_CARD"
})

/** The payer has cancelled it. */
export const canceled = (payment: Payment): Payment => ({ ...payment, state: "CANCELED", subState: "_5043" })

/** The merchant has cancelled it, by API v4. */
export const canceledByMerchant = (payment: Payment): Payment => ({ ...payment, state: "CANCELED" })

/** The payer did not pay in time. */
export const timedOut = (payment: Payment): Payment => ({ ...payment, state: "TIMEOUTED", subState: undefined })

// ---------------------------------------------------------------------------------------------------------------------
// The merchant
// ---------------------------------------------------------------------------------------------------------------------

const isAccepted = ({ accepted }: Payment, ...types: ReadonlyArray<Operation["type"]>): boolean =>
  accepted.some(({ operation }) => types.includes(operation.type))

/** The sum that accepted refunds will return. */
const reserved = ({ accepted }: Payment): number =>
  accepted.reduce(
    (sum, { end, operation }) => sum + (operation.type === "refund" && end !== "refused" ? operation.amount : 0),
    0
  )

/** The amount that can still be refunded. */
export const refundable = (payment: Payment): number => payment.received - payment.refunded - reserved(payment)

/** A text with plain spaces, for an API. */
const unbroken = (text: string): string => text.replaceAll("\u00a0", " ")

/** An amount in both forms: `60.00 CZK (6000)`. */
const amountText = ({ order: { currency } }: Payment, minorUnits: number): string =>
  `${unbroken(moneyText(minorUnits, currency, "en"))} (${minorUnits})`

const beingProcessed = "An earlier request about it is still being processed."

/** The amount of a capture: everything that is held (`"all"`) or a part. */
export const amountToCapture = (
  payment: Payment | undefined,
  requested: Result.Result<number | "all", Refusal>
): Result.Result<{ readonly payment: Payment; readonly amount: number }, Refusal> =>
  Result.gen(function* () {
    if (payment?.preauthorization === "CAPTURED") return yield* Result.fail(refusal(351))
    if (payment?.preauthorization !== "AUTHORIZED") return yield* Result.fail(refusal(350))
    const amount = yield* requested
    if (amount !== "all" && amount > payment.order.amount) {
      return yield* Result.fail(refusal(332, `At most ${amountText(payment, payment.order.amount)} can be captured.`))
    }
    if (isAccepted(payment, "capture", "voidAuthorization")) return yield* Result.fail(refusal(350, beingProcessed))
    return { payment, amount: amount === "all" ? payment.order.amount : amount }
  })

/** The payment whose held amount can be released. */
export const releasable = (payment: Payment | undefined): Result.Result<Payment, Refusal> => {
  if (payment?.preauthorization === "CANCELED") return Result.fail(refusal(353))
  if (payment?.preauthorization !== "AUTHORIZED") return Result.fail(refusal(352))
  if (isAccepted(payment, "capture", "voidAuthorization")) return Result.fail(refusal(352, beingProcessed))
  return Result.succeed(payment)
}

/** The amount of a refund. A payment is refunded completely, or in parts until everything is returned. */
export const amountToRefund = (
  payment: Payment | undefined,
  id: string,
  requested: Result.Result<number, Refusal>,
  settings: LocalGatewaySettings,
  now: number
): Result.Result<{ readonly payment: Payment; readonly amount: number }, Refusal> =>
  Result.gen(function* () {
    const { partialRefundDelaySeconds, refundableForSeconds, unknownRefund } = settings
    if (payment === undefined) {
      return yield* Result.fail(
        unknownRefund === "byCheckDigit" && (canonicalId(id) ?? 1) % 13 === 0
          ? refusal(304)
          : refusedFields([{ code: 111, field: "id" }])
      )
    }
    const amount = yield* requested
    // Age wins over state: a refunded payment was recorded with 303 when it was young, and with 331 a year later.
    if (payment.receivedAt !== undefined && now - payment.receivedAt >= refundableForSeconds * 1000) {
      return yield* Result.fail(refusal(331))
    }
    if (payment.state !== "PAID" && payment.state !== "PARTIALLY_REFUNDED") return yield* Result.fail(refusal(303))
    if (amount > refundable(payment)) {
      return yield* Result.fail(refusal(332, `At most ${amountText(payment, refundable(payment))} can be refunded.`))
    }
    if (amount < payment.received && now < partRefundableFrom(payment, settings, now)) {
      return yield* Result.fail(refusal(330, partTooEarly(partialRefundDelaySeconds)))
    }
    return { payment, amount }
  })

/**
 * The time from which a part of a payment can be refunded, in milliseconds. A part of a payment of API v4 has to wait
 * at GoPay's sandbox only.
 */
export const partRefundableFrom = (
  { receivedAt, v4 }: Payment,
  { partialRefundDelaySeconds, v4Rows }: Pick<LocalGatewaySettings, "partialRefundDelaySeconds" | "v4Rows">,
  now: number
): number => (receivedAt ?? now) + (v4 === undefined || v4Rows === "sandbox2026" ? partialRefundDelaySeconds : 0) * 1000

/** Also says how to continue, since at GoPay one can only wait. */
const partTooEarly = (delaySeconds: number): string =>
  `A part can be refunded no earlier than ${unbroken(durationText(delaySeconds))} after the payment; the whole amount can be refunded at any time. ` +
  "Move the local gateway's time forward, by advanceTime, a test shop's advance or the dashboard, " +
  "or set partialRefundDelaySeconds to 0."

/** The payment whose recurrence can be stopped. */
export const stoppable = (
  payment: Payment | undefined,
  { voidUnpaidRecurrence }: LocalGatewaySettings
): Result.Result<Payment, Refusal> => {
  if (payment?.recurrence === "REQUESTED" && voidUnpaidRecurrence === "accepted") return Result.succeed(payment)
  return Result.filterOrFail(
    startedRecurrence(payment),
    (parent) => !isAccepted(parent, "voidRecurrence"),
    () => refusal(340, beingProcessed)
  )
}

/** The first payment of a recurrence that the merchant may charge. */
export const chargeable = (payment: Payment | undefined): Result.Result<Payment, Refusal> =>
  Result.filterOrFail(
    startedRecurrence(payment),
    (parent) => parent.order.recurrence?.recurrence_cycle === "ON_DEMAND",
    () => refusal(340, "The gateway itself charges this recurrence.")
  )

const startedRecurrence = (payment: Payment | undefined): Result.Result<Payment, Refusal> => {
  if (payment?.recurrence === "STOPPED") return Result.fail(refusal(342))
  return payment?.recurrence === "STARTED" ? Result.succeed(payment) : Result.fail(refusal(340))
}

// ---------------------------------------------------------------------------------------------------------------------
// Operations carried out
// ---------------------------------------------------------------------------------------------------------------------

/** The operation for a refund. */
export const refundOperation = ({ amount, id }: { readonly amount: number; readonly id: number }): Operation => ({
  type: "refund",
  amount,
  refundId: id
})

/** Adds an operation that was accepted and is still pending. */
export const withAccepted = (payment: Payment, accepted: AcceptedOperation): Payment => ({
  ...payment,
  accepted: [...payment.accepted, accepted]
})

/** The payment once the operation is no longer pending. */
export const withoutAccepted = (payment: Payment, ended: AcceptedOperation): Payment => ({
  ...payment,
  accepted: payment.accepted.filter((accepted) => accepted !== ended)
})

/** Releases a held amount: at the merchant's request, or because it was held for too long. */
export const released = (payment: Payment): Payment => ({
  ...payment,
  state: "CANCELED",
  preauthorization: "CANCELED"
})

export const recurrenceStopped = (payment: Payment): Payment => ({ ...payment, recurrence: "STOPPED" })

/**
 * The payment after the operation; `undefined` if the operation is no longer possible because something else has
 * happened to the payment since it was accepted. A refund does not end a recurrence.
 */
export const done = (payment: Payment, operation: Operation, now: number): Payment | undefined => {
  const isHeld = payment.preauthorization === "AUTHORIZED"
  switch (operation.type) {
    case "refund": {
      const refunded = payment.refunded + operation.amount
      return { ...payment, state: refunded === payment.received ? "REFUNDED" : "PARTIALLY_REFUNDED", refunded }
    }
    case "capture":
      return isHeld
        ? { ...payment, state: "PAID", preauthorization: "CAPTURED", received: operation.amount, receivedAt: now }
        : undefined
    case "voidAuthorization":
      return isHeld ? released(payment) : undefined
    case "voidRecurrence":
      return payment.recurrence === "STOPPED" ? undefined : recurrenceStopped(payment)
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Time
// ---------------------------------------------------------------------------------------------------------------------

/** The next event of a payment, if no one acts before. */
export type NextEvent =
  | { readonly type: "timeOut" | "release" | "charge" | "recurrenceEnd"; readonly at: number }
  | { readonly type: "operationEnd"; readonly at: number; readonly accepted: AcceptedOperation }

const cycles = {
  DAY: { unit: "days", leastDays: 1 },
  WEEK: { unit: "weeks", leastDays: 7 },
  MONTH: { unit: "months", leastDays: 28 }
} as const

const dayMillis = 24 * 3600 * 1000

/**
 * The next charge of the recurrence, or its end. Charges keep the time of day of the start and are counted from the
 * first day: a recurrence that began on the 31st is charged on the 28th of February, and on the 31st of March again.
 */
const nextOfRecurrence = (payment: Payment): NextEvent | undefined => {
  const { recurrence } = payment.order
  if (recurrence === undefined || payment.recurrence !== "STARTED" || payment.startedAt === undefined) return undefined
  const { recurrence_cycle, recurrence_date_to, recurrence_period = 1 } = recurrence
  const lastDay = Date.parse(recurrence_date_to)
  if (recurrence_cycle !== "ON_DEMAND") {
    const { leastDays, unit } = cycles[recurrence_cycle]
    const count = recurrence_period * (payment.charges + 1)
    // A time beyond the end may exceed the range of any calendar.
    if (payment.startedAt + count * leastDays * dayMillis < lastDay + dayMillis) {
      const at = DateTime.toEpochMillis(DateTime.add(zoned(payment.startedAt), { [unit]: count }))
      // The end of the day in Prague only matters on the last UTC day, and is expensive to compute.
      if (at < lastDay || at < midnightAfter(recurrence_date_to)) return { type: "charge", at }
    }
  }
  return { type: "recurrenceEnd", at: midnightAfter(recurrence_date_to) }
}

/** One hour to choose how to pay a payment of API v4: our guess, since no source says it. */
const timeToPayV4Millis = 3600 * 1000

/** Four days from the request for the QR code, according to GoPay's types of September 2026. */
const timeToPayByQrMillis = 4 * dayMillis

/** The deadline to pay. If the payment's QR code was requested, not before that of the code. */
const timeOutAt = (payment: Payment, settings: LocalGatewaySettings): number => {
  const qrRequestedAt = payment.v4?.qrRequestedAt
  const byMethod = methodTimeOutAt(payment, settings)
  return qrRequestedAt === undefined ? byMethod : Math.max(byMethod, qrRequestedAt + timeToPayByQrMillis)
}

/** The deadline to choose how to pay, or the deadline of the chosen method. */
const methodTimeOutAt = ({ chosenAt, createdAt, instrument, v4 }: Payment, settings: LocalGatewaySettings): number => {
  if (chosenAt === undefined) {
    return createdAt + (v4 === undefined ? settings.timeToPaySeconds * 1000 : timeToPayV4Millis)
  }
  switch (instrument) {
    case "PAYMENT_CARD":
      return chosenAt + settings.timeToPayByCardSeconds * 1000
    case "BANK_ACCOUNT":
      return chosenAt + settings.timeToPayByTransferSeconds * 1000
    case undefined:
    default:
      return chosenAt + settings.timeToPayOtherwiseSeconds * 1000
  }
}

/** The next event of a payment, if no one acts before. If several are due at the same time, the first in this order. */
export const nextEvent = (payment: Payment, settings: LocalGatewaySettings): NextEvent | undefined => {
  const events: Array<NextEvent> = payment.accepted.map((accepted) => ({
    type: "operationEnd",
    at: accepted.endsAt,
    accepted
  }))
  if (isOpen(payment)) events.push({ type: "timeOut", at: timeOutAt(payment, settings) })
  if (payment.state === "AUTHORIZED" && payment.authorizedAt !== undefined) {
    events.push({ type: "release", at: payment.authorizedAt + settings.authorizationLifetimeSeconds * 1000 })
  }
  const ofRecurrence = nextOfRecurrence(payment)
  if (ofRecurrence !== undefined) events.push(ofRecurrence)
  return events.reduce<NextEvent | undefined>(
    (first, event) => (first === undefined || event.at < first.at ? event : first),
    undefined
  )
}
