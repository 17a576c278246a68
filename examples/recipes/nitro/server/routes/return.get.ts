import { ledger } from "../utils/gopay"

export default defineEventHandler(async (event) => {
  const order = await ledger.verifyReturn(event.path)
  return `Order ${order.orderNumber} is ${order.status}.`
})
