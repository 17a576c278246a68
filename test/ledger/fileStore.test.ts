import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  fileStore,
  type LedgerStore,
  type SqliteConnection,
  type SqliteTransaction
} from "../../src/ledger/promise/index.js"

let folder: string
let path: string
let store: LedgerStore<SqliteTransaction>
let other: Database.Database

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "file-store-"))
  path = join(folder, "gopay.db")
  store = fileStore(path, { driver: Database })
  await store.query("CREATE TABLE row (id INTEGER PRIMARY KEY, value TEXT UNIQUE)", [])
  await store.query("INSERT INTO row VALUES (1, 'one')", [])
  other = new Database(path)
})

afterEach(async () => {
  other.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const seen = () => other.prepare("SELECT value FROM row ORDER BY id").all()

describe("fileStore", () => {
  // libsql leaves a statement open that found the file busy. What came after it was never committed.
  it("has committed what it says it has written, also after the file was busy", async () => {
    other.exec("BEGIN IMMEDIATE")
    const written = store.query("UPDATE row SET value = 'two' WHERE id = 1 RETURNING *", [])
    await new Promise((resolve) => setTimeout(resolve, 30))
    other.exec("COMMIT")
    expect(await written).toEqual([{ id: 1, value: "two" }])
    expect(seen()).toEqual([{ value: "two" }])
  })

  it("has committed what it says it has written, also after a statement failed", async () => {
    await store.query("INSERT INTO row VALUES (2, 'other')", [])
    await expect(store.query("UPDATE row SET value = 'other' WHERE id = 1 RETURNING *", [])).rejects.toThrow("UNIQUE")
    await store.query("UPDATE row SET value = 'two' WHERE id = 1 RETURNING *", [])
    expect(seen()).toEqual([{ value: "two" }, { value: "other" }])
  })

  it("keeps a transaction of the shop's apart: it reads what is committed, and nothing more", async () => {
    const failed = store.transaction(async (tx) => {
      await tx.query("UPDATE row SET value = 'draft' WHERE id = 1", [])
      expect(await store.query("SELECT value FROM row", [])).toEqual([{ value: "one" }])
      throw new Error("rolled back")
    })
    await expect(failed).rejects.toThrow("rolled back")
    await store.transaction((tx) => tx.query("UPDATE row SET value = 'final' WHERE id = 1", []))
    expect(seen()).toEqual([{ value: "final" }])
  })

  it("keeps a transaction of the shop's apart: what the ledger writes meanwhile is not rolled back with it", async () => {
    let marked: Promise<unknown> = Promise.resolve()
    const failed = store.transaction(async (tx) => {
      await tx.query("UPDATE row SET value = 'draft' WHERE id = 1", [])
      marked = store.query("INSERT INTO row VALUES (2, 'mark')", [])
      await new Promise((resolve) => setTimeout(resolve, 30))
      throw new Error("rolled back")
    })
    await expect(failed).rejects.toThrow("rolled back")
    await marked
    expect(seen()).toEqual([{ value: "one" }, { value: "mark" }])
  })

  it("runs nothing in a transaction that has ended", async () => {
    const query = await store.transaction(async (tx) => tx.query)
    await expect(query("UPDATE row SET value = 'late' WHERE id = 1", [])).rejects.toThrow("ended")
  })

  it("asks no statement for rows that has none: better-sqlite3 refuses that", async () => {
    class Strict implements SqliteConnection {
      readonly database: Database.Database
      constructor(path: string) {
        this.database = new Database(path)
      }
      readonly exec = (sql: string) => this.database.exec(sql)
      readonly close = () => this.database.close()
      readonly prepare = (sql: string) => {
        const statement = this.database.prepare(sql)
        const reader = /^\s*SELECT|RETURNING/.test(sql)
        const all = (...values: Array<unknown>) => {
          if (!reader) throw new TypeError("This statement does not return data. Use run() instead")
          return statement.all(...values)
        }
        return { reader, all, run: (...values: Array<unknown>) => statement.run(...values) }
      }
    }
    const strict = fileStore(path, { driver: Strict })
    await strict.query("UPDATE row SET value = 'two' WHERE id = ?", [1])
    expect(await strict.query("SELECT value FROM row", [])).toEqual([{ value: "two" }])
    await strict.close()
  })
})
