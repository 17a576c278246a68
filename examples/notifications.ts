/**
 * A shop that is notified of its payments, with promises. The same with Effect is in `notifications-effect.ts`.
 */
import { createServer, type Server } from "node:http"
import {
  type ExpectedPayment,
  type GatewayClient,
  isClosedUnpaid,
  type PayerLanguage,
  payerMessage,
  type PayerMessage,
  type PaymentResponse,
  type NotificationRequestHandler,
  toNodeHandler,
  wasPaid
} from "effect-gopay/promise"

/** An order, stored with the id of its payment before the payer is sent to the gateway. */
export interface Order extends ExpectedPayment {
  readonly paymentId: number
  readonly status: "open" | "closed" | "paid" | "refunded"
}

/** The shop's database. */
export interface Orders {
  readonly byPaymentId: (paymentId: number) => Promise<Order | undefined>
  /** The orders that money may still come for: open ones, and closed ones of the last weeks. */
  readonly unpaid: () => Promise<ReadonlyArray<Order>>
  /** One transaction: `SELECT … WHERE payment_id = $1 FOR UPDATE`, the change, `UPDATE`, `COMMIT`. */
  readonly change: (paymentId: number, change: (order: Order) => Order) => Promise<void>
}

/**
 * The status of an order after a payment was read. The payment was read before the row was locked, so another process
 * may have stored a later state meanwhile. So the status only moves forward, and the same payment changes nothing a
 * second time.
 */
export const statusAfter = ({ status }: Order, payment: PaymentResponse): Order["status"] => {
  if (payment.state === "REFUNDED") return "refunded"
  if (wasPaid(payment)) return status === "refunded" ? status : "paid"
  // Money may come for a closed order after all.
  return isClosedUnpaid(payment) && status === "open" ? "closed" : status
}

const record = (orders: Orders, payment: PaymentResponse) =>
  orders.change(payment.id, (order) => ({ ...order, status: statusAfter(order, payment) }))

/** The shop's handler of notifications, for a server that speaks `Request` and `Response`. */
export const notificationsOf = (gateway: GatewayClient, orders: Orders): NotificationRequestHandler =>
  gateway.createNotificationHandler({
    expected: orders.byPaymentId,
    handler: ({ payment }) => record(orders, payment),
    onError: (error, notification) => console.error("notification", notification, error)
  })

/** The same on Node's own server. */
export const createShop = (gateway: GatewayClient, orders: Orders): Server =>
  createServer(toNodeHandler(notificationsOf(gateway, orders)))

/** The text for a returning payer, and what the page offers next (`nextStep`). */
export const returnPage = async (
  gateway: GatewayClient,
  orders: Orders,
  url: string,
  language: PayerLanguage
): Promise<PayerMessage> => {
  try {
    const { payment } = await gateway.verifyPayment(url, orders.byPaymentId)
    await record(orders, payment)
    return payerMessage(payment, language)
  } catch (error) {
    return payerMessage(error, language)
  }
}

/** Run it every few minutes: a notification is repeated at most 20 times. */
export const sweep = async (gateway: GatewayClient, orders: Orders): Promise<void> => {
  for (const { paymentId } of await orders.unpaid()) {
    try {
      await record(orders, await gateway.getPayment(paymentId))
    } catch (error) {
      console.error("sweep", paymentId, error)
    }
  }
}

export const waitForPayer = async (gateway: GatewayClient, paymentId: number, signal: AbortSignal): Promise<string> => {
  const { _tag, payment } = await gateway.awaitPayment(paymentId, { waitAtMost: 60_000, signal })
  return _tag === "StillPending" ? "still waiting" : payment.state
}
