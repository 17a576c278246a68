import { randomUUID } from "node:crypto"
import { toNodeHandler } from "effect-gopay/promise"
import express from "express"
import { gopayOver, openLedger } from "./gopay.ts"

const { ledger, policy } = await openLedger()
const { checkout, refund, returned } = gopayOver(ledger)

const front = () => `<form method="post" action="/checkout">
  <input type="hidden" name="number" value="${randomUUID()}">
  <button>Order a shirt for 1 399.50 CZK</button>
</form>`

const shop = express()
shop.use(express.urlencoded())

shop.get("/", (_, response) => {
  response.set({ "content-security-policy": policy, "cache-control": "no-store" }).send(front())
})

shop.post("/checkout", async (request, response) => {
  // The page's number, so that two clicks are one order. A real shop takes number and amount from its own order's row,
  // and never the amount from the browser.
  const { gwUrl, message, status } = await checkout(request.body?.number, 139_950)
  if (gwUrl === undefined) response.status(status).send(message)
  else response.redirect(303, gwUrl)
})

shop.get("/return", async (request, response) => {
  response.type("text").send(await returned(request.url))
})

shop.get("/notify", toNodeHandler(ledger.notificationHandler()))

// Put this behind your own login.
shop.post("/orders/:number/refund", async (request, response) => {
  const { amount, key } = request.body ?? {}
  const { message, status } = await refund(request.params.number, key, Number(amount))
  response.status(status).send(message)
})

shop.listen(process.env["PORT"] ?? 3000)
