/**
 * A shop on GoPay's API v4: the hosted pay page, notifications, refunds and what to do when a response is lost.
 */
import {
  ChangeRecordV4,
  createGatewayClient,
  type GatewayClientV4,
  GatewayErrorV4,
  isPaid,
  paymentIdV4,
  type PaymentIdV4,
  recurrenceIdV4
} from "effect-gopay/v4/promise"

export interface Order {
  readonly number: string
  readonly amount: number
  readonly currency: string
  readonly email: string
}

/** A table of orders with the payments that were created for them. */
export interface Orders {
  readonly savePayment: (number: string, paymentId: string) => Promise<void>
  readonly byPayment: (paymentId: string) => Promise<Order | undefined>
  readonly markPaid: (number: string) => Promise<void>
}

export const openGateway = (
  environment: string,
  credentials: { goid: number; clientId: string; clientSecret: string }
) => createGatewayClient({ ...credentials, environment })

/** Returns the address to send the payer to. */
export const pay = async (gateway: GatewayClientV4, orders: Orders, order: Order): Promise<string> => {
  const { gw_url, id } = await gateway.createPayment({
    amount: order.amount, // haléře: 139_950 is 1,399.50 CZK
    currency: order.currency,
    order_number: order.number,
    customer: { email: order.email },
    callback: {
      return_url: `https://shop.example/return?order=${order.number}`,
      notification_url: "https://shop.example/notify"
    }
  })
  await orders.savePayment(order.number, id) // before the payer is sent there: payments cannot be searched
  return gw_url
}

/** Answers notifications, by GET and POST: anything but 200 asks GoPay to try again. */
export const notificationHandler = (gateway: GatewayClientV4, orders: Orders) =>
  gateway.createNotificationHandler({
    expected: async (id) => {
      const order = await orders.byPayment(id)
      return order && { order_number: order.number, amount: order.amount, currency: order.currency }
    },
    handler: async ({ order, payment }) => {
      if (isPaid(payment)) await orders.markPaid(order.order_number)
    }
  })

/** Where records of refunds lie that may have been made: one at a time for each payment. */
export interface OpenRefunds {
  readonly find: (paymentId: string) => Promise<string | undefined>
  readonly save: (paymentId: string, record: string) => Promise<void>
  readonly remove: (paymentId: string) => Promise<void>
}

/** Whether a refund is listed that was not there before, and was not refused. */
const isListed = async (gateway: GatewayClientV4, id: PaymentIdV4, before: ReadonlyArray<{ readonly id: string }>) => {
  const now = await gateway.getPaymentRefunds(id)
  return now.some((refund) => refund.state !== "FAILED" && !before.some((known) => known.id === refund.id))
}

/** Under a lock of the order, so that no other process refunds it meanwhile. */
export const refund = async (gateway: GatewayClientV4, open: OpenRefunds, id: PaymentIdV4, amount: number) => {
  if ((await open.find(id)) !== undefined) throw new Error("An earlier refund of this payment is in doubt.")
  const refundsBefore = await gateway.getPaymentRefunds(id)
  const record = ChangeRecordV4.refundPayment(
    id,
    { amount },
    { sentAt: new Date(), refundsBefore, isOnlyWriter: true } // by the lock, and since no one refunds by hand
  )
  await open.save(id, JSON.stringify(record))
  try {
    const refund = await gateway.refundPayment(id, { amount })
    await open.remove(id)
    return refund // REQUESTED: read it by its id until it is SUCCESS or FAILED
  } catch (error) {
    const isKnown = error instanceof GatewayErrorV4 && error.reason._tag !== "OutcomeUnknown"
    // A proxy may have sent it twice, and the second one have been refused.
    if (isKnown && !(await isListed(gateway, id, refundsBefore))) await open.remove(id)
    throw error
  }
}

/** For each record that is still there: at the start of the process, and now and then. */
export const settle = async (gateway: GatewayClientV4, open: OpenRefunds, paymentId: string): Promise<string> => {
  const id = paymentIdV4(paymentId)
  const stored = await open.find(id)
  if (stored === undefined) return "nothing is open"
  const found = await gateway.reconcile(ChangeRecordV4.parse(stored))
  if (found._tag === "Happened") {
    await open.remove(id)
    return `it is refund ${found.id}, ${found.state}` // REQUESTED: read it by its id until it is SUCCESS or FAILED
  }
  const isYoung = found._tag === "NotSeenYet" && found.ageMillis < 3_600_000
  return isYoung ? "look again later" : `ask an operator: ${found.message}`
}

/** Charges a recurrence that the payer has begun, once for each month. */
export const chargeMonth = async (gateway: GatewayClientV4, recurrenceId: string, month: string) => {
  const { id, payment } = await gateway.getRecurrence(recurrenceIdV4(recurrenceId))
  if (payment?.order_number === month) return undefined
  const timing = { sentAt: new Date(), ...(payment?.id === undefined ? undefined : { paymentBefore: payment.id }) }
  const override = { order_number: month } // its own, so that a lost one can be recognised
  return { record: ChangeRecordV4.nextPayment(id, override, timing), send: () => gateway.nextPayment(id, override) }
}
