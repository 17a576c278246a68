import { Hono } from "hono"
import { gopayOver, openLedger } from "./gopay.ts"

const { ledger, policy } = await openLedger()
const { checkout, refund, returned } = gopayOver(ledger)

const front = () => `<form method="post" action="/checkout">
  <input type="hidden" name="number" value="${crypto.randomUUID()}">
  <button>Order a shirt for 1 399.50 CZK</button>
</form>`

export const shop = new Hono()

shop.get("/", (c) =>
  c.html(front(), 200, {
    "content-security-policy": policy,
    "cache-control": "no-store"
  })
)

shop.post("/checkout", async (c) => {
  const { number } = await c.req.parseBody()
  // The page's number, so that two clicks are one order. A real shop takes number and amount from its own order's row,
  // and never the amount from the browser.
  const { gwUrl, message, status } = await checkout(number, 139_950)
  return gwUrl === undefined ? new Response(message, { status }) : c.redirect(gwUrl, 303)
})

shop.get("/return", async (c) => c.text(await returned(c.req.url)))

const notify = ledger.notificationHandler()
shop.get("/notify", (c) => notify(c.req.raw))

// Put this behind your own login.
shop.post("/orders/:number/refund", async (c) => {
  const { amount, key } = await c.req.parseBody()
  const { message, status } = await refund(c.req.param("number"), String(key ?? ""), Number(amount))
  return new Response(message, { status })
})
