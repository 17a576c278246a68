/**
 * The local gateway's books: everything it remembers, and nothing about HTTP.
 *
 * The books are changed by plain functions that neither wait nor yield, so two requests never see each other's half-done
 * changes. They live in memory and end with the gateway.
 */
import * as Result from "effect/Result"
import type { BankAccountResponse, Id } from "../api/Messages.js"
import type { ChargeOrder, PaymentOrder } from "./LenientRequest.js"
import { randomBase64, randomHex, type Moment } from "./Moment.js"
import * as Payment from "./Payment.js"
import { refusal, type Refusal } from "./Refusal.js"
import type { Card } from "./TestCards.js"

/** What becomes of a recurrence's further payments once they are created. */
export type RecurrenceChild = "paid" | "declined" | "pending"

/** Money that came or went. Amounts are integers in minor units; negative is out of the merchant's account. */
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
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Payment ids are multiples of 13 (as all known ones are), ten digits beginning with 3. */
const firstPaymentId = 13 * 230_769_231

/** Card ids are multiples of 11 (as most known ones are), ten digits beginning with 3. */
const firstCardId = 11 * 273_000_001

/** A payment id out of a path or from a caller: undefined when it cannot be one. */
const idOf = (id: Id): number | undefined => (/^\d{1,15}$/.test(String(id)) ? Number(id) : undefined)

/** Payments, refunds, stored cards, and the movements of money between them. */
export class Books {
  private readonly recurrenceChild: RecurrenceChild
  private readonly payments = new Map<number, Payment.Payment>()
  private readonly cards = new Map<number, Payment.StoredCard>()
  private readonly refunds: Array<Refund> = []
  private readonly moves: Array<Movement> = []
  private nextPaymentId = firstPaymentId
  private nextCardId = firstCardId

  constructor(recurrenceChild: RecurrenceChild) {
    this.recurrenceChild = recurrenceChild
  }

  /** All payments, in the order of their creation. */
  allPayments(): ReadonlyArray<Payment.Payment> {
    return [...this.payments.values()]
  }

  /** A payment, whosever it is. */
  payment(id: Id): Payment.Payment | undefined {
    const number = idOf(id)
    return number === undefined ? undefined : this.payments.get(number)
  }

  /** A payment of one merchant. */
  paymentOf(goid: number, id: string): Payment.Payment | undefined {
    const payment = this.payment(id)
    return payment?.order.target.goid === goid ? payment : undefined
  }

  /** A stored card of one merchant; a deleted one can still be found. */
  cardOf(goid: number, id: string): Payment.StoredCard | undefined {
    const number = idOf(id)
    const card = number === undefined ? undefined : this.cards.get(number)
    return card?.goid === goid ? card : undefined
  }

  /** The refunds of a payment, oldest first. */
  refundsOf({ id }: Payment.Payment): ReadonlyArray<Refund> {
    return this.refunds.filter(({ paymentId }) => paymentId === id)
  }

  /** The movements on one merchant's account, oldest first. */
  movementsOf(goid: number): ReadonlyArray<Movement> {
    return this.moves.filter(({ payment }) => payment.order.target.goid === goid)
  }

  // What the merchant does -------------------------------------------------------------------------------------------

  /** Enters a new payment. */
  createPayment(order: PaymentOrder, moment: Moment): Payment.Payment {
    return this.enter(Payment.newPayment(this.takePaymentId(), order, randomHex(moment, 16)))
  }

  /** Returns money to the payer. Amounts are integers in minor units. */
  refund(
    goid: number,
    id: string,
    requested: Result.Result<number, Refusal>,
    { now }: Moment
  ): Result.Result<Payment.Payment, Refusal> {
    const before = this.paymentOf(goid, id)
    return Result.map(Payment.refund(before, requested), (payment) => {
      const amount = payment.refunded - (before?.refunded ?? 0)
      const { currency } = payment.order
      this.refunds.push({ id: this.takePaymentId(), paymentId: payment.id, amount, currency, at: now })
      this.moves.push({ at: now, type: "REFUND", amount: -amount, payment })
      return this.enter(payment)
    })
  }

  /** Captures a held amount. */
  capture(
    goid: number,
    id: string,
    requested: Result.Result<number | "all", Refusal>,
    { now }: Moment
  ): Result.Result<Payment.Payment, Refusal> {
    return Result.map(Payment.capture(this.paymentOf(goid, id), requested), (payment) => this.receive(payment, now))
  }

  /** Releases a held amount. */
  voidAuthorization(goid: number, id: string): Result.Result<Payment.Payment, Refusal> {
    return Result.map(Payment.voidAuthorization(this.paymentOf(goid, id)), (payment) => this.enter(payment))
  }

  /** Stops a recurrence. */
  voidRecurrence(goid: number, id: string): Result.Result<Payment.Payment, Refusal> {
    return Result.map(Payment.stopRecurrence(this.paymentOf(goid, id)), (payment) => this.enter(payment))
  }

  /**
   * Enters the next payment of a recurrence and charges the card. Answers the payment as it was before the charge, as
   * the gateway does.
   */
  createRecurrence(
    goid: number,
    id: string,
    requested: Result.Result<ChargeOrder, Refusal>,
    moment: Moment
  ): Result.Result<Payment.Payment, Refusal> {
    return Result.flatMap(Payment.chargeable(this.paymentOf(goid, id)), (parent) =>
      Result.map(requested, (order) => {
        const payPage = randomHex(moment, 16)
        const child = Payment.newPayment(this.takePaymentId(), childOrder(parent, order), payPage, parent.id)
        if (this.recurrenceChild === "paid") this.receive(Payment.charged(child), moment.now)
        else this.enter(this.recurrenceChild === "declined" ? Payment.declined(child, "_5006") : child)
        return child
      })
    )
  }

  /** Deletes a stored card; once more changes nothing. */
  deleteCard(goid: number, id: string): Result.Result<void, Refusal> {
    const card = this.cardOf(goid, id)
    if (card === undefined) return Result.fail(refusal(304))
    this.cards.set(card.id, { ...card, status: "DELETED" })
    return Result.void
  }

  // What the payer does ----------------------------------------------------------------------------------------------

  /** The payer has chosen how to pay. */
  choosePaymentMethod(payment: Payment.Payment, instrument: string): Payment.Payment {
    return this.enter(Payment.methodChosen(payment, instrument))
  }

  /** The payer has paid by card; it is stored where the order asked for that or identifies the payer by it. */
  payByCard(payment: Payment.Payment, card: Card, moment: Moment): Payment.Payment {
    if (payment.parentId !== undefined) return this.receive(Payment.charged(payment), moment.now)
    const storedCard = this.presentedCard(payment) ?? this.storeCard(payment, card, moment)
    return this.receive(Payment.paidByCard(payment, storedCard?.card ?? card, storedCard), moment.now)
  }

  /** The payer's bank transfer has come. */
  payByBankTransfer(payment: Payment.Payment, bankAccount: BankAccountResponse, { now }: Moment): Payment.Payment {
    return this.receive(Payment.paidByBankTransfer(payment, bankAccount), now)
  }

  /** The payment was declined. */
  decline(payment: Payment.Payment, subState: string): Payment.Payment {
    return this.enter(Payment.declined(payment, subState))
  }

  /** The payer has cancelled it. */
  cancel(payment: Payment.Payment): Payment.Payment {
    return this.enter(Payment.canceled(payment))
  }

  /** The payer did not pay in time. */
  timeOut(payment: Payment.Payment): Payment.Payment {
    return this.enter(Payment.timedOut(payment))
  }

  // ------------------------------------------------------------------------------------------------------------------

  /** The stored card that the order says to pay with, while it is not deleted. */
  private presentedCard({ order }: Payment.Payment): Payment.StoredCard | undefined {
    const token = order.payer?.allowed_card_token
    return [...this.cards.values()].find(
      (card) => card.token === token && card.goid === order.target.goid && card.status === "ACTIVE"
    )
  }

  private storeCard({ order }: Payment.Payment, card: Card, moment: Moment): Payment.StoredCard | undefined {
    const { request_card_token, verify_pin } = order.payer ?? {}
    if (request_card_token !== true && verify_pin === undefined) return undefined
    const stored: Payment.StoredCard = {
      id: this.nextCardId,
      goid: order.target.goid,
      card,
      token: randomBase64(moment, 48),
      fingerprint: randomHex(moment, 32),
      status: "ACTIVE"
    }
    this.nextCardId += 11
    this.cards.set(stored.id, stored)
    return stored
  }

  /** Enters a payment, and the money that came with it. */
  private receive(payment: Payment.Payment, now: number): Payment.Payment {
    if (payment.received > 0) this.moves.push({ at: now, type: "PAYMENT", amount: payment.received, payment })
    return this.enter(payment)
  }

  private enter(payment: Payment.Payment): Payment.Payment {
    this.payments.set(payment.id, payment)
    return payment
  }

  private takePaymentId(): number {
    const id = this.nextPaymentId
    this.nextPaymentId += 13
    return id
  }
}

/** A further payment of a recurrence inherits what it does not say; of the payer, the contact only. */
const childOrder = (parent: Payment.Payment, order: ChargeOrder): PaymentOrder => {
  const { callback, lang, target } = parent.order
  const contact = Payment.contactOf(parent)
  return {
    ...order,
    callback,
    target,
    ...(lang === undefined ? {} : { lang }),
    ...(contact === undefined ? {} : { payer: { contact } })
  }
}
