/**
 * The local gateway's books: everything it remembers about payments, cards and money, and nothing about HTTP.
 *
 * The books are changed by plain synchronous functions, so two requests never see each other's half-done changes. Later
 * events are added to the agenda.
 */
import * as Result from "effect/Result"
import { withoutUndefined } from "../../basics/Nulls.js"
import { canonicalId } from "../../contract/CanonicalId.js"
import type { BankAccountResponse, GatewayId } from "../../contract/Messages.js"
import type { Agenda } from "./Agenda.js"
import type { ChargeOrder, PaymentOrder } from "./RequestDecoder.js"
import { orderV4 } from "./RequestDecoderV4.js"
import { randomBase64, randomHex, type EventContext } from "./EventContext.js"
import * as Payment from "./Payment.js"
import type { RecurrenceV4 } from "./RecurrenceV4.js"
import { day } from "./Times.js"
import { refusal, type Refusal } from "./Refusal.js"
import type { LocalGatewaySettings } from "./LocalGatewaySettings.js"
import type { Card } from "./TestCards.js"

/** A movement of money. Amounts are integers in minor units; negative if they leave the merchant's account. */
export interface Movement {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly type: "PAYMENT" | "REFUND"
  readonly amount: number
  readonly payment: Payment.Payment
}

/** One refund of a payment. */
export interface Refund {
  readonly id: number
  readonly paymentId: number
  /** An integer in minor units. */
  readonly amount: number
  readonly currency: string
  readonly state: "REQUESTED" | "SUCCESS" | "FAILED"
  /** Milliseconds since 1970. */
  readonly requestedAt: number
  /** Milliseconds since 1970. */
  readonly changedAt: number
}

/** A payment after an operation, and the `result` in the response. */
export interface OperationOutcome {
  readonly payment: Payment.Payment
  readonly result: "FINISHED" | "ACCEPTED" | "FAILED"
}

/** A payment that is new or has changed. */
export interface PaymentChange {
  /** Absent for a new payment. */
  readonly before: Payment.Payment | undefined
  readonly after: Payment.Payment
  readonly eventContext: EventContext
}

/** The dependencies of the books. */
interface BooksContext {
  readonly agenda: Agenda
  /** The settings as they are now. */
  readonly settings: () => LocalGatewaySettings
  /** The event context of something that happens by itself at this time. */
  readonly eventContextAt: (now: number) => EventContext
  /** Called for every change. */
  readonly onChange: () => void
  /** Called for every payment that is new or has changed. */
  readonly onPaymentChange: (change: PaymentChange) => void
  /** Called for every operation that was accepted, done or has failed. */
  readonly onOperation: (
    payment: Payment.Payment,
    operation: Payment.Operation,
    result: "accepted" | "finished" | "failed",
    now: number
  ) => void
}

/** All that is in the books, as plain data. */
export interface BooksContent {
  readonly payments: ReadonlyArray<Payment.Payment>
  readonly cards: ReadonlyArray<Payment.StoredCard>
  readonly refunds: ReadonlyArray<Refund>
  readonly movements: ReadonlyArray<Omit<Movement, "payment"> & { readonly paymentId: number }>
  /** The recurrences of API v4; in v3, a recurrence is its first payment. */
  readonly recurrences: ReadonlyArray<RecurrenceV4>
}

/** Payment ids are multiples of 13 (as all known ones are), ten digits beginning with 3. */
const paymentIdStep = 13
const firstPaymentId = paymentIdStep * 230_769_231

/** Card ids are multiples of 11 (as most known ones are), ten digits beginning with 3. */
const cardIdStep = 11
const firstCardId = cardIdStep * 273_000_001

/** Generates consecutive ids: multiples of `step` above all those taken. */
const idsAfter = (taken: ReadonlyArray<number>, first: number, step: number): (() => number) => {
  const last = taken.reduce((highest, id) => Math.max(highest, id), first - step)
  let next = (Math.floor(last / step) + 1) * step
  return () => {
    const id = next
    next += step
    return id
  }
}

/** Returns a function that generates new ids of payments and refunds. */
export const idsOfPayments = (taken: ReadonlyArray<number>): (() => number) =>
  idsAfter(taken, firstPaymentId, paymentIdStep)

/** Returns a function that generates new ids of cards. */
export const idsOfCards = (taken: ReadonlyArray<number>): (() => number) => idsAfter(taken, firstCardId, cardIdStep)

/** A card is valid to the end of `YYMM`, Prague time. Prague's calendar is consulted only from the last day on. */
const isExpired = ({ expiration }: Card, now: number): boolean => {
  const lastDay = Date.UTC(2000 + Number(expiration.slice(0, 2)), Number(expiration.slice(2)), 0)
  return now >= lastDay && `20${expiration}` < day(now).replaceAll("-", "").slice(0, 6)
}

/** Payments, refunds, stored cards, and the movements of money between them. */
export class Books {
  private readonly context: BooksContext
  private readonly payments = new Map<number, Payment.Payment>()
  private readonly byPayPage = new Map<string, number>()
  private readonly cards = new Map<number, Payment.StoredCard>()
  private readonly refunds = new Map<number, Array<Refund>>()
  private readonly recurrences = new Map<number, RecurrenceV4>()
  /** The payments of each recurrence of API v4, in the order of their creation. */
  private readonly byRecurrence = new Map<number, Array<number>>()
  private readonly moves: Array<Movement> = []
  /** For each payment, the next event that will happen by itself; it is in the agenda. */
  private readonly scheduled = new Map<number, Payment.NextEvent>()
  private takePaymentId = idsOfPayments([])
  private takeCardId = idsOfCards([])

  constructor(context: BooksContext) {
    this.context = context
  }

  /** All payments, in the order of their creation. */
  allPayments(): ReadonlyArray<Payment.Payment> {
    return [...this.payments.values()]
  }

  /** All stored cards, including deleted ones. */
  allCards(): ReadonlyArray<Payment.StoredCard> {
    return [...this.cards.values()]
  }

  /** A payment of any merchant. */
  payment(id: GatewayId): Payment.Payment | undefined {
    const number = canonicalId(id)
    return number === undefined ? undefined : this.payments.get(number)
  }

  /** A payment of one merchant that API v3 shows. */
  paymentOf(goid: number, id: string): Payment.Payment | undefined {
    const payment = this.payment(id)
    return payment?.order.target.goid === goid && payment.v4 === undefined ? payment : undefined
  }

  /** The payment whose pay page has this address. */
  paymentAtPage(payPage: string): Payment.Payment | undefined {
    const id = this.byPayPage.get(payPage)
    return id === undefined ? undefined : this.payments.get(id)
  }

  /** A stored card of one merchant, even if it was deleted. */
  cardOf(goid: number, id: string): Payment.StoredCard | undefined {
    const number = canonicalId(id)
    const card = number === undefined ? undefined : this.cards.get(number)
    return card?.goid === goid ? card : undefined
  }

  /** The stored card that the order asks to pay with, unless it was deleted. */
  presentedCard({ order }: Payment.Payment): Payment.StoredCard | undefined {
    const token = order.payer?.allowed_card_token
    if (token === undefined) return undefined
    return this.allCards().find(
      (card) => card.token === token && card.goid === order.target.goid && card.status === "ACTIVE"
    )
  }

  /** The refunds of a payment, oldest first. */
  refundsOf({ id }: Payment.Payment): ReadonlyArray<Refund> {
    return this.refunds.get(id) ?? []
  }

  /** A refund of any merchant. */
  refundById(id: number): Refund | undefined {
    for (const refunds of this.refunds.values()) {
      const refund = refunds.find((one) => one.id === id)
      if (refund !== undefined) return refund
    }
    return undefined
  }

  /** A recurrence of API v4 of any merchant. */
  recurrence(id: number): RecurrenceV4 | undefined {
    return this.recurrences.get(id)
  }

  /** The payments of a recurrence of API v4, in the order of their creation. */
  paymentsOfRecurrence(id: number): ReadonlyArray<Payment.Payment> {
    return (this.byRecurrence.get(id) ?? []).flatMap((paymentId) => this.payments.get(paymentId) ?? [])
  }

  /** The movements on one merchant's account, oldest first. */
  movementsOf(goid: number): ReadonlyArray<Movement> {
    return this.moves.filter(({ payment }) => payment.order.target.goid === goid)
  }

  // The merchant -------------------------------------------------------------------------------------------

  /** Adds a new payment. */
  createPayment(order: PaymentOrder, eventContext: EventContext, v4?: Payment.OfV4): Payment.Payment {
    const payment = Payment.newPayment(this.takePaymentId(), order, randomHex(eventContext, 16), eventContext.now)
    return this.enter({ ...payment, v4 }, eventContext)
  }

  /** Returns money to the payer. Amounts are integers in minor units. */
  refund(
    goid: number,
    id: string,
    requested: Result.Result<number, Refusal>,
    eventContext: EventContext
  ): Result.Result<OperationOutcome, Refusal> {
    const settings = this.context.settings()
    const payment = this.paymentOf(goid, id)
    const amountToRefund = Payment.amountToRefund(payment, id, requested, settings, eventContext.now)
    if (Result.isFailure(amountToRefund) && settings.refusedRefund === "listed" && payment !== undefined) {
      this.listRefused(payment, requested, eventContext)
    }
    return Result.map(amountToRefund, ({ amount, payment }) =>
      this.operate(
        payment,
        Payment.refundOperation(this.requestRefund(payment, amount, eventContext)),
        settings.refund,
        eventContext
      )
    )
  }

  /** Captures a held amount. */
  capture(
    goid: number,
    id: string,
    requested: Result.Result<number | "all", Refusal>,
    eventContext: EventContext
  ): Result.Result<OperationOutcome, Refusal> {
    return Result.map(Payment.amountToCapture(this.paymentOf(goid, id), requested), ({ amount, payment }) =>
      this.operate(payment, { type: "capture", amount }, this.context.settings().capture, eventContext)
    )
  }

  /** Releases a held amount. */
  voidAuthorization(goid: number, id: string, eventContext: EventContext): Result.Result<OperationOutcome, Refusal> {
    return Result.map(Payment.releasable(this.paymentOf(goid, id)), (payment) =>
      this.operate(payment, { type: "voidAuthorization" }, this.context.settings().voidAuthorization, eventContext)
    )
  }

  /** Stops a recurrence. */
  voidRecurrence(goid: number, id: string, eventContext: EventContext): Result.Result<OperationOutcome, Refusal> {
    const settings = this.context.settings()
    return Result.map(Payment.stoppable(this.paymentOf(goid, id), settings), (payment) =>
      this.operate(payment, { type: "voidRecurrence" }, settings.voidRecurrence, eventContext)
    )
  }

  /**
   * Adds the next payment of a recurrence and charges the card. Returns the payment as it was before the charge, as the
   * gateway does.
   */
  createRecurrence(
    goid: number,
    id: string,
    requested: Result.Result<ChargeOrder, Refusal>,
    eventContext: EventContext
  ): Result.Result<Payment.Payment, Refusal> {
    return Result.flatMap(Payment.chargeable(this.paymentOf(goid, id)), (parent) =>
      Result.map(requested, (order) => this.charge(parent, childOrder(parent, order), undefined, eventContext))
    )
  }

  /** Adds a refund that was accepted; it ends later. */
  acceptRefund(
    payment: Payment.Payment,
    amount: number,
    end: Pick<Payment.AcceptedOperation, "end" | "endsAt">,
    eventContext: EventContext
  ): Refund {
    const refund = this.requestRefund(payment, amount, eventContext)
    const operation = Payment.refundOperation(refund)
    this.context.onOperation(payment, operation, "accepted", eventContext.now)
    this.enter(Payment.withAccepted(payment, { operation, ...end }), eventContext)
    return refund
  }

  /** Adds a refused refund to the list, as failed. */
  listFailedRefund(payment: Payment.Payment, amount: number, eventContext: EventContext): void {
    const { id } = this.requestRefund(payment, amount, eventContext)
    this.endRefund(payment, id, "FAILED", eventContext)
  }

  /** Ends an accepted refund before its time. */
  endRefundNow({ id, paymentId }: Refund, eventContext: EventContext): void {
    const payment = this.payments.get(paymentId)
    const accepted = payment?.accepted.find(({ operation }) => operation.type === "refund" && operation.refundId === id)
    if (payment !== undefined && accepted !== undefined) this.endOperation(payment, accepted, eventContext)
  }

  /** Returns a new id. */
  takeId(): number {
    return this.takePaymentId()
  }

  /** Adds or replaces a recurrence of API v4. */
  enterRecurrence(recurrence: RecurrenceV4): RecurrenceV4 {
    this.recurrences.set(recurrence.id, recurrence)
    this.context.onChange()
    return recurrence
  }

  /** Deletes a stored card; deleting it again changes nothing. */
  deleteCard(goid: number, id: string): Result.Result<void, Refusal> {
    const card = this.cardOf(goid, id)
    if (card === undefined) return Result.fail(refusal(304))
    this.enterCard({ ...card, status: "DELETED" })
    return Result.void
  }

  // The payer ----------------------------------------------------------------------------------------------

  /** The payer has paid by card. The card is stored if the order asked for that or identifies the payer by it. */
  payByCard(payment: Payment.Payment, card: Card, eventContext: EventContext): Payment.Payment {
    if (payment.parentId !== undefined) return this.receive(Payment.charged(payment, eventContext.now), eventContext)
    const storedCard = this.presentedCard(payment) ?? this.storeCard(payment, card, eventContext)
    return this.receive(
      Payment.paidByCard(payment, storedCard?.card ?? card, storedCard, eventContext.now),
      eventContext
    )
  }

  /** The payer's bank transfer has arrived. */
  payByBankTransfer(
    payment: Payment.Payment,
    bankAccount: BankAccountResponse,
    eventContext: EventContext
  ): Payment.Payment {
    const account = this.context.settings().transferAccount === "shown" ? bankAccount : undefined
    return this.receive(Payment.paidByBankTransfer(payment, account, eventContext.now), eventContext)
  }

  /** The payer has paid with something that is neither a card nor a bank transfer. */
  payOtherwise(payment: Payment.Payment, instrument: string, eventContext: EventContext): Payment.Payment {
    return this.receive(Payment.paidOtherwise(payment, instrument, eventContext.now), eventContext)
  }

  /** Adds or replaces a payment, and schedules what will happen to it by itself. */
  enter(changed: Payment.Payment, eventContext: EventContext): Payment.Payment {
    const after = Payment.withCharge(changed, this.takePaymentId)
    const before = this.payments.get(after.id)
    this.schedule(after)
    this.keep(after)
    this.context.onChange()
    this.context.onPaymentChange({ before, after, eventContext })
    return after
  }

  // Import and export -------------------------------------------------------------------------------------------

  /** The contents of the books. */
  content(): BooksContent {
    return {
      payments: this.allPayments(),
      cards: this.allCards(),
      refunds: [...this.refunds.values()].flat(),
      movements: this.moves.map(({ amount, at, payment, type }) => ({ amount, at, paymentId: payment.id, type })),
      recurrences: [...this.recurrences.values()]
    }
  }

  /** Replaces the contents of the books. No change of a payment is reported; due events are added to the agenda. */
  replace({ cards, movements, payments, recurrences, refunds }: BooksContent): void {
    for (const map of [this.payments, this.byPayPage, this.cards, this.refunds, this.scheduled]) map.clear()
    for (const map of [this.recurrences, this.byRecurrence]) map.clear()
    this.moves.length = 0
    for (const payment of payments) this.keep(payment)
    for (const recurrence of recurrences) this.recurrences.set(recurrence.id, recurrence)
    for (const card of cards) this.cards.set(card.id, card)
    for (const refund of refunds)
      this.refunds.set(refund.paymentId, [...(this.refunds.get(refund.paymentId) ?? []), refund])
    for (const { paymentId, ...movement } of movements) {
      const payment = this.payments.get(paymentId)
      if (payment !== undefined) this.moves.push({ ...movement, payment })
    }
    this.takePaymentId = idsOfPayments([
      ...[...payments, ...refunds, ...recurrences].map(({ id }) => id),
      ...payments.flatMap(({ v4 }) => v4?.charge?.id ?? [])
    ])
    this.takeCardId = idsOfCards(cards.map(({ id }) => id))
    this.context.onChange()
    this.reschedule()
  }

  /** Removes everything of a merchant: payments, refunds, cards, movements. Returns the payments' ids. */
  forget(goid: number): ReadonlySet<number> {
    const forgotten = this.allPayments().filter(({ order }) => order.target.goid === goid)
    const ids = new Set(forgotten.map(({ id }) => id))
    for (const { id, payPage } of forgotten) {
      for (const map of [this.payments, this.refunds, this.scheduled]) map.delete(id)
      this.byPayPage.delete(payPage)
    }
    for (const card of this.allCards()) if (card.goid === goid) this.cards.delete(card.id)
    for (const recurrence of this.recurrences.values()) {
      if (recurrence.goid === goid) for (const map of [this.recurrences, this.byRecurrence]) map.delete(recurrence.id)
    }
    const kept = this.moves.filter(({ payment }) => !ids.has(payment.id))
    this.moves.splice(0, this.moves.length, ...kept)
    this.context.onChange()
    return ids
  }

  /** Adds events to the agenda again, according to the current settings. */
  reschedule(): void {
    for (const payment of this.payments.values()) this.schedule(payment)
  }

  // ------------------------------------------------------------------------------------------------------------------

  /** Stores a payment in the indexes. */
  private keep(payment: Payment.Payment): void {
    const { id, payPage, v4 } = payment
    if (v4?.recurrenceId !== undefined && !this.payments.has(id)) {
      this.byRecurrence.set(v4.recurrenceId, [...(this.byRecurrence.get(v4.recurrenceId) ?? []), id])
    }
    this.payments.set(id, payment)
    this.byPayPage.set(payPage, id)
  }

  private requestRefund(payment: Payment.Payment, amount: number, { now }: EventContext): Refund {
    const refund: Refund = {
      id: this.takePaymentId(),
      paymentId: payment.id,
      amount,
      currency: payment.order.currency,
      state: "REQUESTED",
      requestedAt: now,
      changedAt: now
    }
    this.refunds.set(payment.id, [...this.refundsOf(payment), refund])
    return refund
  }

  /** Adds a refused refund to the list: `REQUESTED`, then `FAILED`. A payment without money has no refunds. */
  private listRefused(
    payment: Payment.Payment,
    requested: Result.Result<number, Refusal>,
    eventContext: EventContext
  ): void {
    if (Result.isFailure(requested) || payment.received === 0) return
    const operation = Payment.refundOperation(this.requestRefund(payment, requested.success, eventContext))
    const endsAt = eventContext.now + this.context.settings().timeToProcessSeconds * 1000
    this.enter(Payment.withAccepted(payment, { operation, endsAt, end: "refused" }), eventContext)
  }

  private operate(
    payment: Payment.Payment,
    operation: Payment.Operation,
    result: LocalGatewaySettings["refund"],
    eventContext: EventContext
  ): OperationOutcome {
    switch (result) {
      case "finished":
        return { payment: this.finish(payment, operation, eventContext), result: "FINISHED" }
      case "failed":
        this.fail(payment, operation, eventContext)
        return { payment, result: "FAILED" }
      case "acceptedThenFinished":
      case "acceptedThenFailed": {
        const endsAt = eventContext.now + this.context.settings().timeToProcessSeconds * 1000
        const end = result === "acceptedThenFinished" ? "finished" : "failed"
        this.context.onOperation(payment, operation, "accepted", eventContext.now)
        return {
          payment: this.enter(Payment.withAccepted(payment, { operation, endsAt, end }), eventContext),
          result: "ACCEPTED"
        }
      }
    }
  }

  private finish(payment: Payment.Payment, operation: Payment.Operation, eventContext: EventContext): Payment.Payment {
    const done = Payment.done(payment, operation, eventContext.now)
    if (done === undefined) {
      this.fail(payment, operation, eventContext)
      return this.enter(payment, eventContext)
    }
    this.context.onOperation(payment, operation, "finished", eventContext.now)
    switch (operation.type) {
      case "capture":
        return this.receive(done, eventContext)
      case "refund":
        this.endRefund(payment, operation.refundId, "SUCCESS", eventContext)
        this.moves.push({ at: eventContext.now, type: "REFUND", amount: -operation.amount, payment: done })
        return this.enter(done, eventContext)
      case "voidAuthorization":
      case "voidRecurrence":
        return this.enter(done, eventContext)
    }
  }

  private fail(payment: Payment.Payment, operation: Payment.Operation, eventContext: EventContext): void {
    this.context.onOperation(payment, operation, "failed", eventContext.now)
    if (operation.type === "refund") this.endRefund(payment, operation.refundId, "FAILED", eventContext)
  }

  private endRefund(
    payment: Payment.Payment,
    refundId: number,
    state: "SUCCESS" | "FAILED",
    { now }: EventContext
  ): void {
    this.context.onChange()
    this.refunds.set(
      payment.id,
      this.refundsOf(payment).map((refund) => (refund.id === refundId ? { ...refund, state, changedAt: now } : refund))
    )
  }

  /** Adds the next payment of a recurrence and charges the card. Returns the payment as it was before the charge. */
  charge(
    parent: Payment.Payment,
    order: PaymentOrder,
    v4: Payment.OfV4 | undefined,
    eventContext: EventContext
  ): Payment.Payment {
    const payPage = randomHex(eventContext, 16)
    const payment = Payment.newPayment(this.takePaymentId(), order, payPage, eventContext.now, parent.id)
    const child = this.enter({ ...payment, v4 }, eventContext)
    const becomes = this.context.settings().recurrenceChild
    if (parent.card !== undefined && isExpired(parent.card, eventContext.now))
      this.enter(Payment.declined(child, "_5007"), eventContext)
    else if (becomes === "paid") this.receive(Payment.charged(child, eventContext.now), eventContext)
    else if (becomes === "declined") this.enter(Payment.declined(child, "_5006"), eventContext)
    return child
  }

  private storeCard(
    { order }: Payment.Payment,
    card: Card,
    eventContext: EventContext
  ): Payment.StoredCard | undefined {
    const { request_card_token, verify_pin } = order.payer ?? {}
    if (request_card_token !== true && verify_pin === undefined) return undefined
    const stored: Payment.StoredCard = {
      id: this.takeCardId(),
      goid: order.target.goid,
      card,
      token: randomBase64(eventContext, 48),
      fingerprint: randomHex(eventContext, 32),
      status: "ACTIVE"
    }
    this.enterCard(stored)
    return stored
  }

  private enterCard(card: Payment.StoredCard): void {
    this.cards.set(card.id, card)
    this.context.onChange()
  }

  /** Adds a payment, and the money that came with it. */
  private receive(payment: Payment.Payment, eventContext: EventContext): Payment.Payment {
    if (payment.received > 0) {
      this.moves.push({ at: eventContext.now, type: "PAYMENT", amount: payment.received, payment })
    }
    return this.enter(payment, eventContext)
  }

  private schedule(payment: Payment.Payment): void {
    const { id } = payment
    const before = this.scheduled.get(id)
    const event = Payment.nextEvent(payment, this.context.settings())
    if (event === undefined) {
      this.scheduled.delete(id)
      return
    }
    this.scheduled.set(id, event)
    const { at } = event
    if (before?.at !== at) this.context.agenda.enter(at, () => this.happen(id, at))
  }

  /** Carries out a payment's due event, unless it is obsolete. */
  private happen(paymentId: number, at: number): void {
    const payment = this.payments.get(paymentId)
    const event = this.scheduled.get(paymentId)
    if (payment === undefined || event === undefined || event.at > at) return
    this.scheduled.delete(paymentId)
    const eventContext = this.context.eventContextAt(at)
    switch (event.type) {
      case "timeOut":
        this.enter(Payment.timedOut(payment), eventContext)
        return
      case "release":
        this.enter(Payment.released(payment), eventContext)
        return
      case "recurrenceEnd":
        this.enter(Payment.recurrenceStopped(payment), eventContext)
        return
      case "charge":
        this.enter({ ...payment, charges: payment.charges + 1 }, eventContext)
        this.chargeBySchedule(payment, eventContext)
        return
      case "operationEnd":
        this.endOperation(payment, event.accepted, eventContext)
        return
    }
  }

  /** The gateway's own charge of a recurrence: with the order of its first payment; in API v4, of its template. */
  private chargeBySchedule(first: Payment.Payment, eventContext: EventContext): void {
    const recurrence = this.recurrences.get(first.v4?.recurrenceId ?? 0)
    if (recurrence === undefined) {
      const { amount, currency, order_number } = first.order
      this.charge(first, childOrder(first, { amount, currency, order_number }), undefined, eventContext)
    } else {
      const { customer, order } = orderV4(recurrence.goid, recurrence.template)
      this.charge(first, order, Payment.ofV4(customer, eventContext, recurrence.id), eventContext)
    }
  }

  private endOperation(
    payment: Payment.Payment,
    accepted: Payment.AcceptedOperation,
    eventContext: EventContext
  ): void {
    const ended = Payment.withoutAccepted(payment, accepted)
    if (accepted.end === "finished") {
      this.finish(ended, accepted.operation, eventContext)
    } else {
      this.fail(ended, accepted.operation, eventContext)
      this.enter(ended, eventContext)
    }
  }
}

/** A charge of a recurrence inherits the fields that it omits, but from the payer only the contact. */
const childOrder = (parent: Payment.Payment, order: ChargeOrder): PaymentOrder => {
  const { callback, lang, target } = parent.order
  const contact = Payment.contactOf(parent)
  return withoutUndefined({ ...order, callback, target, lang, payer: contact && { contact } })
}
