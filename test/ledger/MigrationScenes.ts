/**
 * Migrations of a database with rows in it, and what a release does beside another one. The steps after the first are
 * invented here.
 */
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type LedgerStore } from "../../src/ledger/promise/index.js"
import { createLedger } from "../../src/ledger/promise/index.js"
import { type RunningLocalGateway, startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient, type GatewayClient } from "../../src/promise/index.js"
import { fromStore, withSchema } from "../../src/ledger/store/Database.js"
import * as LedgerTable from "../../src/ledger/store/LedgerTable.js"
import { type Migration, migrations } from "../../src/ledger/store/Migrations.js"
import * as Outsider from "./Outsider.js"
import { order } from "./World.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

/** A step that an older release need not know. */
const addsMood: Migration = () => ["ALTER TABLE gopay_change ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'"]

/** A step whose rows an older release would misread. */
const needsMood: Migration = () => [
  "UPDATE gopay_change SET mood = mood || ' ' || status",
  "UPDATE gopay_ledger SET min_reader = 3"
]

/** Runs the scenes over a database, which is empty at the beginning of each. */
export const describeMigrations = <Tx>(
  name: string,
  open: () => Promise<{ readonly store: LedgerStore<Tx>; readonly end: () => Promise<void> }>
): void => {
  let local: RunningLocalGateway
  let gateway: GatewayClient
  let store: LedgerStore<Tx>
  let end: () => Promise<void>

  beforeEach(async () => {
    local = await startLocalGateway({ settings: partsAtOnce })
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

  /** Runs a statement on the tables of the ledger. */
  const query = (sql: string) => Effect.runPromise(withSchema(fromStore(store)).query(sql, []))

  /** The tables of a later release, after these of its migration steps. */
  const tablesAfter = (steps: ReadonlyArray<Migration>) =>
    LedgerTable.make(withSchema(fromStore(store)), {
      installation: "main",
      schema: undefined,
      scope: { id: 1, name: "https://gate.example.com/api 8999999999" },
      steps
    })

  const versions = async () => {
    const [row] = await query("SELECT version, min_reader FROM gopay_ledger")
    return [Number(row?.["version"]), Number(row?.["min_reader"])]
  }

  describe(`${name} that is migrated with rows in it`, () => {
    const later = [...migrations, addsMood, needsMood]

    it("keeps each key, and takes each step once, however many processes migrate", async () => {
      const id = await paid()
      const ledger = ledgerOver()
      await Promise.all([ledger.migrate(), ledgerOver().migrate()])
      expect(await versions()).toEqual([1, 1])
      expect(await ledger.refund("a", id, { amount: 500 })).toMatchObject({ _tag: "Done" })
      await Effect.runPromise(
        Effect.all([tablesAfter(later).migrate, tablesAfter(later).migrate], { concurrency: "unbounded" })
      )
      await Effect.runPromise(tablesAfter(later).migrate)
      expect(await versions()).toEqual([3, 3])
      expect(await query("SELECT key, status, mood FROM gopay_change")).toEqual([
        { key: "a", status: "done", mood: "calm done" }
      ])
    })

    it("is not begun anew over rows whose own ledger is gone", async () => {
      const ledger = ledgerOver()
      await ledger.migrate()
      await Effect.runPromise(Outsider.dropLedgerTable(store))
      await expect(ledgerOver().migrate()).rejects.toThrow("The ledger's store failed")
      await expect(query("SELECT version FROM gopay_ledger")).rejects.toThrow(/gopay_ledger/)
    })

    it("takes the step that is missing only", async () => {
      const id = await paid()
      const ledger = ledgerOver()
      await ledger.migrate()
      await ledger.refund("a", id, { amount: 500 })
      await Effect.runPromise(tablesAfter(later.slice(0, 2)).migrate)
      await query("UPDATE gopay_change SET mood = 'merry'")
      await Effect.runPromise(tablesAfter(later).migrate)
      expect(await query("SELECT mood FROM gopay_change")).toEqual([{ mood: "merry done" }])
    })

    it("serves the release before for as long as min_reader allows it", async () => {
      const id = await paid()
      const ledger = ledgerOver()
      await ledger.migrate()
      await Effect.runPromise(tablesAfter(later.slice(0, 2)).migrate)
      expect(await versions()).toEqual([2, 1])
      await ledger.migrate()
      expect(await ledger.refund("a", id, { amount: 500 })).toMatchObject({ _tag: "Done" })
      await Effect.runPromise(tablesAfter(later).migrate)
      await ledger.refund("b", id, { amount: 500 }, { waitAtMost: 0 })
      await ledger.runOnce()
      expect(await ledger.getHealth()).toMatchObject({ isSending: false, reason: "NewerRelease" })
      expect(await sent()).toBe(1)
    })

    it("asks a newer release for migrate()", async () => {
      await ledgerOver().migrate()
      const { blockage } = await Effect.runPromise(tablesAfter(later).inspect)
      expect(blockage).toEqual({ _tag: "OldTables" })
      await expect(Effect.runPromise(tablesAfter(later).check)).rejects.toThrow("call migrate()")
    })

    it("is as before when a step fails, which can be taken again", async () => {
      const id = await paid()
      const ledger = ledgerOver()
      await ledger.migrate()
      const failing: Migration = () => [
        "UPDATE gopay_change SET mood = 'broken'",
        "INSERT INTO gopay_missing VALUES (1)"
      ]
      await expect(Effect.runPromise(tablesAfter([...migrations, addsMood, failing]).migrate)).rejects.toMatchObject({
        reason: { _tag: "LedgerUnavailable" }
      })
      expect(await versions()).toEqual([1, 1])
      await expect(query("SELECT mood FROM gopay_change")).rejects.toThrow("mood")
      expect(await ledger.refund("a", id, { amount: 500 })).toMatchObject({ _tag: "Done" })
      await Effect.runPromise(tablesAfter(later).migrate)
      expect(await versions()).toEqual([3, 3])
    })
  })

  describe(`${name} of gateways behind one proxy`, () => {
    const ledgerAt = (path: string) =>
      createLedger({
        gateway: createGatewayClient({
          ...local.merchant,
          environment: new URL(path, local.url).href,
          // The proxy.
          fetch: (url, init) => fetch(typeof url === "string" ? url.replace(path, "") : url, init)
        }),
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
  })

  describe(`${name} beside a newer release`, () => {
    it("sends nothing, and says why", async () => {
      const id = await paid()
      const ledger = ledgerOver()
      await ledger.migrate()
      await ledger.refund("warm", id, { amount: 1 })
      await Effect.runPromise(Outsider.migrateBeyond(store))
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
      await Effect.runPromise(Outsider.deleteLedgerRow(store))
      await ledger.refund("a", id, { amount: 500 }, { waitAtMost: 0 })
      await ledger.runOnce()
      expect(await sent()).toBe(1)
      const health = await ledger.getHealth()
      expect(health).toMatchObject({ isSending: false, reason: "NoRow" })
      await expect(ledger.migrate()).rejects.toThrow("row is missing in gopay_ledger")
      const [insert = ""] = /INSERT INTO .*$/.exec(health.message) ?? []
      await store.query(insert.replace("…", "main"), [])
      await ledger.operator.distrust({ since: new Date() })
      await ledger.runOnce()
      expect(await ledger.getHealth()).toMatchObject({ isSending: true })
    })
  })
}
