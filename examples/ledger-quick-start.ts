import { createLedger, fileStore } from "effect-gopay/ledger/promise"
import { createGatewayClient, optionsFromEnv } from "effect-gopay/promise"

const gateway = createGatewayClient(optionsFromEnv(process.env))
const ledger = createLedger({ gateway, store: fileStore("shop.db"), migrate: true })
ledger.startWorker()

/** Where to send the payer, again after every click and every crash. */
export const checkout = async (orderNumber: string, amount: number) => {
  const callback = { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }
  const order = await ledger.checkout(orderNumber, { amount, currency: "CZK", callback }, { payWithin: "2 hours" })
  return order.status === "open" ? order.gwUrl : `https://shop.example/orders/${orderNumber}`
}

/** The same key never refunds twice, in any number of processes. */
export const refundComplaint = (complaint: string, paymentId: number, amount: number) =>
  ledger.refund(complaint, paymentId, { amount })
