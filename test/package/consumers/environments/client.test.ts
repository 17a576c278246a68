/**
 * A shop's own tests, in the environments that Vitest knows.
 */
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { afterEach, expect, test, vi } from "vitest"

afterEach(() => {
  vi.unstubAllGlobals()
})

test("a payment is paid and refunded at a local gateway", async () => {
  await using local = await startLocalGateway()
  await using gateway = createGatewayClient(local.merchant)
  const { id } = await gateway.createPayment({
    amount: 139_950,
    currency: "CZK",
    order_number: "2026-0042",
    callback: { return_url: "https://shop.example/return" }
  })
  await local.payByCard(id)
  await gateway.refundPayment(id, { amount: 139_950 })
  expect((await gateway.getPayment(id)).state).toBe("REFUNDED")
})

test("a fetch that the test puts in its place is what answers", async () => {
  await using local = await startLocalGateway()
  const token = { token_type: "bearer", access_token: "a-token", expires_in: 1800 }
  const answer = vi.fn(async (url: string | URL | Request) =>
    Response.json(String(url).endsWith("/oauth2/token") ? token : { id: 1 })
  )
  vi.stubGlobal("fetch", answer)
  await using gateway = createGatewayClient(local.merchant)
  await gateway.deleteCard(1).catch(() => {})
  expect(answer).toHaveBeenCalledTimes(2)
})
