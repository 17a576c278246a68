/**
 * A route on Vercel that creates a payment. Its instances share their token in Redis.
 */
import { waitUntil } from "@vercel/functions"
import { createGatewayClient, optionsFromEnv } from "effect-gopay/promise"
import { createClient } from "redis"

const { REDIS_URL = "" } = process.env
const redis = createClient({ url: REDIS_URL })
const connected = redis.connect()
connected.catch(() => console.error("no Redis: each instance has a token of its own"))

const gateway = createGatewayClient({
  ...optionsFromEnv(process.env),
  timeout: 25_000,
  waitUntil,
  tokenStore: {
    get: (key) => connected.then(() => redis.get(key)),
    set: (key, text, seconds) => connected.then(() => redis.set(key, text, { EX: seconds }))
  }
})

export const maxDuration = 60

export const POST = async (): Promise<Response> => {
  const payment = await gateway.createPayment({
    amount: 139_950,
    currency: "CZK",
    order_number: "2026-0042",
    callback: { return_url: "https://shop.example/return", notification_url: "https://shop.example/notify" }
  })
  return Response.json({ payAt: payment.gw_url })
}
