/**
 * Processes of a shop with a ledger that are really killed, over each kind of store; and what only PostgreSQL can do.
 */
import * as Effect from "effect/Effect"
import Database from "libsql"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Pool, type PoolClient } from "pg"
import { afterAll, assert, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { type RunningLocalGateway, startLocalGateway } from "../../src/local-gateway/promise/index.js"
import {
  type BookedOrdersOptions,
  createLedger,
  fileStore,
  pgStore,
  pgQueryStore
} from "../../src/ledger/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { runKilledShop, type Summary } from "../ledger/KilledShop.js"
import * as Outsider from "../ledger/Outsider.js"
import { order } from "../ledger/World.js"
import { collected } from "../support/collected.js"
import { isThorough, runs, sayHowToRepeat, seed } from "../support/Runs.js"
import { startPostgres } from "./PostgresServer.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

/** How many processes are killed over each store: a few; in a long check hundreds. */
const kills = isThorough ? Math.ceil(runs / 100) : 6

sayHowToRepeat()

const sound = { tooFew: [], double: 0, wrong: 0, lost: 0, paidTwice: 0, misentered: 0 }

const shown = (store: string, summary: Summary): Summary => {
  const { books: _, ...figures } = summary
  console.log(`${store}: ${JSON.stringify(figures)}`)
  return summary
}

const longest = 3_600_000

const done = (program: Effect.Effect<void>): Promise<void> => Effect.runPromise(program)

/** The tables as they are in a transaction on a connection. */
const within = (connection: PoolClient) => ({
  dialect: "postgres" as const,
  query: async (sql: string) => (await connection.query(sql)).rows
})

let folder: string
let postgres: Awaited<ReturnType<typeof startPostgres>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ledger-"))
  postgres = await startPostgres()
})

afterAll(async () => {
  await postgres[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

describe("a shop of three processes that are killed refunds each key once and forgets none", () => {
  it(
    "in a file with libsql",
    async () => {
      const path = join(folder, "libsql.db")
      const open = () => fileStore(path, { driver: Database })
      expect(
        shown("libsql", await runKilledShop({ seed, kills, storePlan: { kind: "libsql", at: path }, open }))
      ).toMatchObject(sound)
    },
    longest
  )

  it(
    "in a file with the SQLite of Node.js",
    async () => {
      const path = join(folder, "node.db")
      const node = execFileSync("npx", ["-y", "-p", "node@24", "node", "-p", "process.execPath"]).toString().trim()
      const open = () => fileStore(path, { driver: Database })
      expect(
        shown("node:sqlite", await runKilledShop({ seed, kills, storePlan: { kind: "node", at: path }, open, node }))
      ).toMatchObject(sound)
    },
    longest
  )

  it(
    "in a PostgreSQL that is itself stopped at once",
    async () => {
      const pool = new Pool({ connectionString: postgres.url })
      pool.on("error", () => {})
      const open = () => pgStore(pool)
      const disaster = () => postgres.crash()
      const storePlan = { kind: "postgres", at: postgres.url } as const
      expect(shown("PostgreSQL", await runKilledShop({ seed, kills, storePlan, open, disaster }))).toMatchObject(sound)
      await pool.end()
    },
    longest
  )
})

describe("a ledger in PostgreSQL", () => {
  let pool: Pool

  beforeEach(async () => {
    pool = new Pool({ connectionString: postgres.url })
    await pool.query("DROP SCHEMA IF EXISTS gopay CASCADE")
    await pool.query("DROP TABLE IF EXISTS complaint")
    return () => pool.end()
  })

  const withShop = async (
    run: (id: number, gateway: ReturnType<typeof createGatewayClient>, local: RunningLocalGateway) => Promise<void>
  ) => {
    const local = await startLocalGateway({ settings: partsAtOnce })
    await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
    const { id } = await gateway.createPayment(order)
    await local.payByCard(id)
    await run(id, gateway, local)
    await local.close()
  }

  it("is migrated by several processes at once, and makes what a transaction has submitted", () =>
    withShop(async (id, gateway) => {
      const ledgers = Array.from({ length: 4 }, () => createLedger({ gateway, store: pgStore(pool), pollEvery: 20 }))
      await Promise.all(ledgers.map((ledger) => ledger.migrate()))
      await pool.query("CREATE TABLE complaint (id TEXT)")
      const [ledger] = ledgers
      ledgers.forEach(({ startWorker }) => startWorker())
      const store = pgStore(pool)
      const submit = (key: string, fails: boolean) =>
        store.transaction(async (tx) => {
          await tx.query("INSERT INTO complaint VALUES ($1)", [key])
          await ledger?.submit(tx, key, { refund: id, amount: 500 })
          if (fails) throw new Error("the shop rolls back")
        })
      await expect(submit("a", true)).rejects.toThrow("rolls back")
      await submit("b", false)
      await expect.poll(() => ledger?.getOutcome("b")).toMatchObject({ _tag: "Done" })
      expect(await ledger?.getOutcome("a")).toBeUndefined()
      expect((await gateway.getPaymentRefunds(id)).map(({ amount }) => amount)).toEqual([500])
      await Promise.all(ledgers.map(({ close }) => close()))
    }))

  it("makes the changes of a payment one at a time, whichever process they come to", () =>
    withShop(async (id, gateway) => {
      const ledgers = Array.from({ length: 4 }, () => createLedger({ gateway, store: pgStore(pool), pollEvery: 20 }))
      await ledgers[0]?.migrate()
      const outcomes = await Promise.all(
        ledgers.flatMap((ledger, index) =>
          [0, 1, 2].map((key) => ledger.refund(`${index}-${key}`, id, { amount: 100 }, { waitAtMost: "50 seconds" }))
        )
      )
      expect(outcomes.map(({ _tag }) => _tag)).toEqual(outcomes.map(() => "Done"))
      expect(await gateway.getPaymentRefunds(id)).toHaveLength(12)
      await Promise.all(ledgers.map(({ close }) => close()))
      const { rows } = await pool.query("SELECT entry FROM gopay.gopay_change")
      expect(new Set(rows.map(({ entry }) => entry)).size).toBeGreaterThanOrEqual(11)
    }))

  it("does not put off a change that comes while the one before it is letting the payment go", () =>
    withShop(async (id, gateway) => {
      await using ledger = createLedger({ gateway, store: pgStore(pool), pollEvery: 20 })
      await ledger.migrate()
      await ledger.refund("first", id, { amount: 100 })
      const holding = async () =>
        (await pool.query("SELECT 1 FROM gopay.gopay_change WHERE holds IS NOT NULL")).rows.length
      await expect.poll(holding).toBe(0)
      await done(Outsider.holdPayments(pgStore(pool)))
      const other = await pool.connect()
      try {
        await other.query("BEGIN")
        // The search for the next change runs now and cannot see it yet.
        await done(Outsider.letPaymentsGo(within(other)))
        const second = ledger.refund("second", id, { amount: 100 }, { waitAtMost: "10 seconds" })
        const stopped = async () => {
          const waiting = await pool.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
          const putOff = await pool.query("SELECT 1 FROM gopay.gopay_change WHERE key = 'second' AND version > 1")
          return waiting.rows.length + putOff.rows.length
        }
        await expect.poll(stopped).toBe(1)
        await other.query("COMMIT")
        expect(await second).toMatchObject({ _tag: "Done" })
      } finally {
        other.release()
      }
    }))

  it("takes one of the periods that several processes ask for at once with one order number", () =>
    withShop(async (_, gateway) => {
      const ledgers = Array.from({ length: 4 }, () => createLedger({ gateway, store: pgStore(pool) }))
      const [ledger = assert.fail()] = ledgers
      await ledger.migrate()
      await ledger.createSubscription("sub", { orderNumber: "1", maximum: 500, currency: "CZK" })
      for (const year of ["2091", "2092", "2093", "2094", "2095"]) {
        const asked = await Promise.allSettled(
          ledgers.map((one, index) =>
            one.chargePeriod("sub", `${year}-0${index + 1}`, { amount: 100, order_number: year })
          )
        )
        expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
      }
      await Promise.all(ledgers.map(({ close }) => close()))
    }))

  it("exports its history up to a transaction that is still open, and later what that has committed", () =>
    withShop(async (id, gateway, local) => {
      let end = () => {}
      const ended = new Promise<void>((resolve) => {
        end = resolve
      })
      let isCalled = false
      await using ledger = createLedger({
        gateway,
        store: pgStore(pool),
        onPayment: async () => {
          isCalled = true
          await ended
        }
      })
      await ledger.migrate()
      const { operator } = ledger
      const { paymentId = 0 } = await ledger.checkout("1", order)
      const exported: Array<number> = []
      const exportMore = async () => {
        const steps = await operator.listHistory({ after: exported.at(-1) })
        exported.push(...steps.map((step) => step.id))
      }
      await exportMore()
      expect(exported).not.toEqual([])
      await local.payByCard(paymentId)
      const returned = ledger.verifyReturn(`https://shop.example/return?id=${paymentId}`)
      await expect.poll(() => isCalled).toBe(true)
      await ledger.refund("a", id, { amount: 500 })
      await exportMore()
      end()
      await returned
      const isWhole = async () => {
        await exportMore()
        const { rows } = await pool.query("SELECT seq::int FROM gopay.gopay_history ORDER BY seq")
        return rows.map(({ seq }) => seq).join() === exported.join()
      }
      await expect.poll(isWhole).toBe(true)
      expect(await operator.listHistory()).toMatchObject(
        expect.arrayContaining([expect.objectContaining({ state: "PAID" })])
      )
    }))

  it("has books up to a transaction that is still open, and from there on what that has committed", () =>
    withShop(async (_, gateway, local) => {
      let end = () => {}
      const ended = new Promise<void>((resolve) => {
        end = resolve
      })
      let isCalled = false
      await using ledger = createLedger({
        gateway,
        store: pgStore(pool),
        onPayment: async () => {
          isCalled = true
          await ended
        }
      })
      await ledger.migrate()
      const { operator } = ledger
      const { paymentId = 0 } = await ledger.checkout("1", order)
      const created = await operator.getRecordedUntil()
      const booked = async (range: BookedOrdersOptions) =>
        (await collected(operator.listBookedOrders(range))).map(({ orderNumber }) => orderNumber)
      expect(await booked({ to: created })).toEqual(["1"])
      await local.payByCard(paymentId)
      const returned = ledger.verifyReturn(`https://shop.example/return?id=${paymentId}`)
      await expect.poll(() => isCalled).toBe(true)
      await ledger.checkout("2", order)
      // The payment of the first order is paid, and its time is not committed.
      const until = await operator.getRecordedUntil()
      const now = new Date((await pool.query("SELECT clock_timestamp() AS now")).rows[0].now)
      await expect(booked({ from: created, to: now })).rejects.toThrow(/to is later than .*getRecordedUntil/)
      expect(await booked({ from: created, to: until })).toEqual([])
      end()
      await returned
      const later = await operator.getRecordedUntil()
      expect(Date.parse(later)).toBeGreaterThanOrEqual(now.getTime())
      expect((await booked({ from: until, to: later })).toSorted()).toEqual(["1", "2"])
    }))

  it("says what to do where its sequences are behind its rows, and goes on when that is done", () =>
    withShop(async (id, gateway) => {
      await using ledger = createLedger({ gateway, store: pgStore(pool) })
      await ledger.migrate()
      expect(await ledger.refund("a", id, { amount: 500 })).toMatchObject({ _tag: "Done" })
      // By then the search for its entry has also ended.
      await ledger.runOnce()
      for (const table of ["change", "history"]) {
        await pool.query(`ALTER TABLE gopay.gopay_${table} ALTER COLUMN seq RESTART WITH 1`)
      }
      await expect(ledger.refund("b", id, { amount: 500 })).rejects.toThrow(
        /was not recorded.*What PostgreSQL may do to it/
      )
      const documented = readFileSync("docs/ledger-databases.md", "utf8")
      const [, statement = ""] = /```sql\n([^`]*setval[^`]*)```/.exec(documented) ?? []
      await pool.query(statement)
      expect(await ledger.refund("b", id, { amount: 500 })).toMatchObject({ _tag: "Done" })
    }))

  it("wakes a subscription and its periods by what concerns them, and waits for no handler", () =>
    withShop(async (_, gateway, local) => {
      const isDue = async (table: string) => {
        const { rows } = await pool.query(
          `SELECT next_at <= extract(epoch FROM clock_timestamp()) * 1000 AS is_due FROM ${table}`
        )
        return rows.map((row) => row.is_due)
      }
      const reported: Array<unknown> = []
      await using ledger = createLedger({
        gateway,
        store: pgStore(pool),
        pollEvery: 20,
        onPayment: async () => {
          // It is woken when this has committed: until then no one waits for it.
          await pool.query("SELECT 1 FROM gopay.gopay_subscription FOR UPDATE NOWAIT")
          reported.push("paid", await isDue("gopay.gopay_subscription"))
        },
        onSubscription: async ({ type }) => {
          reported.push(type)
          if (type !== "declined") return
          // While the shop handles the report of the decline, the charge turns out to be paid.
          await done(Outsider.settleChanges(pgStore(pool)))
        }
      })
      await ledger.migrate()
      const recurrence = { recurrence_cycle: "ON_DEMAND", recurrence_date_to: "2099-12-31" } as const
      const checkout = await ledger.checkout("1", { ...order, recurrence })
      const { paymentId } = checkout.status === "open" ? checkout : assert.fail()
      await ledger.createSubscription("sub", { orderNumber: "1", maximum: 500, currency: "CZK" })
      await ledger.runOnce()
      await done(Outsider.postponeSubscriptions(pgStore(pool)))
      await local.payByCard(paymentId)
      await ledger.verifyReturn(`https://shop.example/return?id=${paymentId}`)
      expect(reported).toEqual(["paid", [false]])
      // Only the move of its payment makes it due.
      await ledger.runOnce()
      expect(reported.slice(2)).toEqual(["started"])

      await local.armFault({ type: "refusal", code: 340 }, { operation: "createRecurrence" })
      await ledger.chargePeriod("sub", "2020-01", { amount: 100 })
      const reportedSince = async () => {
        await ledger.runOnce()
        return reported.slice(2)
      }
      await expect.poll(reportedSince).toEqual(["started", "declined", "paid"])
    }))

  it("lists the merchants without a read of their rows, though PostgreSQL knows nothing of how many there are", () =>
    withShop(async (_, gateway) => {
      // One connection, which can be queried for its statistics.
      const single = new Pool({ connectionString: postgres.url, max: 1 })
      onTestFinished(() => single.end())
      await using ledger = createLedger({ gateway, store: pgStore(single) })
      await ledger.migrate()
      await done(Outsider.insertMerchant(pgStore(single), 1, "other 1"))
      await done(Outsider.insertMerchant(pgStore(single), 2, "another 2"))
      await done(Outsider.insertDoneRefunds(pgStore(single), { scope: 1, first: 1, last: 4_999 }))
      await done(Outsider.insertDoneRefunds(pgStore(single), { scope: 2, first: 5_000, last: 5_000 }))
      await single.query("VACUUM ANALYZE gopay.gopay_change")
      const read = async () => {
        await single.query("SELECT pg_stat_force_next_flush()")
        const { rows } = await single.query(
          "SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'gopay_change'"
        )
        return Number(rows[0]?.seq_tup_read)
      }
      const before = await read()
      expect((await ledger.operator.listMerchants()).map(({ goid }) => goid)).toEqual(["2", "1"])
      expect((await read()) - before).toBeLessThan(100)
    }))

  it("finds a row by its key, though PostgreSQL takes the index of what is due for empty", () =>
    withShop(async (id, gateway) => {
      // One connection, which can be queried for its statistics.
      const single = new Pool({ connectionString: postgres.url, max: 1 })
      onTestFinished(() => single.end())
      const ledger = createLedger({ gateway, store: pgStore(single) })
      await ledger.migrate()
      await done(Outsider.insertDoneRefunds(pgStore(single), { scope: 1, first: 1, last: 5_000 }))
      await done(Outsider.insertLostPayments(pgStore(single), { scope: 1, first: 1, last: 5_000 }))
      await single.query("VACUUM ANALYZE gopay.gopay_change, gopay.gopay_payment")
      for (const number of [1, 2, 3]) {
        expect(await ledger.refund(`a${number}`, id, { amount: 100 })).toMatchObject({ _tag: "Done" })
        expect(await ledger.checkout(`o${number}`, order)).toMatchObject({ status: "open" })
      }
      await single.query("SELECT pg_stat_force_next_flush()")
      const { rows } = await single.query(
        `SELECT indexrelname AS index, idx_scan > 0 AS is_read FROM pg_stat_user_indexes
         WHERE indexrelname IN ('gopay_change_scope_key_key', 'gopay_change_next', 'gopay_payment_next') ORDER BY 1`
      )
      expect(rows).toEqual([
        { index: "gopay_change_next", is_read: false },
        { index: "gopay_change_scope_key_key", is_read: true },
        { index: "gopay_payment_next", is_read: false }
      ])
      await ledger.close()
    }))

  it("sends nothing while its statements run in a transaction that someone may roll back", () =>
    withShop(async (id, gateway) => {
      const healthy = createLedger({ gateway, store: pgStore(pool) })
      await healthy.migrate()
      const client: PoolClient = await pool.connect()
      const inTransaction = pgQueryStore<PoolClient>({
        query: async (sql, values) => (await client.query(sql, [...values])).rows,
        queryIn: () => async () => [],
        transaction: () => Promise.reject(new Error("none"))
      })
      // At the start it is refused; later, the pre-send check finds it out.
      const ledger = createLedger({ gateway, store: inTransaction, pollEvery: 20 })
      await client.query("BEGIN")
      const atStart = await ledger.refund("a", id, { amount: 500 }).catch((error) => error.reason)
      expect(atStart).toMatchObject({ _tag: "LedgerUnavailable", message: expect.stringContaining("transaction") })
      await client.query("ROLLBACK")
      expect(await ledger.getOutcome("a")).toBeUndefined()
      await client.query("BEGIN")
      await ledger.refund("b", id, { amount: 500 }, { waitAtMost: 500 })
      await client.query("ROLLBACK")
      expect(await gateway.getPaymentRefunds(id)).toEqual([])
      expect(await healthy.getOutcome("b")).toBeUndefined()
      client.release()
      await healthy.close()
    }))
})
