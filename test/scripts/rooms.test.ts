/**
 * The order of rooms, held against the imports of the sources and of examples.
 */
import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, posix } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { ledgerPage, withLedgerData } from "../../scripts/ledgerPage.js"
import { mapPage, roomOf, rooms, withRoomMap } from "../../scripts/rooms.js"
import { root } from "../../scripts/root.js"
import { structureFile, structureReport } from "../../scripts/structure.js"

const text = (path: string): string => readFileSync(join(root, path), "utf8")

const modules = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(ts|js)$/.test(path))
  .map((path) => posix.join("src", path.replaceAll("\\", "/")))

/** What a module imports: statements, types (`import type`, `import("…").Name`) and what is loaded later. */
const importsOf = (code: string): ReadonlyArray<string> =>
  Array.from(
    code
      .replace(/\/\*[^]*?\*\/|`[^`\n]*`/g, "")
      .matchAll(/^(?:import|export)\b(?:[^"'`;=]*?\bfrom)? ?"([^"]+)"|\bimport\("([^"]+)"\)/gm),
    ([, statement, call]) => statement ?? call ?? ""
  )

/** The imports that a module at a path may not have. */
const refused = (path: string, code: string): ReadonlyArray<string> => {
  const room = roomOf(path)
  return importsOf(code).filter((name) => {
    if (!name.startsWith(".")) return !(name.startsWith("effect/") || room?.packages.includes(name))
    const module = posix.join(posix.dirname(path), name)
    const source = module.replace(/\.js$/, ".ts")
    const target = roomOf(existsSync(join(root, module)) ? module : source)
    return target === undefined || !room?.rooms.has(target.path)
  })
}

describe("the list of rooms", () => {
  it("has every folder of src, and nothing that is not there", () => {
    expect(modules.filter((path) => roomOf(path) === undefined)).toEqual([])
    expect(rooms.filter(({ path }) => !existsSync(join(root, "src", path)))).toEqual([])
  })

  it("says what each folder holds: run `npm run architecture` after a change", () => {
    expect(rooms.filter(({ holds, path }) => (holds === "") !== path.endsWith(".ts"))).toEqual([])
    expect(text(mapPage)).toBe(withRoomMap(text(mapPage)))
    expect(withRoomMap("```\nsrc/old  gone\n```\n")).not.toContain("gone")
  })

  it("is the order in which modules import each other", () => {
    expect(modules.flatMap((path) => refused(path, text(path)).map((name) => `${path}: ${name}`))).toEqual([])
  })
})

describe("the report of the structure", () => {
  it("is what the sources say: run `npm run architecture` after a change", () => {
    expect(text(structureFile)).toBe(structureReport())
  })
})

describe("the order of rooms", () => {
  const later = "src/client/error/Later.ts"

  it.each([
    ["a statement", `import { run } from "../call/Attempt.js"`, "../call/Attempt.js"],
    ["a type", `export type Later = import("../call/Attempt.js").Run`, "../call/Attempt.js"],
    ["what is loaded later", `export const later = () => import("../call/Attempt.js")`, "../call/Attempt.js"],
    ["a package that the room does not have", `import { encode } from "windows-1250"`, "windows-1250"]
  ])("refuses %s of a later room", (_, code, name) => {
    expect(refused(later, code)).toEqual([name])
  })
})

describe("the linter", () => {
  const folder = mkdtempSync(join(tmpdir(), "rooms-"))

  afterAll(() => rmSync(folder, { recursive: true }))

  it("refuses a circle, though it is one of types", async () => {
    cpSync(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"))
    writeFileSync(join(folder, "One.ts"), `import type { Two } from "./Two.js"\nexport type One = Two | 1\n`)
    writeFileSync(join(folder, "Two.ts"), `import type { One } from "./One.js"\nexport type Two = One | 2\n`)
    const report = await new Promise<string>((resolve) => {
      const linter = join(root, "node_modules/oxlint/bin/oxlint")
      execFile(process.execPath, [linter, "-f", "json"], { cwd: folder }, (_error, stdout) => resolve(stdout))
    })
    const { diagnostics }: { readonly diagnostics: ReadonlyArray<{ readonly message: string }> } = JSON.parse(report)
    expect(diagnostics.filter(({ message }) => message.includes("Dependency cycle"))).toHaveLength(2)
  })
})

describe("the pictures and tables of the ledger", () => {
  it("are those of its duties, its wakes and the states of a payment: run `npm run architecture` after a change", () => {
    expect(text(ledgerPage)).toBe(withLedgerData(text(ledgerPage)))
  })

  it.each(["| duty ", "| when ", "| progress ", "the duties ", "CREATED "])(
    "are written where one begins with %s",
    (first) => {
      const page = text(ledgerPage)
      const at = page.indexOf(`\n${first}`)
      const [head = "", next = ""] = page.slice(at + 1).split("\n")
      expect(withLedgerData(page.replace(`\n${head}\n${next}\n`, `\n${head}\n`))).toBe(page)
      expect(() => withLedgerData(page.replace(`\n${first}`, "\nmoved "))).toThrow(/has no/)
    }
  )
})
