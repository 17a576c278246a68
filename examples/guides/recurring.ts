/**
 * A subscription that the shop charges, with promises.
 */
import {
  type CreatePaymentRequest,
  type CreateRecurrenceRequest,
  type GatewayClient,
  GatewayError,
  isClosedUnpaid,
  type PaymentResponse,
  wasPaid
} from "effect-gopay/promise"

/** The first payment: the customer pays it with a card, and allows further charges of that card. */
export const subscribe = (gateway: GatewayClient, order: CreatePaymentRequest) =>
  gateway.createPayment({
    ...order,
    recurrence: { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-30" }
  })

/** `wait`: the notification of the charge, or the sweep, decides. */
export type NextStep = "deliver" | "wait" | "chargeLater" | "askForCard" | "askPerson"

/** Charges the card of the first payment. The caller has committed `charge.order_number` before. */
export const charge = async (
  gateway: GatewayClient,
  firstPaymentId: number,
  charge: CreateRecurrenceRequest
): Promise<{ readonly next: NextStep; readonly paymentId?: number }> => {
  try {
    const payment = await gateway.createRecurrence(firstPaymentId, charge)
    return { next: stepAfter(payment), paymentId: payment.id }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const { reason } = error
    if (reason._tag === "OutcomeUnknown") return { next: "askPerson" } // never charge the same month again by yourself
    if (reason.isRetryable) return { next: "chargeLater" }
    if (reason._tag !== "OperationRefused") throw error
    return { next: stepAfterRefusal(reason.code) }
  }
}

/** 340: it failed this time. 342 and 343: the recurrence has ended. Anything else does not concern the customer. */
export const stepAfterRefusal = (code: number | undefined): NextStep => {
  if (code === 340) return "chargeLater"
  return code === 342 || code === 343 ? "askForCard" : "askPerson"
}

/** The cards for which there is no hope: expired, blocked. */
const lost: ReadonlyArray<string | undefined> = ["_5005", "_5007", "_5039"]

/** The next step after a charge, for its notification and for the sweep. */
export const stepAfter = (payment: PaymentResponse): NextStep => {
  if (wasPaid(payment)) return "deliver"
  if (!isClosedUnpaid(payment)) return "wait"
  return lost.includes(payment.sub_state) ? "askForCard" : "chargeLater"
}

/** The days after the first attempt on which it is retried. After the last one, the customer is asked for a card. */
export const retryAfterDays = [2, 5, 10]

/** Whether the card of the first payment expires before a day: its `card_expiration` is `YYMM`. */
export const expiresBefore = (first: PaymentResponse, day: Date): boolean => {
  const [, year, month] = /^(\d\d)(\d\d)$/.exec(first.payer?.payment_card?.card_expiration ?? "") ?? []
  if (year === undefined) return false // not told
  return day >= new Date(Date.UTC(2000 + Number(year), Number(month), 1)) // the first day after its last month
}
