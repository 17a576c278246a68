/**
 * Stored cards, with promises.
 */
import type { CreatePaymentRequest, GatewayClient, PaymentResponse } from "effect-gopay/promise"

/** Asks for the card to be stored: its token is in the payment once it is paid. */
export const payAndStore = (gateway: GatewayClient, order: CreatePaymentRequest) =>
  gateway.createPayment({ ...order, payer: { ...order.payer, request_card_token: true } })

/** The data to store in the customer's account once the payment is paid. */
export const storedCard = ({ payer }: PaymentResponse) =>
  payer?.payment_card?.card_token === undefined
    ? undefined // not stored, or paid otherwise
    : { token: payer.payment_card.card_token, id: payer.card_id, shownAs: payer.payment_card.card_number }

/** The next order, to be paid with the stored card. */
export const payWithStored = (gateway: GatewayClient, order: CreatePaymentRequest, token: string) =>
  gateway.createPayment({ ...order, payer: { ...order.payer, allowed_card_token: token } })

/** Whether the card can still be offered. A deleted card can be read, and says so. */
export const isUsable = async (gateway: GatewayClient, cardId: number): Promise<boolean> =>
  (await gateway.getCardDetails(cardId)).status === "ACTIVE"
