/**
 * A minimal gateway that keeps payments and refunds, in a process of its own. It answers at once, or after as many
 * milliseconds as its argument says; refunds of 4242 take 300 ms. Payments are paid as soon as they are created.
 */
import { createServer } from "node:http"

const delay = Number(process.argv[2] ?? 0)
const refunds = new Map<string, Array<object>>()
const payments = new Map<string, object>()
let next = 1
let nextPayment = 4_000_000_000

const server = createServer((request, response) => {
  let body = ""
  request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk))
  request.on("end", () => {
    const [, id = "", what] = /^\/api\/payments\/payment\/(\d+)(?:\/(\w+))?/.exec(request.url ?? "") ?? []
    const respond = (content: unknown) => {
      const end = () => response.setHeader("Content-Type", "application/json").end(JSON.stringify(content))
      if (delay === 0) end()
      else setTimeout(end, delay)
    }
    if (request.url === "/api/oauth2/token") {
      return respond({ token_type: "bearer", access_token: "token", expires_in: 1800 })
    }
    if (request.url === "/api/payments/payment") {
      const payment = {
        ...JSON.parse(body),
        id: nextPayment++,
        state: "CREATED",
        gw_url: "https://gate.example.com/pay"
      }
      payments.set(String(payment.id), { ...payment, state: "PAID" })
      return respond(payment)
    }
    const list = refunds.get(id) ?? []
    if (what === "refunds") return respond(list)
    if (what !== "refund") {
      const known = payments.get(id)
      if (known !== undefined) return respond(known)
      const state = list.length === 0 ? "PAID" : "PARTIALLY_REFUNDED"
      return respond({ id: Number(id), state, amount: 1_000_000, currency: "CZK" })
    }
    const amount = Number(new URLSearchParams(body).get("amount"))
    const [date_requested] = new Date().toISOString().split(".")
    refunds.set(id, [...list, { id: next++, state: "SUCCESS", amount, date_requested: `${date_requested}+0000` }])
    const finish = () => respond({ id: Number(id), result: "FINISHED" })
    return amount === 4242 ? setTimeout(finish, 300) : finish()
  })
})

server.listen(0, "127.0.0.1", () => process.send?.(server.address()))
process.on("disconnect", () => process.exit())
