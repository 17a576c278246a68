import { Pool } from "pg"
import { afterAll, beforeAll } from "vitest"
import { pgStore } from "../../src/ledger/promise/index.js"
import { describeMigrations } from "../ledger/MigrationScenes.js"
import { startPostgres } from "./PostgresServer.js"

let postgres: Awaited<ReturnType<typeof startPostgres>>

beforeAll(async () => {
  postgres = await startPostgres()
})

afterAll(() => postgres[Symbol.asyncDispose]())

describeMigrations("a PostgreSQL", "postgres", async () => {
  const pool = new Pool({ connectionString: postgres.url })
  pool.on("error", () => {})
  await pool.query(
    "DROP TABLE IF EXISTS gopay_change, gopay_payment, gopay_refund, gopay_history, gopay_event, gopay_ledger"
  )
  return { store: pgStore(pool), end: () => pool.end() }
})
