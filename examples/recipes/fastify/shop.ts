import { randomUUID } from "node:crypto"
import formbody from "@fastify/formbody"
import { toNodeHandler } from "effect-gopay/promise"
import Fastify from "fastify"
import { gopayOver, openLedger } from "./gopay.ts"

const { ledger, policy } = await openLedger()
const { checkout, refund, returned } = gopayOver(ledger)

const front = () => `<form method="post" action="/checkout">
  <input type="hidden" name="number" value="${randomUUID()}">
  <button>Order a shirt for 1 399.50 CZK</button>
</form>`

const shop = Fastify()
shop.register(formbody)

shop.get("/", (_, reply) => {
  reply.type("text/html").header("content-security-policy", policy).header("cache-control", "no-store").send(front())
})

shop.post<{ Body: { number?: string } | undefined }>("/checkout", async ({ body }, reply) => {
  // The page's number, so that two clicks are one order. A real shop takes number and amount from its own order's row,
  // and never the amount from the browser.
  const { gwUrl, message, status } = await checkout(body?.number, 139_950)
  return gwUrl === undefined ? reply.code(status).send(message) : reply.redirect(gwUrl, 303)
})

shop.get("/return", (request) => returned(request.url))

const notify = toNodeHandler(ledger.notificationHandler())
shop.get("/notify", (request, reply) => {
  reply.hijack()
  notify(request.raw, reply.raw)
})

// Put this behind your own login.
shop.post<{ Params: { number: string }; Body: { key?: string; amount?: string } | undefined }>(
  "/orders/:number/refund",
  async ({ body, params }, reply) => {
    const { message, status } = await refund(params.number, body?.key ?? "", Number(body?.amount))
    return reply.code(status).send(message)
  }
)

await shop.listen({ port: Number(process.env["PORT"] ?? 3000) })
