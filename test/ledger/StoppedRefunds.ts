/**
 * Refunds of a ledger that need an operator.
 */
import type { Ledger } from "../../src/ledger/promise/index.js"
import type { GatewayClient } from "../../src/promise/index.js"

/** A refund that was made by hand stops the first of them; the others wait behind it. */
export const stopRefunds = async <Tx>(
  ledger: Ledger<Tx>,
  gateway: GatewayClient,
  id: number,
  refunds: Readonly<Record<string, number>> = { "complaint-77": 500, "complaint-78": 700 }
): Promise<void> => {
  const [byHand = 0] = Object.values(refunds)
  await ledger.operator.pause()
  for (const [key, amount] of Object.entries(refunds)) await ledger.refund(key, id, { amount }, { waitAtMost: 0 })
  await gateway.refundPayment(id, { amount: byHand })
  await ledger.operator.resume()
  await ledger.runOnce()
}
