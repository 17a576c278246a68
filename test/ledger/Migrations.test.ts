import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { fileStore, ledgerSchema } from "../../src/ledger/promise/index.js"
import { tableNames } from "../../src/ledger/store/Sql.js"
import { describeMigrations } from "./MigrationScenes.js"

const open = async () => {
  const folder = mkdtempSync(join(tmpdir(), "migrations-"))
  const store = fileStore(join(folder, "gopay.db"), { driver: Database })
  return { store, end: async () => rmSync(folder, { recursive: true, force: true }) }
}

describeMigrations("a file", open)

it.each(["sqlite", "postgres"] as const)("the tables of %s are those whose names get a schema", (dialect) => {
  const schema = ledgerSchema(dialect).join("\n")
  const created = Array.from(
    schema.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(?:"gopay"\.)?(\w+)/g),
    ([, name]) => name
  )
  expect(new Set(created)).toEqual(new Set(tableNames))
})

describe("ledgerSchema for SQLite", () => {
  it("gives the steps from a version on", async () => {
    const { end, store } = await open()
    for (const statement of ledgerSchema("sqlite", { installation: "Jana's" })) await store.query(statement, [])
    expect(await store.query("SELECT version, min_reader, installation FROM gopay_ledger", [])).toEqual([
      { version: 1, min_reader: 1, installation: "Jana's" }
    ])
    expect(ledgerSchema("sqlite", { from: 1 })).toEqual([])
    await store.close()
    await end()
  })

  it.each([[{ from: -1 }], [{ from: 1.5 }], [{ from: 99 }], [{ installation: "" }], [{ installation: "a$b" }]])(
    "refuses %o",
    (options) => {
      expect(() => ledgerSchema("sqlite", options)).toThrow(TypeError)
    }
  )
})
