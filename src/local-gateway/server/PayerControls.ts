/**
 * The payer's actions for callers: everything that a payer can do on the pay page.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { PaymentInstrument, PaymentSubState } from "../../contract/CodeLists.js"
import type { GatewayId } from "../../contract/Messages.js"
import type { Engine } from "./Engine.js"
import type { EventContext } from "../books/EventContext.js"
import {
  attemptDeclined,
  canceled,
  declined,
  isOpen,
  mayBePaidLate,
  methodChosen,
  offers,
  type Payment,
  timedOut
} from "../books/Payment.js"
import { type PayByCardOptions, payerBankAccount, testCard, type TestCardNumber } from "../books/TestCards.js"

/** An action of a payer. */
export type PayerAction =
  | "choosePaymentMethod"
  | "payByCard"
  | "payByBankTransfer"
  | "pay"
  | "payLater"
  | "declineAttempt"
  | "declinePayment"
  | "cancelPayment"
  | "timeOutPayment"

/** The payer cannot do this with this payment. */
export class PayerActionRefused extends Data.TaggedError("PayerActionRefused")<{
  /** The action of the payer. */
  readonly action: PayerAction
  /** The payment that it was for. */
  readonly paymentId: GatewayId
  /**
   * `PaymentNotFound`: there is no such payment. `WrongPaymentState`: it is already paid, held, cancelled or timed out.
   * `InstrumentNotOffered`: the merchant does not allow this instrument for it, or it must be paid by card to be held,
   * or charged again.
   */
  readonly reason: "PaymentNotFound" | "WrongPaymentState" | "InstrumentNotOffered"
  /** The state of the payment, if it exists. */
  readonly state?: string
}> {
  /** The problem, for an operator. */
  get problem(): string {
    switch (this.reason) {
      case "PaymentNotFound":
        return `there is no payment ${this.paymentId} here`
      case "WrongPaymentState":
        return `payment ${this.paymentId} is ${this.state}`
      case "InstrumentNotOffered":
        return `payment ${this.paymentId} cannot be paid this way`
    }
  }

  /** The action and the problem, for an operator. */
  override get message(): string {
    return `${this.action}: ${this.problem}`
  }
}

/** The means by which the payer pays. @internal */
export interface MeansOfPayment {
  readonly instrument: PaymentInstrument
  /** For cards: which of the test cards. Default: `4444444444444448`. */
  readonly card?: TestCardNumber | undefined
}

/** The payment after an action of the payer. @internal */
type AfterAction = Effect.Effect<Payment, PayerActionRefused>

/** The payer of a gateway, controlled by the caller. @internal */
export interface PayerControls {
  /** Whether the payer has paid, and the gateway is still processing that. */
  readonly isProcessed: (payment: Payment) => boolean
  /** The payment that the payer's bank asks the payer to confirm, where it does, and with which card it is paid. */
  readonly confirmationOf: (payment: Payment) => Pick<MeansOfPayment, "card"> | undefined
  readonly askForConfirmation: (id: GatewayId, means: MeansOfPayment) => AfterAction
  readonly choosePaymentMethod: (id: GatewayId, instrument: PaymentInstrument) => AfterAction
  readonly payByCard: (id: GatewayId, options?: PayByCardOptions) => AfterAction
  readonly payByBankTransfer: (id: GatewayId) => AfterAction
  readonly pay: (id: GatewayId, means: MeansOfPayment) => AfterAction
  /** Pays this many seconds later, if the payment can still be paid then. */
  readonly payLater: (id: GatewayId, means: MeansOfPayment, seconds: number) => AfterAction
  readonly declineAttempt: (id: GatewayId, subState: PaymentSubState) => AfterAction
  readonly declinePayment: (id: GatewayId, subState?: PaymentSubState) => AfterAction
  readonly cancelPayment: (id: GatewayId) => AfterAction
  readonly timeOutPayment: (id: GatewayId) => AfterAction
}

/** The payer's actions on the payments of this gateway. @internal */
export const payerControls = (engine: Engine): PayerControls => {
  const { books } = engine

  /** Payments that the payer has made and that are not paid yet. Each change of a payment creates another object. */
  const processed = new WeakSet<Payment>()

  /** Payments that the payer is asked to confirm. A change of a payment makes it another object. */
  const confirmations = new WeakMap<Payment, Pick<MeansOfPayment, "card">>()

  const act = (
    action: PayerAction,
    paymentId: GatewayId,
    instrument: string | undefined,
    isPossible: (payment: Payment) => boolean,
    change: (payment: Payment, eventContext: EventContext) => Payment
  ): AfterAction =>
    Effect.flatMap(engine.eventContext("payer"), (eventContext) =>
      Effect.suspend(() => {
        const payment = books.payment(paymentId)
        if (payment === undefined) {
          return Effect.fail(new PayerActionRefused({ action, paymentId, reason: "PaymentNotFound" }))
        }
        const { state } = payment
        if (!isPossible(payment)) {
          return Effect.fail(new PayerActionRefused({ action, paymentId, reason: "WrongPaymentState", state }))
        }
        if (instrument !== undefined && !offers(payment, instrument)) {
          return Effect.fail(new PayerActionRefused({ action, paymentId, reason: "InstrumentNotOffered", state }))
        }
        return Effect.succeed(change(payment, eventContext))
      })
    )

  const paid = (
    payment: Payment,
    { card = "4444444444444448", instrument }: MeansOfPayment,
    eventContext: EventContext
  ): Payment => {
    if (instrument === "PAYMENT_CARD") return books.payByCard(payment, testCard(card), eventContext)
    if (instrument === "BANK_ACCOUNT") return books.payByBankTransfer(payment, payerBankAccount, eventContext)
    return books.payOtherwise(payment, instrument, eventContext)
  }

  const mayBePaidBy = (instrument: string) => (payment: Payment) =>
    isOpen(payment) || (instrument === "BANK_ACCOUNT" && mayBePaidLate(payment))

  const pay = (action: PayerAction, id: GatewayId, means: MeansOfPayment): AfterAction =>
    act(action, id, means.instrument, mayBePaidBy(means.instrument), (payment, eventContext) =>
      paid(payment, means, eventContext)
    )

  /** Pays this many seconds later, if the payment can still be paid then. */
  const enterPayment = ({ id }: Payment, means: MeansOfPayment, seconds: number, eventContext: EventContext): void => {
    const at = eventContext.now + seconds * 1000
    engine.agenda.enter(at, () => {
      const payment = books.payment(id)
      if (payment !== undefined && isOpen(payment)) paid(payment, means, { ...eventContext, now: at })
    })
  }

  /** The outcome of a payment attempt on an open payment. */
  const enter = (
    action: PayerAction,
    id: GatewayId,
    change: (payment: Payment, now: number) => Payment,
    instrument?: string
  ): AfterAction =>
    act(action, id, instrument, isOpen, (payment, eventContext) =>
      books.enter(change(payment, eventContext.now), eventContext)
    )

  const choose = (id: GatewayId, instrument: string): AfterAction =>
    enter("choosePaymentMethod", id, (payment, now) => methodChosen(payment, instrument, now), instrument)

  return {
    isProcessed: (payment) => processed.has(payment),
    confirmationOf: (payment) => confirmations.get(payment),
    askForConfirmation: (id, { card, instrument }) =>
      Effect.tap(choose(id, instrument), (payment) => Effect.sync(() => confirmations.set(payment, { card }))),
    choosePaymentMethod: choose,
    payByCard: (id, options = {}) => pay("payByCard", id, { instrument: "PAYMENT_CARD", ...options }),
    payByBankTransfer: (id) => pay("payByBankTransfer", id, { instrument: "BANK_ACCOUNT" }),
    pay: (id, means) => pay("pay", id, means),
    payLater: (id, means, seconds) =>
      act("payLater", id, means.instrument, isOpen, (payment, eventContext) => {
        const chosen = books.enter(methodChosen(payment, means.instrument, eventContext.now), eventContext)
        enterPayment(chosen, means, seconds, eventContext)
        processed.add(chosen)
        return chosen
      }),
    declineAttempt: (id, subState) =>
      enter("declineAttempt", id, (payment, now) => attemptDeclined(payment, subState, now)),
    declinePayment: (id, subState = "_5006") => enter("declinePayment", id, (payment) => declined(payment, subState)),
    cancelPayment: (id) => enter("cancelPayment", id, canceled),
    timeOutPayment: (id) => enter("timeOutPayment", id, timedOut)
  }
}
