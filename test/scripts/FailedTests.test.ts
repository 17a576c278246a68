import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { afterAll, expect, it } from "vitest"
import { runNode } from "../support/Program.js"

// Below the project, whose Vitest it imports.
const folder = mkdtempSync("node_modules/failed-tests-")

afterAll(() => rmSync(folder, { recursive: true }))

const failing = `
import { beforeEach, describe, expect, it } from "vitest"
beforeEach(({ task }) => void (task.meta.variables = { CHAOS_SEED: "7" }))
describe("a shop", () => {
  it("isn't paid (twice)", () => expect([1, 2]).toEqual([1]))
  it("is paid", () => {})
})
`

it("ends a red run with each failed test, its last lines and the command that runs just that test", async () => {
  writeFileSync(join(folder, "Failing.test.ts"), failing)
  const reporter = JSON.stringify(join(process.cwd(), "test/support/FailedTests.ts"))
  const config = join(folder, "vitest.config.mjs")
  writeFileSync(config, `export default { test: { exclude: [], reporters: [${reporter}] } }`)
  const { CHAOS_RUNS: _, CHAOS_SEED: _1, FAILED_TESTS: _2, NETWORK_DELAY_SEED: _3, ...env } = process.env
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--root", ".", "--config", config, folder]
  const { code, errors } = await runNode(vitest, { ...env, NETWORK_DELAY_SEED: "3" })
  expect(code).toBe(1)
  const file = relative(process.cwd(), join(folder, "Failing.test.ts"))
  const [first, ...lines] = errors.trim().split("\n")
  expect(first).toBe(`Failed: ${file} > a shop > isn't paid (twice)`)
  expect(lines.join("\n")).toMatch(/^ {2}expected \[ 1, 2 \] to deeply equal \[ 1 \]$[^]*Failing\.test\.ts:5/m)
  expect(lines.at(-1)).toBe(
    `Run just this: NETWORK_DELAY_SEED=3 CHAOS_SEED=7 npx vitest run --config ${config} ${file} -t 'a shop isn'\\''t paid \\(twice\\)'`
  )
})
