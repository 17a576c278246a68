/**
 * What is known of a change that failed, for each way to fail, with real sockets and TLS.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { failureTable } from "./FailureTable.js"

const words = (table: string): string => table.replace(/ +/g, " ").replace(/-+/g, "-")

describe("a change that fails", () => {
  it("was certainly not sent, or perhaps, as the table has it", () => {
    const script = fileURLToPath(new URL("TransportFailures.ts", import.meta.url))
    const said = execFileSync(process.execPath, ["--import", "tsx", script]).toString()
    expect(said).toBe("15 ways to fail, seen in 4 styles\n")
  })

  it("has its table in the documentation", () => {
    expect(words(readFileSync("docs/reliability.md", "utf8"))).toContain(words(failureTable()))
  })
})
