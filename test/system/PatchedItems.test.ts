import { Pool } from "pg"
import { pgStore } from "../../src/ledger/promise/index.js"
import { describePatchedItems } from "../ledger/PatchedItems.js"
import { startPostgres } from "./PostgresServer.js"

describePatchedItems("PostgreSQL", async () => {
  const postgres = await startPostgres({ settings: ["fsync=off"] })
  const pool = new Pool({ connectionString: postgres.url })
  pool.on("error", () => {})
  return {
    store: pgStore(pool),
    end: async () => {
      await pool.end()
      await postgres[Symbol.asyncDispose]()
    }
  }
})
