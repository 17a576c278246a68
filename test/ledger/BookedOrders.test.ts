/**
 * The books of a ledger, compared with the statement of its merchant's account.
 */
import * as Effect from "effect/Effect"
import Database from "libsql"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { BookedOrdersOptions, Ledger, SqliteTransaction } from "../../src/ledger/promise/index.js"
import { parseStatement, reconcileStatement } from "../../src/statement/index.js"
import { createTestShop, type TestShop } from "../../src/testing/promise/index.js"
import { scopeIdOf } from "../../src/ledger/store/LedgerTable.js"
import { scopeOf } from "../../src/ledger/model/LedgerGateway.js"
import { captureLog } from "../support/LogGuard.js"
import { collected } from "../support/collected.js"
import * as Outsider from "./Outsider.js"
import { insertSettled } from "./SettledRows.js"
import { order } from "./World.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

const prague = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Prague" })

let shop: TestShop
let ledger: Ledger<SqliteTransaction>

beforeEach(async () => {
  shop = await createTestShop({ driver: Database, gateway: partsAtOnce, onAttention: () => {} })
  ledger = shop.ledger
})

afterEach(() => shop.close())

const { order_number: _, ...request } = order

/** An order whose payment the payer has paid, or authorized. */
const paid = async (orderNumber: string, more: object = {}): Promise<number> => {
  const placed = await ledger.checkout(orderNumber, { ...request, ...more })
  const id = placed.paymentId ?? 0
  await shop.local.payByCard(id)
  await ledger.verifyReturn(`https://shop.example/return?id=${id}`)
  return id
}

const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** What the statement of the next forty days says beside the books. */
const reconciled = async () => {
  await shop.local.advanceTime("40 days")
  const { data } = await shop.gateway.getAccountStatement({
    date_from: day(-1),
    date_to: day(39),
    currency: "CZK",
    format: "CSV_B"
  })
  return reconcileStatement(parseStatement(new Uint8Array(data)), {
    orders: await collected(ledger.operator.listBookedOrders())
  })
}

describe("the books of a ledger", () => {
  it("agree with the statement: payments, refunds, a part of a hold, and what was not paid", async () => {
    const first = await paid("1")
    await ledger.refund("complaint-1", first, { amount: 500 })
    await ledger.refund("complaint-2", first, { amount: 250 })
    const held = await paid("2", { preauthorization: true })
    await ledger.capturePartial("shipped-2", held, { amount: 300 })
    await ledger.verifyReturn(`https://shop.example/return?id=${held}`)
    await ledger.checkout("3", request)
    // They say the same when the details are erased.
    const booked = await collected(ledger.operator.listBookedOrders())
    expect(await ledger.operator.eraseDetails({ olderThan: 0 })).toBeGreaterThanOrEqual(3)
    expect(await collected(ledger.operator.listBookedOrders())).toEqual(booked)
    const { agrees, matched } = await reconciled()
    expect(matched.map(({ expected: { amount, orderNumber } }) => [orderNumber, amount])).toEqual(
      expect.arrayContaining([
        ["1", 100_000],
        ["1", -500],
        ["1", -250],
        ["2", 300]
      ])
    )
    expect(matched).toHaveLength(4)
    expect(agrees).toBe(true)
  })

  it("agree with the statement after a part of a hold was captured without the ledger", async () => {
    const held = await paid("1", { preauthorization: true })
    const items = [{ name: "A part", amount: 300, count: 1 }]
    await shop.gateway.captureAuthorizationPartial(held, { amount: 300, items })
    await ledger.verifyReturn(`https://shop.example/return?id=${held}`)
    const [booked] = await collected(ledger.operator.listBookedOrders())
    expect(booked?.payments).toMatchObject([{ amount: 100_000, isUpperBound: true, paid: true }])
    expect(await reconciled()).toMatchObject({ agrees: true, matched: [{ movement: { amount: 300 } }] })
  })

  it("name the refund in doubt that the statement proves, by its key", async () => {
    const id = await paid("1")
    await shop.local.armFault({ type: "connectionReset", effect: "committed" }, { operation: "refundPayment" })
    await ledger.refund("complaint-1", id, { amount: 500 }, { waitAtMost: 0 })
    await ledger.runOnce()
    const { evidence } = await reconciled()
    expect(evidence.map(({ change }) => change)).toMatchObject([
      { key: "complaint-1", operation: "refundPayment", amount: 500, paymentId: id }
    ])
  })

  it("have the whole orders with any event in a time, and the day of a payment stays when a part is returned", async () => {
    const longAgo = Date.now() - 100 * 86_400_000
    const moved = (orderNumber: string) => Effect.runPromise(Outsider.placeOrderAt(shop.store, orderNumber, longAgo))
    await paid("old")
    await moved("old")
    const returned = await paid("returned")
    await moved("returned")
    await ledger.refund("complaint", returned, { amount: 500 })
    await ledger.verifyReturn(`https://shop.example/return?id=${returned}`)
    const inDoubt = await paid("in doubt")
    await moved("in doubt")
    await shop.local.armFault({ type: "connectionReset", effect: "committed" }, { operation: "refundPayment" })
    await ledger.refund("doubtful", inDoubt, { amount: 500 }, { waitAtMost: 0 })
    await Effect.runPromise(Outsider.submitAt(shop.store, "doubtful", longAgo))
    await paid("new")

    const numbersIn = async (options: BookedOrdersOptions) =>
      (await collected(ledger.operator.listBookedOrders(options))).map(({ orderNumber }) => orderNumber).toSorted()
    expect(await numbersIn({})).toEqual(["in doubt", "new", "old", "returned"])
    expect(await numbersIn({ from: new Date(Date.now() - 3_600_000) })).toEqual(["in doubt", "new", "returned"])
    expect(await numbersIn({ from: new Date(longAgo - 1), to: new Date(longAgo + 2) })).toEqual([
      "in doubt",
      "old",
      "returned"
    ])
    const [found] = (
      await collected(ledger.operator.listBookedOrders({ from: new Date(Date.now() - 3_600_000) }))
    ).filter(({ orderNumber }) => orderNumber === "returned")
    expect(found?.payments).toMatchObject([
      {
        amount: 100_000,
        paidOn: prague.format(longAgo),
        refunds: [{ amount: 500, requestedOn: prague.format(Date.now()) }]
      }
    ])
  })

  it("reach to the transaction that is still open, and go on from there", async () => {
    const id = await paid("1")
    const until = await ledger.operator.getRecordedUntil()
    await ledger.refund("complaint", id, { amount: 500 })
    const later = await ledger.operator.getRecordedUntil()
    const numbersIn = async (range: BookedOrdersOptions) =>
      (await collected(ledger.operator.listBookedOrders(range))).map(({ orderNumber }) => orderNumber)
    expect(await numbersIn({ to: until })).toEqual(["1"])
    expect(await numbersIn({ from: until, to: later })).toEqual(["1"])
    const tomorrow = new Date(Date.now() + 86_400_000)
    await expect(numbersIn({ from: until, to: tomorrow })).rejects.toThrow("to is later than")
  })

  it("give an order once whose details are erased while they are read", async () => {
    const { baseUrl, goid } = shop.gateway
    const { query } = shop.store
    await insertSettled(query, scopeIdOf(scopeOf(baseUrl, goid)), 1, 250)
    // Two changes of one order, decided half a year after they were submitted: the first and the last of all.
    await Effect.runPromise(Outsider.decideLater(shop.store, 180 * 86_400_000))
    await Effect.runPromise(Outsider.moveToOrder(shop.store, "complaint-250", "order-1"))
    const numbers: Array<string> = []
    for await (const { orderNumber } of ledger.operator.listBookedOrders({ from: "2026-06-01T00:00:00.000Z" })) {
      if (numbers.length === 0) await Effect.runPromise(Outsider.eraseRequest(shop.store, "complaint-1"))
      numbers.push(orderNumber)
    }
    expect(numbers.length).toBeGreaterThan(200)
    expect(numbers.filter((number) => number === "order-1")).toHaveLength(1)
  })

  it("come page after page, each order once", async () => {
    const { baseUrl, goid } = shop.gateway
    await insertSettled(shop.store.query, scopeIdOf(scopeOf(baseUrl, goid)), 1, 450)
    const numbers = (await collected(ledger.operator.listBookedOrders())).map(({ orderNumber }) => orderNumber)
    expect(numbers).toHaveLength(450)
    expect(new Set(numbers).size).toBe(450)
    const minute = { from: "2026-01-01T00:01:00.000Z", to: "2026-01-01T00:02:00.000Z" }
    expect(await collected(ledger.operator.listBookedOrders(minute))).toHaveLength(61)
    await expect(collected(ledger.operator.listBookedOrders({ from: "elsewhere" }))).rejects.toThrow(
      "from is not a time"
    )
  })

  it("name the payment that was created for no one, and are missing nothing without it", async () => {
    captureLog(/lost/)
    await shop.local.armFault({ type: "connectionReset", effect: "committed" }, { operation: "createPayment" })
    await paid("1")
    const [booked] = await collected(ledger.operator.listBookedOrders())
    expect(booked).toMatchObject({
      orderNumber: "1",
      currency: "CZK",
      payments: [{ amount: 100_000, paid: true }],
      inDoubt: [{ operation: "createPayment", amount: 100_000, sentOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }]
    })
    expect((await reconciled()).agrees).toBe(true)
  })
})
