import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { expect, it } from "vitest"

it("a payment is paid, with promises", async () => {
  // The shop is notified before the payer returns; without this, the order of the two varies.
  await using local = await startLocalGateway({ settings: { notificationTiming: "notificationFirst" } })
  await using gateway = createGatewayClient(local.merchant)

  const { id } = await gateway.createPayment({
    amount: 139_950,
    currency: "CZK",
    order_number: "2026-0042",
    callback: { return_url: "https://shop.example/return" }
  })
  await local.payByCard(id)
  expect((await gateway.getPayment(id)).state).toBe("PAID")
})
