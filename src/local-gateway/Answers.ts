/**
 * Answers in the gateway's own form: its members in its order. A member that is `undefined` here is left out of the
 * JSON, as recorded answers leave out what is absent.
 */
import type { Refund } from "./Books.js"
import { contactOf, type Payment, type StoredCard } from "./Payment.js"
import { timestamp } from "./PragueTime.js"

/** An empty list restricts nothing, and is not repeated. */
const filled = <A>(list: ReadonlyArray<A> | undefined): ReadonlyArray<A> | undefined =>
  list === undefined || list.length === 0 ? undefined : list

const cardMembers = ({ card, storedCard }: Payment) =>
  card && {
    card_number: card.number,
    card_expiration: card.expiration,
    card_brand: card.brand,
    card_issuer_country: card.issuerCountry,
    card_issuer_bank: card.issuerBank,
    card_token: storedCard?.token,
    "3ds_result": storedCard && "Y/Y",
    card_fingerprint: storedCard?.fingerprint
  }

/** The PIN, the card token and the wish to store a card are not repeated. */
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
    payment_card: cardMembers(payment),
    contact,
    card_id: payment.storedCard?.id.toString()
  }
}

/** A payment, as creating and reading it answer. `url` is the gateway's address, without `/api`. */
export const paymentAnswer = (payment: Payment, url: string) => {
  const { order, preauthorization } = payment
  return {
    id: payment.id,
    parent_id: payment.parentId,
    order_number: order.order_number,
    state: payment.state,
    sub_state: payment.subState,
    payment_instrument: payment.instrument,
    amount: order.amount,
    currency: order.currency,
    payer: payerMembers(payment),
    target: { type: "ACCOUNT", goid: order.target.goid },
    recurrence: order.recurrence && { ...order.recurrence, recurrence_state: payment.recurrence },
    preauthorization: preauthorization && { requested: true, state: preauthorization },
    additional_params: filled(order.additional_params),
    // The default of the real gateway is not known.
    lang: (order.lang ?? "en").toLowerCase(),
    gw_url: `${url}/gw/v3/${payment.payPage}`
  }
}

/** What a refund, a capture or a void answers when it is done. */
export const finishedAnswer = ({ id }: Payment) => ({ id, result: "FINISHED" })

/** One refund in the history. Here refunds are made at once, and none fails. */
export const refundAnswer = ({ amount, at, currency, id }: Refund) => ({
  id,
  state: "SUCCESS",
  amount,
  currency,
  date_requested: timestamp(at),
  date_last_change: timestamp(at)
})

/** A stored card. */
export const cardAnswer = ({ card, fingerprint, id, status, token }: StoredCard) => ({
  card_id: id,
  card_number: card.number,
  card_expiration: card.expiration,
  card_brand: card.brand,
  card_issuer_country: card.issuerCountry,
  card_issuer_bank: card.issuerBank,
  card_fingerprint: fingerprint,
  card_token: token,
  status,
  real_masked_pan: card.number
})
