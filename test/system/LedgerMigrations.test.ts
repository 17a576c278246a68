import { Pool, type PoolClient } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ledgerSchema, pgStore } from "../../src/ledger/promise/index.js"
import { createLedger, type Ledger } from "../../src/ledger/promise/index.js"
import { startLocalGateway } from "../../src/local-gateway/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"
import { order } from "../ledger/World.js"
import { tableNames } from "../../src/ledger/store/Sql.js"
import { describeMigrations } from "../ledger/MigrationScenes.js"
import { startPostgres } from "./PostgresServer.js"
import { partsAtOnce } from "../support/partsAtOnce.js"

let postgres: Awaited<ReturnType<typeof startPostgres>>

beforeAll(async () => {
  postgres = await startPostgres()
})

afterAll(() => postgres[Symbol.asyncDispose]())

describeMigrations("a PostgreSQL", async () => {
  const pool = new Pool({ connectionString: postgres.url })
  pool.on("error", () => {})
  await pool.query("DROP SCHEMA IF EXISTS gopay CASCADE")
  return { store: pgStore(pool), end: () => pool.end() }
})

describe("the schema of the tables", () => {
  const inDatabase = async (
    test: (
      ledgerOver: (schema?: string, path?: string, installation?: string) => Ledger<PoolClient>,
      pool: Pool,
      paid: () => Promise<number>
    ) => Promise<void>
  ): Promise<void> => {
    await using local = await startLocalGateway({ settings: partsAtOnce })
    await using gateway = createGatewayClient({ ...local.merchant, environment: local.url })
    const name = `schemas_${globalThis.crypto.randomUUID().replaceAll("-", "")}`
    const admin = new Pool({ connectionString: postgres.url, max: 1 })
    await admin.query(`CREATE DATABASE ${name}`)
    const url = new URL(postgres.url)
    url.pathname = `/${name}`
    const pools: Array<Pool> = []
    const poolOf = (path: string): Pool => {
      const pool = new Pool({ connectionString: url.href, options: `-c search_path=${path}` })
      pool.on("error", () => {})
      pools.push(pool)
      return pool
    }
    const ledgerOver = (schema?: string, path = "public", installation?: string) =>
      createLedger<PoolClient>({ gateway, store: pgStore(poolOf(path)), schema, installation, onChange: () => {} })
    const paid = async () => {
      const { id } = await gateway.createPayment(order)
      await local.payByCard(id)
      return id
    }
    try {
      await test(ledgerOver, poolOf("public"), paid)
    } finally {
      await Promise.all(pools.map((pool) => pool.end()))
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await admin.end()
    }
  }

  it("belongs to the installation that it was made for, though a table has that name", () =>
    inDatabase(async (ledgerOver) => {
      const ledger = ledgerOver(undefined, "public", "it's gopay_change")
      await ledger.migrate()
      expect(await ledger.getHealth()).toMatchObject({ isSending: true })
    }))

  it("keeps two ledgers apart, each with its history, whatever the search_path is", () =>
    inDatabase(async (ledgerOver, pool, paid) => {
      const first = ledgerOver("first")
      const second = ledgerOver("Second_2", "first")
      await first.migrate()
      await second.migrate()
      await first.migrate()
      const id = await paid()
      expect(await first.refund("a", id, { amount: 500 })).toMatchObject({ _tag: "Done" })
      expect(await second.getOutcome("a")).toBeUndefined()
      expect((await first.operator.getHistory("a")).map(({ status }) => status)).toContain("done")
      expect(await second.operator.listHistory()).toEqual([])
      const { rows } = await pool.query(
        "SELECT table_schema AS schema, count(*)::int AS tables FROM information_schema.tables WHERE table_name LIKE 'gopay%' GROUP BY 1 ORDER BY 1"
      )
      expect(rows).toEqual([
        { schema: "Second_2", tables: tableNames.length },
        { schema: "first", tables: tableNames.length }
      ])
      await Promise.all([first.close(), second.close()])
    }))

  it("is made by ledgerSchema too", () =>
    inDatabase(async (ledgerOver, pool, paid) => {
      for (const statement of ledgerSchema("postgres", { schema: "shop" })) await pool.query(statement)
      const ledger = ledgerOver("shop")
      expect(await ledger.refund("a", await paid(), { amount: 500 })).toMatchObject({ _tag: "Done" })
      await ledger.close()
    }))

  it("is not lost with the option that names it: no second, empty set of tables is made", () =>
    inDatabase(async (ledgerOver, pool) => {
      const before = ledgerOver("shop")
      await before.migrate()
      const lost = ledgerOver(undefined, "shop")
      await expect(lost.migrate()).rejects.toThrow("A ledger's tables are in the schema shop")
      await expect(pool.query(ledgerSchema("postgres")[0] ?? "")).rejects.toThrow("in the schema shop")
      await expect(lost.getHealth()).resolves.toMatchObject({ isSending: false, reason: "NoTables" })
      const named = ledgerOver("gopay")
      await named.migrate()
      await expect(named.getHealth()).resolves.toMatchObject({ isSending: true })
      await lost.migrate()
      await Promise.all([before.close(), lost.close(), named.close()])
    }))

  it.each(["", "a b", 'x"y', "1a", "a".repeat(64)])("has a name that needs no quotes: %j is refused", (schema) => {
    expect(() => ledgerSchema("postgres", { schema })).toThrow(TypeError)
    expect(() => ledgerSchema("sqlite", { schema: "shop" })).toThrow("for PostgreSQL")
  })
})
