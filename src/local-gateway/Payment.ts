/**
 * A payment in the books, and the rules by which it moves from state to state.
 *
 * Every rule is a function from a payment to the payment after it, or to the refusal that the gateway answers. The
 * order of checks is that of recorded answers and of the official SDKs' tests where they show one, else our guess.
 */
import * as Result from "effect/Result"
import type { PaymentStates, PreauthorizationStates, RecurrenceStates } from "../api/CodeLists.js"
import type { BankAccountResponse, ContactResponse } from "../api/Messages.js"
import type { PaymentOrder } from "./LenientRequest.js"
import { refusal, refusedFields, type Refusal } from "./Refusal.js"
import type { Card } from "./TestCards.js"

/** A card in the books: stored at the payer's consent, to pay with again. */
export interface StoredCard {
  readonly id: number
  readonly goid: number
  readonly card: Card
  readonly token: string
  readonly fingerprint: string
  readonly status: "ACTIVE" | "DELETED"
}

/** A payment in the books. Amounts are integers in minor units. */
export interface Payment {
  readonly id: number
  /** The first payment of the recurrence that this one is a charge of. */
  readonly parentId: number | undefined
  readonly order: PaymentOrder
  /** The last part of the pay page's address. */
  readonly payPage: string
  readonly state: keyof typeof PaymentStates
  readonly subState: string | undefined
  readonly instrument: string | undefined
  /** The card that it was paid with. */
  readonly card: Card | undefined
  /** The same card, where it is stored. */
  readonly storedCard: StoredCard | undefined
  /** The bank account that it was paid from. */
  readonly bankAccount: BankAccountResponse | undefined
  /** The payer's country, ISO 3166-1 alpha-3: the gateway learns it when they pay. */
  readonly country: string | undefined
  readonly recurrence: keyof typeof RecurrenceStates | undefined
  readonly preauthorization: keyof typeof PreauthorizationStates | undefined
  /** What the merchant got: all, or what was captured. */
  readonly received: number
  readonly refunded: number
}

/** A payment as it begins. */
export const newPayment = (id: number, order: PaymentOrder, payPage: string, parentId?: number): Payment => ({
  id,
  parentId,
  order,
  payPage,
  state: "CREATED",
  subState: undefined,
  instrument: parentId === undefined ? undefined : "PAYMENT_CARD",
  card: undefined,
  storedCard: undefined,
  bankAccount: undefined,
  country: undefined,
  recurrence: order.recurrence === undefined ? undefined : "REQUESTED",
  preauthorization: order.preauthorization === true ? "REQUESTED" : undefined,
  received: 0,
  refunded: 0
})

/** How to reach the payer: as ordered, with the country that the gateway has learned. */
export const contactOf = ({ country, order }: Payment): ContactResponse | undefined => {
  const contact = order.payer?.contact
  return country === undefined ? contact : { ...contact, country_code: contact?.country_code ?? country }
}

// ---------------------------------------------------------------------------------------------------------------------
// What the payer does
// ---------------------------------------------------------------------------------------------------------------------

/** Whether the payer can still do something about it. */
export const isOpen = ({ state }: Payment): boolean => state === "CREATED" || state === "PAYMENT_METHOD_CHOSEN"

/** Whether the pay page offers an instrument: all, unless the order names some; only a card can be held. */
export const offers = ({ order, preauthorization }: Payment, instrument: string): boolean => {
  const allowed = order.payer?.allowed_payment_instruments ?? []
  return (
    (allowed.length === 0 || allowed.includes(instrument)) &&
    (preauthorization === undefined || instrument === "PAYMENT_CARD")
  )
}

/** The payer has chosen how to pay; a transfer is paid later (`_102`), anything else at once (`_101`). */
export const methodChosen = (payment: Payment, instrument: string): Payment => ({
  ...payment,
  state: "PAYMENT_METHOD_CHOSEN",
  subState: instrument === "BANK_ACCOUNT" ? "_102" : "_101",
  instrument
})

/** The payer has paid by card: the amount is held when it was to be, else received; a requested recurrence starts. */
export const paidByCard = (payment: Payment, card: Card, storedCard: StoredCard | undefined): Payment => {
  const held = payment.preauthorization !== undefined
  return {
    ...payment,
    state: held ? "AUTHORIZED" : "PAID",
    subState: payment.order.amount === 0 ? "_5001" : undefined,
    instrument: "PAYMENT_CARD",
    card,
    storedCard,
    country: card.issuerCountry,
    recurrence: payment.recurrence === undefined ? undefined : "STARTED",
    preauthorization: held ? "AUTHORIZED" : undefined,
    received: held ? 0 : payment.order.amount
  }
}

/** The payer's bank transfer has come. It starts no recurrence: only a card can be charged again. */
export const paidByBankTransfer = (payment: Payment, bankAccount: BankAccountResponse): Payment => ({
  ...payment,
  state: "PAID",
  subState: "_3002",
  instrument: "BANK_ACCOUNT",
  bankAccount,
  country: "CZE",
  received: payment.order.amount
})

/** The gateway has charged the stored card for one more payment of a recurrence. */
export const charged = (child: Payment): Payment => ({ ...child, state: "PAID", received: child.order.amount })

/** The payment was declined; the sub-state says why. */
export const declined = (payment: Payment, subState: string): Payment => ({
  ...payment,
  state: "CANCELED",
  subState,
  instrument: payment.instrument ?? "PAYMENT_CARD"
})

/** The payer has cancelled it. */
export const canceled = (payment: Payment): Payment => ({ ...payment, state: "CANCELED", subState: "_5043" })

/** The payer did not pay in time. */
export const timedOut = (payment: Payment): Payment => ({ ...payment, state: "TIMEOUTED", subState: undefined })

// ---------------------------------------------------------------------------------------------------------------------
// What the merchant does
// ---------------------------------------------------------------------------------------------------------------------

/** Captures a held amount, wholly (`"all"`) or in part; the rest is released. */
export const capture = (
  payment: Payment | undefined,
  requested: Result.Result<number | "all", Refusal>
): Result.Result<Payment, Refusal> =>
  Result.gen(function* () {
    if (payment?.preauthorization === "CAPTURED") return yield* Result.fail(refusal(351))
    if (payment?.preauthorization !== "AUTHORIZED") return yield* Result.fail(refusal(350))
    const amount = yield* requested
    if (amount !== "all" && amount > payment.order.amount) {
      return yield* Result.fail(refusal(332, `At most ${payment.order.amount} can be captured.`))
    }
    return {
      ...payment,
      state: "PAID",
      preauthorization: "CAPTURED",
      received: amount === "all" ? payment.order.amount : amount
    }
  })

/** Releases a held amount. */
export const voidAuthorization = (payment: Payment | undefined): Result.Result<Payment, Refusal> => {
  if (payment?.preauthorization === "CANCELED") return Result.fail(refusal(353))
  if (payment?.preauthorization !== "AUTHORIZED") return Result.fail(refusal(352))
  return Result.succeed({ ...payment, state: "CANCELED", preauthorization: "CANCELED" })
}

/** Returns money to the payer: once, or bit by bit until all is returned. A recurrence goes on. */
export const refund = (
  payment: Payment | undefined,
  requested: Result.Result<number, Refusal>
): Result.Result<Payment, Refusal> =>
  Result.gen(function* () {
    if (payment === undefined) return yield* Result.fail(refusedFields([{ code: 111, field: "id" }]))
    const amount = yield* requested
    if (payment.state !== "PAID" && payment.state !== "PARTIALLY_REFUNDED") return yield* Result.fail(refusal(303))
    const refunded = payment.refunded + amount
    if (refunded > payment.received) {
      return yield* Result.fail(refusal(332, `At most ${payment.received - payment.refunded} can be refunded.`))
    }
    return { ...payment, state: refunded === payment.received ? "REFUNDED" : "PARTIALLY_REFUNDED", refunded }
  })

/** Stops a recurrence. */
export const stopRecurrence = (payment: Payment | undefined): Result.Result<Payment, Refusal> =>
  Result.map(startedRecurrence(payment), (parent) => ({ ...parent, recurrence: "STOPPED" }))

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
