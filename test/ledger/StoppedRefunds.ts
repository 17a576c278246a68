/**
 * Refunds of a ledger that need an operator.
 */
import type { OperatedLedger as Ledger } from "./OperatedLedger.js"
import type { GatewayClient } from "../../src/promise/index.js"

/** A refund that was made by hand stops the first of two; the second waits behind it. */
export const stopRefunds = async <Tx>(ledger: Ledger<Tx>, gateway: GatewayClient, id: number): Promise<void> => {
  await ledger.pause()
  await ledger.refund("complaint-77", id, { amount: 500 }, { waitAtMost: 0 })
  await ledger.refund("complaint-78", id, { amount: 700 }, { waitAtMost: 0 })
  await gateway.refundPayment(id, { amount: 500 })
  await ledger.resume()
  await ledger.runOnce()
}
