import { randomUUID } from "node:crypto"
import { checkout } from "../utils/gopay"

export default defineEventHandler(async (event) => {
  const { gwUrl, message } = await checkout(randomUUID(), 139_950)
  return gwUrl === undefined ? new Response(message, { status: 503 }) : sendRedirect(event, gwUrl, 303)
})
