import { checkout } from "../utils/gopay"

export default defineEventHandler(async (event) => {
  const body = await readBody(event)
  // The page's number, so that two clicks are one order. A real shop takes number and amount from its own order's row,
  // and never the amount from the browser.
  const { gwUrl, message, status } = await checkout(body?.number, 139_950)
  return gwUrl === undefined ? new Response(message, { status }) : sendRedirect(event, gwUrl, 303)
})
