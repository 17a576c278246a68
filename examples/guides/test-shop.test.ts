/**
 * The tests of a shop over the ledger, as the guide shows them.
 */
import { createTestShop, simulateShop, type TestShop } from "effect-gopay/testing/promise"
import { fileStore, type PaymentEvent, type SqliteTransaction } from "effect-gopay/ledger/promise"
import Database from "libsql"
import { expect, it } from "vitest"
import { handlersOver } from "./any-store.js"

const openShop = (processes = 1) =>
  createTestShop({
    processes,
    driver: Database, // not needed from Node.js 22.13 on
    prepare: (store) => store.query("CREATE TABLE shipment (order_number TEXT PRIMARY KEY)", []),
    onPayment: async ({ order, status, tx }: PaymentEvent<SqliteTransaction>) => {
      if (status === "paid") await tx.query("INSERT OR IGNORE INTO shipment VALUES (?)", [order.orderNumber])
    }
  })

const shipments = async ({ store }: TestShop) =>
  (await store.query("SELECT order_number FROM shipment", [])).map((row) => row["order_number"])

const paidOrder = async (shop: TestShop) => {
  const order = await shop.ledger.checkout("1", { amount: 50_000, currency: "CZK", callback: shop.callback })
  if (order.status !== "open") throw new Error(`The order is ${order.status}.`)
  await shop.pay(order.paymentId)
  await shop.advance("1 day") // GoPay refunds a part 24 hours after the payment at the earliest
  return order.paymentId
}

it("ships a paid order once", async () => {
  await using shop = await openShop()
  const paymentId = await paidOrder(shop)
  await shop.deliverTwice(paymentId)
  await shop.advance("3 days")
  expect(await shipments(shop)).toEqual(["1"])
})

it("refunds once, though the process is killed before it hears of it", async () => {
  await using shop = await openShop()
  const paymentId = await paidOrder(shop)
  await shop.killDuring("afterSending", () => shop.ledger.refund("complaint-77", paymentId, { amount: 20_000 }))
  await shop.advance("1 hour") // the next process looks for it
  expect(await shop.ledger.getOutcome("complaint-77")).toMatchObject({ _tag: "Done" })
  expect(await shop.gateway.getPaymentRefunds(paymentId)).toHaveLength(1)
})

it("refunds once, though the response is lost", async () => {
  await using shop = await openShop()
  const paymentId = await paidOrder(shop)
  shop.loseNextResponse()
  const refund = shop.ledger.refund("complaint-77", paymentId, { amount: 20_000 })
  await shop.advance("1 hour")
  expect(await refund).toMatchObject({ _tag: "Done" })
  expect(await shop.gateway.getPaymentRefunds(paymentId)).toHaveLength(1)
})

it("refunds once, though two servers are asked at the same time", async () => {
  await using shop = await openShop(2)
  const paymentId = await paidOrder(shop)
  await Promise.all(shop.ledgers.map((ledger) => ledger.refund("complaint-77", paymentId, { amount: 20_000 })))
  expect(await shop.gateway.getPaymentRefunds(paymentId)).toHaveLength(1)
})

it.each([1, 2])("ships at most once whatever happens, with seed %i", async (seed) => {
  await simulateShop({
    seed,
    open: openShop,
    steps: 10,
    invariants: {
      "no order is shipped twice": async (shop) => {
        const all = await shipments(shop)
        expect(new Set(all).size).toBe(all.length)
      }
    }
  })
})

it("ships once, by handlers that are PostgreSQL's too", async () => {
  const { onPayment } = handlersOver(fileStore(":memory:", { driver: Database }))
  await using shop = await createTestShop({
    driver: Database,
    prepare: (store) => store.query("CREATE TABLE shipment (order_number TEXT PRIMARY KEY)", []),
    onPayment
  })
  await paidOrder(shop)
  expect(await shipments(shop)).toEqual(["1"])
})
