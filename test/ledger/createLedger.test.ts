import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { fileStore, LedgerError, ledgerSchema, type SqliteTransaction } from "../../src/ledger/promise/index.js"
import { createLedger, type Ledger } from "../../src/ledger/promise/index.js"
import { type RunningLocalGateway, startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient, type GatewayClient } from "../../src/promise/index.js"
import { order } from "./World.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

let folder: string
let local: RunningLocalGateway
let gateway: GatewayClient

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "ledger-"))
  local = await startLocalGateway({ settings: partsAtOnce })
  gateway = createGatewayClient({ ...local.merchant, environment: local.url })
})

afterEach(async () => {
  await gateway.close()
  await local.close()
  rmSync(folder, { recursive: true, force: true })
})

type OpenLedger = Ledger<SqliteTransaction>

const open = () => createLedger({ gateway, store: fileStore(join(folder, "gopay.db"), { driver: Database }) })

const paid = async (): Promise<number> => {
  const { id } = await gateway.createPayment(order)
  await local.payByCard(id)
  return id
}

const amounts = async (id: number) => (await gateway.getPaymentRefunds(id)).map(({ amount }) => amount)

describe("createLedger", () => {
  it("refunds once for each key, in any number of processes, and in the order in which they came", async () => {
    const id = await paid()
    await using ledger = open()
    await using other = open()
    await Promise.all([ledger.migrate(), other.migrate()])
    const outcomes = await Promise.all([
      ledger.refund("a", id, { amount: 500 }),
      other.refund("a", id, { amount: 500 }),
      other.refund("b", id, { amount: 700 })
    ])
    expect(outcomes).toMatchObject([{ _tag: "Done" }, { _tag: "Done" }, { _tag: "Done" }])
    expect((await amounts(id)).toSorted((one, another) => one - another)).toEqual([500, 700])
  })

  it("makes in a worker what a transaction of the shop's has submitted", async () => {
    const id = await paid()
    const store = fileStore(join(folder, "gopay.db"), { driver: Database })
    await using ledger = createLedger({ gateway, store, pollEvery: 10 })
    await ledger.migrate()
    await store.query("CREATE TABLE complaint (id TEXT, settled INTEGER)", [])
    ledger.startWorker()
    await store.transaction(async (tx) => {
      await tx.query("INSERT INTO complaint VALUES (?, 1)", ["77"])
      await ledger.submit(tx, "complaint-77", { refund: id, amount: 500 })
    })
    await expect.poll(() => ledger.getOutcome("complaint-77")).toMatchObject({ _tag: "Done", how: "answered" })
    expect(await amounts(id)).toEqual([500])
  })

  describe("within a transaction", () => {
    const calls: ReadonlyArray<readonly [name: string, call: (ledger: OpenLedger) => Promise<unknown>]> = [
      ["checkout", (ledger) => ledger.checkout("2", { ...order, amount: 1 })],
      ["getOrder", (ledger) => ledger.getOrder("2")],
      ["adoptPayment", (ledger) => ledger.operator.adoptPayment("2", 1)],
      ["verifyReturn", (ledger) => ledger.verifyReturn("/return?id=1")],
      ["migrate", (ledger) => ledger.migrate()],
      ["refund", (ledger) => ledger.refund("a", 1, { amount: 1 })],
      ["capture", (ledger) => ledger.capture("a", 1)],
      ["capturePartial", (ledger) => ledger.capturePartial("a", 1, { amount: 1 })],
      ["release", (ledger) => ledger.release("a", 1)],
      ["getOutcome", (ledger) => ledger.getOutcome("a")],
      ["getChange", (ledger) => ledger.operator.getChange("a")],
      ["listChanges", (ledger) => ledger.operator.listChanges({ isOpen: true })],
      ["listAttention", (ledger) => ledger.operator.listAttention()],
      [
        "resolveChange",
        (ledger) => ledger.operator.resolveChange("a", { version: 1, as: "done", by: "Jana", note: "seen" })
      ],
      [
        "resolvePayment",
        (ledger) => ledger.operator.resolvePayment("order:1:1", { version: 1, as: "done", by: "Jana", note: "seen" })
      ],
      ["eraseDetails", (ledger) => ledger.operator.eraseDetails({ olderThan: 0 })],
      ["runOnce", (ledger) => ledger.runOnce()],
      ["pause", (ledger) => ledger.operator.pause()],
      ["resume", (ledger) => ledger.operator.resume()],
      ["close", (ledger) => ledger.close()]
    ]
    const refused = { reason: { _tag: "InvalidArgument", message: expect.stringContaining("Within one, submit") } }

    it.each(calls)("%s is refused at once", async (_, call) => {
      const store = fileStore(join(folder, "gopay.db"), { driver: Database })
      await using ledger = createLedger({ gateway, store, migrate: true })
      const inside = store.transaction(async () => {
        await Promise.resolve()
        return call(ledger)
      })
      await expect(inside).rejects.toMatchObject(refused)
      // What continues after it is not within it.
      let later: Promise<unknown> = Promise.resolve()
      await store.transaction(async () => {
        later = new Promise((resolve) => setTimeout(resolve, 20)).then(() => ledger.getOutcome("a"))
      })
      await later
    })

    it.each(calls)("%s is refused in onPayment, and in no other handler meanwhile", async (_, call) => {
      const store = fileStore(join(folder, "gopay.db"), { driver: Database })
      const failures: Array<unknown> = []
      const attentions: Array<unknown> = []
      const ledger: OpenLedger = createLedger({
        gateway,
        store,
        migrate: true,
        onPayment: async ({ tx }) => {
          await ledger.submit(tx, "b", { refund: 1, amount: 1 })
          failures.push(await call(ledger).catch((error) => error))
        },
        onAttention: async () => void attentions.push(await ledger.operator.listAttention().catch((error) => error))
      })
      const { order_number: number, ...request } = order
      const placed = await ledger.checkout(number, request)
      const id = placed.paymentId ?? 0
      await local.payByCard(id)
      await ledger.verifyReturn(`/return?id=${id}`)
      expect(failures).toMatchObject([refused])
      for (const attention of attentions) expect(attention).not.toBeInstanceOf(LedgerError)
      await ledger.close()
    })
  })

  it("rejects with a LedgerError that names its reason", async () => {
    await using ledger = open()
    const unmigrated = await ledger.refund("a", 1, { amount: 500 }).catch((error) => error)
    expect(unmigrated).toBeInstanceOf(LedgerError)
    expect(unmigrated.reason).toMatchObject({
      _tag: "LedgerUnavailable",
      message: expect.stringContaining("migrate()")
    })
    await ledger.migrate()
    const wrong = await ledger.refund("a", 1, { amount: -1 }).catch((error) => error)
    expect(wrong.reason._tag).toBe("InvalidArgument")
    await ledger.close()
    const closed = await ledger.refund("a", 1, { amount: 1 }).catch((error) => error)
    expect(closed.reason._tag).toBe("LedgerUnavailable")
  })

  it("names the argument that is missing, or of another type, as in JavaScript", async () => {
    await using ledger = open()
    await ledger.migrate()
    const { missing } = JSON.parse("{}")
    const several = JSON.parse('["a", "b"]')
    const calls = [
      () => ledger.refund(missing, 1, { amount: 500 }),
      () => ledger.release(several, 1),
      () => ledger.refund("a", 1, missing),
      () => ledger.capturePartial("a", 1, missing),
      () => ledger.getOutcome(missing),
      () => ledger.getOrder(several),
      () => ledger.getSubscription(missing)
    ]
    const named = calls.map((call) => call().catch((error: LedgerError) => [error.reason._tag, error.message]))
    expect(await Promise.all(named)).toEqual([
      ["InvalidArgument", "Nothing was recorded: key must be text."],
      ["InvalidArgument", "Nothing was recorded: key must be text."],
      ["InvalidArgument", expect.stringContaining("amount")],
      ["InvalidArgument", expect.stringContaining("amount")],
      ["InvalidArgument", "Nothing was recorded: key must be text."],
      ["InvalidArgument", "Nothing was recorded: orderNumber must be text."],
      ["InvalidArgument", "Nothing was recorded: the name of a subscription must be text."]
    ])
  })

  it("says that the database cannot be reached, and not that it is not migrated", async () => {
    const store = fileStore(join(folder, "nowhere", "gopay.db"), { driver: Database })
    await using ledger = createLedger({ gateway, store })
    const { reason } = await ledger.refund("a", 1, { amount: 500 }).catch((error) => error)
    expect(reason).toEqual({
      _tag: "LedgerUnavailable",
      message: expect.stringMatching(/nowhere.gopay\.db cannot be opened/)
    })
  })

  it.each([
    [
      "what PostgreSQL refuses",
      { code: "42501", message: "permission denied for schema public" },
      "failed: permission"
    ],
    [
      "the same behind a client",
      { message: "params: 1", cause: { code: "42501", message: "permission" } },
      "failed: perm"
    ],
    [
      "the same of Prisma",
      { code: "P2010", message: "…", meta: { code: "25006", message: "read-only" } },
      "failed: read"
    ],
    ["what SQLite refuses", { code: "SQLITE_ERROR", message: "no such function: f" }, "failed: no such function: f."],
    [
      "no value that a message names",
      { code: "22P02", message: "invalid input: 4111" },
      "failed, or cannot be reached."
    ],
    ["no broken connection", { code: "ECONNREFUSED", message: "connect" }, "failed, or cannot be reached."]
  ])("says of a store that fails: %s", async (_, error, message) => {
    const store = fileStore(":memory:", { driver: Database })
    const failing = { ...store, query: () => Promise.reject(Object.assign(new Error(), error)) }
    await using ledger = createLedger({ gateway, store: failing })
    await expect(ledger.migrate()).rejects.toThrow(message)
  })

  it("makes its tables before anything else when it is told to migrate", async () => {
    const id = await paid()
    const store = fileStore(join(folder, "gopay.db"), { driver: Database })
    await using ledger = createLedger({ gateway, store, migrate: true, pollEvery: 10 })
    await using other = createLedger({ gateway, store, migrate: true })
    ledger.startWorker()
    const [outcome, status] = await Promise.all([ledger.refund("a", id, { amount: 500 }), other.getOrder("1")])
    expect(outcome).toMatchObject({ _tag: "Done" })
    expect(status).toBeUndefined()
  })

  it("makes them once, when it was asked for them already", async () => {
    const store = fileStore(join(folder, "gopay.db"), { driver: Database })
    let transactions = 0
    const transaction: typeof store.transaction = (run) => {
      transactions++
      return store.transaction(run)
    }
    await using ledger = createLedger({ gateway, store: { ...store, transaction }, migrate: true })
    await ledger.migrate()
    await ledger.getOutcome("a")
    expect(transactions).toBe(1)
  })

  it("works with the tables that the shop's own migrations have made, for their installation", async () => {
    const id = await paid()
    const path = join(folder, "gopay.db")
    const database = new Database(path)
    for (const statement of ledgerSchema("sqlite", { installation: "Jana's" })) database.exec(statement)
    database.close()
    const open = (installation: string) =>
      createLedger({ gateway, store: fileStore(path, { driver: Database }), installation })
    await using ledger = open("Jana's")
    expect(await ledger.refund("a", id, { amount: 500 })).toMatchObject({ _tag: "Done" })
    await using other = open("main")
    await expect(other.refund("b", id, { amount: 500 })).rejects.toThrow("another installation")
  })

  it("names every option that is wrong, and what it must be", () => {
    const store = fileStore(join(folder, "gopay.db"), { driver: Database })
    const open = (options: object) => createLedger({ gateway, store, ...options })
    expect(() => open({ lease: "soon", concurrency: 0 })).toThrow(/lease is not a duration: .*; concurrency must be/)
    expect(() => open({ escalateAfter: Infinity })).toThrow("escalateAfter is not a duration")
    expect(() => open({ installation: "a\nb" })).toThrow("installation must have")
    expect(() => open({ pollEvery: Number.NaN, readsPerSecond: "many" })).toThrow(/pollEvery .*; readsPerSecond/)
    // A handler that is misspelt would never be called.
    expect(() => open({ onpayment: () => {}, onChange: "log" })).toThrow(
      "there is no option onpayment; onChange must be a function"
    )
    expect(() => open({ onpayment: () => {} })).toThrow("there is no option onpayment")
    expect(() => open({ store: "gopay.db", gateway: undefined })).toThrow(/gateway must be a client.*; store must be/)
    // @ts-expect-error a caller without types
    expect(() => createLedger()).toThrow("The options of the ledger are wrong: gateway must be")
  })

  it("wants a name for the installation in production, where a copy would refund", async () => {
    const store = fileStore(join(folder, "gopay.db"), { driver: Database })
    await using production = createGatewayClient({ ...local.merchant, environment: "production" })
    expect(() => createLedger({ gateway: production, store })).toThrow('installation: "production"')
    await using ledger = createLedger({ gateway: production, store, installation: "production" })
    await ledger.migrate()
    await using copy = createLedger({ gateway: production, store, installation: "staging" })
    expect(await copy.getHealth()).toMatchObject({ isSending: false, reason: "OtherInstallation" })
  })

  it("waits for what was sent when it is closed, and begins nothing new", async () => {
    const [id, later] = [await paid(), await paid()]
    const ledger = open()
    await ledger.migrate()
    await local.armFault({ type: "latency", milliseconds: 300 }, { operation: "refundPayment" })
    const refund = ledger.refund("a", id, { amount: 500 })
    await expect
      .poll(async () => (await local.listRequests()).some(({ operation }) => operation === "refundPayment"))
      .toBe(true)
    await ledger.refund("b", later, { amount: 500 }, { waitAtMost: 0 })
    const outcome = await Promise.all([refund, ledger.close()])
    expect(outcome[0]).toMatchObject({ _tag: "Done" })
    await using next = open()
    expect(await next.getOutcome("a")).toMatchObject({ _tag: "Done", how: "answered" })
    expect(await next.getOutcome("b")).toMatchObject({ _tag: "Pending", status: "queued" })
  })
})

describe("a ledger of many years", () => {
  it("finds what it asks for by an index, never by a search of all rows", async () => {
    const path = join(folder, "gopay.db")
    const store = fileStore(path, { driver: Database })
    const statements = new Map<string, ReadonlyArray<unknown>>()
    const query: typeof store.query = (sql, values) => {
      statements.set(sql, values)
      return store.query(sql, values)
    }
    await using ledger = createLedger({ gateway, store: { ...store, query }, migrate: true })
    const id = await paid()
    await ledger.refund("a", id, { amount: 500 })
    await ledger.checkout("1", { amount: 100, currency: "CZK", callback: order.callback })
    await ledger.runOnce()
    await ledger.operator.listChanges({ isOpen: true })
    await ledger.operator.listAttention()
    const database = new Database(path)
    for (const [sql, values] of statements) {
      if (!/gopay_(change|payment)/.test(sql) || /^(CREATE|INSERT)/.test(sql)) continue
      const plan = JSON.stringify(database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values))
      // The indexes of what is due and of what needs attention have no other rows.
      expect({ sql, plan }).toEqual({
        sql,
        plan: expect.not.stringMatching(/SCAN gopay_(change|payment)|(autoindex_\w+|_payment|_order) \(scope=\?\)/)
      })
    }
    database.close()
  })
})

describe("fileStore", () => {
  it("names what to pass where the runtime has no SQLite of its own", async () => {
    const hasSqlite = process.getBuiltinModule?.("node:sqlite") !== undefined
    const open = () => fileStore(join(folder, "x.db")).dialect
    const outcome = hasSqlite
      ? open()
      : await Promise.resolve()
          .then(open)
          .catch((error) => error.message)
    expect(outcome).toMatch(hasSqlite ? /^sqlite$/ : /better-sqlite3 or libsql/)
  })
})
