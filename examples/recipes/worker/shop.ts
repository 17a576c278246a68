/**
 * A shop in a Cloudflare Worker: orders and the token in KV. Where a database is at hand, KV is the worse place.
 */
import { env, waitUntil } from "cloudflare:workers"
import { createGatewayClient, GatewayError, optionsFromEnv, payerMessage } from "effect-gopay/promise"

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
}

const orderOf = async (key: string): Promise<Order | undefined> =>
  JSON.parse((await env.SHOP.get(key)) ?? "null") ?? undefined

const expected = (paymentId: number) => orderOf(`payment-${paymentId}`)

const notified = gateway.createNotificationHandler({
  expected,
  handler: ({ order, payment }) => env.SHOP.put(`state-${order.order_number}`, payment.state)
})

const checkout = async (origin: string) => {
  const order = { order_number: crypto.randomUUID(), amount: 139_950, currency: "CZK" }
  const { gw_url, id } = await gateway.createPayment({
    ...order,
    callback: { return_url: `${origin}/return`, notification_url: `${origin}/notify` }
  })
  const stored = JSON.stringify({ ...order, paymentId: id })
  await Promise.all([env.SHOP.put(`payment-${id}`, stored), env.SHOP.put(`order-${order.order_number}`, stored)])
  return Response.redirect(gw_url, 303)
}

const returned = async (url: URL) => {
  const { order, payment } = await gateway.verifyPayment(url, expected)
  return new Response(`Order ${order.order_number} is ${payment.state}.`)
}

/** Behind your own log-in. */
const refund = async (request: Request, orderNumber: string) => {
  const order = await orderOf(`order-${orderNumber}`)
  if (order === undefined) return new Response(null, { status: 404 })
  const amount = Number((await request.formData()).get("amount"))
  const { result } = await gateway.refundPayment(order.paymentId, { amount })
  return new Response(null, { status: result === "FINISHED" ? 200 : 202 })
}

export default {
  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const [, first, second = "", third] = url.pathname.split("/")
    try {
      if (first === "checkout") return await checkout(env.SHOP_URL)
      if (first === "return") return await returned(url)
      if (first === "notify") return await notified(request)
      if (first === "orders" && third === "refund") return await refund(request, second)
      return new Response(null, { status: 404 })
    } catch (error) {
      // Nobody knows whether it was made: store `error.reason.change`, and have it reconciled.
      const isUnknown = error instanceof GatewayError && error.reason._tag === "OutcomeUnknown"
      return new Response(payerMessage(error, "en").text, { status: isUnknown ? 202 : 503 })
    }
  }
}
