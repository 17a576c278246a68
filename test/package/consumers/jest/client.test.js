/**
 * Jest as it comes: CommonJS, and `import` turned into it.
 */
const { startLocalGateway } = require("effect-gopay/local-gateway/promise")
const { createGatewayClient, GatewayError } = require("effect-gopay/promise")

test("a payment is paid and refunded at a local gateway", async () => {
  const local = await startLocalGateway()
  const gateway = createGatewayClient(local.merchant)
  try {
    const { id } = await gateway.createPayment({
      amount: 139_950,
      currency: "CZK",
      order_number: "2026-0042",
      callback: { return_url: "https://shop.example/return" }
    })
    const early = await gateway.refundPayment(id, { amount: 139_950 }).catch((error) => error)
    expect(early).toBeInstanceOf(GatewayError)
    expect(early.reason._tag).toBe("OperationRefused")
    await local.payByCard(id)
    await gateway.refundPayment(id, { amount: 139_950 })
    expect((await gateway.getPayment(id)).state).toBe("REFUNDED")
  } finally {
    await gateway.close()
    await local.close()
  }
})

test("the dashboard's script is found", async () => {
  const local = await startLocalGateway()
  const page = await (await fetch(local.url)).text()
  const [script] = /[\w/.-]+\/main\.js/.exec(page)
  expect((await fetch(new URL(script, local.url))).status).toBe(200)
  await local.close()
})
