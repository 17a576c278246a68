/**
 * Response bodies in the gateway's format, with members in its order. A member that is `undefined` is omitted from the
 * JSON, as in recorded responses.
 */
import { escaped } from "../../html/Html.js"
import type { OperationOutcome, Refund } from "../books/Books.js"
import { contactOf, type Payment, type StoredCard } from "../books/Payment.js"
import { cardMembers } from "../books/TestCards.js"
import { timestamp } from "../books/Times.js"
import type { LocalGatewaySettings } from "../books/LocalGatewaySettings.js"

/** The context of responses, besides the books. */
interface ResponseContext {
  /** Address of the gateway, without `/api`. */
  readonly url: string
  readonly settings: LocalGatewaySettings
}

/** A text with its special characters as HTML entities, as observed at the sandbox. */
const htmlEncoded = (text: string): string => escaped(text).replaceAll("&quot;", "&#34;")

/** The parameters in the form in which the gateway returns them. */
const echoedParams = (
  params: Payment["order"]["additional_params"],
  textEcho: LocalGatewaySettings["textEcho"]
): Payment["order"]["additional_params"] =>
  textEcho === "asSent" ? params : params?.map(({ name, value }) => ({ name, value: htmlEncoded(value) }))

/** An empty list restricts nothing and is not echoed. */
const filled = <A>(list: ReadonlyArray<A> | undefined): ReadonlyArray<A> | undefined =>
  list === undefined || list.length === 0 ? undefined : list

const paymentCard = ({ card, cardToken, storedCard, threeDSecure }: Payment) =>
  card && {
    ...cardMembers(card),
    card_token: cardToken,
    "3ds_result": threeDSecure,
    card_fingerprint: storedCard?.fingerprint
  }

/** The PIN, the card token and the wish to store a card are not echoed. */
const payerMembers = (payment: Payment) => {
  const payer = payment.order.payer
  const contact = contactOf(payment)
  if (payer === undefined && contact === undefined && payment.card === undefined) return undefined
  return {
    allowed_payment_instruments: filled(payer?.allowed_payment_instruments),
    allowed_swifts: filled(payer?.allowed_swifts),
    default_payment_instrument: payer?.default_payment_instrument,
    default_swift: payer?.default_swift,
    allowed_bnpl_types: filled(payer?.allowed_bnpl_types),
    default_bnpl_type: payer?.default_bnpl_type,
    bank_account: payment.bankAccount,
    payment_card: paymentCard(payment),
    contact,
    card_id: payment.storedCard?.id.toString()
  }
}

/** The path of the pay page, below the address of the gateway. */
export const payPagePath = ({ payPage, v4 }: Payment): string => `/gw/${v4 === undefined ? "v3" : "v4"}/${payPage}`

/** The address of the pay page. */
export const payPageUrl = (payment: Payment, { url }: Pick<ResponseContext, "url">): string =>
  `${url}${payPagePath(payment)}`

/** A payment, in the response to creating or reading it. */
export const paymentResponse = (payment: Payment, context: ResponseContext) => {
  const { order, preauthorization } = payment
  const { amountAfterCapture, defaultLanguage, textEcho } = context.settings
  const showsCaptured = preauthorization === "CAPTURED" && amountAfterCapture === "captured"
  return {
    id: payment.id,
    parent_id: payment.parentId,
    order_number: textEcho === "encoded" ? htmlEncoded(order.order_number) : order.order_number,
    state: payment.state,
    sub_state: payment.subState,
    payment_instrument: payment.instrument,
    amount: showsCaptured ? payment.received : order.amount,
    currency: order.currency,
    payer: payerMembers(payment),
    target: { type: "ACCOUNT", goid: order.target.goid },
    recurrence: order.recurrence && { ...order.recurrence, recurrence_state: payment.recurrence },
    preauthorization: preauthorization && { requested: true, state: preauthorization },
    additional_params: filled(echoedParams(order.additional_params, textEcho)),
    lang: (order.lang ?? defaultLanguage).toLowerCase(),
    gw_url: payPageUrl(payment, context),
    eet_code: payment.eetCode
  }
}

/** The response to a refund, a capture or a void. */
export const operationResponse = ({ payment, result }: OperationOutcome) => ({ id: payment.id, result })

/** One refund in the history. */
export const refundResponse = ({ amount, changedAt, currency, id, requestedAt, state }: Refund) => ({
  id,
  state,
  amount,
  currency,
  date_requested: timestamp(requestedAt),
  date_last_change: timestamp(changedAt)
})

/** A stored card. */
export const cardResponse = ({ card, fingerprint, id, status, token }: StoredCard) => ({
  card_id: id,
  ...cardMembers(card),
  card_fingerprint: fingerprint,
  card_token: token,
  status,
  real_masked_pan: card.number
})
