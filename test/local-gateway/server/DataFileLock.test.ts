import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { onTestFinished, vi } from "vitest"
import { LocalGateway } from "../../../src/local-gateway/index.js"
import { captureLog } from "../../support/LogGuard.js"
import { startProgram } from "../../support/Program.js"

const folderOfTest = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "data-file-lock-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts a gateway, and gives its number of payments. */
const started = (dataFile: string) =>
  Effect.map(Effect.provide(LocalGateway.listPayments, LocalGateway.layerServer({ dataFile })), ({ length }) => length)

describe("A data file that a gateway uses", () => {
  it.live.each([
    { what: "a short path", name: "" },
    { what: "a path that is too long for a socket", name: "a".repeat(90) }
  ])("is refused to another process, which hears who has it; free when that one was killed: $what", ({ name }) =>
    Effect.gen(function* () {
      const folder = join(folderOfTest(), name)
      mkdirSync(folder, { recursive: true })
      const dataFile = join(folder, "data.json")
      const program = new URL("../../support/DataFileProcess.ts", import.meta.url)
      const child = yield* Effect.promise(() => startProgram(program, [dataFile]))
      yield* Effect.promise(() => once(createInterface(child.stdout), "line"))
      const { message } = yield* Effect.flip(started(dataFile))
      assert.include(message, `Another gateway uses it: process ${child.pid} on `)
      assert.include(message, "Stop that one, or name another file.")
      child.kill("SIGKILL")
      yield* Effect.promise(() => once(child, "exit"))
      assert.isAtLeast(yield* started(dataFile), 1)
      assert.deepStrictEqual(readdirSync(folder), ["data.json"])
    })
  )

  it.live("is refused to a gateway of an equal process id, and by another name", () =>
    Effect.gen(function* () {
      const folder = folderOfTest()
      const dataFile = join(folder, "data.json")
      assert.strictEqual(yield* started(dataFile), 0)
      symlinkSync(dataFile, join(folder, "link.json"))
      const both = Effect.provide(
        Effect.flip(started(join(folder, "link.json"))),
        LocalGateway.layerServer({ dataFile })
      )
      const error = yield* both
      assert.strictEqual(error._tag, "DataFileError")
      assert.include(
        error.message,
        `${join(folder, "link.json")} cannot be used, and was left as it is. Another gateway`
      )
      assert.strictEqual(yield* started(dataFile), 0)
    })
  )

  it.live("is used where it cannot be locked, with a warning of that", () =>
    Effect.gen(function* () {
      const folder = join(folderOfTest(), "a".repeat(90))
      mkdirSync(folder)
      vi.stubEnv("TMPDIR", join(folder, "missing"))
      onTestFinished(() => void vi.unstubAllEnvs())
      const warnings = captureLog(/^The data file/)
      assert.strictEqual(yield* started(join(folder, "data.json")), 0)
      assert.include(warnings.join(), "cannot be locked here (ENOENT): start no second gateway that uses it.")
    })
  )
})
