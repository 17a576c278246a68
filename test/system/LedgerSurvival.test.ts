/**
 * What a ledger in PostgreSQL survives beside kills: processes that stop and go on, connections that break after COMMIT,
 * transactions of the shop's that stay open, a replica that is promoted, and a deployment under load.
 */
import * as Effect from "effect/Effect"
import { once } from "node:events"
import { Pool } from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { ledgerSchema, pgStore } from "../../src/ledger/promise/index.js"
import { createLedger } from "../../src/ledger/promise/index.js"
import { type RunningLocalGateway, startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient, type GatewayClient } from "../../src/promise/index.js"
import * as Outsider from "../ledger/Outsider.js"
import { statements } from "../ledger/FailingStore.js"
import type { ShopPlan } from "../ledger/ShopProcess.js"
import { order } from "../ledger/World.js"
import { captureLog } from "../support/LogGuard.js"
import { startProgram } from "../support/Program.js"
import { isThorough } from "../support/Runs.js"
import { startCuttingProxy } from "./CuttingProxy.js"
import { startPostgres } from "./PostgresServer.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

let postgres: Awaited<ReturnType<typeof startPostgres>>
let local: RunningLocalGateway
let gateway: GatewayClient
let pool: Pool

beforeAll(async () => {
  postgres = await startPostgres()
})

afterAll(() => postgres[Symbol.asyncDispose]())

const poolOf = (connectionString: string, max = 10) => {
  const made = new Pool({ connectionString, max })
  made.on("error", () => {})
  return made
}

beforeEach(async () => {
  local = await startLocalGateway({ settings: partsAtOnce })
  gateway = createGatewayClient({ ...local.merchant, environment: local.url })
  pool = poolOf(postgres.url)
  await pool.query("DROP SCHEMA IF EXISTS gopay CASCADE")
  await pool.query("DROP TABLE IF EXISTS complaint")
  await pool.query("CREATE TABLE complaint (id TEXT)")
  return async () => {
    await pool.end()
    await gateway.close()
    await local.close()
  }
})

const paid = async () => {
  const { id } = await gateway.createPayment(order)
  await local.payByCard(id)
  return id
}

const amounts = async (id: number) => (await gateway.getPaymentRefunds(id)).map(({ amount }) => amount)

const ledgerOver = (over: Pool, settings: { readonly lease?: number; readonly pollEvery?: number } = {}) =>
  createLedger({ gateway, store: pgStore(over), pollEvery: 50, onAttention: () => {}, ...settings })

/** Starts a process of the shop. */
const startShop = async (refunds: ShopPlan["refunds"], times: ShopPlan["times"]) => {
  const { clientId, clientSecret, goid } = local.merchant
  const merchant = { clientId, clientSecret, goid }
  const store = { kind: "postgres", at: postgres.url } as const
  const plan: ShopPlan = { environment: local.url, merchant, store, times, refunds, orders: [], port: 0, notified: [] }
  const child = await startProgram(new URL("../ledger/ShopProcess.ts", import.meta.url), [JSON.stringify(plan)])
  let isReady = false
  child.stdout.on("data", () => {
    isReady = true
  })
  return {
    isReady: () => isReady,
    ended: once(child, "exit"),
    signal: (signal: NodeJS.Signals) => child.kill(signal)
  }
}

const long = { timeout: 50_000 }

describe("a shop whose own migrations make the tables", () => {
  it("needs no right to make any in its processes", async () => {
    for (const _ of [1, 2])
      for (const statement of ledgerSchema("postgres", { installation: "Jana's" })) await pool.query(statement)
    await pool.query("DO $$ BEGIN CREATE ROLE app LOGIN; EXCEPTION WHEN duplicate_object THEN END $$")
    await pool.query("GRANT USAGE ON SCHEMA gopay TO app")
    await pool.query("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA gopay TO app")
    const app = poolOf(postgres.url.replace("shop@", "app@"))
    const id = await paid()
    const ledger = createLedger({ gateway, store: pgStore(app), installation: "Jana's", onAttention: () => {} })
    expect(await ledger.refund("a", id, { amount: 500 })).toMatchObject({ _tag: "Done" })
    // It is searched for in the list first.
    await expect.poll(() => ledger.operator.eraseDetails({ olderThan: 0 }), long).toBe(1)
    // Nothing is missing.
    await ledger.migrate()
    await Effect.runPromise(Outsider.undoMigrations(pgStore(pool)))
    await expect(ledger.migrate()).rejects.toMatchObject({ cause: { code: "42501" } })
    await ledger.close()
    await app.end()
  })
})

describe("a process that is suspended for longer than its lease", () => {
  const statusOf = async () => (await pool.query("SELECT status FROM gopay.gopay_change")).rows[0]?.status
  const slow = { type: "latency", milliseconds: 3_000 } as const

  /** Suspends a process, lets another one go on until the row is as is said, and wakes it. */
  const suspend = async (isThere: () => Promise<boolean>, suspended: string, then: string) => {
    const id = await paid()
    await using ledger = ledgerOver(pool, { lease: 1_000 })
    await ledger.migrate()
    const shop = await startShop([{ key: "a", paymentId: id, amount: 500 }], { timeout: 20_000, lease: 1_000 })
    await expect.poll(isThere, { ...long, interval: 10 }).toBe(true)
    shop.signal("SIGSTOP")
    expect(await statusOf()).toBe(suspended)
    const goOn = async () => {
      await ledger.runOnce()
      return statusOf()
    }
    await expect.poll(goOn, long).toBe(then)
    shop.signal("SIGCONT")
    await expect.poll(goOn, long).toBe("done")
    await shop.ended
    return amounts(id)
  }

  it("before the mark sends nothing when it wakes up: another one has", async () => {
    await local.armFault(slow, { operation: "getPaymentRefunds" })
    expect(await suspend(async () => (await statusOf()) === "locked", "locked", "done")).toEqual([500])
  })

  it("after the mark sends nothing when it wakes up, and says so", async () => {
    // The token is refused after the mark: it suspends while it waits for another one.
    await local.armFault({ type: "tokenRefused" }, { operation: "refundPayment" })
    // The test has its own already.
    await gateway.warm()
    await local.armFault(slow, { operation: "getAccessToken" })
    await local.armFault(slow, { operation: "getAccessToken" })
    const isRefused = async () => (await local.listRequests()).some(({ fault }) => fault === "tokenRefused")
    expect(await suspend(isRefused, "sending", "unknown")).toEqual([500])
  })
})

describe("a connection that breaks after its statement was committed", () => {
  it.each([
    ["puts the change down", statements.insert],
    ["locks the payment", /holds = \$\d/],
    ["marks", statements.mark],
    ["looks a last time", statements.preSendCheck],
    ["writes the result down", statements.ended],
    ["binds the entry of its refund", /SET .*\bentry = \$\d/]
  ])("when it %s: one refund, and the outcome is known", async (_, statement) => {
    const id = await paid()
    await using proxy = await startCuttingProxy(postgres.url)
    const proxied = poolOf(proxy.url)
    await ledgerOver(pool).migrate()
    const ledger = ledgerOver(proxied, { lease: 1_000 })
    await ledger.refund("warm", await paid(), { amount: 1 })
    proxy.cutAfter(statement)
    ledger.startWorker()
    for (;;) {
      const outcome = await ledger.refund("a", id, { amount: 500 }).catch(() => undefined)
      if (outcome?._tag === "Done") break
    }
    // The payment is free again for the next change.
    await expect.poll(async () => (await ledger.refund("b", id, { amount: 700 }))._tag, long).toBe("Done")
    expect(await amounts(id)).toEqual([500, 700])
    expect(proxy.cuts()).toBe(1)
    await ledger.close()
    await proxied.end()
  })

  it("when it commits the shop's transaction: both are there, the complaint and the refund", async () => {
    const id = await paid()
    await using proxy = await startCuttingProxy(postgres.url)
    const proxied = poolOf(proxy.url)
    await using ledger = ledgerOver(pool)
    await ledger.migrate()
    const store = pgStore(proxied)
    proxy.cutAfter(/COMMIT/)
    const settled = store.transaction(async (tx) => {
      await tx.query("INSERT INTO complaint VALUES ('a')")
      await ledger.submit(tx, "a", { refund: id, amount: 500 })
    })
    await expect(settled).rejects.toThrow(/terminated/)
    ledger.startWorker()
    await expect.poll(async () => (await ledger.getOutcome("a"))?._tag, long).toBe("Done")
    expect((await pool.query("SELECT id FROM complaint")).rows).toEqual([{ id: "a" }])
    expect(await amounts(id)).toEqual([500])
    await proxied.end()
  })
})

describe("a transaction of the shop's that stays open", () => {
  it.each([["COMMIT"], ["ROLLBACK"]])(
    "holds up who asks for the same key until %s, and the key is refunded once",
    async (ending) => {
      const id = await paid()
      await using ledger = ledgerOver(pool)
      await ledger.migrate()
      ledger.startWorker()
      const client = await pool.connect()
      await client.query("BEGIN")
      await ledger.submit(client, "a", { refund: id, amount: 500 })
      const asked = ledger.refund("a", id, { amount: 500 })
      const other = await ledger.refund("b", await paid(), { amount: 1 })
      expect(other._tag).toBe("Done")
      expect(await amounts(id)).toEqual([])
      await client.query(ending)
      client.release()
      expect(await asked).toMatchObject({ _tag: "Done" })
      expect(await amounts(id)).toEqual([500])
    }
  )

  it("holds up a ledger whose pool has one connection, until it ends", async () => {
    const id = await paid()
    const single = poolOf(postgres.url, 1)
    await using ledger = ledgerOver(single)
    await ledger.migrate()
    await ledger.refund("warm", await paid(), { amount: 1 })
    const client = await single.connect()
    const asked = ledger.refund("a", id, { amount: 500 })
    await ledgerOver(pool).refund("b", await paid(), { amount: 1 })
    expect(await amounts(id)).toEqual([])
    client.release()
    expect(await asked).toMatchObject({ _tag: "Done" })
    expect(await amounts(id)).toEqual([500])
  })
})

describe("a process that stands still within a transaction", () => {
  /** Holds the rows of a table, as a process does that was suspended within its transaction. */
  const hold = async (table: string) => {
    const client = await pool.connect()
    await client.query("BEGIN")
    await client.query(`UPDATE ${table} SET version = version`)
    return async () => {
      await client.query("ROLLBACK")
      client.release()
    }
  }

  it("holds up its own payments: the pools of the others stay free, and other payments' refunds are made", async () => {
    // Steps whose row is held for half a minute say so; how long it is held is up to the machine.
    captureLog(/^The ledger waits/)
    const held = await Promise.all(Array.from({ length: 12 }, paid))
    const few = poolOf(postgres.url, 5)
    await using ledger = ledgerOver(few)
    await ledger.migrate()
    await ledger.operator.pause()
    for (const id of held) await ledger.refund(`held ${id}`, id, { amount: 500 }, { waitAtMost: 0 })
    await ledger.operator.resume()
    const letGo = await hold("gopay.gopay_change")
    ledger.startWorker()
    const asked = held.map((id) => ledger.refund(`held ${id}`, id, { amount: 500 }, { waitAtMost: "2 minutes" }))
    for (let time = 0; time < 5; time++) {
      await few.query("SELECT pg_sleep(0.1)")
      const id = await paid()
      const outcome = await ledger.refund(`free ${id}`, id, { amount: 500 }, { waitAtMost: "2 minutes" })
      expect(outcome).toMatchObject({ _tag: "Done" })
    }
    for (const id of held) expect(await amounts(id)).toEqual([])
    await letGo()
    expect((await Promise.all(asked)).map(({ _tag }) => _tag)).toEqual(held.map(() => "Done"))
    for (const id of held) expect(await amounts(id)).toEqual([500])
    await few.end()
  })

  it("holds up whoever must move its row, which is not taken for one that has moved", async () => {
    const id = await paid()
    await using ledger = ledgerOver(poolOf(postgres.url, 1))
    await ledger.migrate()
    // Its answer comes while its row is held.
    await local.armFault({ type: "latency", milliseconds: 1_000 }, { operation: "refundPayment" })
    const asked = ledger.refund("a", id, { amount: 500 })
    const isSending = async () =>
      (await pool.query("SELECT 1 FROM gopay.gopay_change WHERE status = 'sending'")).rows.length === 1
    await expect.poll(isSending, { ...long, interval: 10 }).toBe(true)
    const letGo = await hold("gopay.gopay_change")
    await expect.poll(() => amounts(id), long).toEqual([500])
    await pool.query("SELECT pg_sleep(2)")
    await letGo()
    expect(await asked).toMatchObject({ _tag: "Done", how: "answered" })
  })
})

describe("a row that cannot be read", () => {
  it.each([
    ["a status", Outsider.writeUnknownStatus, { attention: null, items: "UnreadableRow" }],
    [
      "an attention",
      Outsider.writeUnknownAttention,
      { attention: '{"NewKind":"NewKind"}', items: "NewKind UnreadableRow" }
    ]
  ])("because it has %s of a newer release, holds up no other change and stays due", async (_, edit, left) => {
    const ids = await Promise.all(Array.from({ length: 10 }, paid))
    await using ledger = ledgerOver(pool)
    await ledger.migrate()
    await ledger.refund("bad", 4, { amount: 500 }, { waitAtMost: 0 })
    await Effect.runPromise(edit(pgStore(pool)))
    await Effect.runPromise(Outsider.postpone(pgStore(pool), "bad", -60_000))
    const submitted = await pool.query("SELECT next_at FROM gopay.gopay_change")
    for (const id of ids) await ledger.refund(`${id}`, id, { amount: 500 }, { waitAtMost: 0 })
    expect(await ledger.runOnce()).toBe(10)
    for (const id of ids) expect(await ledger.getOutcome(`${id}`)).toMatchObject({ _tag: "Done" })
    const { rows } = await pool.query(`SELECT attention, next_at, (
        SELECT string_agg(kind, ' ' ORDER BY kind) FROM gopay.gopay_item WHERE subject = 'change' AND subject_seq = c.seq
      ) AS items FROM gopay.gopay_change c WHERE key = 'bad'`)
    expect(rows).toEqual([{ ...left, ...submitted.rows[0] }])
  })
})

describe("an item that needs an operator", () => {
  it("is told by one of the processes, and by another one when the claim of one that ended is over", async () => {
    const reported: Array<string> = []
    const waiting: Array<() => void> = []
    const reporting = (name: string) =>
      createLedger({
        gateway,
        store: pgStore(pool),
        onAttention: ({ key }) => {
          reported.push(`${key} ${name}`)
          return new Promise<void>((resolve) => waiting.push(resolve))
        }
      })
    const ledgers = [reporting("one"), reporting("other"), reporting("third")]
    await ledgers[0]?.migrate()
    for (const key of ["a", "b", "c", "d"]) await ledgers[0]?.refund(key, 4, { amount: 500 }, { waitAtMost: 0 })
    await Effect.runPromise(Outsider.leaveInDoubt(pgStore(pool)))
    const runs = ledgers.map((ledger) => ledger.runOnce())
    await expect.poll(() => reported.length, long).toBe(4)
    for (const end of waiting) end()
    await Promise.all(runs)
    expect(reported.map((one) => one.replace(/ .*/, "")).toSorted()).toEqual(["a", "b", "c", "d"])
    // As by a process that was killed within it.
    await Effect.runPromise(Outsider.expireNotification(pgStore(pool), "b"))
    const again = ledgers.map((ledger) => ledger.runOnce())
    await expect.poll(() => reported.length, long).toBe(5)
    for (const end of waiting) end()
    await Promise.all(again)
    expect(reported.slice(4)).toEqual([expect.stringMatching(/^b /)])
    const { rows } = await pool.query("SELECT DISTINCT notified, notifying_until FROM gopay.gopay_item")
    expect(rows).toEqual([{ notified: "InDoubt", notifying_until: null }])
    for (const ledger of ledgers) await ledger.close()
  })
})

describe("an asynchronous replica that is promoted", () => {
  it("has forgotten what it was not sent: what it knows as queued is stopped by the list of refunds", async () => {
    const id = await paid()
    const primary = await startPostgres()
    const before = poolOf(primary.url)
    const old = ledgerOver(before)
    await old.migrate()
    await old.operator.pause()
    await old.refund("a", id, { amount: 500 }, { waitAtMost: 0 })
    const replica = await startPostgres({ replicaOf: primary.url })
    await replica.stop()
    await old.operator.resume()
    expect(await old.refund("a", id, { amount: 500 })).toMatchObject({ _tag: "Done" })
    expect(await old.refund("later", id, { amount: 700 })).toMatchObject({ _tag: "Done" })
    await old.close()
    await before.end()
    await primary.stop()
    await replica.start()
    const after = poolOf(replica.url)
    const reported: Array<string> = []
    const ledger = createLedger({
      gateway,
      store: pgStore(after),
      pollEvery: 50,
      onAttention: ({ kind }) => void reported.push(kind)
    })
    expect(await ledger.getHealth()).toMatchObject({ isSending: false, reason: "Standby" })
    await expect(ledger.runOnce()).rejects.toThrow("a standby")
    replica.promote()
    await expect.poll(async () => (await ledger.getHealth()).reason, long).toBe("Paused")
    await ledger.operator.resume()
    await ledger.runOnce()
    expect(await ledger.operator.listAttention()).toMatchObject([{ key: "a", kind: "StrangeRefund" }])
    await ledger.runOnce()
    expect(reported.toSorted()).toEqual(["DatabaseRestored", "StrangeRefund"])
    expect(await amounts(id)).toEqual([500, 700])
    await ledger.close()
    await after.end()
    await replica[Symbol.asyncDispose]()
    await primary[Symbol.asyncDispose]()
  })
})

describe("a copy of the database", () => {
  it("sends nothing, in no process, until distrust() is run in it", async () => {
    const id = await paid()
    await using ledger = ledgerOver(pool)
    await ledger.migrate()
    await ledger.refund("a", id, { amount: 500 })
    await pool.end()
    const admin = poolOf(postgres.url.replace(/\/[^/]*$/, "/template1"))
    const name = /[^/]*$/.exec(postgres.url)?.[0] ?? ""
    // A database that is in use is not copied.
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name])
    await admin.query(`CREATE DATABASE a_copy TEMPLATE ${name}`)
    pool = poolOf(postgres.url)
    const copied = poolOf(postgres.url.replace(/[^/]*$/, "a_copy"))
    const inCopy = ledgerOver(copied)
    await inCopy.refund("b", id, { amount: 600 }, { waitAtMost: 0 })
    await inCopy.runOnce()
    expect(await inCopy.getHealth()).toMatchObject({ isSending: false, reason: "AnotherDatabase" })
    await expect(inCopy.operator.resume()).rejects.toThrow("distrust()")
    expect(await amounts(id)).toEqual([500])
    await inCopy.operator.distrust({ since: new Date() })
    await inCopy.runOnce()
    expect(await inCopy.getHealth()).toMatchObject({ isSending: true })
    // Refunds go on when the gateway's list has had its time.
    expect(await inCopy.getOutcome("b")).toMatchObject({ _tag: "Pending", status: "queued" })
    expect(await inCopy.checkout("2", { ...order, amount: 700 })).toMatchObject({ status: "open" })
    expect(await ledgerOver(pool).getHealth()).toMatchObject({ isSending: true })
    await inCopy.close()
    await copied.end()
    await admin.query("DROP DATABASE a_copy")
    await admin.end()
  })
})

describe("a deployment under load", () => {
  it("replaces each process in turn, with no one in doubt and no refund looked for", async () => {
    const ids = await Promise.all(Array.from({ length: isThorough ? 10 : 4 }, paid))
    const refunds = ids.flatMap((paymentId, payment) =>
      [0, 1, 2].map((turn) => ({ key: `${payment}-${turn}`, paymentId, amount: 100 + turn }))
    )
    await using ledger = ledgerOver(pool)
    await ledger.migrate()
    // Each request takes so long that a refund is on its way when a busy machine looks.
    await local.armRandomFaults({ seed: 1, probability: 1, faults: [{ type: "latency", milliseconds: 500 }] })
    const start = () => startShop(refunds, { timeout: 30_000, lease: 30_000 })
    // Or a busy machine has sent all before the first look.
    await ledger.operator.pause()
    const shops = await Promise.all([start(), start(), start()])
    for (const shop of shops) await expect.poll(shop.isReady, long).toBe(true)
    await ledger.operator.resume()
    const isUnderWay = async () => {
      const { rows } = await pool.query("SELECT 1 FROM gopay.gopay_change WHERE status = 'sending'")
      const done = await pool.query("SELECT 1 FROM gopay.gopay_change WHERE status = 'done'")
      if (rows.length > 0) underWay++
      return rows.length > 0 || done.rows.length === refunds.length
    }
    let underWay = 0
    for (const [index, shop] of shops.entries()) {
      await expect.poll(shop.isReady, long).toBe(true)
      await expect.poll(isUnderWay, long).toBe(true)
      const next = await start()
      shop.signal("SIGTERM")
      await shop.ended
      shops[index] = next
    }
    await Promise.all(shops.map(({ ended }) => ended))
    expect(underWay).toBeGreaterThan(0)
    const { rows } = await pool.query("SELECT DISTINCT status, decision::json ->> 'how' AS how FROM gopay.gopay_change")
    expect(rows).toEqual([{ status: "done", how: "answered" }])
    for (const id of ids) expect(await gateway.getPaymentRefunds(id)).toHaveLength(3)
  })

  it("leaves nothing that waits until a lease is over", async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, paid))
    await using ledger = ledgerOver(pool)
    await ledger.migrate()
    await local.armRandomFaults({ seed: 1, probability: 1, faults: [{ type: "latency", milliseconds: 100 }] })
    const refunds = ids.map((paymentId, payment) => ({ key: `${payment}`, paymentId, amount: 100 }))
    const shop = await startShop(refunds, { timeout: 30_000, lease: 30_000 })
    await expect
      .poll(async () => (await pool.query("SELECT 1 FROM gopay.gopay_change WHERE status = 'done'")).rows.length, long)
      .toBeGreaterThan(0)
    shop.signal("SIGTERM")
    await shop.ended
    const { rows } = await pool.query(
      `SELECT status, next_at - extract(epoch FROM clock_timestamp()) * 1000 AS wait FROM gopay.gopay_change
       WHERE status IN ('locked', 'sending')
         OR (status <> 'done' AND next_at > extract(epoch FROM clock_timestamp()) * 1000 + 15000)`
    )
    expect(rows).toEqual([])
  })
})
