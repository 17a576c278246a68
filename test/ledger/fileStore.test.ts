import Database from "libsql"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest"
import {
  createLedger,
  fileStore,
  type LedgerStore,
  type SqliteConnection,
  type SqliteTransaction
} from "../../src/ledger/promise/index.js"
import { createGatewayClient } from "../../src/promise/index.js"

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

const noGateway = createGatewayClient({ clientId: "1", clientSecret: "2", goid: 8_123_456_781, environment: "sandbox" })

/** As strict as better-sqlite3, and without its word on whether a transaction is open. */
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

const seen = () => other.prepare("SELECT value FROM row ORDER BY id").all()

describe("fileStore", () => {
  it("keeps a whole ledger in memory, transactions included", async () => {
    const memory = fileStore(":memory:", { driver: Database })
    const ledger = createLedger({ gateway: noGateway, store: memory })
    await ledger.migrate()
    await memory.transaction(async (tx) => {
      await tx.query("CREATE TABLE complaint (id TEXT)", [])
      await ledger.submit(tx, "7", { refund: 3_000_000_003, amount: 500 })
    })
    expect(await ledger.getOutcome("7")).toMatchObject({ _tag: "Pending", status: "queued" })
    const lost = memory.transaction(async (tx) => {
      await ledger.submit(tx, "8", { refund: 3_000_000_003, amount: 500 })
      throw new Error("rolled back")
    })
    await expect(lost).rejects.toThrow("rolled back")
    expect(await ledger.getOutcome("8")).toBeUndefined()
    await ledger.close()
  })

  // libsql leaves a statement open that found the file busy. What came after it was never committed.
  it("reads no file for what is in memory: Deno would ask for the right to", async () => {
    const files: { statSync: unknown } = process.getBuiltinModule("node:fs")
    const { statSync } = files
    const inMemory = fileStore(":memory:", { driver: Database })
    files.statSync = () => {
      throw new Error("Requires read access")
    }
    try {
      expect(await inMemory.query("SELECT 1 AS one", [])).toEqual([{ one: 1 }])
      await expect(fileStore(join(folder, "other.db"), { driver: Database }).query("SELECT 1", [])).rejects.toThrow(
        "Requires read access"
      )
    } finally {
      files.statSync = statSync
    }
    await inMemory.close()
  })

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
    const strict = fileStore(path, { driver: Strict })
    await strict.query("UPDATE row SET value = 'two' WHERE id = ?", [1])
    expect(await strict.query("SELECT value FROM row", [])).toEqual([{ value: "two" }])
    await strict.close()
  })

  it("commits what is left of a transaction whose failed statement was caught", async () => {
    await store.transaction(async (tx) => {
      await tx.query("INSERT INTO row VALUES (1, 'again')", []).catch(() => undefined)
      await tx.query("INSERT INTO row VALUES (2, 'two')", [])
    })
    expect(seen()).toEqual([{ value: "one" }, { value: "two" }])
  })

  it.each([
    ["libsql", Database],
    ["a driver that does not tell whether a transaction is open", Strict]
  ])("writes nothing of a transaction that SQLite has rolled back by itself, and says so: %s", async (_, driver) => {
    const other = fileStore(path, { driver })
    const later: Array<unknown> = []
    const lost = other.transaction(async (tx) => {
      await tx.query("INSERT INTO row VALUES (2, 'before')", [])
      await tx.query("INSERT OR ROLLBACK INTO row VALUES (1, 'again')", []).catch(() => undefined)
      later.push(await tx.query("INSERT INTO row VALUES (3, 'after')", []).catch((error) => error))
    })
    await expect(lost).rejects.toThrow("Nothing of this transaction is written")
    expect(later).toMatchObject([{ name: "TransactionLost" }])
    expect(seen()).toEqual([{ value: "one" }])
    await other.transaction((tx) => tx.query("INSERT INTO row VALUES (4, 'four')", []))
    expect(seen()).toEqual([{ value: "one" }, { value: "four" }])
    await other.close()
  })

  it("prepares a statement once for a connection", async () => {
    const prepare = vi.spyOn(Database.prototype, "prepare")
    onTestFinished(() => prepare.mockRestore())
    for (const id of [1, 2, 3]) await store.query("SELECT value FROM row WHERE id = ?", [id])
    expect(prepare.mock.calls).toEqual([["SELECT value FROM row WHERE id = ?"]])
  })

  it("sees the table as another process has altered it since a statement was prepared", async () => {
    const select = () => store.query("SELECT * FROM row", [])
    const insert = () => store.query("INSERT INTO row (value) VALUES (NULL) RETURNING *", [])
    expect(await select()).toEqual([{ id: 1, value: "one" }])
    expect(await insert()).toEqual([{ id: 2, value: null }])
    other.exec("ALTER TABLE row ADD COLUMN added TEXT DEFAULT 'new'")
    expect(await insert()).toEqual([{ id: 3, value: null, added: "new" }])
    expect(await select()).toContainEqual({ id: 1, value: "one", added: "new" })
    other.exec("ALTER TABLE row DROP COLUMN added")
    expect(await insert()).toEqual([{ id: 4, value: null }])
  })

  it("says that its own transaction was ended within, and what came later is not written", async () => {
    const ended = store.transaction(async (tx) => {
      await tx.query("ROLLBACK", [])
      await tx.query("INSERT INTO row VALUES (3, 'after')", [])
    })
    await expect(ended).rejects.toThrow("Nothing of this transaction is written")
    expect(seen()).toEqual([{ value: "one" }])
  })

  it("lets no one find a connection closed that another statement has discarded", async () => {
    other.exec("BEGIN IMMEDIATE")
    const insert = (id: number) => store.query("INSERT INTO row VALUES (?, ?) RETURNING id", [id, `${id}`])
    const written = Promise.allSettled([2, 3, 4, 1, 5, 6].map(insert))
    await new Promise((resolve) => setTimeout(resolve, 30))
    other.exec("COMMIT")
    expect((await written).map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled"
    ])
  })

  it("says that a file cannot be opened", async () => {
    const none = fileStore(join(folder, "none", "gopay.db"), { driver: Database })
    await expect(none.query("SELECT 1 AS one", [])).rejects.toThrow(/none.gopay\.db cannot be opened/)
    const local = createLedger({ gateway: noGateway, store: none })
    await expect(local.getOutcome("a")).rejects.toMatchObject({
      reason: { _tag: "LedgerUnavailable", message: expect.stringContaining("cannot be opened") },
      cause: expect.objectContaining({ message: expect.stringContaining("14") })
    })
    await local.close()
    const text = join(folder, "text.db")
    writeFileSync(text, "This is not a database. ".repeat(100))
    const strange = fileStore(text, { driver: Database })
    await expect(strange.query("SELECT 1 AS one", [])).rejects.toThrow(/text\.db cannot be opened as an SQLite file/)
  })

  it("says that the disk is full, and has written nothing", async () => {
    class Small extends Database {
      constructor(path: string) {
        super(path)
        this.exec("PRAGMA max_page_count = 4")
      }
    }
    const small = fileStore(path, { driver: Small })
    const much = "x".repeat(100_000)
    await expect(small.query("INSERT INTO row VALUES (2, ?)", [much])).rejects.toThrow("the disk of")
    const inTransaction = small.transaction(async (tx) => {
      await tx.query("INSERT INTO row VALUES (3, 'three')", [])
      await tx.query("INSERT INTO row VALUES (2, ?)", [much])
    })
    await expect(inTransaction).rejects.toThrow("is full")
    expect(seen()).toEqual([{ value: "one" }])
    await small.close()
  })
})
