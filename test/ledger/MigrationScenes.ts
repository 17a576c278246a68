/**
 * Tables of earlier versions, with rows in them, that are brought to this one.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createLedger, type LedgerStore } from "../../src/ledger/promise/index.js"
import { type RunningLocalGateway, startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient, type GatewayClient } from "../../src/promise/index.js"
import { type EarlierRows, makeEarlierTables } from "./EarlierTables.js"
import { order } from "./World.js"

/** Runs the scenes over a database, which is empty at the beginning of each. */
export const describeMigrations = <Tx>(
  name: string,
  dialect: "sqlite" | "postgres",
  open: () => Promise<{ readonly store: LedgerStore<Tx>; readonly end: () => Promise<void> }>
): void => {
  let local: RunningLocalGateway
  let gateway: GatewayClient
  let store: LedgerStore<Tx>
  let end: () => Promise<void>

  beforeEach(async () => {
    local = await startLocalGateway()
    gateway = createGatewayClient({ ...local.merchant, environment: local.url })
    ;({ end, store } = await open())
  })

  afterEach(async () => {
    await store.close()
    await end()
    await gateway.close()
    await local.close()
  })

  const paid = async (): Promise<number> => {
    const { id } = await gateway.createPayment(order)
    await local.payByCard(id)
    return id
  }

  const ledgerOver = () => createLedger({ gateway, store, onAttention: () => {} })

  const sent = async (): Promise<number> =>
    (await local.listRequests()).filter(({ operation }) => operation === "refundPayment").length

  const earlier = (version: 1 | 2, rows: Omit<EarlierRows, "scope">): Promise<void> =>
    makeEarlierTables(store.query, dialect, version, {
      ...rows,
      scope: `${new URL(local.url).origin} ${local.merchant.goid}`
    })

  const versionsOf = () => store.query("SELECT version, min_reader FROM gopay_ledger", [])

  describe.each([[1], [2]] as const)(`${name} with the tables of version %i`, (version) => {
    it("keeps each key: it is known, however its payment was spelled, and is not sent again", async () => {
      const id = await paid()
      const changes = [
        { key: "plain", paymentId: `${id}`, status: "done" },
        { key: "spelled", paymentId: `000${id}`, status: "done" }
      ]
      await earlier(version, { changes })
      const ledger = ledgerOver()
      await expect(ledger.refund("plain", id, { amount: 500 })).rejects.toThrow("call migrate()")
      await Promise.all([ledger.migrate(), ledgerOver().migrate()])
      await ledger.migrate()
      expect((await versionsOf()).map((row) => Number(row["version"]))).toEqual([7])
      for (const [key, spelling] of [
        ["plain", id],
        ["plain", `0${id}`],
        ["spelled", id],
        ["spelled", `000${id}`]
      ] as const) {
        expect(await ledger.refund(key, spelling, { amount: 500 })).toMatchObject({ _tag: "Done", paymentId: id })
      }
      await expect(ledger.refund("spelled", id, { amount: 501 })).rejects.toMatchObject({
        reason: { _tag: "KeyReused" }
      })
      expect(await sent()).toBe(0)
    })

    it("shows two changes of one payment that were undecided at once, and sends nothing more of it", async () => {
      const id = await paid()
      const changes = [
        { key: "one", paymentId: `${id}`, status: "unknown", holds: true, nextAt: 1 },
        { key: "other", paymentId: `0${id}`, status: "unknown", holds: true, nextAt: 1 },
        { key: "next", paymentId: `${id}`, status: "queued", nextAt: 1 }
      ]
      await earlier(version, { changes })
      const ledger = ledgerOver()
      await ledger.migrate()
      await ledger.runOnce()
      expect((await ledger.listAttention()).map(({ key, kind, paymentId }) => [key, kind, paymentId])).toEqual([
        ["one", "InDoubt", id],
        ["other", "InDoubt", id]
      ])
      expect(await ledger.getOutcome("next")).toMatchObject({ _tag: "Pending" })
      expect(await sent()).toBe(0)
    })

    it("stays paused", async () => {
      const id = await paid()
      const changes = [{ key: "a", paymentId: `${id}`, status: "queued", nextAt: 1 }]
      await earlier(version, { changes, isPaused: true })
      const ledger = ledgerOver()
      await ledger.migrate()
      await ledger.runOnce()
      expect(await ledger.getHealth()).toMatchObject({ isSending: false, reason: "Paused" })
      expect(await sent()).toBe(0)
      await ledger.resume()
      await ledger.runOnce()
      expect(await ledger.getHealth()).toMatchObject({ isSending: true })
      expect(await ledger.getOutcome("a")).toMatchObject({ _tag: "Done" })
    })

    it("is as before when a migration fails, which can be run again", async () => {
      await earlier(version, { changes: [] })
      await store.query("CREATE TABLE gopay_refund (id INTEGER)", [])
      const ledger = ledgerOver()
      await expect(ledger.migrate()).rejects.toMatchObject({ reason: { _tag: "LedgerUnavailable" } })
      expect(await store.query("SELECT version, paused FROM gopay_ledger", [])).toEqual([{ version, paused: 0 }])
      await store.query("DROP TABLE gopay_refund", [])
      await ledger.migrate()
      expect(await ledger.getHealth()).toMatchObject({ isSending: true })
    })
  })

  describe(`${name} with tables of version 2`, () => {
    it("keeps the orders, and takes refunds from before for old news", async () => {
      const id = await paid()
      await gateway.refundPayment(id, { amount: 700 })
      await local.advanceTime("1 hour")
      await earlier(2, { changes: [], orders: { 7: id } })
      const ledger = ledgerOver()
      await ledger.migrate()
      // The gateway's clock is an hour ahead, so that the refund is as long before the ledger's epoch.
      expect(await ledger.getOrder("7")).toMatchObject({ status: "paid", paymentId: id })
      expect(await ledger.refund("a", id, { amount: 500 })).toMatchObject({ _tag: "Done" })
    })
  })

  describe(`${name} of gateways behind one proxy`, () => {
    const ledgerAt = (path: string) =>
      createLedger({
        gateway: { ...gateway, baseUrl: `${new URL(local.url).origin}${path}/api` },
        store,
        onAttention: () => {}
      })

    it("has the rows of each apart", async () => {
      const id = await paid()
      const [sandbox, production] = [ledgerAt("/sandbox"), ledgerAt("/production")]
      await sandbox.migrate()
      expect(await sandbox.refund("a", id, { amount: 500 })).toMatchObject({ _tag: "Done" })
      expect(await production.getOutcome("a")).toBeUndefined()
      expect(await production.refund("a", id, { amount: 1 }, { waitAtMost: 0 })).toMatchObject({ _tag: "Pending" })
    })

    it("keeps the rows of before version 4 for the ledger that migrates, and those of others for them", async () => {
      const id = await paid()
      const changes = [{ key: "old", paymentId: `${id}`, status: "done", holds: true }]
      await earlier(2, { changes })
      await store.query(
        `INSERT INTO gopay_change (scope, key, payment_id, operation, hash, status, created_at)
         VALUES ('https://gate.example.com 8999999999', 'theirs', '4', 'refundPayment', '', 'done', 1)`,
        []
      )
      const ledger = ledgerAt("/sandbox")
      await ledger.migrate()
      expect(await ledger.getOutcome("old")).toMatchObject({ _tag: "Done", paymentId: id })
      const address = `${new URL(local.url).origin}/sandbox/api ${local.merchant.goid}`
      expect(await store.query("SELECT scope, holds FROM gopay_change ORDER BY key", [])).toMatchObject([
        { scope: address, holds: `${address} ${id}` },
        { scope: "https://gate.example.com/api 8999999999", holds: null }
      ])
    })
  })

  describe(`${name} beside a newer release`, () => {
    it("sends nothing, and says why", async () => {
      const id = await paid()
      const ledger = ledgerOver()
      await ledger.migrate()
      await ledger.refund("warm", id, { amount: 1 })
      await store.query("UPDATE gopay_ledger SET version = 99, min_reader = 99", [])
      await ledger.refund("a", id, { amount: 500 }, { waitAtMost: 0 })
      await ledger.runOnce()
      expect(await sent()).toBe(1)
      expect(await ledger.getHealth()).toMatchObject({ isSending: false, reason: "NewerRelease" })
      await expect(ledgerOver().refund("b", id, { amount: 500 })).rejects.toThrow("a newer release")
    })
  })

  describe(`${name} whose ledger row was deleted`, () => {
    it("sends nothing, says how it is restored, and is not migrated again", async () => {
      const id = await paid()
      const ledger = ledgerOver()
      await ledger.migrate()
      await ledger.refund("warm", id, { amount: 1 })
      await store.query("DELETE FROM gopay_ledger", [])
      await ledger.refund("a", id, { amount: 500 }, { waitAtMost: 0 })
      await ledger.runOnce()
      expect(await sent()).toBe(1)
      const health = await ledger.getHealth()
      expect(health).toMatchObject({ isSending: false, reason: "NoRow" })
      await expect(ledger.migrate()).rejects.toThrow("INSERT INTO gopay_ledger")
      const [insert = ""] = /INSERT INTO .*$/.exec(health.message) ?? []
      await store.query(insert.replace("…", "main"), [])
      await ledger.distrust({ since: new Date() })
      await ledger.runOnce()
      expect(await ledger.getHealth()).toMatchObject({ isSending: true })
    })
  })
}
