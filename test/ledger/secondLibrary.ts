/**
 * A second SQLite library in this process: a copy of libsql, which knows nothing of the locks of the first one.
 */
import type Database from "libsql"
import { cpSync, mkdtempSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

let loaded: typeof Database | undefined

/** It stays for as long as the process runs: what is loaded cannot be unloaded. */
export const secondLibrary = (): typeof Database => {
  if (loaded !== undefined) return loaded
  const folder = join(mkdtempSync(join(tmpdir(), "second-library-")), "node_modules")
  const modules = join(dirname(createRequire(import.meta.url).resolve("libsql")), "..")
  for (const name of ["libsql", "@libsql", "@neon-rs"]) {
    cpSync(join(modules, name), join(folder, name), { recursive: true })
  }
  loaded = createRequire(join(folder, "package.json"))("libsql")
  if (loaded === undefined) throw new Error("The copy of libsql exports nothing.")
  return loaded
}
