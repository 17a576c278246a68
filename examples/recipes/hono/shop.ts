import { Hono } from "hono"
import { checkout, ledger, refund } from "./gopay.ts"

export const shop = new Hono()

shop.post("/checkout", async (c) => {
  const order = await checkout(crypto.randomUUID(), 139_950)
  return order.status === "open" ? c.redirect(order.gwUrl, 303) : c.text(order.message, 503)
})

shop.get("/return", async (c) => {
  const order = await ledger.verifyReturn(c.req.url)
  return c.text(`Order ${order.orderNumber} is ${order.status}.`)
})

const notify = ledger.notificationHandler()
shop.get("/notify", (c) => notify(c.req.raw))

// Behind your own log-in.
shop.post("/orders/:number/refund", async (c) => {
  const { amount, key } = await c.req.parseBody()
  const { message, status } = await refund(c.req.param("number"), String(key), Number(amount))
  return new Response(message, { status })
})
