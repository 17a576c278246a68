/**
 * The books of a ledger, compared with the statement of its merchant's account.
 */
import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { fileStore, type SqliteTransaction } from "../../src/ledger/promise/index.js"
import { type BookedOrdersOptions } from "../../src/ledger/promise/operator.js"
import { createLedger, type OperatedLedger as Ledger } from "./OperatedLedger.js"
import { type RunningLocalGateway, startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient, type GatewayClient } from "../../src/promise/index.js"
import { parseStatement, reconcileStatement } from "../../src/statement/index.js"
import { scopeIdOf } from "../../src/ledger/store/LedgerTable.js"
import { scopeOf } from "../../src/ledger/model/LedgerGateway.js"
import { captureLog } from "../support/LogGuard.js"
import { collected } from "../support/collected.js"
import { insertSettled } from "./SettledRows.js"
import { order } from "./World.js"

const prague = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Prague" })

let folder: string
let local: RunningLocalGateway
let gateway: GatewayClient
let ledger: Ledger<SqliteTransaction>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "booked-orders-"))
  local = await startLocalGateway()
  gateway = createGatewayClient({ ...local.merchant, environment: local.url })
  const store = fileStore(join(folder, "gopay.db"), { driver: Database })
  ledger = createLedger({ gateway, store, onAttention: () => {} })
  await ledger.migrate()
})

afterEach(async () => {
  await ledger.close()
  await gateway.close()
  await local.close()
  rmSync(folder, { recursive: true, force: true })
})

const { order_number: _, ...request } = order

/** An order whose payment the payer has paid, or authorized. */
const paid = async (orderNumber: string, more: object = {}): Promise<number> => {
  const placed = await ledger.checkout(orderNumber, { ...request, ...more })
  const id = placed.paymentId ?? 0
  await local.payByCard(id)
  await ledger.verifyReturn(`https://shop.example/return?id=${id}`)
  return id
}

const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** What the statement of the next forty days says beside the books. */
const reconciled = async () => {
  await local.advanceTime("40 days")
  const { data } = await gateway.getAccountStatement({
    date_from: day(-1),
    date_to: day(39),
    currency: "CZK",
    format: "CSV_B"
  })
  return reconcileStatement(parseStatement(new Uint8Array(data)), {
    orders: await collected(ledger.listBookedOrders())
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
    const booked = await collected(ledger.listBookedOrders())
    expect(await ledger.eraseDetails({ olderThan: 0 })).toBeGreaterThanOrEqual(3)
    expect(await collected(ledger.listBookedOrders())).toEqual(booked)
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

  it("name the refund in doubt that the statement proves, by its key", async () => {
    const id = await paid("1")
    await local.armFault({ type: "connectionReset", effect: "committed" }, { operation: "refundPayment" })
    await ledger.refund("complaint-1", id, { amount: 500 }, { waitAtMost: 0 })
    await ledger.runOnce()
    const { evidence } = await reconciled()
    expect(evidence.map(({ change }) => change)).toMatchObject([
      { key: "complaint-1", operation: "refundPayment", amount: 500, paymentId: id }
    ])
  })

  it("have the whole orders with any event in a time, and the day of a payment stays when a part is returned", async () => {
    const database = new Database(join(folder, "gopay.db"))
    const longAgo = Date.now() - 100 * 86_400_000
    const moved = (orderNumber: string) => {
      database
        .prepare("UPDATE gopay_payment SET created_at = ?, paid_at = ?, moved_at = ? WHERE order_number = ?")
        .run(longAgo, longAgo + 1, longAgo + 1, orderNumber)
    }
    await paid("old")
    moved("old")
    const returned = await paid("returned")
    moved("returned")
    await ledger.refund("complaint", returned, { amount: 500 })
    await ledger.verifyReturn(`https://shop.example/return?id=${returned}`)
    const inDoubt = await paid("in doubt")
    moved("in doubt")
    await local.armFault({ type: "connectionReset", effect: "committed" }, { operation: "refundPayment" })
    await ledger.refund("doubtful", inDoubt, { amount: 500 }, { waitAtMost: 0 })
    database.prepare("UPDATE gopay_change SET created_at = ? WHERE key = 'doubtful'").run(longAgo)
    await paid("new")
    database.close()

    const numbersIn = async (options: BookedOrdersOptions) =>
      (await collected(ledger.listBookedOrders(options))).map(({ orderNumber }) => orderNumber).toSorted()
    expect(await numbersIn({})).toEqual(["in doubt", "new", "old", "returned"])
    expect(await numbersIn({ from: new Date(Date.now() - 3_600_000) })).toEqual(["in doubt", "new", "returned"])
    expect(await numbersIn({ from: new Date(longAgo - 1), to: new Date(longAgo + 2) })).toEqual([
      "in doubt",
      "old",
      "returned"
    ])
    const [found] = (await collected(ledger.listBookedOrders({ from: new Date(Date.now() - 3_600_000) }))).filter(
      ({ orderNumber }) => orderNumber === "returned"
    )
    expect(found?.payments).toMatchObject([
      {
        amount: 100_000,
        paidOn: prague.format(longAgo),
        refunds: [{ amount: 500, requestedOn: prague.format(Date.now()) }]
      }
    ])
  })

  it("come page after page, each order once", async () => {
    const store = fileStore(join(folder, "gopay.db"), { driver: Database })
    await insertSettled(store.query, scopeIdOf(scopeOf(gateway.baseUrl, gateway.goid)), 1, 450)
    await store.close()
    const numbers = (await collected(ledger.listBookedOrders())).map(({ orderNumber }) => orderNumber)
    expect(numbers).toHaveLength(450)
    expect(new Set(numbers).size).toBe(450)
    const minute = { from: "2026-01-01T00:01:00.000Z", to: "2026-01-01T00:02:00.000Z" }
    expect(await collected(ledger.listBookedOrders(minute))).toHaveLength(61)
    await expect(collected(ledger.listBookedOrders({ from: "elsewhere" }))).rejects.toThrow("from is not a time")
  })

  it("name the payment that was created for no one, and are missing nothing without it", async () => {
    captureLog(/lost/)
    await local.armFault({ type: "connectionReset", effect: "committed" }, { operation: "createPayment" })
    await paid("1")
    const [booked] = await collected(ledger.listBookedOrders())
    expect(booked).toMatchObject({
      orderNumber: "1",
      currency: "CZK",
      payments: [{ amount: 100_000, paid: true }],
      inDoubt: [{ operation: "createPayment", amount: 100_000, sentOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }]
    })
    expect((await reconciled()).agrees).toBe(true)
  })
})
