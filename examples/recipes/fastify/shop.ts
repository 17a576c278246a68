import { randomUUID } from "node:crypto"
import formbody from "@fastify/formbody"
import { toNodeHandler } from "effect-gopay/promise"
import Fastify from "fastify"
import { checkout, ledger, refund } from "./gopay.ts"

const shop = Fastify()
shop.register(formbody)

shop.post("/checkout", async (_, reply) => {
  const order = await checkout(randomUUID(), 139_950)
  return order.status === "open" ? reply.redirect(order.gwUrl, 303) : reply.code(503).send(order.message)
})

shop.get("/return", async (request) => {
  const order = await ledger.verifyReturn(request.url)
  return `Order ${order.orderNumber} is ${order.status}.`
})

const notify = toNodeHandler(ledger.notificationHandler())
shop.get("/notify", (request, reply) => {
  reply.hijack()
  notify(request.raw, reply.raw)
})

// Behind your own log-in.
shop.post<{ Params: { number: string }; Body: { key: string; amount: string } }>(
  "/orders/:number/refund",
  async ({ body, params }, reply) => {
    const { message, status } = await refund(params.number, body.key, Number(body.amount))
    return reply.code(status).send(message)
  }
)

await shop.listen({ port: Number(process.env["PORT"] ?? 3000) })
