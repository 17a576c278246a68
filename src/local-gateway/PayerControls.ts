/**
 * The payer, moved by the caller: what the pay page will let a person do.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { PaymentInstrument, PaymentSubState } from "../api/CodeLists.js"
import type { Id } from "../api/Messages.js"
import type { Books } from "./Books.js"
import { currentMoment, type Moment } from "./Moment.js"
import { isOpen, offers, type Payment } from "./Payment.js"
import { testCard, type TestCardNumber } from "./TestCards.js"

/** What a payer can do. */
export type PayerAction = "choosePaymentMethod" | "payByCard" | "payByBankTransfer" | "decline" | "cancel" | "timeOut"

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

/** How a payer pays by card. */
export interface PayByCardOptions {
  /** Which of the test cards. Default: `4444444444444448`. */
  readonly card?: TestCardNumber
}

const bankAccount = {
  prefix: "000000",
  account_number: "2000000010",
  bank_code: "0000",
  account_name: "Test Payer"
}

/** What a payer can do with the payments of these books. */
export const payerControls = (books: Books) => {
  const act = (
    action: PayerAction,
    paymentId: Id,
    instrument: string | undefined,
    change: (payment: Payment, moment: Moment) => Payment
  ): Effect.Effect<Payment, PayerActionRefused> =>
    Effect.flatMap(currentMoment, (moment) =>
      Effect.suspend(() => {
        const payment = books.payment(paymentId)
        if (payment === undefined) {
          return Effect.fail(new PayerActionRefused({ action, paymentId, reason: "PaymentNotFound" }))
        }
        const { state } = payment
        if (!isOpen(payment))
          return Effect.fail(new PayerActionRefused({ action, paymentId, reason: "WrongState", state }))
        if (instrument !== undefined && !offers(payment, instrument)) {
          return Effect.fail(new PayerActionRefused({ action, paymentId, reason: "NotOffered", state }))
        }
        return Effect.succeed(change(payment, moment))
      })
    )

  return {
    choosePaymentMethod: (id: Id, instrument: PaymentInstrument) =>
      act("choosePaymentMethod", id, instrument, (payment) => books.choosePaymentMethod(payment, instrument)),
    payByCard: (id: Id, { card = "4444444444444448" }: PayByCardOptions = {}) =>
      act("payByCard", id, "PAYMENT_CARD", (payment, moment) => books.payByCard(payment, testCard(card), moment)),
    payByBankTransfer: (id: Id) =>
      act("payByBankTransfer", id, "BANK_ACCOUNT", (payment, moment) =>
        books.payByBankTransfer(payment, bankAccount, moment)
      ),
    decline: (id: Id, subState: PaymentSubState = "_5006") =>
      act("decline", id, undefined, (payment) => books.decline(payment, subState)),
    cancel: (id: Id) => act("cancel", id, undefined, (payment) => books.cancel(payment)),
    timeOut: (id: Id) => act("timeOut", id, undefined, (payment) => books.timeOut(payment))
  }
}
