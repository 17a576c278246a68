/**
 * The operations of API v4 on the same books as v3. They contain the payments of both, and each API sees its own.
 */
import * as Result from "effect/Result"
import type { Books, Refund } from "./Books.js"
import type { EventContext } from "./EventContext.js"
import type { LocalGatewaySettings } from "./LocalGatewaySettings.js"
import { amountToRefund, canceledByMerchant, ofV4, type Payment } from "./Payment.js"
import {
  chargeableV4,
  cycleOf,
  standingOf,
  startable,
  stoppableV4,
  type RecurrenceV4,
  type StandingV4
} from "./RecurrenceV4.js"
import { Refusal, refusalV4 } from "./Refusal.js"
import { orderV4, overridden, type OrderV4, type OverrideV4, type RecurrenceOrderV4 } from "./RequestDecoderV4.js"

/** How many reads of a requested refund end it, if the setting says so. */
const readsOfRefund = 2

const found = <A>(entry: A | undefined, what: string, id: string): Result.Result<A, Refusal> =>
  Result.fromNullishOr(entry, () => refusalV4(404, `There is no ${what} ${id}.`))

/** Payments, refunds and recurrences of API v4. */
export class BooksV4 {
  private readonly books: Books
  private readonly settings: () => LocalGatewaySettings
  /** How often each requested refund was read. Not kept between runs. */
  private readonly reads = new Map<number, number>()

  constructor(books: Books, settings: () => LocalGatewaySettings) {
    this.books = books
    this.settings = settings
  }

  /** Resets the counts of reads, since other books have refunds with the same ids. */
  forgetReads(): void {
    this.reads.clear()
  }

  /** A payment of one merchant. */
  payment(goid: number, id: string): Result.Result<Payment, Refusal> {
    const payment = this.books.payment(id)
    const isIts = payment?.v4 !== undefined && payment.order.target.goid === goid && String(payment.id) === id
    return found(isIts ? payment : undefined, "payment", id)
  }

  /** Adds a new payment. */
  createPayment({ customer, order }: OrderV4, eventContext: EventContext): Payment {
    return this.books.createPayment(order, eventContext, ofV4(customer, eventContext))
  }

  /** Cancels a payment that no one has begun to pay. */
  cancel(payment: Payment, eventContext: EventContext): Result.Result<Payment, Refusal> {
    return payment.state === "CREATED"
      ? Result.succeed(this.books.enter(canceledByMerchant(payment), eventContext))
      : Result.fail(refusalV4(409, `The payment is ${payment.state}; only one that is CREATED can be cancelled.`))
  }

  /** Records that the QR code was requested, which gives the payer more time. */
  recordQrRequest(payment: Payment, eventContext: EventContext): void {
    const { v4 } = payment
    if (v4 !== undefined) {
      this.books.enter({ ...payment, v4: { ...v4, qrRequestedAt: eventContext.now } }, eventContext)
    }
  }

  // Refunds ----------------------------------------------------------------------------------------------------------

  /**
   * Returns money to the payer, later. A refused refund is listed as failed. The amount is an integer in minor units.
   */
  refund(payment: Payment, amount: number, eventContext: EventContext): Result.Result<Refund, Refusal> {
    const settings = this.settings()
    const { now } = eventContext
    const checked = amountToRefund(payment, String(payment.id), Result.succeed(amount), settings, now)
    if (Result.isFailure(checked)) {
      this.books.listFailedRefund(payment, amount, eventContext)
      const [error, ...others] = checked.failure.errors
      return Result.fail(new Refusal({ status: 409, errors: [{ ...error, nameV4: "REFUND_NOT_ALLOWED" }, ...others] }))
    }
    return Result.succeed(
      this.books.acceptRefund(
        payment,
        amount,
        {
          endsAt: now + settings.timeToProcessSeconds * 1000,
          end: settings.v4Refund.startsWith("success") ? "finished" : "failed"
        },
        eventContext
      )
    )
  }

  /** The refunds of a payment, oldest first. Reading them counts: the second read of a requested refund ends it. */
  readRefunds(payment: Payment, eventContext: EventContext): ReadonlyArray<Refund> {
    for (const refund of this.books.refundsOf(payment)) this.readRefund(refund, eventContext)
    return this.books.refundsOf(payment)
  }

  /** A refund of one merchant. Reading it counts. */
  refundById(goid: number, id: string, eventContext: EventContext): Result.Result<Refund, Refusal> {
    const numbered = this.books.refundById(Number(id))
    const refund = numbered !== undefined && String(numbered.id) === id ? numbered : undefined
    const payment = refund && Result.getOrUndefined(this.payment(goid, String(refund.paymentId)))
    return Result.map(found(payment && refund, "refund", id), (known) => this.readRefund(known, eventContext))
  }

  private readRefund(refund: Refund, eventContext: EventContext): Refund {
    const { id, state } = refund
    if (state !== "REQUESTED" || !this.settings().v4Refund.endsWith("AfterReads")) return refund
    const reads = (this.reads.get(id) ?? 0) + 1
    this.reads.set(id, reads)
    if (reads < readsOfRefund) return refund
    this.reads.delete(id)
    this.books.endRefundNow(refund, eventContext)
    return this.books.refundById(id) ?? refund
  }

  // Recurrences ------------------------------------------------------------------------------------------------------

  /** A recurrence of one merchant. */
  recurrence(goid: number, id: string): Result.Result<RecurrenceV4, Refusal> {
    const recurrence = this.books.recurrence(Number(id))
    const isIts = recurrence?.goid === goid && String(recurrence.id) === id
    return found(isIts ? recurrence : undefined, "recurrence", id)
  }

  /** The state of a recurrence. */
  standing(recurrence: RecurrenceV4, now: number): StandingV4 {
    return standingOf(recurrence, this.books.paymentsOfRecurrence(recurrence.id)[0], now)
  }

  /** The last payment of a recurrence. */
  lastPayment({ id }: RecurrenceV4): Payment | undefined {
    return this.books.paymentsOfRecurrence(id).at(-1)
  }

  /** Adds a new recurrence; no payment is created. */
  createRecurrence(order: RecurrenceOrderV4): RecurrenceV4 {
    return this.books.enterRecurrence({ ...order, id: this.books.takeId(), stopReason: undefined })
  }

  /** Creates the first payment of a recurrence, which the customer pays on its pay page. */
  start(recurrence: RecurrenceV4, override: OverrideV4, eventContext: EventContext): Result.Result<Payment, Refusal> {
    return Result.map(startable(this.standing(recurrence, eventContext.now)), () => {
      const { customer, order } = orderV4(recurrence.goid, overridden(recurrence.template, override))
      return this.books.createPayment(
        { ...order, recurrence: cycleOf(recurrence) },
        eventContext,
        ofV4(customer, eventContext, recurrence.id)
      )
    })
  }

  /** Creates the next payment of a recurrence and charges the card. Returns the payment as it is after the charge. */
  next(recurrence: RecurrenceV4, override: OverrideV4, eventContext: EventContext): Result.Result<Payment, Refusal> {
    const [first] = this.books.paymentsOfRecurrence(recurrence.id)
    const refused = chargeableV4(recurrence, this.standing(recurrence, eventContext.now))
    return Result.flatMap(refused, () =>
      Result.map(found(first, "payment of recurrence", String(recurrence.id)), (parent) => {
        const { customer, order } = orderV4(recurrence.goid, overridden(recurrence.template, override))
        const child = this.books.charge(parent, order, ofV4(customer, eventContext, recurrence.id), eventContext)
        return this.books.payment(child.id) ?? child
      })
    )
  }

  /** Stops a recurrence for good; an unpaid first payment can still be paid. */
  stop(
    recurrence: RecurrenceV4,
    stopReason: NonNullable<RecurrenceV4["stopReason"]>,
    eventContext: EventContext
  ): Result.Result<void, Refusal> {
    return Result.map(stoppableV4(this.standing(recurrence, eventContext.now)), () => {
      this.books.enterRecurrence({ ...recurrence, stopReason })
      const [first] = this.books.paymentsOfRecurrence(recurrence.id)
      if (first !== undefined) this.books.enter({ ...first, recurrence: "STOPPED" }, eventContext)
    })
  }
}
