/**
 * Converts a seed into the contents of the books, and back.
 *
 * Fields that a seed omits are filled in here, so a payment needs only an amount, a currency and a state. An exported
 * seed is complete: it reads back into the same contents.
 */
import * as Arr from "effect/Array"
import * as Struct from "effect/Struct"
import type { BankAccountResponse } from "../../contract/Messages.js"
import { withoutUndefined } from "../../basics/Nulls.js"
import { idsOfCards, idsOfPayments, type BooksContent, type Movement, type Refund } from "./Books.js"
import { isoTime, timeFrom } from "./Times.js"
import { randomBase64, randomHex, type EventContext } from "./EventContext.js"
import {
  ofV4,
  refundOperation,
  shownOf,
  withCharge,
  type AcceptedOperation,
  type OfV4,
  type Operation,
  type Payment,
  type StoredCard
} from "./Payment.js"
import type { RecurrenceV4 } from "./RecurrenceV4.js"
import { hasReceived, preauthorizationOf, receivedFor, refundsOf, SeedIndex } from "./SeedChecks.js"
import type { SeedCard, SeedContent, SeedPayment, SeedRecurrenceV4 } from "./SeedSchema.js"
import type { LocalGatewaySettings } from "./LocalGatewaySettings.js"
import { cardMembers, payerBankAccount, testCards, type Card } from "./TestCards.js"

// ---------------------------------------------------------------------------------------------------------------------
// Into the books
// ---------------------------------------------------------------------------------------------------------------------

/** The sources of the values that a seed omits. */
interface Filling {
  readonly index: SeedIndex
  readonly eventContext: EventContext
  readonly settings: LocalGatewaySettings
  readonly cards: ReadonlyMap<number, StoredCard>
  readonly takePaymentId: () => number
}

/** Makes the contents of the books from a seed. Durations are relative to the time of the event context. */
export const booksOf = (
  seed: SeedContent,
  eventContext: EventContext,
  settings: LocalGatewaySettings
): BooksContent => {
  const { payments = [], recurrences = [] } = seed
  const takenIds = [
    ...payments.flatMap(({ id, refunds = [], v4 }) => [id, v4?.charge?.id, ...refunds.map((refund) => refund.id)]),
    ...recurrences.map(({ id }) => id)
  ]
  const index = new SeedIndex(seed)
  const cards = storedCards(seed, index, eventContext)
  const filling: Filling = {
    index,
    eventContext,
    settings,
    cards: new Map(cards.map((card) => [card.id, card] as const)),
    takePaymentId: idsOfPayments(takenIds.filter(isGiven))
  }
  const filled = payments.map((payment, place) => filledPayment(payment, place, filling))
  const entered = filled.map(({ payment }) => payment)
  const refunds = filled.flatMap((entry) => entry.refunds)
  return {
    payments: entered,
    cards,
    refunds,
    movements: movementsOf(entered, refunds),
    recurrences: recurrences.map((recurrence) => recurrenceFrom(recurrence, index.firstGoid))
  }
}

const isGiven = (id: number | undefined): id is number => id !== undefined

const recurrenceFrom = (
  { goid, id, payment, recurrence_date_to, schedule, stop_reason, type }: SeedRecurrenceV4,
  firstGoid: number
): RecurrenceV4 => ({
  id,
  goid: goid ?? firstGoid,
  type,
  schedule,
  dateTo: recurrence_date_to,
  template: payment,
  stopReason: stop_reason
})

const ofV4From = ({ v4 }: SeedPayment, { eventContext }: Filling): Payment["v4"] => {
  if (v4 === undefined) return undefined
  const { charge, customer, payment_secret, qr_requested_at, recurrence_id } = v4
  const made = ofV4(customer, eventContext, recurrence_id)
  return {
    ...made,
    secret: payment_secret ?? made.secret,
    qrRequestedAt: qr_requested_at === undefined ? undefined : timeFrom(eventContext.now, qr_requested_at),
    charge: charge && { id: charge.id, state: charge.state, reason: charge.sub_state }
  }
}

type CardMembers = Pick<
  SeedCard,
  "card_number" | "card_expiration" | "card_brand" | "card_issuer_country" | "card_issuer_bank"
>

const cardFrom = (members: CardMembers): Card => {
  const [visa, electron] = testCards
  const test = members.card_number === electron.number ? electron : visa
  return {
    number: test.number,
    expiration: members.card_expiration ?? test.expiration,
    brand: members.card_brand ?? test.brand,
    issuerCountry: members.card_issuer_country ?? test.issuerCountry,
    issuerBank: members.card_issuer_bank ?? test.issuerBank
  }
}

const storedCards = (
  { cards = [] }: SeedContent,
  { firstGoid }: SeedIndex,
  eventContext: EventContext
): ReadonlyArray<StoredCard> => {
  const takeId = idsOfCards(cards.map(({ card_id }) => card_id).filter(isGiven))
  return cards.map((card) => ({
    id: card.card_id ?? takeId(),
    goid: card.goid ?? firstGoid,
    card: cardFrom(card),
    token: card.card_token ?? randomBase64(eventContext, 48),
    fingerprint: card.card_fingerprint ?? randomHex(eventContext, 32),
    status: card.status ?? "ACTIVE"
  }))
}

const orderOf = (payment: SeedPayment, place: number, index: SeedIndex): Payment["order"] => {
  const { additional_params, amount, currency, items, lang, order_description, recurrence } = payment
  const parent = index.parentOf(payment)
  const payer = payment.payer && Struct.omit(payment.payer, ["bank_account", "card_id", "payment_card"])
  return withoutUndefined({
    amount,
    currency,
    order_number: payment.order_number ?? `order-${place + 1}`,
    callback: payment.callback ?? parent?.callback ?? { return_url: "http://localhost/" },
    target: payment.target ?? { type: "ACCOUNT" as const, goid: index.goidOf(payment) },
    payer,
    order_description,
    items,
    additional_params,
    lang,
    preauthorization: preauthorizationOf(payment) === undefined ? undefined : true,
    recurrence: recurrence && Struct.omit(recurrence, ["charges", "recurrence_state", "started_at"])
  })
}

/** The way a payment was paid, inferred from its state if the seed does not say. */
const paidBy = (payment: SeedPayment, { cards, settings }: Filling) => {
  const { parent_id, payer, state } = payment
  const isPaid = hasReceived(payment) || state === "AUTHORIZED"
  const needsInstrument = isPaid || state === "PAYMENT_METHOD_CHOSEN" || parent_id !== undefined
  const instrument = payment.payment_instrument ?? (needsInstrument ? "PAYMENT_CARD" : undefined)
  const storedCard = payer?.card_id === undefined ? undefined : cards.get(payer.card_id)
  const needsCard = isPaid && instrument === "PAYMENT_CARD" && parent_id === undefined
  const card =
    payer?.payment_card !== undefined
      ? cardFrom(payer.payment_card)
      : (storedCard?.card ?? (needsCard ? cardFrom({}) : undefined))
  const showsAccount = settings.transferAccount === "shown"
  const needsAccount = isPaid && instrument === "BANK_ACCOUNT"
  const bankAccount: BankAccountResponse | undefined =
    payer?.bank_account ?? (needsAccount && showsAccount ? payerBankAccount : undefined)
  const country =
    payment.country_code ?? (isPaid ? (card?.issuerCountry ?? (needsAccount ? "CZE" : undefined)) : undefined)
  const shown = shownOf(storedCard)
  const cardToken = payer?.payment_card?.card_token ?? shown.cardToken
  const threeDSecure = payer?.payment_card?.["3ds_result"] ?? shown.threeDSecure
  return { instrument, card, storedCard, cardToken, threeDSecure, bankAccount, country, isPaid }
}

const subStateOf = (payment: SeedPayment, instrument: string | undefined, isPaid: boolean): string | undefined => {
  if (payment.sub_state !== undefined) return payment.sub_state
  if (payment.state === "PAYMENT_METHOD_CHOSEN") return instrument === "BANK_ACCOUNT" ? "_102" : "_101"
  if (payment.state === "CANCELED") return preauthorizationOf(payment) === "CANCELED" ? undefined : "_5043"
  if (!isPaid) return undefined
  if (instrument === "BANK_ACCOUNT") return "_3002"
  return payment.amount === 0 && payment.parent_id === undefined ? "_5001" : undefined
}

const filledPayment = (
  payment: SeedPayment,
  place: number,
  filling: Filling
): { readonly payment: Payment; readonly refunds: ReadonlyArray<Refund> } => {
  const { index, eventContext, settings, takePaymentId } = filling
  const id = payment.id ?? takePaymentId()
  const { isPaid, ...paid } = paidBy(payment, filling)
  const preauthorization = preauthorizationOf(payment)
  const at = (time: string | undefined): number | undefined =>
    time === undefined ? undefined : timeFrom(eventContext.now, time)

  const givenTimes = [
    payment.chosen_at,
    payment.preauthorization?.authorized_at,
    payment.received_at,
    payment.recurrence?.started_at,
    ...(payment.refunds ?? []).flatMap((refund) => [refund.date_requested, refund.date_last_change])
  ].map((time) => at(time) ?? eventContext.now)
  const createdAt = at(payment.created_at) ?? Math.min(eventContext.now, ...givenTimes)
  const wasHeld = preauthorization !== undefined && preauthorization !== "REQUESTED"
  const authorizedAt = at(payment.preauthorization?.authorized_at) ?? (wasHeld ? createdAt : undefined)
  const receivedAt = at(payment.received_at) ?? (hasReceived(payment) ? (authorizedAt ?? createdAt) : undefined)

  const refunds = refundsOf(payment).map((refund): Refund => {
    const requestedAt = at(refund.date_requested) ?? receivedAt ?? createdAt
    return {
      id: refund.id ?? takePaymentId(),
      paymentId: id,
      amount: refund.amount,
      currency: payment.currency,
      state: refund.state ?? "SUCCESS",
      requestedAt,
      changedAt: at(refund.date_last_change) ?? requestedAt
    }
  })
  const refunded = refunds.reduce((total, { amount, state }) => total + (state === "SUCCESS" ? amount : 0), 0)

  const isByCard = paid.instrument === "PAYMENT_CARD"
  const recurrence =
    payment.recurrence && (payment.recurrence.recurrence_state ?? (isPaid && isByCard ? "STARTED" : "REQUESTED"))
  const startedAt =
    at(payment.recurrence?.started_at) ??
    (recurrence === "STARTED" ? (authorizedAt ?? receivedAt ?? createdAt) : undefined)

  const filled: Payment = {
    id,
    parentId: payment.parent_id,
    order: orderOf(payment, place, index),
    payPage: payment.pay_page ?? randomHex(eventContext, 16),
    state: payment.state,
    subState: subStateOf(payment, paid.instrument, isPaid),
    ...paid,
    recurrence,
    preauthorization,
    received: receivedFor(payment),
    refunded,
    createdAt,
    chosenAt: at(payment.chosen_at) ?? (payment.state === "PAYMENT_METHOD_CHOSEN" ? createdAt : undefined),
    authorizedAt,
    receivedAt,
    startedAt,
    charges: payment.recurrence === undefined ? 0 : (payment.recurrence.charges ?? index.chargesOf(id)),
    eetCode: payment.eet_code,
    accepted: acceptedOf(payment, refunds, eventContext.now, settings),
    v4: ofV4From(payment, filling)
  }
  return { refunds, payment: withCharge(filled, takePaymentId) }
}

const acceptedOf = (
  payment: SeedPayment,
  refunds: ReadonlyArray<Refund>,
  now: number,
  { timeToProcessSeconds }: LocalGatewaySettings
): ReadonlyArray<AcceptedOperation> => {
  const soon = now + timeToProcessSeconds * 1000
  const requested = refunds.filter(({ state }) => state === "REQUESTED")
  if (payment.accepted_operations === undefined) {
    return requested.map((refund) => ({ operation: refundOperation(refund), endsAt: soon, end: "finished" }))
  }
  return payment.accepted_operations.flatMap(({ amount, end = "finished", ends_at, refund_id, type }) => {
    const endsAt = ends_at === undefined ? soon : timeFrom(now, ends_at)
    if (type === "refund") {
      const refund = requested.find(({ id }) => id === refund_id)
      return refund === undefined ? [] : [{ operation: refundOperation(refund), endsAt, end }]
    }
    const operation: Operation = type === "capture" ? { type, amount: amount ?? payment.amount } : { type }
    return [{ operation, endsAt, end }]
  })
}

/** The movements of money, inferred from payments and refunds, oldest first. */
const movementsOf = (
  payments: ReadonlyArray<Payment>,
  refunds: ReadonlyArray<Refund>
): ReadonlyArray<Omit<Movement, "payment"> & { readonly paymentId: number }> =>
  [
    ...payments.flatMap(({ id, received, receivedAt }) =>
      received > 0 && receivedAt !== undefined
        ? [{ at: receivedAt, type: "PAYMENT" as const, amount: received, paymentId: id }]
        : []
    ),
    ...refunds.flatMap(({ amount, changedAt, paymentId, state }) =>
      state === "SUCCESS" ? [{ at: changedAt, type: "REFUND" as const, amount: -amount, paymentId }] : []
    )
  ].sort((a, b) => a.at - b.at)

// ---------------------------------------------------------------------------------------------------------------------
// Out of the books
// ---------------------------------------------------------------------------------------------------------------------

/** Makes the payments and cards of a seed from the contents of the books. */
export const seedOfBooks = ({
  cards,
  payments,
  recurrences,
  refunds
}: Omit<BooksContent, "movements">): Required<Pick<SeedContent, "cards" | "payments">> &
  Pick<SeedContent, "recurrences"> => {
  const refundsByPayment = Arr.groupBy(refunds, ({ paymentId }) => String(paymentId))
  return {
    cards: cards.map(seedCard),
    payments: payments.map((payment) => seedPayment(payment, refundsByPayment[payment.id] ?? [])),
    ...(recurrences.length === 0 ? {} : { recurrences: recurrences.map(seedRecurrence) })
  }
}

/** Each member that a seed can have, so that none which it takes in is left out of what the books are written as. */
type EachOf<Seeded> = { readonly [Member in keyof Seeded]-?: unknown }

const seedRecurrence = ({ dateTo, goid, id, schedule, stopReason, template, type }: RecurrenceV4): SeedRecurrenceV4 => {
  return withoutUndefined({
    id,
    goid,
    type,
    schedule,
    recurrence_date_to: dateTo,
    payment: template,
    stop_reason: stopReason
  } satisfies EachOf<SeedRecurrenceV4>)
}

const seedOfV4 = ({ charge, customer, qrRequestedAt, recurrenceId, secret }: OfV4): NonNullable<SeedPayment["v4"]> =>
  withoutUndefined({
    payment_secret: secret,
    customer,
    recurrence_id: recurrenceId,
    qr_requested_at: timeText(qrRequestedAt),
    charge: charge && withoutUndefined({ id: charge.id, state: charge.state, sub_state: charge.reason })
  } satisfies EachOf<NonNullable<SeedPayment["v4"]>>)

/** Only the numbers of test cards, since only test cards can pay. */
const seedCardMembers = (card: Card) => {
  const { card_number: _, ...members } = cardMembers(card)
  const test = testCards.find(({ number }) => number === card.number)
  return test === undefined ? members : { card_number: test.number, ...members }
}

const seedCard = ({ card, fingerprint, goid, id, status, token }: StoredCard): SeedCard => ({
  card_id: id,
  goid,
  ...seedCardMembers(card),
  card_token: token,
  card_fingerprint: fingerprint,
  status
})

const seedPayer = (payment: Payment): NonNullable<SeedPayment["payer"]> => {
  const { bankAccount, card, cardToken, order, storedCard, threeDSecure } = payment
  return withoutUndefined({
    ...order.payer,
    payment_card:
      card && withoutUndefined({ ...seedCardMembers(card), card_token: cardToken, "3ds_result": threeDSecure }),
    card_id: storedCard?.id,
    bank_account: bankAccount
  })
}

const seedOperation = ({ end, endsAt, operation }: AcceptedOperation) => ({
  ...membersOf(operation),
  ends_at: isoTime(endsAt),
  end
})

const membersOf = (operation: Operation) => {
  switch (operation.type) {
    case "capture":
      return { type: operation.type, amount: operation.amount }
    case "refund":
      return { type: operation.type, refund_id: operation.refundId }
    case "voidAuthorization":
    case "voidRecurrence":
      return { type: operation.type }
  }
}

const timeText = (at: number | undefined): string | undefined => (at === undefined ? undefined : isoTime(at))

const seedPayment = (payment: Payment, refunds: ReadonlyArray<Refund>): SeedPayment => {
  const { order, preauthorization, recurrence } = payment
  const payer = seedPayer(payment)
  return withoutUndefined({
    id: payment.id,
    parent_id: payment.parentId,
    ...Struct.omit(order, ["payer", "preauthorization", "recurrence"]),
    state: payment.state,
    sub_state: payment.subState,
    payment_instrument: payment.instrument,
    payer: order.payer === undefined && Object.keys(payer).length === 0 ? undefined : payer,
    country_code: payment.country,
    recurrence:
      order.recurrence &&
      recurrence &&
      withoutUndefined({
        ...order.recurrence,
        recurrence_state: recurrence,
        started_at: timeText(payment.startedAt),
        charges: payment.charges
      }),
    preauthorization:
      preauthorization && withoutUndefined({ state: preauthorization, authorized_at: timeText(payment.authorizedAt) }),
    received: payment.received,
    eet_code: payment.eetCode,
    created_at: isoTime(payment.createdAt),
    chosen_at: timeText(payment.chosenAt),
    received_at: timeText(payment.receivedAt),
    refunds: refunds.map(
      ({ amount, changedAt, id, requestedAt, state }) =>
        ({
          id,
          amount,
          state,
          date_requested: isoTime(requestedAt),
          date_last_change: isoTime(changedAt)
        }) satisfies EachOf<NonNullable<SeedPayment["refunds"]>[number]>
    ),
    accepted_operations: payment.accepted.map(seedOperation),
    pay_page: payment.payPage,
    v4: payment.v4 && seedOfV4(payment.v4)
  } satisfies EachOf<Omit<SeedPayment, Exclude<keyof Payment["order"], "payer" | "preauthorization" | "recurrence">>>)
}
