/**
 * Response bodies of API v4. Ids are text, and a member without a value is left out: GoPay's own tests compare with undefined.
 */
import { PaymentSubStates } from "../../contract/CodeLists.js"
import { basePathV4, endpointsV4 } from "../../contract/EndpointV4.js"
import { ownMember } from "../../basics/OwnMember.js"
import type { Refund } from "../books/Books.js"
import type { ChargeV4, OfV4, Payment } from "../books/Payment.js"
import type { RecurrenceV4, StandingV4 } from "../books/RecurrenceV4.js"
import { isoTime } from "../books/Times.js"
import { payPageUrl } from "./Responses.js"

/** The context of responses, besides the books. */
interface ResponseContext {
  /** Address of the gateway, without its APIs' paths. */
  readonly url: string
}

/** A payment of API v4. */
export type PaymentOfV4 = Payment & { readonly v4: OfV4 }

const href = ({ id }: Payment, { url }: ResponseContext): string =>
  `${url}${basePathV4}${endpointsV4.getCharge.path.replace("{id}", String(id))}`

/** A payment, in the response to creating or reading it. Its charge is the short form that a mobile SDK's tests show. */
export const paymentResponseV4 = (payment: PaymentOfV4, context: ResponseContext) => {
  const { id, order, state, v4 } = payment
  return {
    id: String(id),
    order_number: order.order_number,
    state,
    amount: order.amount,
    currency: order.currency,
    customer: v4.customer,
    gw_url: payPageUrl(payment, context),
    payment_secret: v4.secret,
    charge: v4.charge && { id: String(v4.charge.id), state: v4.charge.state, href: href(payment, context) }
  }
}

/**
 * The state of a charge that the payer made on the pay page. The details of its card are left out: they say how the
 * card was entered, and there is no value for the pay page.
 */
export const chargeResponse = ({ id, reason, state }: ChargeV4, { instrument, order }: Payment) => ({
  id: String(id),
  state,
  payment_instrument: instrument === "PAYMENT_CARD" ? { payment_instrument: "PAYMENT_CARD" } : undefined,
  return_url: order.callback.return_url,
  fail_reason: reason === undefined ? undefined : (ownMember(PaymentSubStates, reason) ?? reason)
})

/** One refund. `updated_at` is null until its state changes, the one `null` that GoPay documents. */
export const refundResponseV4 = ({ amount, changedAt, currency, id, requestedAt, state }: Refund) => ({
  id: String(id),
  state,
  amount,
  currency,
  created_at: isoTime(requestedAt),
  updated_at: state === "REQUESTED" ? null : isoTime(changedAt)
})

/** A recurrence: its template, and the parts of its last payment that a shop needs to continue. */
export const recurrenceResponse = (
  { dateTo, id, schedule, template, type }: RecurrenceV4,
  { state, stopReason }: StandingV4,
  last: PaymentOfV4 | undefined,
  context: ResponseContext
) => ({
  id: String(id),
  type,
  state,
  schedule,
  recurrence_date_to: dateTo,
  stop_reason: stopReason,
  payment:
    last === undefined
      ? {
          order_number: template.order_number,
          amount: template.amount,
          currency: template.currency,
          customer: template.customer
        }
      : paymentResponseV4(last, context)
})
