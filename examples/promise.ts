import { createGatewayClient, GatewayError, optionsFromEnv } from "effect-gopay/promise"

const gateway = createGatewayClient({
  ...optionsFromEnv(process.env), // GOPAY_GOID, GOPAY_CLIENT_ID, GOPAY_CLIENT_SECRET, GOPAY_ENVIRONMENT
  language: "CS"
})

try {
  const payment = await gateway.createPayment({
    amount: 139_950, // haléře: 1,399.50 CZK
    currency: "CZK",
    order_number: "2026-0042",
    callback: { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }
  })
  console.log(`send the payer to ${payment.gw_url}`)
} catch (error) {
  if (error instanceof GatewayError && error.reason._tag === "OutcomeUnknown") {
    console.error("no one knows whether it exists: create it again, and send the payer to the new address only")
  } else {
    throw error
  }
}

await gateway.close() // when the process ends
