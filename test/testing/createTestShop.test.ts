import Database from "libsql"
import { afterEach, describe, expect, it } from "vitest"
import type { PaymentEvent, SqliteTransaction } from "../../src/ledger/promise/index.js"
import { createTestShop, type TestShop, type TestShopOptions } from "../../src/testing/index.js"

let shop: TestShop | undefined

afterEach(() => shop?.close())

const opened = async (options: TestShopOptions = {}) => (shop = await createTestShop({ driver: Database, ...options }))

/** A shop that ships each order when it is paid. */
const shipping = (): TestShopOptions => ({
  prepare: (store) => store.query("CREATE TABLE shipment (order_number TEXT)", []),
  onPayment: async ({ order, status, tx }: PaymentEvent<SqliteTransaction>) => {
    if (status === "paid") await tx.query("INSERT INTO shipment VALUES (?)", [order.orderNumber])
  }
})

const ordered = async ({ callback, ledger }: TestShop) => {
  const order = await ledger.checkout("1", { amount: 50_000, currency: "CZK", callback })
  return order.status === "open" ? order.paymentId : expect.unreachable("the order has no payment")
}

const paid = async (open: TestShop) => {
  const id = await ordered(open)
  await open.pay(id)
  return id
}

const refundsOf = async (open: TestShop, id: number | string) =>
  (await open.gateway.getPaymentRefunds(id)).map(({ amount }) => amount)

describe("a test shop", () => {
  it("ships a paid order once, however often it is notified", async () => {
    const open = await opened(shipping())
    const id = await paid(open)
    expect(await open.store.query("SELECT * FROM shipment", [])).toHaveLength(1)
    expect(await open.deliverTwice(id)).toEqual([200, 200])
    await open.advance("3 days")
    expect(await open.store.query("SELECT * FROM shipment", [])).toEqual([{ order_number: "1" }])
  })

  it("finds a payment by the sweep when no notification comes", async () => {
    const open = await opened({ ...shipping(), gateway: { notificationCopies: 0 } })
    const id = await ordered(open)
    await open.pay(id)
    expect(await open.store.query("SELECT * FROM shipment", [])).toEqual([])
    await open.advance("1 day")
    expect(await open.store.query("SELECT * FROM shipment", [])).toHaveLength(1)
  })

  it("moves the shop, the gateway and the store by the same time", async () => {
    const open = await opened()
    const id = await ordered(open)
    const before = open.now().getTime()
    await open.advance("6 days")
    expect(open.now().getTime() - before).toBeGreaterThanOrEqual(6 * 86_400_000)
    expect((await open.gateway.getPayment(id)).state).toBe("TIMEOUTED")
    expect((await open.ledger.getOrder("1"))?.status).toBe("closed")
  })

  it.each([
    ["beforeSending", [], "InDoubt"],
    ["afterSending", [20_000], "Done"]
  ] as const)("refunds once at most when it is killed %s", async (point, refunds, outcome) => {
    const open = await opened()
    const id = await paid(open)
    const killed = open.ledger
    await open.killDuring(point, () => open.ledger.refund("r1", id, { amount: 20_000 }))
    expect(open.ledger).not.toBe(killed)
    await open.advance("1 day")
    expect((await open.ledger.getOutcome("r1"))?._tag).toBe(outcome)
    expect(await refundsOf(open, id)).toEqual(refunds)
    expect(open.story().join("\n")).toContain("process 1 is killed")
  })

  it("refunds once when the response is lost", async () => {
    const open = await opened()
    const id = await paid(open)
    open.loseNextResponse()
    await open.store.transaction((tx) => open.ledger.submit(tx, "r1", { refund: id, amount: 20_000 }))
    await open.advance("1 day")
    expect((await open.ledger.getOutcome("r1"))?._tag).toBe("Done")
    expect(await refundsOf(open, id)).toEqual([20_000])
    expect(open.story().join("\n")).toContain("its response is lost")
  })

  it("says when nothing was there to be killed", async () => {
    const open = await opened()
    await expect(open.killDuring("afterSending", () => open.ledger.getHealth())).rejects.toThrow("sent no change")
  })
})
