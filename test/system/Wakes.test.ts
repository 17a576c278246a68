/**
 * What happens to one row of a ledger makes others due, in PostgreSQL: whoever has locked these, nothing waits for that, and
 * nothing is forgotten. Each entry of the list of wakes is tried with transactions that are held open.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Pool, type PoolClient } from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { createLedger, ledgerSchema, pgStore } from "../../src/ledger/promise/index.js"
import { fromStore, withSchema } from "../../src/ledger/store/Database.js"
import * as WakeTable from "../../src/ledger/store/WakeTable.js"
import { wakes } from "../../src/ledger/store/Wakes.js"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import {
  charge,
  child,
  emptied,
  far,
  isDueIn,
  payment,
  period,
  sceneOf,
  type WakeScene,
  wakeScenes
} from "../ledger/WakeScenes.js"
import { order } from "../ledger/World.js"
import { partsAtOnce } from "../support/partsAtOnce.js"
import { startPostgres } from "./PostgresServer.js"

let postgres: Awaited<ReturnType<typeof startPostgres>>
let pool: Pool

beforeAll(async () => {
  postgres = await startPostgres({ settings: ["fsync=off"] })
})

afterAll(() => postgres[Symbol.asyncDispose]())

beforeEach(async () => {
  pool = new Pool({ connectionString: postgres.url, options: "-c search_path=gopay,public -c lock_timeout=2s" })
  pool.on("error", () => {})
  await pool.query("DROP SCHEMA IF EXISTS gopay CASCADE")
  for (const statement of ledgerSchema("postgres")) await pool.query(statement)
  return () => pool.end()
})

/** What any process of a merchant does with the wakes that are left. Returns how many are carried out. */
const carryOut = (scope = 1) => {
  const table = WakeTable.make(withSchema(fromStore(pgStore(pool))), scope)
  return Effect.runPromise(
    Effect.gen(function* () {
      let count = 0
      for (const row of yield* table.due(50)) {
        const taken = yield* table.take(row)
        if (Option.isSome(taken) && (yield* table.carryOut(taken.value))) count++
      }
      return count
    })
  )
}

/** The second passes for which a wake is left to the process that has taken it. */
const laterCarriedOut = async (scope?: number) => {
  await pool.query("UPDATE gopay_wake SET next_at = 0")
  return carryOut(scope)
}

const left = async (): Promise<ReadonlyArray<string>> =>
  (await pool.query("SELECT wake FROM gopay_wake ORDER BY wake")).rows.map(({ wake }) => wake)

/** Whether the row of a scene is due. */
const isDue = async (scene: Pick<WakeScene, "target" | "where">): Promise<boolean> =>
  (await pool.query(isDueIn(scene))).rows[0].is_due === 1

/** A transaction on a connection of its own, which is rolled back at last. */
const inTransaction = async (run: (client: PoolClient) => Promise<void>): Promise<void> => {
  const client = await pool.connect()
  client.on("error", () => {})
  try {
    await client.query("BEGIN")
    await run(client)
  } finally {
    await client.query("ROLLBACK").catch(() => {})
    client.release(true)
  }
}

/** Locks the row of a scene as a step does that notifies the shop: it writes when that is due. */
const lock = (client: PoolClient, { target, where = "1 = 1" }: WakeScene) =>
  client.query(`UPDATE gopay_${target} SET next_at = ${far}, version = version + 1 WHERE ${where}`)

const prepared = async ({ rows }: WakeScene): Promise<void> => {
  for (const row of rows) await pool.query(row)
  // Recording a charge also writes a wake.
  await pool.query("DELETE FROM gopay_wake")
}

describe.each(wakeScenes)("%s", (name, scene) => {
  const isByShop = !name.startsWith("gopay_change")

  it("makes the row due, of its own merchant only", async () => {
    await prepared(scene)
    await pool.query(scene.move)
    expect((await left()).includes(name)).toBe(isByShop)
    expect(await carryOut(2)).toBe(0)
    expect(await isDue(scene)).toBe(!isByShop)
    await carryOut()
    expect(await isDue(scene)).toBe(true)
    expect(await left()).toEqual([])
  })

  it("waits for no one who has locked the row, and is carried out when that one has written it back", async () => {
    await prepared(scene)
    await inTransaction(async (holder) => {
      await lock(holder, scene)
      await pool.query(scene.move)
      expect(await left()).toEqual(expect.arrayContaining([name]))
      await carryOut()
      expect(await left()).toEqual([name])
      await holder.query("COMMIT")
      expect(await isDue(scene)).toBe(false)
      // It is left to the process that has taken it, for a moment.
      expect(await carryOut()).toBe(0)
      expect(await laterCarriedOut()).toBe(1)
      expect(await isDue(scene)).toBe(true)
      expect(await left()).toEqual([])
    })
  })

  it("is carried out when whoever has locked the row dies, or gives up", async () => {
    await prepared(scene)
    await inTransaction(async (holder) => {
      const { rows } = await holder.query("SELECT pg_backend_pid() AS pid")
      await lock(holder, scene)
      await pool.query(scene.move)
      await carryOut()
      expect(await left()).toEqual([name])
      await pool.query("SELECT pg_terminate_backend($1, 5000)", [rows[0].pid])
      expect(await laterCarriedOut()).toBe(1)
      expect(await isDue(scene)).toBe(true)
    })
  })

  it("is nothing when what has happened is rolled back", async () => {
    await prepared(scene)
    await inTransaction(async (waker) => {
      await waker.query(scene.move)
      await waker.query("ROLLBACK")
      expect(await left()).toEqual([])
      expect(await carryOut()).toBe(0)
      expect(await isDue(scene)).toBe(false)
    })
  })

  it("is seen when it is committed, and till then a step that has read the row before moves nothing or comes first", async () => {
    await prepared(scene)
    await inTransaction(async (waker) => {
      await waker.query(scene.move)
      expect(await carryOut()).toBe(0)
      expect(await isDue(scene)).toBe(false)
      const { target, where = "1 = 1" } = scene
      const step = pool.query(
        `UPDATE gopay_${target} SET next_at = ${far}, version = version + 1 WHERE ${where} AND version = 1 RETURNING seq`
      )
      // What the shop's own transactions wake is not locked by them.
      const before = isByShop ? await step : undefined
      await waker.query("COMMIT")
      expect((before ?? (await step)).rowCount).toBe(isByShop ? 1 : 0)
      await carryOut()
      expect(await isDue(scene)).toBe(true)
      expect(await left()).toEqual([])
    })
  })

  it("ends where the row is gone by then, or what has woken it", async () => {
    for (const gone of [scene.target, wakes.find((wake) => wake.name === name)?.source ?? ""]) {
      for (const statement of emptied) await pool.query(statement)
      await prepared(scene)
      await inTransaction(async (holder) => {
        await lock(holder, scene)
        await pool.query(scene.move)
      })
      await pool.query(`DELETE FROM gopay_${gone}`)
      expect(await carryOut()).toBeGreaterThan(0)
      expect(await left()).toEqual([])
    }
  })
})

describe("a charge that no change has made", () => {
  it("wakes what waits when it is recorded, and one that a change has made does not", async () => {
    await pool.query(period({}))
    await pool.query(charge({ status: "done", entry: "6" }))
    await pool.query(payment({ payment_id: "6", parent_id: "4", attempt: "b" }))
    expect(await left()).toEqual([])
    await pool.query(child)
    expect(await left()).toEqual(["gopay_payment_wakes_charges", "gopay_payment_wakes_period"])
    await carryOut()
    expect(await isDue({ target: "period" })).toBe(true)
  })
})

describe("the wakes that are left", () => {
  it("are kept by a release that does not know them", async () => {
    await pool.query("INSERT INTO gopay_wake (scope, source_seq, next_at, wake) VALUES (1, 1, 0, 'of_a_newer_release')")
    expect(await carryOut()).toBe(0)
    expect(await left()).toEqual(["of_a_newer_release"])
  })

  it("are not carried out for a row that has moved on, such as a change that is being sent", async () => {
    const scene = sceneOf("gopay_change_wakes_next")
    await prepared(scene)
    await inTransaction(async (holder) => {
      await holder.query("UPDATE gopay_change SET status = 'sending', version = version + 1 WHERE key = 'b'")
      await pool.query(scene.move)
      await holder.query("COMMIT")
    })
    expect(await carryOut()).toBe(1)
    expect(await isDue(scene)).toBe(false)
  })

  it("keep no refund waiting while a handler holds the payment, in processes without a worker, and have it read after that", async () => {
    const local = await startLocalGateway({ settings: partsAtOnce })
    await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
    await using ledger = createLedger({ gateway, store: pgStore(pool), pollEvery: 20, onPayment: () => {} })
    await using other = createLedger({ gateway, store: pgStore(pool), pollEvery: 20 })
    const { paymentId = 0 } = await ledger.checkout("1", order)
    await local.payByCard(paymentId)
    await ledger.verifyReturn(`https://shop.example/return?id=${paymentId}`)
    await inTransaction(async (handler) => {
      await handler.query(`UPDATE gopay_payment SET next_at = ${far}, version = version + 1`)
      const refunds = await Promise.all(
        [ledger, other, ledger, other].map((one, index) => one.refund(`r${index}`, paymentId, { amount: 100 }))
      )
      expect(refunds.map(({ _tag }) => _tag)).toEqual(["Done", "Done", "Done", "Done"])
      // The search for the last entry has ended by then.
      await expect.poll(left).toContain("gopay_change_wakes_payment")
      await handler.query("COMMIT")
    })
    await expect
      .poll(async () => {
        await ledger.runOnce()
        return ledger.getOrder("1")
      })
      .toMatchObject({ refunded: 400 })
    // The last step of a refund may leave one more, which the next run takes.
    await expect
      .poll(async () => {
        await ledger.runOnce()
        return left()
      })
      .toEqual([])
    await local.close()
  })
})
