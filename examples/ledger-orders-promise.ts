/**
 * Orders that survive crashes, with promises.
 */
import { createServer, type Server } from "node:http"
import { createLedger, type Ledger, type LedgerStore, type SqliteTransaction } from "effect-gopay/ledger/promise"
import { type GatewayClient, toNodeHandler } from "effect-gopay/promise"

export const openLedger = (gateway: GatewayClient, store: LedgerStore<SqliteTransaction>) => {
  const ledger = createLedger({
    gateway,
    store,
    migrate: true,
    onPayment: async ({ order, status, tx }) => {
      await tx.query("UPDATE shop_order SET status = ? WHERE number = ?", [status, order.orderNumber])
    },
    onAttention: (item) => console.warn(item.message)
  })
  ledger.startWorker() // in as many processes as you like; a cron job calls ledger.runOnce() instead
  return ledger
}

/** Where to send the payer, again after every click and every crash. */
export const checkout = async (ledger: Ledger<SqliteTransaction>, orderNumber: string, amount: number) => {
  const callback = { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }
  const order = await ledger.checkout(orderNumber, { amount, currency: "CZK", callback }, { payWithin: "2 hours" })
  return order.status === "open" ? order.gwUrl : `https://shop.example/orders/${orderNumber}`
}

export const notifications = (ledger: Ledger<SqliteTransaction>): Server =>
  createServer(toNodeHandler(ledger.notificationHandler()))

/** The end of a process: process.once("SIGTERM", () => stop(server, ledger, gateway)). */
export const stop = async (server: Server, ledger: Ledger<SqliteTransaction>, gateway: GatewayClient) => {
  server.close()
  await ledger.close()
  await gateway.close()
}

/** The text for a returning payer. The order number is that of the payer's session. */
export const returnPage = async (ledger: Ledger<SqliteTransaction>, url: string, orderNumber: string) => {
  const order = await ledger.verifyReturn(url)
  if (order.orderNumber !== orderNumber) return "This is not your order."
  return order.status === "paid" ? "Thank you, your order is paid." : "Your order is not paid yet."
}

/** The cart has changed since the payer went to the pay page. */
export const checkoutAgain = (ledger: Ledger<SqliteTransaction>, orderNumber: string, amount: number) =>
  ledger.checkout(
    orderNumber,
    { amount, currency: "CZK", callback: { return_url: "https://shop.example/return" } },
    { replace: true }
  )

/** A shop whose goods may be gone when the money comes: the ledger notifies an operator with this text. */
export const answeringLedger = (
  gateway: GatewayClient,
  store: LedgerStore<SqliteTransaction>,
  reserve: (orderNumber: string, tx: SqliteTransaction) => Promise<boolean>
) =>
  createLedger({
    gateway,
    store,
    onPayment: async ({ attention, order, status, tx }) => {
      // Money that is too much or late takes no goods.
      if (status !== "paid" || attention !== undefined) return undefined
      return (await reserve(order.orderNumber, tx)) ? undefined : { attention: "Sold out meanwhile." }
    }
  })

/** The customer cancels an order: its payment is no longer offered, unless it is already paid. */
export const cancelOrder = async (ledger: Ledger<SqliteTransaction>, orderNumber: string) => {
  const order = await ledger.withdrawOrder(orderNumber)
  return order.status === "withdrawn" ? "cancelled" : order.status
}

/** The rest of an order that is partly paid: one group, two payments. */
export const checkoutRest = (ledger: Ledger<SqliteTransaction>, orderNumber: string, total: number, part: number) =>
  ledger.checkout(
    `${orderNumber}-rest`,
    { amount: total - part, currency: "CZK", callback: { return_url: "https://shop.example/return" } },
    { group: { name: orderNumber, total }, reference: orderNumber }
  )
