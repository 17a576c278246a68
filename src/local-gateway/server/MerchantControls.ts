/**
 * The merchant's actions, for whoever controls the gateway: the operations of the API, by the same rules, without a
 * request.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import { withoutUndefined } from "../../basics/Nulls.js"
import type { EventContext } from "../books/EventContext.js"
import type { OperationOutcome } from "../books/Books.js"
import type { Payment } from "../books/Payment.js"
import { inWords, type Refusal } from "../books/Refusal.js"
import type { Engine } from "./Engine.js"

/** The gateway refuses an action of the merchant. */
export class MerchantActionRefused extends Data.TaggedError("MerchantActionRefused")<{
  readonly reason: "PaymentNotFound" | "Refused"
  readonly message: string
  /** The gateway's error code, if it has one. */
  readonly code?: number
  readonly state?: string
}> {}

/** The merchant's actions on the payments of this gateway. Amounts are integers in minor units. */
export const merchantControls = (engine: Engine) => {
  const { books, booksV4, notifications } = engine
  /** Returns the payment of the outcome, read again: an accepted operation may have changed it. */
  const act = (
    id: string,
    action: (payment: Payment, eventContext: EventContext) => Result.Result<Payment, Refusal | string>
  ): Effect.Effect<Payment, MerchantActionRefused> =>
    Effect.flatMap(engine.eventContext("control"), (eventContext) =>
      Effect.suspend(() => {
        const known = books.payment(id)
        if (known === undefined) {
          return Effect.fail(
            new MerchantActionRefused({ reason: "PaymentNotFound", message: `There is no payment ${id}.` })
          )
        }
        const outcome = action(known, eventContext)
        if (Result.isSuccess(outcome)) return Effect.succeed(books.payment(outcome.success.id) ?? known)
        const { failure } = outcome
        return Effect.fail(
          new MerchantActionRefused({
            reason: "Refused",
            state: known.state,
            ...(typeof failure === "string"
              ? { message: failure }
              : { message: inWords(failure.errors[0]), code: failure.errors[0].code })
          })
        )
      })
    )

  /** An operation, as carried out by the API. */
  const operate = (
    id: string,
    operation: (payment: Payment, eventContext: EventContext) => Result.Result<OperationOutcome, Refusal>
  ) => act(id, (known, eventContext) => Result.map(operation(known, eventContext), paymentOf))

  const paymentOf = ({ payment }: OperationOutcome): Payment => payment

  const shopOf = ({ order }: Payment): number => order.target.goid

  return {
    refund: (id: string, amount?: number) =>
      act(id, (payment, eventContext) => {
        const wanted = amount ?? payment.received - payment.refunded
        return payment.v4 === undefined
          ? Result.map(books.refund(shopOf(payment), id, Result.succeed(wanted), eventContext), paymentOf)
          : Result.map(booksV4.refund(payment, wanted, eventContext), () => payment)
      }),
    capture: (id: string, amount?: number) =>
      operate(id, (payment, eventContext) =>
        books.capture(shopOf(payment), id, Result.succeed(amount ?? "all"), eventContext)
      ),
    release: (id: string) =>
      operate(id, (payment, eventContext) => books.voidAuthorization(shopOf(payment), id, eventContext)),
    stopRecurrence: (id: string) =>
      act(id, (payment, eventContext) => {
        const recurrence = books.recurrence(payment.v4?.recurrenceId ?? 0)
        return recurrence === undefined
          ? Result.map(books.voidRecurrence(shopOf(payment), id, eventContext), paymentOf)
          : Result.map(booksV4.stop(recurrence, "CANCELLED_VIA_BACKOFFICE", eventContext), () => payment)
      }),
    /** Returns the new payment. By default it has the amount, the order number and the items of the first one. */
    charge: (id: string, { amount, order_number }: { readonly amount?: number; readonly order_number?: string }) =>
      act(id, (payment, eventContext) => {
        const recurrence = books.recurrence(payment.v4?.recurrenceId ?? 0)
        if (recurrence !== undefined) {
          const override = withoutUndefined({ amount, order_number })
          return booksV4.next(recurrence, override, eventContext)
        }
        const { currency, items, order_description, ...order } = payment.order
        const isWhole = amount === undefined || amount === order.amount
        const charge = {
          amount: amount ?? order.amount,
          currency,
          order_number: order_number ?? order.order_number,
          ...(order_description === undefined ? {} : { order_description }),
          ...(items === undefined || !isWhole ? {} : { items })
        }
        return books.createRecurrence(shopOf(payment), id, Result.succeed(charge), eventContext)
      }),
    /** Creates a new payment with the same order, as when a payer pays twice. */
    orderAgain: (id: string) =>
      act(id, ({ order, v4 }, eventContext) =>
        Result.succeed(
          v4 === undefined
            ? books.createPayment(order, eventContext)
            : booksV4.createPayment({ order: Struct.omit(order, ["recurrence"]), customer: v4.customer }, eventContext)
        )
      ),
    resendNotification: (id: string) =>
      act(id, (payment, { now }) => {
        const problem = notifications.resend(payment, now)
        return problem === undefined ? Result.succeed(payment) : Result.fail(problem)
      })
  }
}
