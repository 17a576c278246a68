/**
 * The payments that tests of notifications are about: what the shop has stored of them, and what the gateway says.
 */
import type { ExpectedPayment } from "../../src/index.js"
import { json, type SentRequest } from "./ScriptedTransport.js"

export const goid = 8123456781

export const paymentId = 3000006542
export const parentId = 3000006555
export const childId = 3000006568
export const strangerId = 3000006581

export interface Order extends ExpectedPayment {
  readonly customer: string
}

export const order: Order = { order_number: "2026-0042", amount: 139_950, currency: "CZK", customer: "17" }

export const subscription: Order = { order_number: "2026-0043", amount: 29_900, currency: "CZK", customer: "18" }

/** What the shop stored, by the payment's id. */
export const orders: ReadonlyMap<number, Order> = new Map([
  [paymentId, order],
  [parentId, subscription]
])

export const paymentOf = (id: number, { amount, currency, order_number }: ExpectedPayment, more: object = {}) => ({
  id,
  order_number,
  state: "PAID",
  amount,
  currency,
  target: { type: "ACCOUNT", goid },
  ...more
})

export const child = paymentOf(
  childId,
  { order_number: "auto-7", amount: 100, currency: "EUR" },
  { parent_id: parentId }
)

/** What the gateway knows: the shop's payments, a charge of the subscription, and someone else's. */
export const payments: ReadonlyMap<number, object> = new Map([
  [paymentId, paymentOf(paymentId, order)],
  [parentId, paymentOf(parentId, subscription)],
  [childId, child],
  [strangerId, paymentOf(strangerId, { order_number: "1", amount: 1, currency: "CZK" })]
])

export const idIn = ({ url }: SentRequest): number => Number(/\d+$/.exec(new URL(url).pathname)?.[0])

export const answerPayment = (request: SentRequest): Response => json(payments.get(idIn(request)))

export const notificationOf = (id: number, claimedParent?: number) => ({
  method: "GET",
  url: `https://shop.example/notify?id=${id}${claimedParent === undefined ? "" : `&parent_id=${claimedParent}`}`
})
