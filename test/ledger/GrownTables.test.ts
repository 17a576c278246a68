import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileStore } from "../../src/ledger/promise/index.js"
import { describeGrownTables } from "./GrownTables.js"

let path = ""

/** Tables that have a few rows, or only open ones. */
const small = /^SCAN (gopay_(event|ledger|scope|tally)|counted|added|waiting|listed|\(subquery)/

/** Indexes that have no settled rows. */
const ofOpenRows = /_(next|undecided|awaits)\b|\bgopay_item_/

describeGrownTables(
  "a file",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "grown-tables-"))
    path = join(folder, "gopay.db")
    return {
      store: fileStore(path, { driver: Database }),
      end: async () => rmSync(folder, { recursive: true, force: true })
    }
  },
  async (statements) => {
    const database = new Database(path)
    const wrong = [...statements].flatMap(([sql, values]) => {
      if (!/gopay_/.test(sql) || /^(PRAGMA|BEGIN|COMMIT)/.test(sql)) return []
      return database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...values)
        .map((step) => (typeof step === "object" && step !== null && "detail" in step ? String(step.detail) : ""))
        .filter((detail) => isWide(detail) && !endsEarly(detail, sql, values))
        .map((detail) => `${detail}: ${sql}`)
    })
    database.close()
    return wrong
  },
  // SQLite gets no statistics: it finds the right index without.
  async () => {}
)

/** Whether a step ends with the first rows: those of the status that nearly all have, in their order, or one at all. */
const endsEarly = (detail: string, sql: string, values: ReadonlyArray<unknown>): boolean =>
  (detail.endsWith("_seq (scope=?)") && /WHERE scope = \? ORDER BY seq LIMIT 1\)/.test(sql)) ||
  (detail.endsWith("_created (scope=?)") &&
    (/WHERE scope = gopay_scope\.id ORDER BY created_at, seq LIMIT 1\)/.test(sql) ||
      (/ORDER BY created_at, seq LIMIT/.test(sql) && values.some((value) => value === "done" || value === "created"))))

/** Whether a step of a plan visits all rows of a merchant, or of a table. */
const isWide = (detail: string): boolean => {
  // One row for each circuit.
  if (/ gopay_breaker\b/.test(detail)) return false
  if (detail.startsWith("SCAN "))
    return !small.test(detail) && detail !== "SCAN CONSTANT ROW" && !/^SCAN \d+ CONSTANT/.test(detail)
  return /\(scope=\?\)/.test(detail) && !ofOpenRows.test(detail)
}
