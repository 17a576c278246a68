import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const script = fileURLToPath(new URL("../../bench/load.ts", import.meta.url))

it("fifty connections at once get their answers, and memory does not grow", { timeout: 60_000 }, async () => {
  const load = spawn(process.execPath, ["--import", "tsx", script, "5000"])
  let said = ""
  for (const stream of [load.stdout, load.stderr]) stream.on("data", (data) => (said += data))
  const code = await new Promise((resolve) => load.on("close", resolve))
  expect({ code, said }).toEqual({
    code: 0,
    said: expect.stringContaining("5000 requests over 50 connections, no error")
  })
})
