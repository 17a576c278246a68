/**
 * A ledger whose tables are full of settled rows: no statement visits more of them than it gives, the two exports aside.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { scopeIdOf } from "../../src/ledger/store/LedgerTable.js"
import { scopeOf } from "../../src/ledger/model/LedgerGateway.js"
import { type LedgerStore, type SqlQuery, type SqlValue } from "../../src/ledger/promise/index.js"
import { createLedger, type Ledger } from "../../src/ledger/promise/index.js"
import { type RunningLocalGateway, startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient, type GatewayClient } from "../../src/promise/index.js"
import { collected } from "../support/collected.js"
import { firstSettledPayment, insertSettled } from "./SettledRows.js"
import { order } from "./World.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

/** Statements with the values that they had last. */
export type Statements = ReadonlyMap<string, ReadonlyArray<SqlValue>>

const settled = 20_000

/** An order that is due for nothing is erased when it is older. */
const longAgo = "36500 days"

/** Runs everything that a ledger does over a full database, and gives its statements to `judge`. */
export const describeGrownTables = <Tx>(
  name: string,
  open: () => Promise<{ readonly store: LedgerStore<Tx>; readonly end: () => Promise<void> }>,
  /** What is wrong with how the database runs the statements, by their texts. */
  judge: (statements: Statements) => Promise<ReadonlyArray<string>>,
  /** Makes the database know its tables, as it does by itself in time. */
  analyze: (query: SqlQuery) => Promise<void>
): void => {
  describe(`a ledger with ${settled} settled orders in ${name}`, () => {
    const statements = new Map<string, ReadonlyArray<SqlValue>>()
    let local: RunningLocalGateway
    let gateway: GatewayClient
    let ledger: Ledger<Tx>
    let end: () => Promise<void>

    beforeAll(async () => {
      local = await startLocalGateway({ settings: partsAtOnce })
      gateway = createGatewayClient({ ...local.merchant, environment: local.url })
      const opened = await open()
      end = opened.end
      const recorded =
        (query: SqlQuery): SqlQuery =>
        (sql, values) => {
          statements.set(sql, values)
          return query(sql, values)
        }
      const { queryIn } = opened.store
      const store = { ...opened.store, query: recorded(opened.store.query), queryIn: (tx: Tx) => recorded(queryIn(tx)) }
      ledger = createLedger<Tx>({
        gateway,
        store,
        onAttention: () => {},
        onChange: () => {},
        onPayment: () => {},
        onSubscription: () => {}
      })
      await ledger.migrate()
      await insertSettled(opened.store.query, scopeIdOf(scopeOf(gateway.baseUrl, gateway.goid)), 1, settled)
      await ledger.runOnce()
      await analyze(opened.store.query)
      statements.clear()
    }, 120_000)

    afterAll(async () => {
      await ledger.close()
      await end()
      await gateway.close()
      await local.close()
    })

    const paid = async (orderNumber: string, more: object = {}): Promise<number> => {
      const { order_number: _, ...request } = order
      const placed = await ledger.checkout(orderNumber, { ...request, ...more })
      const id = "paymentId" in placed ? placed.paymentId : 0
      await local.payByCard(id)
      await ledger.verifyReturn(`https://shop.example/return?id=${id}`)
      return id
    }

    /** Makes each call of the ledger, in a state in which it reads as much as it can. */
    const everything = async (): Promise<void> => {
      const id = await paid("1")
      await ledger.refund("a", id, { amount: 500 })
      await ledger.getOutcome("a")
      await ledger.operator.getChange("a")
      await ledger.getOrder("order-7")
      await ledger.operator.getHistory("a")
      const held = await paid("2", { preauthorization: true })
      await ledger.capturePartial("b", held, { amount: 300 })
      await local.armFault({ type: "connectionReset", effect: "committed" }, { operation: "refundPayment" })
      await ledger.refund("in-doubt", id, { amount: 250 }, { waitAtMost: 0 })
      const recurrence = { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" } as const
      await ledger.createSubscription("gym", { maximum: 100_000, currency: "CZK", orderNumber: "3" })
      const first = await paid("3", { recurrence })
      await ledger.charge("c", first, {
        amount: 100,
        currency: "CZK",
        order_number: "3-1",
        order_description: "A month"
      })
      await ledger.chargePeriod("gym", new Date().toISOString().slice(0, 7), {
        amount: 100,
        order_description: "A month"
      })
      await ledger.runOnce()
      await ledger.getSubscription("gym")
      await ledger.operator.adoptCharges([])
      await ledger.operator.adoptPayment("1", id)
      await ledger.operator.listChanges({ isOpen: true })
      for (const status of ["queued", "sending", "unknown", "needsOperator", "done", "refused", "failed"] as const) {
        await ledger.operator.listChanges({ status, limit: 10 })
      }
      await ledger.operator.listChanges({ createdFrom: new Date(), limit: 10 })
      await ledger.operator.listChanges({ after: "complaint-9000", limit: 10 })
      await ledger.operator.listChanges({ paymentId: firstSettledPayment + 5 })
      for (const state of ["PAID", "TIMEOUTED", "REFUNDED"] as const)
        await ledger.operator.listPayments({ state, limit: 10 })
      for (const status of ["creating", "created", "lost", "unknown"] as const)
        await ledger.operator.listPayments({ status, limit: 10 })
      await ledger.operator.listPayments({ orderNumber: "order-9", limit: 10 })
      await ledger.operator.listPayments({ group: "none", limit: 10 })
      await ledger.operator.listSubscriptions({ status: "active", limit: 10 })
      await ledger.operator.listSubscriptions({ limit: 10 })
      await ledger.operator.listAttention()
      await ledger.operator.listAcknowledgedRefunds(id)
      await ledger.operator.getMetrics()
      await ledger.operator.listMerchants()
      await ledger.operator.eraseDetails({ olderThan: longAgo })
      await collected(ledger.operator.listBookedOrders({ from: new Date(Date.now() - 60_000) }))
      await ledger.operator.pause()
      await ledger.operator.resume()
      await ledger.operator.distrust({ since: new Date() })
      await ledger.runOnce()
    }

    it("visits by each statement only rows that it gives, or that are open", async () => {
      await everything()
      expect(statements.size).toBeGreaterThan(80)
      expect(await judge(statements)).toEqual([])
    }, 120_000)

    it("counts what is settled without reading it", async () => {
      const { changes, payments } = await ledger.operator.getMetrics()
      expect(changes["done"]).toBeGreaterThanOrEqual(settled * 1.1)
      expect(payments["created"]).toBeGreaterThanOrEqual(settled)
      expect(await ledger.operator.listMerchants()).toMatchObject([{ isOwn: true }])
    })
  })
}
