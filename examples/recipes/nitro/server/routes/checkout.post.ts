import { randomUUID } from "node:crypto"
import { checkout } from "../utils/gopay"

export default defineEventHandler(async (event) => {
  const order = await checkout(randomUUID(), 139_950)
  if (order.status === "open") return sendRedirect(event, order.gwUrl, 303)
  throw createError({ status: 503, message: order.message })
})
