/**
 * The payer, moved by the caller: what the pay page lets a person do.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { PaymentInstrument, PaymentSubState } from "../../api/CodeLists.plain.js"
import type { Id } from "../../api/Messages.plain.js"
import type { Engine } from "./Engine.js"
import type { Occasion } from "../books/Occasion.js"
import type { PayByCardOptions, PayerAction } from "./PayerAction.plain.js"
import { isOpen, mayBePaidLate, offers, type Payment } from "../books/Payment.js"
import { payerBankAccount, testCard, type TestCardNumber } from "../settings/TestCards.plain.js"

/** The payer cannot do this with this payment. */
export class PayerActionRefused extends Data.TaggedError("PayerActionRefused")<{
  readonly action: PayerAction
  readonly paymentId: Id
  /**
   * `PaymentNotFound`: there is no such payment. `WrongState`: it is paid, held, cancelled or timed out already.
   * `NotOffered`: the merchant does not allow this instrument for it, or it must be paid by card to be held.
   */
  readonly reason: "PaymentNotFound" | "WrongState" | "NotOffered"
  /** The state of the payment, where there is one. */
  readonly state?: string
}> {
  override get message(): string {
    switch (this.reason) {
      case "PaymentNotFound":
        return `${this.action}: there is no payment ${this.paymentId} here`
      case "WrongState":
        return `${this.action}: payment ${this.paymentId} is ${this.state}`
      case "NotOffered":
        return `${this.action}: payment ${this.paymentId} cannot be paid this way`
    }
  }
}

/** What the payer pays with. */
export interface MeansOfPayment {
  readonly instrument: PaymentInstrument
  /** Of an instrument that is a card: which of the test cards. Default: `4444444444444448`. */
  readonly card?: TestCardNumber | undefined
}

/** What a payer can do with the payments of this gateway. */
export const payerControls = (engine: Engine) => {
  const { books } = engine
  const act = (
    action: PayerAction,
    paymentId: Id,
    instrument: string | undefined,
    isPossible: (payment: Payment) => boolean,
    change: (payment: Payment, moment: Occasion) => Payment
  ): Effect.Effect<Payment, PayerActionRefused> =>
    Effect.flatMap(engine.moment("payer"), (moment) =>
      Effect.suspend(() => {
        const payment = books.payment(paymentId)
        if (payment === undefined) {
          return Effect.fail(new PayerActionRefused({ action, paymentId, reason: "PaymentNotFound" }))
        }
        const { state } = payment
        if (!isPossible(payment)) {
          return Effect.fail(new PayerActionRefused({ action, paymentId, reason: "WrongState", state }))
        }
        if (instrument !== undefined && !offers(payment, instrument)) {
          return Effect.fail(new PayerActionRefused({ action, paymentId, reason: "NotOffered", state }))
        }
        return Effect.succeed(change(payment, moment))
      })
    )

  const paid = (payment: Payment, { card = "4444444444444448", instrument }: MeansOfPayment, moment: Occasion) => {
    switch (instrument) {
      case "PAYMENT_CARD":
        return books.payByCard(payment, testCard(card), moment)
      case "BANK_ACCOUNT":
        return books.payByBankTransfer(payment, payerBankAccount, moment)
      default:
        return books.payOtherwise(payment, instrument, moment)
    }
  }

  const mayBePaidBy = (instrument: string) => (payment: Payment) =>
    isOpen(payment) || (instrument === "BANK_ACCOUNT" && mayBePaidLate(payment))

  const pay = (action: PayerAction, id: Id, means: MeansOfPayment) =>
    act(action, id, means.instrument, mayBePaidBy(means.instrument), (payment, moment) => paid(payment, means, moment))

  /** The payment is made that many seconds later, if it can still be then. */
  const enterPayment = ({ id }: Payment, means: MeansOfPayment, seconds: number, moment: Occasion): void => {
    const at = moment.now + seconds * 1000
    engine.agenda.enter(at, () => {
      const payment = books.payment(id)
      if (payment !== undefined && isOpen(payment)) paid(payment, means, { ...moment, now: at })
    })
  }

  return {
    choosePaymentMethod: (id: Id, instrument: PaymentInstrument) =>
      act("choosePaymentMethod", id, instrument, isOpen, (payment, moment) =>
        books.choosePaymentMethod(payment, instrument, moment)
      ),
    payByCard: (id: Id, options: PayByCardOptions = {}) =>
      pay("payByCard", id, { instrument: "PAYMENT_CARD", ...options }),
    payByBankTransfer: (id: Id) => pay("payByBankTransfer", id, { instrument: "BANK_ACCOUNT" }),
    pay: (id: Id, means: MeansOfPayment) => pay("pay", id, means),
    payLater: (id: Id, means: MeansOfPayment, seconds: number) =>
      act("payLater", id, means.instrument, isOpen, (payment, moment) => {
        const chosen = books.choosePaymentMethod(payment, means.instrument, moment)
        enterPayment(chosen, means, seconds, moment)
        return chosen
      }),
    declineAttempt: (id: Id, subState: PaymentSubState) =>
      act("declineAttempt", id, undefined, isOpen, (payment, moment) =>
        books.declineAttempt(payment, subState, moment)
      ),
    decline: (id: Id, subState: PaymentSubState = "_5006") =>
      act("decline", id, undefined, isOpen, (payment, moment) => books.decline(payment, subState, moment)),
    cancel: (id: Id) => act("cancel", id, undefined, isOpen, (payment, moment) => books.cancel(payment, moment)),
    timeOut: (id: Id) => act("timeOut", id, undefined, isOpen, (payment, moment) => books.timeOut(payment, moment))
  }
}

/** The payer of a gateway, moved by the caller. */
export type PayerControls = ReturnType<typeof payerControls>
