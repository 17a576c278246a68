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

/** What the payer is told who comes back. The number of the order is that of the payer's session. */
export const returnPage = async (ledger: Ledger<SqliteTransaction>, url: string, orderNumber: string) => {
  const order = await ledger.verifyReturn(url)
  if (order.orderNumber !== orderNumber) return "This is not your order."
  return order.status === "paid" ? "Thank you, your order is paid." : "Your order is not paid yet."
}

/** A cart that was changed when the payer came back from the pay page. */
export const checkoutAgain = (ledger: Ledger<SqliteTransaction>, orderNumber: string, amount: number) =>
  ledger.checkout(
    orderNumber,
    { amount, currency: "CZK", callback: { return_url: "https://shop.example/return" } },
    { replace: true }
  )

/** A shop whose goods may be gone by the time the money comes: the ledger asks an operator, in these words. */
export const answeringLedger = (
  gateway: GatewayClient,
  store: LedgerStore<SqliteTransaction>,
  reserve: (orderNumber: string, tx: SqliteTransaction) => Promise<boolean>
) =>
  createLedger({
    gateway,
    store,
    onPayment: async ({ order, status, tx }) =>
      status === "paid" && !(await reserve(order.orderNumber, tx)) ? { attention: "Sold out meanwhile." } : undefined
  })

/** An order that the customer cancels: its payment is offered no more, unless it is paid by now. */
export const cancelOrder = async (ledger: Ledger<SqliteTransaction>, orderNumber: string) => {
  const order = await ledger.withdrawOrder(orderNumber)
  return order.status === "withdrawn" ? "cancelled" : order.status
}

/** The rest of an order of which a part was paid before: one group, two payments. */
export const checkoutRest = (ledger: Ledger<SqliteTransaction>, orderNumber: string, total: number, part: number) =>
  ledger.checkout(
    `${orderNumber}-rest`,
    { amount: total - part, currency: "CZK", callback: { return_url: "https://shop.example/return" } },
    { group: { name: orderNumber, total }, reference: orderNumber }
  )
