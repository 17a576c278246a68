/**
 * A shop whose requests wait for the shop's clock: `advance` moves it past them, and waits for none of them for ever.
 */
import Database from "libsql"
import { afterEach, describe, expect, it } from "vitest"
import type { Fault } from "../../../src/local-gateway/promise/index.js"
import { createTestShop, type TestShop, type TestShopOptions } from "../../../src/testing/promise/index.js"
import { captureLog } from "../../support/LogGuard.js"
import { partsAtOnce } from "../../support/partsAtOnce.js"

let shop: TestShop | undefined

afterEach(() => shop?.close())

const opened = async (options: TestShopOptions = {}) =>
  (shop = await createTestShop({ driver: Database, gateway: partsAtOnce, ...options }))

const checkedOut = async ({ callback, ledger }: TestShop) => {
  const order = await ledger.checkout("1", { amount: 50_000, currency: "CZK", callback })
  return order.status === "open" ? order.paymentId : expect.unreachable("the order has no payment")
}

const paid = async (open: TestShop) => {
  const id = await checkedOut(open)
  await open.pay(id)
  return id
}

const delays: ReadonlyArray<Fault> = [
  { type: "latency", milliseconds: 10_000 },
  { type: "slowBody", milliseconds: 10_000 }
]

describe("advance", () => {
  it.each(delays)("moves time past a response under $type", async (fault) => {
    const open = await opened()
    const id = await paid(open)
    await open.local.armFault(fault, { operation: "refundPayment" })
    const refund = open.ledger.refund("r1", id, { amount: 100 })
    await open.advance("5 seconds")
    expect((await open.ledger.getOutcome("r1"))?._tag).toBe("Pending")
    const before = open.now().getTime()
    await open.advance("55 seconds")
    expect((await refund)._tag).toBe("Done")
    expect(open.now().getTime() - before).toBeGreaterThanOrEqual(55_000)
    expect(await open.gateway.getPaymentRefunds(id)).toHaveLength(1)
  })

  it("moves time past a response that never comes", async () => {
    const open = await opened()
    const id = await paid(open)
    await open.local.armFault({ type: "noResponse" }, { operation: "refundPayment" })
    const refund = open.ledger.refund("r1", id, { amount: 100 })
    await open.advance("1 hour")
    expect((await refund)._tag).toBe("Done")
    expect(await open.gateway.getPaymentRefunds(id)).toHaveLength(1)
  })

  it("moves time past a read of the worker that gets no response, and finds the payment", async () => {
    captureLog(/could not be checked/)
    const open = await opened({ gateway: { ...partsAtOnce, notificationCopies: 0 } })
    await paid(open)
    await open.local.armFault({ type: "noResponse" }, { operation: "getPayment" })
    await open.advance("1 day")
    expect((await open.ledger.getOrder("1"))?.status).toBe("paid")
  })

  it("moves time past the read that a notification leads to", async () => {
    const shipped: Array<string> = []
    const open = await opened({
      processes: 2,
      onPayment: async ({ order, status }) => {
        if (status === "paid") shipped.push(order.orderNumber)
      }
    })
    const id = await checkedOut(open)
    await open.local.armFault({ type: "latency", milliseconds: 20_000 }, { operation: "getPayment" })
    await open.pay(id)
    expect(shipped).toEqual([])
    await open.advance("1 minute")
    expect(shipped).toEqual(["1"])
  })

  it("is not needed to close a shop whose response is withheld", async () => {
    const open = await opened()
    const id = await paid(open)
    await open.local.armFault({ type: "noResponse" }, { operation: "refundPayment" })
    const refund = open.ledger.refund("r1", id, { amount: 100 })
    await open.advance(0)
    await open.close()
    await expect(refund).resolves.toMatchObject({ _tag: "InDoubt" })
  })
})
