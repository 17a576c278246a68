import { createGatewayClient } from "effect-gopay/promise"

const { GOPAY_GOID = "", GOPAY_CLIENT_ID = "", GOPAY_CLIENT_SECRET = "", GOPAY_ENVIRONMENT = "sandbox" } = process.env

const merchant = {
  goid: GOPAY_GOID,
  clientId: GOPAY_CLIENT_ID,
  clientSecret: GOPAY_CLIENT_SECRET,
  environment: GOPAY_ENVIRONMENT
}

const gateway = createGatewayClient({
  ...merchant,
  observer: ({ attempts, duration, operation, outcome, paymentId }) =>
    console.log(`${operation} ${paymentId ?? ""}: ${outcome}, ${attempts} attempt(s), ${Math.round(duration)} ms`)
})

await gateway.getPaymentInstrumentsAll(GOPAY_GOID)
await gateway.close()
