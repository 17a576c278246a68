import { randomUUID } from "node:crypto"
import { checkout } from "../utils/gopay"

export default defineEventHandler(async (event) => {
  const { gwUrl, message, status } = await checkout(randomUUID(), 139_950)
  return gwUrl === undefined ? new Response(message, { status }) : sendRedirect(event, gwUrl, 303)
})
