/**
 * The order of rooms, and what the linter says to who crosses it.
 */
import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, posix } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { rooms } from "../../scripts/rooms.js"
import { roomRules } from "../../scripts/roomRules.js"
import { root } from "../../scripts/root.js"

const text = (path: string): string => readFileSync(join(root, path), "utf8")

const modules = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(ts|js)$/.test(path))
  .map((path) => posix.join("src", path.replaceAll("\\", "/")))

describe("the table of rooms", () => {
  it("has every folder of src, and nothing that is not there", () => {
    const paths = rooms.map(({ path }) => path)
    expect(modules.filter((path) => !paths.includes(path) && !paths.includes(posix.dirname(path)))).toEqual([])
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it("is what the linter's rules are made of: run `npm run rooms` after a change", () => {
    expect(text(".oxlintrc.rooms.json")).toBe(roomRules())
  })
})

/** Modules as no one may write them, and what the linter says of each. */
const wrong: Readonly<Record<string, { readonly code: string; readonly says: RegExp }>> = {
  "src/client/error/LaterRoom.ts": {
    code: `import { run } from "../call/Attempt.js"\nexport const later = run`,
    says: /src\/client\/error may import only .*src\/client\/transport.*scripts\/rooms\.ts/
  },
  "src/client/error/LaterType.ts": {
    code: `import type { Run } from "../call/Attempt.js"\nexport type Later = Run`,
    says: /src\/client\/error may import only/
  },
  "src/client/error/PassedOn.ts": {
    code: `export { run } from "../call/Attempt.js"`,
    says: /src\/client\/error may import only/
  },
  "src/client/error/LoadedLater.ts": {
    code: `export const later = () => import("../call/Attempt.js")`,
    says: /src\/client\/error may import only/
  },
  "src/client/error/Detour.ts": {
    code: `import { run } from "./../call/Attempt.js"\nexport const later = run`,
    says: /src\/client\/error may import only/
  },
  "src/client/error/InlineType.ts": {
    code: `export type Later = import("../call/Attempt.js").Run`,
    says: /import type/
  },
  "src/client/payment/Neighbour.ts": {
    code: `import { reconcile } from "../outcome/Reconcile.js"\nexport const neighbour = reconcile`,
    says: /src\/client\/payment may import only/
  },
  "src/client/gateway/OtherHouse.ts": {
    code: `import { Books } from "../../local-gateway/books/Books.js"\nexport const other = Books`,
    says: /src\/client\/gateway may import only/
  },
  "src/local-gateway/http/OtherHouse.ts": {
    code: `import { Gateway } from "../../client/gateway/Gateway.js"\nexport const other = Gateway`,
    says: /src\/local-gateway\/http may import only/
  },
  "src/local-gateway/books/Upstairs.ts": {
    code: `import { LocalGateway } from "../LocalGateway.js"\nexport const upstairs = LocalGateway`,
    says: /src\/local-gateway\/books may import only/
  },
  "src/local-gateway/Unordered.ts": {
    code: `import { startLocalGateway } from "./promise/startLocalGateway.js"\nexport const unordered = startLocalGateway`,
    says: /src\/local-gateway may import only/
  },
  "src/local-gateway/dashboard/browser/script.js": {
    code: `import { startLocalGateway } from "../../promise/startLocalGateway.js"\nexport const script = startLocalGateway`,
    says: /src\/local-gateway\/dashboard\/browser may import only/
  },
  "src/api/Client.ts": {
    code: `import { Gateway } from "../client/gateway/Gateway.js"\nexport const client = Gateway`,
    says: /src\/api may import only/
  },
  "src/promise/LocalGateway.ts": {
    code: `import { startLocalGateway } from "../local-gateway/promise/index.js"\nexport const local = startLocalGateway`,
    says: /src\/promise may import only/
  },
  "src/client/token/BuiltIn.ts": {
    code: `import { readFileSync } from "node:fs"\nexport const read = readFileSync`,
    says: /src\/client\/token may import only/
  },
  "src/client/token/Package.ts": {
    code: `import { encode } from "windows-1250"\nexport const other = encode`,
    says: /src\/client\/token may import only/
  },
  "src/client/error/Effectful.plain.ts": {
    code: `import type * as Effect from "effect/Effect"\nexport type Effectful = Effect.Effect<void>`,
    says: /A \.plain module may import only \.plain modules/
  },
  "src/promise/Effectful.plain.ts": {
    code: `import type { Run } from "../client/call/Attempt.js"\nexport type Effectful = Run`,
    says: /A \.plain module may import only \.plain modules/
  },
  "src/client/call/Circle.ts": {
    code: `import type { Other } from "./OtherCircle.js"\nexport type Circle = Other | 1`,
    says: /Dependency cycle/
  },
  "src/client/call/OtherCircle.ts": {
    code: `import type { Circle } from "./Circle.js"\nexport type Other = Circle | 2`,
    says: /Dependency cycle/
  }
}

const right: Readonly<Record<string, string>> = {
  "src/client/error/Right.ts": `import { language } from "../../api/CodeLists.plain.js"
import { send } from "../transport/Transport.js"
import { reason } from "./Reason.plain.js"
import * as HttpClient from "effect/http/HttpClient"
export const right = [language, send, reason, HttpClient]`,
  "src/client/error/Reason.plain.ts": `import { language } from "../../api/CodeLists.plain.js"
export const reason = language`,
  "src/local-gateway/Right.ts": `import { Books } from "./books/Books.js"
export const right = Books`
}

interface Finding {
  readonly filename: string
  readonly message: string
  readonly help?: string
}

describe("the linter", () => {
  const folder = mkdtempSync(join(tmpdir(), "rooms-"))
  const findings = new Map<string, string>()

  beforeAll(async () => {
    for (const file of [".oxlintrc.json", ".oxlintrc.rooms.json"]) cpSync(join(root, file), join(folder, file))
    const files = [...Object.entries(wrong).map(([path, { code }]) => [path, code] as const), ...Object.entries(right)]
    for (const [path, code] of files) {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      writeFileSync(join(folder, path), `${code}\n`)
    }
    const linter = join(root, "node_modules/oxlint/bin/oxlint")
    const report = await new Promise<string>((resolve) => {
      execFile(process.execPath, [linter, "-f", "json"], { cwd: folder }, (_error, stdout) => resolve(stdout))
    })
    const { diagnostics }: { readonly diagnostics: ReadonlyArray<Finding> } = JSON.parse(report)
    for (const { filename, help = "", message } of diagnostics) {
      findings.set(filename, `${findings.get(filename) ?? ""}${message} ${help}\n`)
    }
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(Object.entries(wrong))("refuses %s", (path, { says }) => {
    expect(findings.get(path)).toMatch(says)
  })

  it.each(Object.keys(right))("lets %s pass", (path) => {
    expect(findings.get(path)).toBeUndefined()
  })
})
