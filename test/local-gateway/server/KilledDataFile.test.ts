import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { onTestFinished } from "vitest"
import { readSeedText } from "../../../src/local-gateway/index.js"
import { startProgram } from "../../support/Program.js"

describe("A gateway that is killed while it writes", () => {
  it("leaves a file that can be read and holds every change that it has answered", async () => {
    const folder = mkdtempSync(join(tmpdir(), "local-gateway-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const dataFile = join(folder, "data.json")
    let answered = 0
    for (let round = 0; round < 3; round++) {
      const child = await startProgram(new URL("../../support/DataFileProcess.ts", import.meta.url), [dataFile])
      // It answers a line for each payment that was answered; it is killed in the middle of some writing.
      let count = 0
      for await (const line of createInterface(child.stdout)) {
        assert.strictEqual(Number(line), 3_000_000_003 + 13 * answered)
        answered++
        count++
        if (count === 5 + 18 * round) break
      }
      child.kill("SIGKILL")
      await once(child, "exit")
      const found = Result.getOrThrow(readSeedText(readFileSync(dataFile, "utf8"))).content.payments ?? []
      assert.isAtLeast(found.length, answered)
      answered = found.length
    }
    assert.isAtLeast(answered, 5 + 23 + 41)
  })
})
