/**
 * A process that writes to a file at once with others: single statements, and meanwhile transactions that take a while.
 * It writes what failed, and how long it took, as JSON.
 */
import { createRequire } from "node:module"
import { writeSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { fileStore } from "../../src/ledger/promise/index.js"

/** The process's argument, as JSON. */
export interface FileWriterPlan {
  readonly path: string
  readonly driver: "libsql" | "node:sqlite"
  readonly name: string
  readonly statements: number
  readonly transactions: number
}

/** What the process reports. */
export interface FileWriterReport {
  readonly failures: ReadonlyArray<string>
  readonly milliseconds: number
}

/** In milliseconds: how long a transaction stays open. */
const open = 30

/** How many statements come at the same moment. */
const burst = 25

const main = async ({ driver, name, path, statements, transactions }: FileWriterPlan): Promise<void> => {
  // Native modules are not bundled.
  const require = createRequire(`${process.cwd()}/`)
  const store = fileStore(path, driver === "libsql" ? { driver: require("libsql") } : {})
  const failures: Array<string> = []
  const insert = "INSERT INTO written (name) VALUES (?) RETURNING id"
  const since = performance.now()
  const ended = (work: Promise<unknown>) => work.catch((error) => failures.push(String(error)))
  const bursts = async () => {
    for (let index = 0; index < statements; index += burst) {
      const names = Array.from({ length: Math.min(burst, statements - index) }, (_, more) => `${name} ${index + more}`)
      await Promise.all(
        names.flatMap((value) => [ended(store.query(insert, [value])), ended(store.query("SELECT 1 AS one", []))])
      )
    }
  }
  const transact = async () => {
    for (let index = 0; index < transactions; index++) {
      await ended(
        store.transaction(async (tx) => {
          await tx.query(insert, [`${name} transaction ${index}`])
          await setTimeout(open)
        })
      )
    }
  }
  await Promise.all([bursts(), transact()])
  const report: FileWriterReport = { failures, milliseconds: performance.now() - since }
  await store.close()
  writeSync(1, JSON.stringify(report))
}

await main(JSON.parse(process.argv[2] ?? ""))
