import { createGatewayClient, optionsFromEnv } from "effect-gopay/promise"

const merchant = optionsFromEnv(process.env)

const gateway = createGatewayClient({
  ...merchant,
  observer: ({ attempts, durationMillis, operation, outcome, paymentId }) =>
    console.log(`${operation} ${paymentId ?? ""}: ${outcome}, ${attempts} tries, ${Math.round(durationMillis)} ms`)
})

await gateway.getPaymentInstrumentsAll(merchant.goid)
await gateway.close()
