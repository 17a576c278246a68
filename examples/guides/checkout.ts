/**
 * The parts of a checkout that the guides show: where an order is paid, what happens to money that comes twice, and
 * what the page says meanwhile.
 */
import {
  type CreatePaymentRequest,
  type GatewayClient,
  isAwaitingPayer,
  isClosedUnpaid,
  type PayerLanguage,
  payerMessage
} from "effect-gopay/promise"

/** An order, and the payment that it has, if any. */
export interface Order {
  readonly request: CreatePaymentRequest
  paymentId?: number
}

/** The address where an order is paid: of the payment that it has, while that can be paid. Lock the order's row. */
export const payUrl = async (gateway: GatewayClient, order: Order): Promise<string | undefined> => {
  if (order.paymentId !== undefined) {
    const payment = await gateway.getPayment(order.paymentId)
    if (isAwaitingPayer(payment)) return payment.gw_url // the payer goes on, with another method if they like
    if (!isClosedUnpaid(payment)) return undefined // it is paid, or held
  }
  const { gw_url, id } = await gateway.createPayment(order.request)
  order.paymentId = id // in a database: committed before the payer is redirected, and the earlier id is kept
  return gw_url
}

/** The page of an order whose payment is in progress. */
export const orderPage = async (
  gateway: GatewayClient,
  paymentId: number,
  language: PayerLanguage
): Promise<string> => {
  const payment = await gateway.getPayment(paymentId)
  const { nextStep, text, title } = payerMessage(payment, language)
  const link = nextStep === "continue" ? `<a href="${payment.gw_url}">Go on paying</a>` : ""
  return `<h1>${title}</h1><p>${text}</p>${link}`
}
