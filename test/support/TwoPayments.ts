/**
 * Several payments of one order, as a shop meets them: whenever nothing is due, its own row must say what `getOrder` says.
 */
import * as Effect from "effect/Effect"
import { assert } from "vitest"
import type { CheckoutRequest } from "../../src/ledger/index.js"

/** What is asked of a ledger, whether it is the package's or comes from the sources. */
interface Orders {
  readonly checkout: (
    orderNumber: string,
    request: CheckoutRequest,
    options: { readonly replace: boolean }
  ) => Promise<PlayedOrder>
  readonly withdrawOrder: (orderNumber: string) => Promise<PlayedOrder>
  readonly getOrder: (orderNumber: string) => Promise<PlayedOrder | undefined>
}

interface PlayedOrder {
  readonly status: string
  readonly message: string
  readonly paymentId?: number
}

type Programs = {
  readonly [Name in keyof Orders]: (
    ...given: Parameters<Orders[Name]>
  ) => Effect.Effect<Awaited<ReturnType<Orders[Name]>>, unknown>
}

/** A shop with a ledger, whose handler is tried. */
export interface OrderShop {
  readonly ledger: Orders
  /** The status in the shop's own row, which is there before the first payment. */
  readonly statusOf: (orderNumber: string) => Promise<unknown>
  /** Sends the notification of a payment, and gives the status of the response. */
  readonly notify: (paymentId: number) => Promise<number>
  readonly payByCard: (paymentId: number) => Promise<unknown>
  readonly cancelPayment: (paymentId: number) => Promise<unknown>
}

/** The calls of orders of a ledger, as promises. */
export const ordersOf = (ledger: Programs): Orders => ({
  checkout: (...order) => Effect.runPromise(ledger.checkout(...order)),
  withdrawOrder: (orderNumber) => Effect.runPromise(ledger.withdrawOrder(orderNumber)),
  getOrder: (orderNumber) => Effect.runPromise(ledger.getOrder(orderNumber))
})

const requestOf = (amount: number): CheckoutRequest => ({
  amount,
  currency: "CZK",
  callback: { return_url: "https://shop.example/return" }
})

/** The numbers of the orders that are played. */
export const playedOrders = ["replaced", "paid-twice", "paid-late"] as const

export const playTwoPayments = async ({ ledger, ...shop }: OrderShop): Promise<void> => {
  const created = async (orderNumber: string, amount: number, replace = false): Promise<number> => {
    const order = await ledger.checkout(orderNumber, requestOf(amount), { replace })
    assert.strictEqual(order.status, "open", order.message)
    return order.paymentId ?? 0
  }
  const moved = async (move: (paymentId: number) => Promise<unknown>, paymentId: number): Promise<void> => {
    await move(paymentId)
    assert.strictEqual(await shop.notify(paymentId), 200)
  }
  const isPaid = async (orderNumber: string): Promise<void> => {
    const order = await ledger.getOrder(orderNumber)
    assert.deepStrictEqual([await shop.statusOf(orderNumber), order?.status], ["paid", "paid"])
  }

  // The second payment is paid, and the first one, which it has replaced, times out.
  const first = await created("replaced", 500)
  const second = await created("replaced", 700, true)
  await moved(shop.payByCard, second)
  await isPaid("replaced")
  await moved(shop.cancelPayment, first)
  await isPaid("replaced")

  const replaced = await created("paid-twice", 500)
  const present = await created("paid-twice", 700, true)
  await moved(shop.payByCard, present)
  await moved(shop.payByCard, replaced)
  await isPaid("paid-twice")

  const withdrawn = await created("paid-late", 500)
  assert.strictEqual((await ledger.withdrawOrder("paid-late")).status, "withdrawn")
  await moved(shop.payByCard, withdrawn)
  await isPaid("paid-late")
}
