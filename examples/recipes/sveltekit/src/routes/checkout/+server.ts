import { randomUUID } from "node:crypto"
import { checkout } from "../../lib/server/gopay.js"

export const POST = async () => {
  const order = await checkout(randomUUID(), 139_950)
  return order.status === "open" ? Response.redirect(order.gwUrl, 303) : new Response(order.message, { status: 503 })
}
