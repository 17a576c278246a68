/**
 * `pgStore` with `prepare`: what is prepared once in each connection, and what happens where a connection does not keep it.
 */
import { Pool } from "pg"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { createLedger, pgStore } from "../../src/ledger/promise/index.js"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { order } from "../ledger/World.js"
import { startPostgres } from "./PostgresServer.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

let postgres: Awaited<ReturnType<typeof startPostgres>>
let local: Awaited<ReturnType<typeof startLocalGateway>>
let pool: Pool

beforeAll(async () => {
  postgres = await startPostgres()
  local = await startLocalGateway({ settings: partsAtOnce })
})

afterAll(async () => {
  await local.close()
  await postgres[Symbol.asyncDispose]()
})

beforeEach(() => {
  // One connection, so that it is known what it has prepared.
  pool = new Pool({ connectionString: postgres.url, max: 1 })
})

afterEach(() => pool.end())

const prepared = async (): Promise<ReadonlyArray<string>> => {
  const { rows } = await pool.query("SELECT name FROM pg_prepared_statements WHERE name LIKE 'gopay\\_%' ORDER BY name")
  return rows.map(({ name }) => name)
}

const inShop = async (
  use: (refund: (key: string) => Promise<void>, amounts: () => Promise<ReadonlyArray<number>>) => Promise<void>
) => {
  const gateway = createGatewayClient({ ...local.merchant, environment: local.url })
  const ledger = createLedger({ gateway, store: pgStore(pool, { prepare: true }) })
  await ledger.migrate()
  const { id } = await gateway.createPayment(order)
  await local.payByCard(id)
  const prefix = String(id)
  await use(
    async (key) => expect(await ledger.refund(`${prefix} ${key}`, id, { amount: 100 })).toMatchObject({ _tag: "Done" }),
    async () => (await gateway.getPaymentRefunds(id)).map(({ amount }) => amount)
  )
  await ledger.close()
  await gateway.close()
}

describe("a statement that comes again", () => {
  it("is prepared once in a connection", () =>
    inShop(async (refund, amounts) => {
      for (const key of ["a", "b", "c", "d"]) await refund(key)
      const names = await prepared()
      expect(names.length).toBeGreaterThan(4)
      await refund("e")
      expect(await prepared()).toEqual(expect.arrayContaining([...names]))
      expect(await amounts()).toEqual([100, 100, 100, 100, 100])
    }))

  it("is carried out once where the tables have changed since", () =>
    inShop(async (refund, amounts) => {
      for (const key of ["a", "b", "c", "d"]) await refund(key)
      await pool.query("ALTER TABLE gopay.gopay_change ADD COLUMN later TEXT")
      for (const key of ["e", "f", "g", "h", "i"]) await refund(key)
      expect(await amounts()).toHaveLength(9)
      expect((await prepared()).length).toBeGreaterThan(4)
      await pool.query("ALTER TABLE gopay.gopay_change DROP COLUMN later")
    }))

  it("is prepared no more where a pooler has taken the connection away", () =>
    inShop(async (refund, amounts) => {
      for (const key of ["a", "b", "c", "d"]) await refund(key)
      // To the client it looks the same: it has prepared a statement, and the connection does not know it.
      await pool.query("DEALLOCATE ALL")
      await refund("e")
      await pool.query("DEALLOCATE ALL")
      for (const key of ["f", "g", "h", "i"]) await refund(key)
      expect(await amounts()).toHaveLength(9)
      expect(await prepared()).toEqual([])
    }))
})
