import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"

const local = await startLocalGateway() // stands in for GoPay, on this machine
const gateway = createGatewayClient(local.merchant)

const payment = await gateway.createPayment({
  amount: 139_950, // haléře: 1,399.50 CZK
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: "https://shop.example/return" }
})
console.log(`open ${payment.gw_url} and pay`)

const outcome = await gateway.awaitPayment(payment.id)
console.log(`payment ${payment.id} is ${outcome.payment.state}`)
await local.close()
