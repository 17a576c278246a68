/**
 * A change that is submitted in a transaction of the shop's own connection to the ledger's file, as an engine over SQLite
 * has it.
 */
import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  createLedger,
  fileStore,
  type Ledger,
  type SqliteTransaction,
  sqliteTransaction
} from "../../src/ledger/promise/index.js"
import { type RunningLocalGateway, startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient, type GatewayClient } from "../../src/promise/index.js"
import { order } from "./World.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

let folder: string
let path: string
let local: RunningLocalGateway
let gateway: GatewayClient
let ledger: Ledger<SqliteTransaction>
let shop: Database.Database
let refund: { readonly refund: number; readonly amount: number }

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "engine-"))
  path = join(folder, "shop.db")
  local = await startLocalGateway({ settings: partsAtOnce })
  gateway = createGatewayClient({ ...local.merchant, environment: local.url })
  ledger = createLedger({ gateway, store: fileStore(path, { driver: Database }) })
  await ledger.migrate()
  shop = new Database(path)
  shop.exec("CREATE TABLE complaint (id TEXT)")
  const { id } = await gateway.createPayment(order)
  await local.payByCard(id)
  refund = { refund: id, amount: 500 }
})

afterEach(async () => {
  shop.close()
  await ledger.close()
  await gateway.close()
  await local.close()
  rmSync(folder, { recursive: true, force: true })
})

const complaints = () => shop.prepare("SELECT id FROM complaint").all().length

const settle = (): void => {
  shop.prepare("INSERT INTO complaint VALUES ('7')").run()
}

describe("a transaction of the shop's own connection that is synchronous", () => {
  it("records a change when it commits, and the change is made", async () => {
    shop.transaction(() => {
      settle()
      ledger.submitSync(sqliteTransaction(shop), "7", refund)
    })()
    expect([complaints(), await ledger.getOutcome("7")]).toMatchObject([1, { _tag: "Pending", status: "queued" }])
    await ledger.runOnce()
    expect(await ledger.getOutcome("7")).toMatchObject({ _tag: "Done" })
  })

  it("records none when it is rolled back, or is told of a key that is another change's", async () => {
    const settled = shop.transaction((amount: number, fails: boolean) => {
      settle()
      ledger.submitSync(sqliteTransaction(shop), "7", { ...refund, amount })
      if (fails) throw new Error("the shop rolls back")
    })
    expect(() => settled(500, true)).toThrow("the shop rolls back")
    expect([complaints(), await ledger.getOutcome("7")]).toEqual([0, undefined])
    settled(500, false)
    expect(() => settled(600, false)).toThrow("The key 7 belongs to another change")
    expect(complaints()).toBe(1)
  })

  it("finds the file busy, and leaves the shop's connection as it was", async () => {
    const writer = new Database(path)
    writer.exec("BEGIN IMMEDIATE")
    shop.exec("PRAGMA busy_timeout = 0; BEGIN")
    expect(() => ledger.submitSync(sqliteTransaction(shop), "7", refund)).toThrow("nothing was recorded")
    shop.exec("ROLLBACK")
    writer.exec("ROLLBACK")
    // What the shop writes from now on is committed, which another connection sees.
    settle()
    shop.transaction(() => {
      settle()
      ledger.submitSync(sqliteTransaction(shop), "7", refund)
    })()
    expect(writer.prepare("SELECT id FROM complaint").all()).toHaveLength(2)
    expect(writer.prepare("SELECT key FROM gopay_change").all()).toEqual([{ key: "7" }])
    writer.close()
  })

  it("is not taken for one that is not", async () => {
    const query = async (): Promise<never> => expect.fail("nothing is written")
    expect(() => ledger.submitSync({ query }, "7", refund)).toThrow(TypeError)
    await ledger.close()
    expect(() => ledger.submitSync(sqliteTransaction(shop), "7", refund)).toThrow("This ledger is closed")
  })
})

describe("a transaction of the shop's own connection that is not", () => {
  it.each([
    ["over the driver itself", () => sqliteTransaction(shop)],
    [
      "over a client that runs a statement for a promise",
      (): SqliteTransaction => ({
        query: async (sql, values) => sqliteTransaction(shop).querySync(sql, [...values])
      })
    ]
  ])("records a change when it commits, and none when it is rolled back: %s", async (_, transaction) => {
    for (const end of ["ROLLBACK", "COMMIT"]) {
      shop.exec("BEGIN IMMEDIATE")
      settle()
      await ledger.submit(transaction(), "7", refund)
      shop.exec(end)
    }
    await ledger.runOnce()
    expect([complaints(), await ledger.getOutcome("7")]).toMatchObject([1, { _tag: "Done" }])
    expect(await gateway.getPaymentRefunds(refund.refund)).toHaveLength(1)
  })
})
