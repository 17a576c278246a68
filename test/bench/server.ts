/**
 * A minimal gateway for measuring: fixed answers, counted requests, in a process of its own. It also takes telemetry.
 */
import { createServer } from "node:http"

const payment =
  `{"id":3090060402,"order_number":"order-1","state":"PAID","payment_instrument":"PAYMENT_CARD","amount":10000,` +
  `"currency":"CZK","payer":{"allowed_payment_instruments":["PAYMENT_CARD"],"payment_card":{"card_number":"418803******0003",` +
  `"card_expiration":"2112","card_brand":"VISA Electron","card_issuer_country":"CZE","card_issuer_bank":"KOMERCNI BANKA, A.S."},` +
  `"contact":{"first_name":"John","last_name":"Doe","email":"john@example.com","country_code":"CZE"}},` +
  `"target":{"type":"ACCOUNT","goid":8123456781},"lang":"cs","gw_url":"https://gateway.example/gw/v3/95c24246256a19e1f4903d18a5cb9c31"}`

const counts = { tokens: 0, operations: 0 }

const answer = (url: string | undefined): string => {
  if (url === "/counts") return JSON.stringify(counts)
  if (url === "/api/oauth2/token") {
    counts.tokens++
    return `{"token_type":"bearer","access_token":"token","expires_in":1800}`
  }
  if (url?.startsWith("/v1/") === true) return "{}"
  counts.operations++
  return url?.endsWith("/refund") === true ? `{"id":3090060402,"result":"FINISHED"}` : payment
}

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    response.setHeader("Content-Type", "application/json")
    response.end(answer(request.url))
  })
})

server.listen(0, "127.0.0.1", () => process.send?.(server.address()))
process.on("disconnect", () => process.exit())
