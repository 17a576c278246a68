/**
 * A subscription that the shop charges, with Effect.
 */
import { Effect } from "effect"
import { createPayment, type CreatePaymentRequest, createRecurrence, type CreateRecurrenceRequest } from "effect-gopay"
import { type NextStep, stepAfter, stepAfterRefusal } from "./recurring.js"

/** The first payment: the customer pays it with a card, and allows further charges of that card. */
export const subscribe = (order: CreatePaymentRequest) =>
  createPayment({
    ...order,
    recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-30" }
  })

const next = (next: NextStep) => Effect.succeed({ next })

/** Charges the card of the first payment. The caller has committed `charge.order_number` before. */
export const charge = (firstPaymentId: number, charge: CreateRecurrenceRequest) =>
  createRecurrence(firstPaymentId, charge).pipe(
    Effect.map((payment) => ({ next: stepAfter(payment), paymentId: payment.id })),
    Effect.catchReasons("GatewayError", {
      OutcomeUnknown: () => next("askPerson"), // never charge the same month again by yourself
      GatewayUnavailable: () => next("chargeLater"),
      RateLimited: () => next("chargeLater"),
      OperationRefused: ({ code }) => next(stepAfterRefusal(code))
    })
  )
