import { checkout } from "../../lib/gopay"

export const POST = async (request: Request) => {
  const form = await request.formData().catch(() => new FormData())
  // The page's number, so that two clicks are one order. A real shop takes number and amount from its own order's row,
  // and never the amount from the browser.
  const { gwUrl, message, status } = await checkout(form.get("number"), 139_950)
  return gwUrl === undefined ? new Response(message, { status }) : Response.redirect(gwUrl, 303)
}
