import { randomUUID } from "node:crypto"
import { toNodeHandler } from "effect-gopay/promise"
import express from "express"
import { checkout, ledger, refund } from "./gopay.ts"

const shop = express()
shop.use(express.urlencoded())

shop.post("/checkout", async (_, response) => {
  const order = await checkout(randomUUID(), 139_950)
  if (order.status === "open") response.redirect(303, order.gwUrl)
  else response.status(503).send(order.message)
})

shop.get("/return", async (request, response) => {
  const order = await ledger.verifyReturn(request.url)
  response.send(`Order ${order.orderNumber} is ${order.status}.`)
})

shop.get("/notify", toNodeHandler(ledger.notificationHandler()))

// Behind your own log-in.
shop.post("/orders/:number/refund", async (request, response) => {
  const { amount, key } = request.body
  const { message, status } = await refund(request.params.number, key, Number(amount))
  response.status(status).send(message)
})

shop.listen(process.env["PORT"] ?? 3000)
