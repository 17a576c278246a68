import { createLedger, pgStore } from "effect-gopay/ledger/promise"
import { createGatewayClient, optionsFromEnv, payerMessage } from "effect-gopay/promise"
import { Pool } from "pg"

const pool = new Pool({ connectionString: process.env["DATABASE_URL"] })
pool.on("error", console.error) // or a broken idle connection ends the process

const gateway = createGatewayClient(optionsFromEnv(process.env))
const ledger = createLedger({
  gateway,
  store: pgStore(pool),
  migrate: true,
  // In the transaction that records the payment: what is written through tx is written once.
  onPayment: ({ order, status, tx }) =>
    tx.query("UPDATE orders SET status = $1 WHERE number = $2", [status, order.orderNumber])
})
ledger.startWorker()

/** The handler for the `notification_url`: takes a web Request, and returns a Response. */
export const notify = ledger.notificationHandler()

/** The text for a payer who has come back to the `return_url`. */
export const returned = async (request: Request): Promise<string> => {
  try {
    return payerMessage(await ledger.verifyReturn(request), "en").text
  } catch (error) {
    return payerMessage(error, "en").text
  }
}
