/**
 * A Cloudflare Worker: the state of a payment, and its notifications.
 */
import { env, waitUntil } from "cloudflare:workers"
import { createGatewayClient, type ExpectedPayment, optionsFromEnv } from "effect-gopay/promise"

const gateway = createGatewayClient({
  ...optionsFromEnv(env),
  waitUntil,
  tokenStore: {
    get: (key) => env.TOKENS.get(key),
    // KV keeps nothing for less than a minute.
    set: (key, text, seconds) => env.TOKENS.put(key, text, { expirationTtl: Math.max(60, seconds) })
  }
})

const notified = gateway.createNotificationHandler({
  expected: (paymentId) => orderOf(paymentId),
  handler: ({ payment }) => console.log(`payment ${payment.id} is ${payment.state}`)
})

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === "/notify") return notified(request)
    const payment = await gateway.getPayment(Number(searchParams.get("id")))
    return Response.json({ state: payment.state })
  }
}

/** From the shop's database. */
declare const orderOf: (paymentId: number) => Promise<ExpectedPayment | undefined>
