/**
 * A shop whose orders and payments are in its database, with promises.
 */
import { createLedger, type Ledger, type LedgerStore, type SqliteTransaction } from "effect-gopay/ledger/promise"
import { type GatewayClient, type NotificationRequestHandler } from "effect-gopay/promise"

export const openLedger = async (gateway: GatewayClient, store: LedgerStore<SqliteTransaction>) => {
  const ledger = createLedger({
    gateway,
    store,
    // In the transaction that moves the payment: what is written here is written exactly once.
    // It is the order's status, whichever of its payments has moved.
    onPayment: ({ order, status, tx }) =>
      tx.query("UPDATE shop_order SET status = ? WHERE number = ?", [status, order.orderNumber]),
    onAttention: (item) => console.warn(item.message) // for an operator
  })
  await ledger.migrate()
  ledger.startWorker() // reads open payments, whether notifications come or not
  return ledger
}

/** Where to send the payer, as often as they ask: it is the same payment while that can be paid. */
export const payAddress = async (ledger: Ledger<SqliteTransaction>, number: string, amount: number) => {
  const order = await ledger.checkout(number, {
    amount,
    currency: "CZK",
    callback: { return_url: `https://shop.example/return/${number}`, notification_url: "https://shop.example/notify" }
  })
  return order.status === "open" ? order.gwUrl : `/orders/${number}` // paid already, or being created
}

/** `GET /notify`. */
export const notificationsOf = (ledger: Ledger<SqliteTransaction>): NotificationRequestHandler =>
  ledger.notificationHandler()

/** `GET /return/:number`: whether the order is paid, as the gateway says now. */
export const isPaidOnReturn = async (ledger: Ledger<SqliteTransaction>, number: string, address: string) => {
  const order = await ledger.verifyReturn(address)
  return order.orderNumber === number && order.status === "paid" // anyone can put another payment's id there
}
