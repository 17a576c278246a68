/**
 * A ledger over `node:sqlite`, whose errors are of another realm than the code of a test. Node.js 20 has none.
 */
const { createLedger, fileStore } = require("effect-gopay/ledger/promise")
const { startLocalGateway } = require("effect-gopay/local-gateway/promise")
const { createGatewayClient } = require("effect-gopay/promise")

const hasSqlite = process.getBuiltinModule("node:sqlite") !== undefined
const onSqlite = hasSqlite ? test : test.skip

onSqlite("a ledger says that its tables are missing, and refunds when they are there", async () => {
  const local = await startLocalGateway()
  const gateway = createGatewayClient(local.merchant)
  const ledger = createLedger({ store: fileStore(":memory:"), gateway })
  try {
    await expect(ledger.getOutcome("a")).rejects.toThrow("migrate")
    await ledger.migrate()
    const callback = { return_url: "https://shop.example/return" }
    const { paymentId } = await ledger.checkout("1", { amount: 139_950, currency: "CZK", callback })
    await local.payByCard(paymentId)
    await local.advanceTime("1 day") // GoPay refunds a part 24 hours after the payment at the earliest
    expect((await ledger.refund("a", paymentId, { amount: 100 }))._tag).toBe("Done")
  } finally {
    await ledger.close()
    await gateway.close()
    await local.close()
  }
})
