import { randomUUID } from "node:crypto"
import { checkout } from "../utils/gopay"

export default defineEventHandler(async (event) => {
  // Take the number and the amount from the order's own row, never from the browser.
  const { gwUrl, message, status } = await checkout(randomUUID(), 139_950)
  return gwUrl === undefined ? new Response(message, { status }) : sendRedirect(event, gwUrl, 303)
})
