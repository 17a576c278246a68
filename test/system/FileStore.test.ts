/**
 * Several processes that write to one file at once.
 */
import Database from "libsql"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { describe, expect, it } from "vitest"
import type { FileWriterPlan, FileWriterReport } from "../ledger/FileWriter.js"
import { startProgram } from "../support/Program.js"
import { isThorough } from "../support/Runs.js"

const node24 = () => execFileSync("npx", ["-y", "-p", "node@24", "node", "-p", "process.execPath"]).toString().trim()

const statements = isThorough ? 2_500 : 250

const write = async (processes: number, plan: Pick<FileWriterPlan, "driver" | "transactions">) => {
  const folder = mkdtempSync(join(tmpdir(), "file-store-"))
  const path = join(folder, "gopay.db")
  const file = new Database(path)
  file.exec("CREATE TABLE written (id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
  const node = plan.driver === "libsql" ? process.execPath : node24()
  const reports = await Promise.all(
    Array.from({ length: processes }, async (_, index): Promise<FileWriterReport> => {
      const told: FileWriterPlan = { path, name: `process ${index}`, statements, ...plan }
      const program = await startProgram(
        new URL("../ledger/FileWriter.ts", import.meta.url),
        [JSON.stringify(told)],
        node
      )
      return JSON.parse(await text(program.stdout))
    })
  )
  const written = file.prepare("SELECT count(*) AS count FROM written").all()
  file.close()
  rmSync(folder, { recursive: true, force: true })
  const time = Math.max(...reports.map(({ milliseconds }) => milliseconds))
  const count = processes * (statements + plan.transactions)
  console.log(`${plan.driver}, ${processes} processes: ${Math.round((count / time) * 1_000)} writes a second`)
  expect(written).toEqual([{ count }])
  return reports.flatMap(({ failures }) => failures)
}

describe.each(["libsql", "node:sqlite"] as const)("a file that is written through %s", (driver) => {
  it.each([1, 2, 4])(
    "by %i processes, while each has transactions of 30 ms, refuses no statement",
    async (processes) => {
      expect(await write(processes, { driver, transactions: 20 })).toEqual([])
    },
    300_000
  )
})
