import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createPayment, Gateway } from "effect-gopay"
import { LocalGateway } from "effect-gopay/local-gateway"
import { startLocalGateway } from "effect-gopay/local-gateway/promise"
import { createGatewayClient } from "effect-gopay/promise"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect } from "vitest"
import * as WithEffect from "./ledger.js"
import * as WithPromises from "./ledger-promise.js"

const order = {
  amount: 139_950,
  currency: "CZK",
  order_number: "2026-0042",
  callback: { return_url: "https://shop.example/return" }
}

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ledger-example-"))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe("the examples of a ledger", () => {
  it("refund with promises, at once and from a transaction", async () => {
    const local = await startLocalGateway({ settings: { partialRefundDelaySeconds: 0 } })
    await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
    const { id } = await gateway.createPayment(order)
    await local.payByCard(id)
    const store = WithPromises.openStore(join(folder, "gopay.db"))
    await using ledger = await WithPromises.openLedger(gateway, store)
    const { operator } = ledger
    expect(await WithPromises.refundComplaint(ledger, id)).toMatchObject({ _tag: "Done" })
    expect(await WithPromises.refundComplaint(ledger, id)).toMatchObject({ _tag: "Done" })
    await store.query("CREATE TABLE complaint (id TEXT, settled INTEGER)", [])
    await WithPromises.settleComplaint(ledger, store, id)
    await expect.poll(() => ledger.getOutcome("complaint-78"), { timeout: 30_000 }).toMatchObject({ _tag: "Done" })
    await WithPromises.decide(operator, "complaint-77")
    await gateway.refundPayment(id, { amount: 10_000 })
    const byHand = (await gateway.getPaymentRefunds(id)).find(({ amount }) => amount === 10_000)
    await WithPromises.goOn(operator, id, byHand?.id ?? 0)
    expect(await operator.listAcknowledgedRefunds(id)).toHaveLength(1)
    const server = WithPromises.accountantsPage(operator, () => "Jana").listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    const page = await fetch(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Nothing needs a decision.")])
    server.close()
    const amounts = (await gateway.getPaymentRefunds(id)).map(({ amount }) => amount)
    expect(amounts.toSorted((one, other) => one - other)).toEqual([10_000, 50_000, 50_000])
    await local.close()
  })

  it("tell the shop what becomes of them", async () => {
    const local = await startLocalGateway({ settings: { partialRefundDelaySeconds: 0 } })
    await using gateway = createGatewayClient(local.merchant)
    const { id } = await gateway.createPayment(order)
    await local.payByCard(id)
    const store = WithPromises.openStore(join(folder, "telling.db"))
    await using ledger = WithPromises.reportingLedger(gateway, store)
    await ledger.migrate()
    await store.query("CREATE TABLE complaint (id TEXT, outcome TEXT)", [])
    await store.query("INSERT INTO complaint (id) VALUES ('complaint-77')", [])
    await WithPromises.refundComplaint(ledger, id)
    await ledger.runOnce()
    expect(await store.query("SELECT outcome FROM complaint", [])).toEqual([{ outcome: "Done" }])
    await local.close()
  })

  it("adopt a payment that was open before: its order gets no second one, and its notification is taken", async () => {
    const local = await startLocalGateway()
    await using gateway = createGatewayClient(local.merchant)
    const { gw_url, id } = await gateway.createPayment(order)
    await using ledger = await WithPromises.openLedger(gateway, WithPromises.openStore(join(folder, "gopay.db")))
    const { amount, callback, currency, order_number: orderNumber } = order
    const notify = ledger.notificationHandler({ onError: () => undefined })
    const notification = new Request(`https://shop.example/notify?id=${id}`)
    expect((await notify(notification)).status).toBe(503)

    const { operator } = ledger
    await WithPromises.adoptOpenPayments(operator, [{ orderNumber, paymentId: id }])
    await WithPromises.adoptOpenPayments(operator, [{ orderNumber, paymentId: id }])
    const offered = await ledger.checkout(orderNumber, { amount, currency, callback })
    expect(offered).toMatchObject({ status: "open", paymentId: id, gwUrl: gw_url })
    expect(await local.listPayments()).toHaveLength(1)
    await local.payByCard(id)
    expect((await notify(notification)).status).toBe(200)
    expect(await ledger.getOrder(orderNumber)).toMatchObject({ status: "paid", paymentId: id })
    await local.close()
  })

  it.live("refund with Effect", () =>
    Effect.gen(function* () {
      const { id } = yield* createPayment(order)
      yield* LocalGateway.payByCard(id)
      assert.strictEqual((yield* WithEffect.refundComplaint(id))._tag, "Done")
    }).pipe(
      Effect.provide(WithEffect.ledgerLive(join(folder, "gopay.db"))),
      Effect.provide(
        Gateway.layer(LocalGateway.merchant).pipe(
          Layer.provideMerge(LocalGateway.layerWith({ settings: { partialRefundDelaySeconds: 0 } }))
        )
      )
    )
  )
})
