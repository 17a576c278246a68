/**
 * Several processes that write to one file at once.
 */
import Database from "libsql"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { describe, expect, it } from "vitest"
import type { BusyFilePlan, BusyFileReport } from "../ledger/BusyFile.js"
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
  const failures = reports.flatMap(({ failures }) => failures)
  expect(written).toEqual([{ count: count - failures.length }])
  // A machine that is busy enough holds a process up for as long.
  expect(failures.length).toBeLessThan(count / 10)
  return failures.filter((failure) => !failure.endsWith("was locked by other transactions for more than 10 seconds."))
}

describe.each(["libsql", "node:sqlite"] as const)("a file that is written through %s", (driver) => {
  it.each([1, 2, 4])(
    "by %i processes, while each has transactions of 30 ms, loses no statement and refuses none that can be made in ten seconds",
    async (processes) => {
      expect(await write(processes, { driver, transactions: 20 })).toEqual([])
    },
    300_000
  )
})

/** Where better-sqlite3 is installed, which may take a compiler: in this project, or in a folder that the variable names. */
const betterSqlite = (): string | undefined => {
  const folder = process.env["BETTER_SQLITE3"] ?? process.cwd()
  try {
    return createRequire(`${folder}/`).resolve("better-sqlite3")
  } catch {
    return undefined
  }
}

describe("a synchronous submit beside a connection that writes", () => {
  const submitted = async (driver: string, node: string): Promise<BusyFileReport> => {
    const folder = mkdtempSync(join(tmpdir(), "busy-file-"))
    const plan: BusyFilePlan = { driver, path: join(folder, "shop.db") }
    const program = await startProgram(new URL("../ledger/BusyFile.ts", import.meta.url), [JSON.stringify(plan)], node)
    const report: BusyFileReport = JSON.parse(await text(program.stdout))
    rmSync(folder, { recursive: true, force: true })
    return report
  }

  const busy = expect.stringContaining("The file was locked by another connection, and nothing was recorded")
  const expected = {
    thrown: [busy, busy, "nothing"],
    written: [
      "after a write of another's",
      "another's",
      "after a read that is old",
      "with the change",
      "in the end"
    ].map((id) => ({ id })),
    submitted: [{ key: "7" }],
    outcomes: ["Done"]
  }

  it("says that the file is busy, and what the shop writes afterwards is committed: libsql", async () => {
    expect(await submitted("libsql", process.execPath)).toEqual(expected)
  })

  it("says that the file is busy, and what the shop writes afterwards is committed: node:sqlite", async () => {
    expect(await submitted("node:sqlite", node24())).toEqual(expected)
  })

  const installed = betterSqlite()
  it.skipIf(installed === undefined)(
    "says that the file is busy, and what the shop writes afterwards is committed: better-sqlite3, where it is installed",
    async () => {
      expect(await submitted(installed ?? "", process.execPath)).toEqual(expected)
    }
  )
})
