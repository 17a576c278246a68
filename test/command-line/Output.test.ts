/**
 * Output that cannot be written: a full disk, a pipe that is closed.
 */
import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { withoutCredentials } from "../../src/command-line/OutputText.js"
import { csvB, csvBHead } from "../statement/files.js"
import { start } from "../support/CommandLine.js"

const cli = fileURLToPath(new URL("../../dist/command-line/index.js", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "output-"))
const statement = join(folder, "june.csv")

beforeAll(() => {
  // Larger than what a pipe takes up before someone reads it.
  const lines = Array.from({ length: 4_000 }, (_, index) => {
    const [before, after] = [index, index + 1].map((balance) => `${balance},00`)
    return `;01.06.2026 12:00;GOPAY-platba;;;;;;2026-${index};1,00;${before};${after};CZK;`
  })
  writeFileSync(statement, csvB([csvBHead, ...lines]))
  writeFileSync(join(folder, "orders.csv"), "order_number,type,amount,currency\n")
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A line of a shell; the status is that of the command, not of what reads its output. */
const shell = (line: string): Promise<{ readonly code: unknown; readonly complained: string }> =>
  promisify(execFile)("bash", ["--norc", "-c", `set -o pipefail; ${line}`], {
    env: { PATH: process.env["PATH"], COMMAND: `${process.execPath} ${cli}`, FOLDER: folder }
  }).then(
    ({ stderr }) => ({ code: 0, complained: stderr }),
    ({ code, stderr }: { readonly code: unknown; readonly stderr: string }) => ({ code, complained: stderr })
  )

describe.skipIf(!existsSync("/dev/full"))("On a full disk", () => {
  it.each([
    ["statement $FOLDER/june.csv --csv"],
    ["statement $FOLDER/june.csv --json"],
    ["statement $FOLDER/june.csv"],
    ["local-gateway --settings"],
    ["--help"],
    ["statement --help"],
    ["--version"]
  ])("%s says so and ends with 1", async (args) => {
    const { code, complained } = await shell(`$COMMAND ${args} > /dev/full`)
    expect([code, complained]).toEqual([1, expect.stringMatching(/(^|\n)The output could not be written: .*no space/)])
    expect(complained.trim().split("\n")).toHaveLength(1)
  })
})

describe("Into a pipe that is closed", () => {
  it("a statement says so and ends with 1", async () => {
    const { code, complained } = await shell(
      "$COMMAND statement $FOLDER/june.csv --orders $FOLDER/orders.csv --csv | true"
    )
    expect([code, complained]).toEqual([1, expect.stringMatching(/(^|\n)The output could not be written: .*EPIPE/)])
  })

  it("a statement that is read to its end is not affected", async () => {
    expect(await shell("$COMMAND statement $FOLDER/june.csv --csv | tail -c 1 > /dev/null")).toEqual({
      code: 0,
      complained: ""
    })
  })
})

describe("withoutCredentials", () => {
  it.each([
    ["postgres://shop:pa55@db.example/shop", "postgres://…@db.example/shop"],
    [" Postgres://shop:pa55@db.example/shop", "Postgres://…@db.example/shop"],
    ["mysql://shop:p@55:w@db.example/shop", "mysql://…@db.example/shop"],
    ["postgres:/shop:pa55@db.example", "postgres:/…@db.example"],
    ["shop:pa55@db.example/shop", "…@db.example/shop"],
    [
      "postgres://db.example/shop?user=shop&password=pa55&ssl=true",
      "postgres://db.example/shop?user=shop&password=…&ssl=true"
    ],
    ["host=db.example password=pa55 dbname=shop", "host=db.example password=… dbname=shop"],
    ["shop.db", "shop.db"]
  ])("shows of %s no user and no password", (address, shown) => {
    expect(withoutCredentials(address)).toBe(shown)
  })
})

describe("An address in a wrong place", () => {
  const address = "postgres://shop:pa55@db.example/shop"

  it.each([
    [[address]],
    [["ledger", address]],
    [["ledger", "list", address]],
    [["ledger", "list", ` ${address}`]],
    [["ledger", `--${address}`]],
    [["statement", address]],
    [["statement", "june.csv", `--ledger${address}`]],
    [["init", address]],
    [["check", address]],
    [["show", address]],
    [["trigger", address]],
    [["local-gateway", "--data", address, "--port", "0"]],
    [["ledger", "list", "postgres://db.example/shop?password=pa55"]],
    [["ledger", "list", "--store", "host=db.example password=pa55"]]
  ])("is repeated without user and password: %j", async (args) => {
    const { code, complained, said } = await start(...args).ended
    expect(code).not.toBe(0)
    expect(said + complained).toContain("db.example")
    expect(said + complained).not.toContain("pa55")
  })
})
