/**
 * Two copies of `effect` in one process, as a package manager may install them: one that the shop imports, and one that the
 * package does.
 */
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"

const root = join(import.meta.dirname, "../..")

it("a shop of another copy of effect reads and refunds once, and is told by what its Redacted was made", () => {
  const project = mkdtempSync(join(tmpdir(), "two-copies-"))
  try {
    const modules = join(project, "node_modules")
    mkdirSync(modules)
    const filter = (path: string) => !/\.(map|d\.ts)$/.test(path)
    for (const part of ["dist", "package.json"]) {
      cpSync(join(root, "node_modules/effect", part), join(modules, "effect", part), { recursive: true, filter })
    }
    symlinkSync(root, join(modules, "effect-gopay"))
    const shop = join(project, "shop.mts")
    cpSync(join(import.meta.dirname, "ShopOfAnotherEffect.ts"), shop)
    const printed = execFileSync(process.execPath, ["--import", "tsx", shop], { cwd: root, encoding: "utf8" })
    const [told, ...logged] = printed.trim().split("\n").toReversed()
    expect(JSON.parse(told ?? "")).toEqual({
      redacted: expect.stringMatching(
        /clientSecret: cannot be read: its Redacted was wiped, or made by another copy of effect/
      ),
      read: "PAID",
      lost: "refundPayment",
      retried: "refundPayment",
      changes: 2
    })
    expect(logged).toEqual([
      expect.stringContaining("The HttpClient was about to send a change again, and was stopped")
    ])
  } finally {
    rmSync(project, { recursive: true })
  }
})
