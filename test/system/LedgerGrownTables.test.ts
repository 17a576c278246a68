import { Pool } from "pg"
import { pgStore } from "../../src/ledger/promise/index.js"
import { describeGrownTables } from "../ledger/GrownTables.js"
import { startPostgres } from "./PostgresServer.js"

/** A step of a plan, as PostgreSQL says it. */
interface PlanNode {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly Plans?: ReadonlyArray<PlanNode>
}

/** How many rows of the tables a plan has visited. */
const visitedBy = (node: PlanNode): number => {
  const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0)
  const own = node["Relation Name"] === undefined ? 0 : (node["Actual Rows"] + removed) * node["Actual Loops"]
  return (node.Plans ?? []).reduce((sum, plan) => sum + visitedBy(plan), own)
}

/** A page, and what is open here. */
const most = 300

let pool: Pool

describeGrownTables(
  "a PostgreSQL",
  async () => {
    const postgres = await startPostgres({ settings: ["fsync=off"] })
    // What fills the tables names them without their schema, as in SQLite.
    pool = new Pool({ connectionString: postgres.url, options: "-c search_path=gopay,public" })
    pool.on("error", () => {})
    return {
      store: pgStore(pool),
      end: async () => {
        await pool.end()
        await postgres[Symbol.asyncDispose]()
      }
    }
  },
  async (statements) => {
    const wrong: Array<string> = []
    const client = await pool.connect()
    for (const [sql, values] of statements) {
      if (!/gopay_/.test(sql) || sql.startsWith("DO ")) continue
      await client.query("BEGIN")
      try {
        const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, [...values])
        const visited = visitedBy(rows[0]["QUERY PLAN"][0].Plan)
        if (visited > most) wrong.push(`${visited} rows: ${sql}`)
      } finally {
        await client.query("ROLLBACK")
      }
    }
    client.release()
    return wrong
  },
  async (query) => {
    await query("VACUUM ANALYZE", [])
  }
)
