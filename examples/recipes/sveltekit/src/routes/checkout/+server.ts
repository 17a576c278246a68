import { randomUUID } from "node:crypto"
import { checkout } from "../../lib/server/gopay.js"

export const POST = async () => {
  // Take the number and the amount from the order's own row, never from the browser.
  const { gwUrl, message, status } = await checkout(randomUUID(), 139_950)
  return gwUrl === undefined ? new Response(message, { status }) : Response.redirect(gwUrl, 303)
}
