/**
 * A shop in a Cloudflare Worker, with Hono: orders and the token in KV. Where a database is at hand, KV is the worse place.
 */
import { env, waitUntil } from "cloudflare:workers"
import { createGatewayClient, GatewayError, optionsFromEnv, payerMessage } from "effect-gopay/promise"
import { Hono } from "hono"
import { secureHeaders } from "hono/secure-headers"

const gateway = createGatewayClient({
  ...optionsFromEnv(env),
  waitUntil,
  tokenStore: {
    get: (key) => env.SHOP.get(key),
    // KV keeps nothing for less than a minute.
    set: (key, text, seconds) => env.SHOP.put(key, text, { expirationTtl: Math.max(60, seconds) })
  }
})

interface Order {
  readonly order_number: string
  readonly amount: number
  readonly currency: string
  readonly paymentId: number
  /** Where the payer pays. */
  readonly gwUrl: string
}

const orderOf = async (key: string): Promise<Order | undefined> =>
  JSON.parse((await env.SHOP.get(key)) ?? "null") ?? undefined

const expected = (paymentId: number) => orderOf(`payment-${paymentId}`)

const notified = gateway.createNotificationHandler({
  expected,
  handler: ({ order, payment }) => env.SHOP.put(`state-${order.order_number}`, payment.state)
})

/** The origins of the pay page. GoPay's samples show two for production. */
const payPagesOf = (script: string) => {
  const { origin } = new URL(script)
  return origin === "https://gate.gopay.cz" ? [origin, "https://gate.gopay.com"] : [origin]
}

const shop = new Hono()

// The shop's form goes to the pay page.
const formAction = ["'self'", ...payPagesOf(gateway.getEmbedJsUrl())]
shop.use(secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'self'"], formAction, frameAncestors: ["'none'"] } }))

shop.get("/", (c) =>
  c.html(
    `<form method="post" action="/checkout">
    <input type="hidden" name="number" value="${crypto.randomUUID()}">
    <button>Order a shirt for 1 399.50 CZK</button>
  </form>`,
    200,
    { "cache-control": "no-store" }
  )
)

/** What the page puts into its form: a page loaded anew is another order. */
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

shop.post("/checkout", async (c) => {
  // A real shop takes number and amount from its own order's row, and never the amount from the browser.
  const { number } = await c.req.parseBody()
  if (typeof number !== "string" || !uuid.test(number)) return c.text("Please reload the page, and order again.", 400)
  // A second click gets the first one's payment once KV shows it, in up to a minute. Two at once make two payments of one
  // order, which both can be paid: a ledger makes one.
  const known = await orderOf(`order-${number}`)
  if (known !== undefined) return c.redirect(known.gwUrl, 303)
  const order = { order_number: number, amount: 139_950, currency: "CZK" }
  const { gw_url, id } = await gateway.createPayment({
    ...order,
    callback: { return_url: `${env.SHOP_URL}/return`, notification_url: `${env.SHOP_URL}/notify` }
  })
  const stored = JSON.stringify({ ...order, paymentId: id, gwUrl: gw_url })
  await Promise.all([env.SHOP.put(`payment-${id}`, stored), env.SHOP.put(`order-${order.order_number}`, stored)])
  return c.redirect(gw_url, 303)
})

shop.get("/return", async (c) => {
  const { payment } = await gateway.verifyPayment(c.req.url, expected)
  return c.text(payerMessage(payment, "en").text)
})

shop.get("/notify", (c) => notified(c.req.raw))

// Behind your own log-in. Two clicks make two refunds: keep refunds on a server with a ledger where that matters.
shop.post("/orders/:number/refund", async (c) => {
  const order = await orderOf(`order-${c.req.param("number")}`)
  if (order === undefined) return c.notFound()
  const { amount } = await c.req.parseBody()
  try {
    const { result } = await gateway.refundPayment(order.paymentId, { amount: Number(amount) })
    return c.body(null, result === "FINISHED" ? 200 : 202)
  } catch (error) {
    // For staff, and no refund was made. All else is for `onError`.
    if (error instanceof GatewayError && error.reason._tag === "InvalidRequest") return c.text(error.message, 400)
    if (error instanceof GatewayError && error.reason._tag === "OperationRefused") return c.text(error.message, 409)
    throw error
  }
})

shop.onError((error, c) => {
  // No one knows whether it was made: store `error.reason.change`, and have it reconciled.
  const isUnknown = error instanceof GatewayError && error.reason._tag === "OutcomeUnknown"
  return c.text(payerMessage(error, "en").text, isUnknown ? 202 : 503)
})

export default shop
