/**
 * A program of every entry that needs no Effect, to be bundled.
 */
import { createLedger } from "effect-gopay/ledger/promise"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient, GatewayError } from "effect-gopay/promise"
import { parseStatement, StatementError } from "effect-gopay/statement"

const local = await startLocalGateway()
const gateway = createGatewayClient(local.merchant)
const error = await gateway.getPayment(1).catch((error) => error)
const { id } = await gateway.createPayment({
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: "https://shop.example/return" }
})
await local.payByCard(id)
const { state } = await gateway.getPayment(id)
await gateway.close()
await local.close()
let isRefused = false
try {
  await parseStatement(new Uint8Array([1, 2, 3]))
} catch (refused) {
  isRefused = refused instanceof StatementError
}
console.log([state, error instanceof GatewayError, isRefused, typeof createLedger].join())
