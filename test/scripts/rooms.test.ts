/**
 * The order of rooms, held against the imports of the sources and of examples.
 */
import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, posix } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { mapPage, rooms, withRoomMap } from "../../scripts/rooms.js"
import { root } from "../../scripts/root.js"

const text = (path: string): string => readFileSync(join(root, path), "utf8")

const modules = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(ts|js)$/.test(path))
  .map((path) => posix.join("src", path.replaceAll("\\", "/")))

const roomOf = (module: string) => {
  const path = posix.relative("src", module)
  return rooms.find((room) => room.path === path) ?? rooms.find((room) => room.path === posix.dirname(path))
}

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

  it("says what each folder holds: run `npx tsx scripts/writeArchitecture.ts` after a change", () => {
    expect(rooms.filter(({ holds, path }) => (holds === "") !== path.endsWith(".ts"))).toEqual([])
    expect(text(mapPage)).toBe(withRoomMap(text(mapPage)))
    expect(withRoomMap("```\nsrc/old  gone\n```\n")).not.toContain("gone")
  })

  it("is the order in which modules import each other", () => {
    expect(modules.flatMap((path) => refused(path, text(path)).map((name) => `${path}: ${name}`))).toEqual([])
  })
})

/** Modules as no one may write them, and the import that is refused. */
const wrong: Readonly<Record<string, { readonly code: string; readonly refused: string }>> = {
  "src/client/error/LaterRoom.ts": {
    code: `import { run } from "../call/Attempt.js"\nexport const later = run`,
    refused: "../call/Attempt.js"
  },
  "src/client/error/LaterType.ts": {
    code: `import type { Run } from "../call/Attempt.js"\nexport type Later = Run`,
    refused: "../call/Attempt.js"
  },
  "src/client/error/PassedOn.ts": {
    code: `export { run } from "../call/Attempt.js"`,
    refused: "../call/Attempt.js"
  },
  "src/client/error/LoadedLater.ts": {
    code: `export const later = () => import("../call/Attempt.js")`,
    refused: "../call/Attempt.js"
  },
  "src/client/error/Detour.ts": {
    code: `import { run } from "./../call/Attempt.js"\nexport const later = run`,
    refused: "./../call/Attempt.js"
  },
  "src/client/error/InlineType.ts": {
    code: `export type Later = import("../call/Attempt.js").Run`,
    refused: "../call/Attempt.js"
  },
  "src/client/payment/Neighbour.ts": {
    code: `import { reconcile } from "../outcome/Reconcile.js"\nexport const neighbour = reconcile`,
    refused: "../outcome/Reconcile.js"
  },
  "src/client/call/OtherHouse.ts": {
    code: `import { Books } from "../../local-gateway/books/Books.js"\nexport const other = Books`,
    refused: "../../local-gateway/books/Books.js"
  },
  "src/local-gateway/server/OtherHouse.ts": {
    code: `import { Gateway } from "../../client/call/Gateway.js"\nexport const other = Gateway`,
    refused: "../../client/call/Gateway.js"
  },
  "src/local-gateway/books/Upstairs.ts": {
    code: `import { LocalGateway } from "../LocalGateway.js"\nexport const upstairs = LocalGateway`,
    refused: "../LocalGateway.js"
  },
  "src/local-gateway/Unordered.ts": {
    code: `import { startLocalGateway } from "./promise/startLocalGateway.js"\nexport const unordered = startLocalGateway`,
    refused: "./promise/startLocalGateway.js"
  },
  "src/local-gateway/pages/dashboard/script.js": {
    code: `import { startLocalGateway } from "../../promise/startLocalGateway.js"\nexport const script = startLocalGateway`,
    refused: "../../promise/startLocalGateway.js"
  },
  "src/contract/Client.ts": {
    code: `import { Gateway } from "../client/call/Gateway.js"\nexport const client = Gateway`,
    refused: "../client/call/Gateway.js"
  },
  "src/promise/LocalGateway.ts": {
    code: `import { startLocalGateway } from "../local-gateway/promise/index.js"\nexport const local = startLocalGateway`,
    refused: "../local-gateway/promise/index.js"
  },
  "src/client/call/BuiltIn.ts": {
    code: `import { readFileSync } from "node:fs"\nexport const read = readFileSync`,
    refused: "node:fs"
  },
  "src/client/call/Package.ts": {
    code: `import { encode } from "windows-1250"\nexport const other = encode`,
    refused: "windows-1250"
  }
}

const right: Readonly<Record<string, string>> = {
  "src/client/error/Right.ts": `import { language } from "../../contract/CodeLists.js"
import { send } from "../transport/Transport.js"
import { reason } from "./Reason.js"
import * as HttpClient from "effect/http/HttpClient"
export const right = [language, send, reason, HttpClient]`,
  "src/client/error/Reason.ts": `import { language } from "../../contract/CodeLists.js"
export const reason = language`,
  "src/local-gateway/Right.ts": `import { Books } from "./books/Books.js"
export const right = Books`
}

describe("the order of rooms", () => {
  it.each(Object.entries(wrong))("refuses %s", (path, { code, refused: name }) => {
    expect(refused(path, code)).toEqual([name])
  })

  it.each(Object.entries(right))("lets %s pass", (path, code) => {
    expect(importsOf(code).length).toBeGreaterThan(0)
    expect(refused(path, code)).toEqual([])
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
