/**
 * The payer's actions for callers: everything that a person can do on the pay page.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { PaymentInstrument, PaymentSubState } from "../../api/CodeLists.plain.js"
import type { GatewayId } from "../../api/Messages.plain.js"
import type { Engine } from "./Engine.js"
import type { Occasion } from "../books/Occasion.js"
import type { PayByCardOptions, PayerAction } from "./PayerAction.plain.js"
import { isOpen, mayBePaidLate, offers, type Payment } from "../books/Payment.js"
import { payerBankAccount, testCard, type TestCardNumber } from "../settings/TestCards.plain.js"

/**
 * The payer cannot do this with this payment.
 *
 * @category local gateway
 * @since 0.1.0
 */
export class PayerActionRefused extends Data.TaggedError("PayerActionRefused")<{
  /** The action of the payer. */
  readonly action: PayerAction
  /** The payment that it was meant for. */
  readonly paymentId: GatewayId
  /**
   * `PaymentNotFound`: there is no such payment. `WrongPaymentState`: it is paid, held, cancelled or timed out already.
   * `InstrumentNotOffered`: the merchant does not allow this instrument for it, or it must be paid by card to be held.
   */
  readonly reason: "PaymentNotFound" | "WrongPaymentState" | "InstrumentNotOffered"
  /** The state of the payment, where there is one. */
  readonly state?: string
}> {
  /** The action and the problem, for a person. */
  override get message(): string {
    switch (this.reason) {
      case "PaymentNotFound":
        return `${this.action}: there is no payment ${this.paymentId} here`
      case "WrongPaymentState":
        return `${this.action}: payment ${this.paymentId} is ${this.state}`
      case "InstrumentNotOffered":
        return `${this.action}: payment ${this.paymentId} cannot be paid this way`
    }
  }
}

/** The means by which the payer pays. */
export interface MeansOfPayment {
  readonly instrument: PaymentInstrument
  /** Of an instrument that is a card: which of the test cards. Default: `4444444444444448`. */
  readonly card?: TestCardNumber | undefined
}

/** The payer's actions on the payments of this gateway. */
export const payerControls = (engine: Engine) => {
  const { books } = engine
  const act = (
    action: PayerAction,
    paymentId: GatewayId,
    instrument: string | undefined,
    isPossible: (payment: Payment) => boolean,
    change: (payment: Payment, occasion: Occasion) => Payment
  ): Effect.Effect<Payment, PayerActionRefused> =>
    Effect.flatMap(engine.occasion("payer"), (occasion) =>
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
        return Effect.succeed(change(payment, occasion))
      })
    )

  const paid = (payment: Payment, { card = "4444444444444448", instrument }: MeansOfPayment, occasion: Occasion) => {
    switch (instrument) {
      case "PAYMENT_CARD":
        return books.payByCard(payment, testCard(card), occasion)
      case "BANK_ACCOUNT":
        return books.payByBankTransfer(payment, payerBankAccount, occasion)
      default:
        return books.payOtherwise(payment, instrument, occasion)
    }
  }

  const mayBePaidBy = (instrument: string) => (payment: Payment) =>
    isOpen(payment) || (instrument === "BANK_ACCOUNT" && mayBePaidLate(payment))

  const pay = (action: PayerAction, id: GatewayId, means: MeansOfPayment) =>
    act(action, id, means.instrument, mayBePaidBy(means.instrument), (payment, occasion) =>
      paid(payment, means, occasion)
    )

  /** The payment is made that many seconds later, if it can still be then. */
  const enterPayment = ({ id }: Payment, means: MeansOfPayment, seconds: number, occasion: Occasion): void => {
    const at = occasion.now + seconds * 1000
    engine.agenda.enter(at, () => {
      const payment = books.payment(id)
      if (payment !== undefined && isOpen(payment)) paid(payment, means, { ...occasion, now: at })
    })
  }

  return {
    choosePaymentMethod: (id: GatewayId, instrument: PaymentInstrument) =>
      act("choosePaymentMethod", id, instrument, isOpen, (payment, occasion) =>
        books.choosePaymentMethod(payment, instrument, occasion)
      ),
    payByCard: (id: GatewayId, options: PayByCardOptions = {}) =>
      pay("payByCard", id, { instrument: "PAYMENT_CARD", ...options }),
    payByBankTransfer: (id: GatewayId) => pay("payByBankTransfer", id, { instrument: "BANK_ACCOUNT" }),
    pay: (id: GatewayId, means: MeansOfPayment) => pay("pay", id, means),
    payLater: (id: GatewayId, means: MeansOfPayment, seconds: number) =>
      act("payLater", id, means.instrument, isOpen, (payment, occasion) => {
        const chosen = books.choosePaymentMethod(payment, means.instrument, occasion)
        enterPayment(chosen, means, seconds, occasion)
        return chosen
      }),
    declineAttempt: (id: GatewayId, subState: PaymentSubState) =>
      act("declineAttempt", id, undefined, isOpen, (payment, occasion) =>
        books.declineAttempt(payment, subState, occasion)
      ),
    declinePayment: (id: GatewayId, subState: PaymentSubState = "_5006") =>
      act("declinePayment", id, undefined, isOpen, (payment, occasion) => books.decline(payment, subState, occasion)),
    cancelPayment: (id: GatewayId) =>
      act("cancelPayment", id, undefined, isOpen, (payment, occasion) => books.cancel(payment, occasion)),
    timeOutPayment: (id: GatewayId) =>
      act("timeOutPayment", id, undefined, isOpen, (payment, occasion) => books.timeOut(payment, occasion))
  }
}

/** The payer of a gateway, moved by the caller. */
export type PayerControls = ReturnType<typeof payerControls>
