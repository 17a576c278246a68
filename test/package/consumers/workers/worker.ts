/**
 * A Worker with its clients at module level, as one would write it; and a clock that the test moves.
 */
import { env, waitUntil } from "cloudflare:workers"
import { Gateway, getPayment } from "effect-gopay"
import { createGatewayClient, GatewayError, type TokenStore } from "effect-gopay/promise"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"

let ahead = 0
const { now } = Date
Date.now = () => now() + ahead

// As on Cloudflare's own machines; the open runtime has no such limit.
const deriveBits = crypto.subtle.deriveBits.bind(crypto.subtle)
crypto.subtle.deriveBits = async (algorithm, key, length) => {
  if (typeof algorithm === "object" && "iterations" in algorithm && algorithm.iterations > 100_000) {
    throw new Error("Pbkdf2 failed: iteration counts above 100000 are not supported")
  }
  return deriveBits(algorithm, key, length)
}

const tokenStore: TokenStore = {
  get: (key) => env.tokens.get(key),
  set: (key, text, seconds) => env.tokens.put(key, text, { expirationTtl: Math.max(60, seconds) })
}

const alone = createGatewayClient(env.merchant)
const kept = createGatewayClient({ ...env.merchant, waitUntil })
const sharing = createGatewayClient({ ...env.merchant, tokenStore })
const misdirected = createGatewayClient({ ...env.merchant, environment: env.misdirected })
const runtime = ManagedRuntime.make(
  Layer.provide(
    Gateway.layer({ ...env.merchant, clientSecret: Redacted.make(env.merchant.clientSecret) }),
    FetchHttpClient.layer
  )
)

const clients: Readonly<Record<string, (id: number) => Promise<{ readonly state: string }>>> = {
  alone: (id) => alone.getPayment(id),
  kept: (id) => kept.getPayment(id),
  sharing: (id) => sharing.getPayment(id),
  effect: (id) => runtime.runPromise(getPayment(id))
}

let told = 0
const notified = alone.createNotificationHandler({
  expected: () => ({ order_number: "2026-0042", amount: 139_950, currency: "CZK" }),
  handler: () => {
    told++
  }
})

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === "/forward") {
      ahead += Number(searchParams.get("ms"))
      return new Response()
    }
    if (pathname === "/notify") return notified(request)
    if (pathname === "/told") return new Response(String(told))
    if (pathname === "/misdirected") {
      const refund = misdirected.refundPayment(3000006543, { amount: 100 })
      const outcome = await refund.then(
        () => "done",
        (error: unknown) => (error instanceof GatewayError ? error.reason._tag : messageOf(error))
      )
      return new Response(outcome)
    }
    if (pathname === "/close") {
      await alone.close()
      return new Response("closed")
    }
    const client = clients[searchParams.get("client") ?? ""]
    if (client === undefined) return new Response(null, { status: 404 })
    const state = client(Number(searchParams.get("id"))).then(({ state }) => state, messageOf)
    return new Response(pathname === "/abandon" ? "left" : await state)
  }
}
