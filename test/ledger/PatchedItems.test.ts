import Database from "libsql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileStore } from "../../src/ledger/promise/index.js"
import { describePatchedItems } from "./PatchedItems.js"

describePatchedItems("a file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "patched-items-"))
  return {
    store: fileStore(join(folder, "gopay.db"), { driver: Database }),
    end: async () => rmSync(folder, { recursive: true, force: true })
  }
})
