/**
 * Two SQLite libraries in one process over one file: its locks belong to the process, so that neither waits for the other.
 */
import Database from "libsql"
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import type { AttentionItem } from "../../src/ledger/index.js"
import { fileStore, sqliteTransaction } from "../../src/ledger/promise/index.js"
import { type RunningLocalGateway, startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient, type GatewayClient } from "../../src/promise/index.js"
import { createLedger } from "../../src/ledger/promise/index.js"
import { captureLog } from "../support/LogGuard.js"
import { secondLibrary } from "./secondLibrary.js"
import { order } from "./World.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

let path: string
let local: RunningLocalGateway
let gateway: GatewayClient
let reported: Array<AttentionItem>

beforeEach(async () => {
  path = join(mkdtempSync(join(tmpdir(), "two-libraries-")), "shop.db")
  local = await startLocalGateway({ settings: partsAtOnce })
  gateway = createGatewayClient({ ...local.merchant, environment: local.url })
  reported = []
})

afterEach(async () => {
  await gateway.close()
  await local.close()
  rmSync(join(path, ".."), { recursive: true, force: true })
})

const opened = (Library: typeof Database): Database.Database => {
  const connection = new Library(path)
  onTestFinished(() => void connection.close())
  return connection
}

/** A ledger whose migrations have run, and a paid payment. */
const openLedger = async (opensAt = path) => {
  const ledger = createLedger({
    gateway,
    store: fileStore(opensAt, { driver: Database }),
    migrate: true,
    onAttention: (item) => void reported.push(item)
  })
  onTestFinished(() => ledger.close())
  return ledger
}

const paid = async (): Promise<number> => {
  const { id } = await gateway.createPayment(order)
  await local.payByCard(id)
  return id
}

const sent = async (): Promise<number> =>
  (await local.listRequests()).filter(({ operation }) => operation === "refundPayment").length

describe("a second SQLite library on the ledger's file", () => {
  it("stops the ledger that has it open: nothing is sent, and an operator is notified", async () => {
    captureLog(/^The ledger waits/)
    const ledger = await openLedger()
    const id = await paid()
    expect(await ledger.refund("a", id, { amount: 100 })).toMatchObject({ _tag: "Done" })
    const shop = opened(secondLibrary())
    shop.exec("CREATE TABLE shop_order (number TEXT)")
    expect(await ledger.getHealth()).toMatchObject({ isSending: false, reason: "UnsafeStore" })
    await ledger.runOnce().catch(() => {})
    expect(reported).toMatchObject([{ kind: "SendingStopped", message: expect.stringContaining("driver") }])
    await expect(ledger.refund("b", id, { amount: 200 })).rejects.toThrow("Another SQLite library of this process")
    expect(await sent()).toBe(1)
  })

  it("stops it until the process restarts, also when it closes its connection", async () => {
    const ledger = await openLedger()
    await ledger.getHealth()
    const shop = new (secondLibrary())(path)
    shop.exec("CREATE TABLE shop_order (number TEXT)")
    expect(await ledger.getHealth()).toMatchObject({ reason: "UnsafeStore" })
    shop.close()
    expect(await ledger.getHealth()).toMatchObject({ reason: "UnsafeStore" })
  })

  it("keeps a ledger from opening what it has open before", async () => {
    const shop = opened(secondLibrary())
    shop.exec("PRAGMA journal_mode = WAL")
    shop.exec("CREATE TABLE shop_order (number TEXT)")
    const ledger = await openLedger()
    await expect(ledger.migrate()).rejects.toThrow("Another SQLite library of this process")
    await expect(ledger.refund("a", 1, { amount: 100 })).rejects.toThrow("Another SQLite library of this process")
    expect(shop.prepare("SELECT name FROM sqlite_master").all()).toEqual([{ name: "shop_order" }])
  })

  it("is noticed where the ledger's path is a link to the file", async () => {
    const link = join(path, "..", "link.db")
    opened(Database).exec("PRAGMA journal_mode = WAL")
    symlinkSync(path, link)
    const ledger = await openLedger(link)
    await ledger.migrate()
    expect(await ledger.getHealth()).toMatchObject({ isSending: true })
    const shop = opened(secondLibrary())
    shop.exec("CREATE TABLE shop_order (number TEXT)")
    expect(await ledger.getHealth()).toMatchObject({ isSending: false, reason: "UnsafeStore" })
  })

  it("is none when the process goes to another folder, and the ledger stays in its file", async () => {
    const before = process.cwd()
    onTestFinished(() => process.chdir(before))
    process.chdir(join(path, ".."))
    const ledger = await openLedger("shop.db")
    const id = await paid()
    await ledger.migrate()
    const elsewhere = mkdtempSync(join(tmpdir(), "elsewhere-"))
    process.chdir(elsewhere)
    expect(await ledger.refund("a", id, { amount: 100 })).toMatchObject({ _tag: "Done" })
    expect(await ledger.getHealth()).toMatchObject({ isSending: true })
    expect(await (await openLedger(path)).getOutcome("a")).toMatchObject({ _tag: "Done" })
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it("is none where the shop uses the ledger's own, with as many connections as it likes", async () => {
    const [one, other] = [opened(Database), opened(Database)]
    one.exec("CREATE TABLE shop_order (number TEXT)")
    other.exec("INSERT INTO shop_order VALUES ('1')")
    const ledger = await openLedger()
    const second = await openLedger()
    const id = await paid()
    await ledger.migrate()
    one.exec("BEGIN")
    await ledger.submit(sqliteTransaction(one), "a", { refund: id, amount: 100 })
    one.exec("COMMIT")
    await second.runOnce()
    expect(await ledger.getOutcome("a")).toMatchObject({ _tag: "Done" })
    expect(await second.getHealth()).toMatchObject({ isSending: true })
  })

  it("is taken for one when the file's shared memory was removed", async () => {
    const ledger = await openLedger()
    await ledger.migrate()
    rmSync(`${path}-shm`)
    expect(await ledger.getHealth()).toMatchObject({ isSending: false, reason: "UnsafeStore" })
  })
})
