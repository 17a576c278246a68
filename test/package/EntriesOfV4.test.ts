/**
 * No entry of v3 carries anything of API v4: neither its modules nor its addresses and names. No client of v4 carries v3's endpoints.
 */
import { build } from "esbuild"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as Endpoint from "../../src/contract/Endpoint.js"
import { root } from "../../scripts/root.js"
import { declaredBy } from "./declaredBy.js"

/** The modules that an entry loads, and their text. */
const loaded = async (entry: string) => {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    entryPoints: [entry],
    external: ["#transport"],
    format: "esm",
    logOverride: { "ignored-bare-import": "silent" },
    metafile: true,
    packages: "external",
    platform: "node",
    treeShaking: false,
    write: false
  })
  return { modules: Object.keys(metafile.inputs), text: outputFiles.map((file) => file.text).join("\n") }
}

/** The entries without the local gateway, which speaks both APIs. */
const entriesOfV3 = [
  "dist/index",
  "dist/promise/index",
  "dist/node/index",
  "dist/schema/index",
  "dist/ledger/index",
  "dist/ledger/promise/index",
  "dist/statement/index"
]

/** The names of v4 in declarations, without comments and addresses of modules. */
const namesOfV4 = (declarations: string): ReadonlyArray<string> =>
  declarations.replaceAll(/\/\*[^]*?\*\/|"\.[^"]*"/g, "").match(/\w*V4\b|"v4\.\w+"/gi) ?? []

describe("API v4", () => {
  it.each([
    ...entriesOfV3.map((entry) => `${entry}.js`),
    "dist/promise/index.cjs",
    "dist/ledger/promise/index.cjs",
    "dist/statement/index.cjs"
  ])("is no part of %s", async (entry) => {
    const { modules, text } = await loaded(entry)
    expect(modules.filter((module) => /v4/i.test(module))).toEqual([])
    expect(text).not.toMatch(/\w+V4\b|api\/4\.0|"v4\./)
  })

  it.each(entriesOfV3.map((entry) => `${entry}.d.ts`))("has no name in the declarations of %s", (entry) => {
    const { files } = declaredBy(entry)
    const named = files.map((file) => [file, namesOfV4(readFileSync(join(root, "dist", file), "utf8"))] as const)
    expect(named.filter(([, names]) => names.length > 0)).toEqual([])
  })

  it("has names in the declarations of its own entries, which the same search finds", () => {
    for (const entry of ["dist/client/v4/index.d.ts", "dist/promise/v4/index.d.ts", "dist/schema/v4/index.d.ts"]) {
      const { files } = declaredBy(entry)
      expect(files.flatMap((file) => namesOfV4(readFileSync(join(root, "dist", file), "utf8")))).not.toEqual([])
    }
  })

  it.each(["dist/client/v4/index.js", "dist/promise/v4/index.js"])("is in %s", async (entry) => {
    const { text } = await loaded(entry)
    expect(text).toContain("/gp-gw/api/4.0")
  })
})

describe("API v3", () => {
  const pathsOfV3 = Object.values(Endpoint)
    .map(({ path }) => path)
    .filter((path) => path !== Endpoint.getAccessToken.path)

  it.each(["dist/client/v4/index.js", "dist/promise/v4/index.js", "dist/promise/v4/index.cjs"])(
    "has no endpoint in %s",
    async (entry) => {
      const { text } = await loaded(entry)
      expect(pathsOfV3.filter((path) => text.includes(`"${path}"`))).toEqual([])
    }
  )

  it.each(["dist/index.js", "dist/promise/index.js"])("has its endpoints in %s", async (entry) => {
    const { text } = await loaded(entry)
    expect(pathsOfV3.filter((path) => !text.includes(`"${path}"`))).toEqual([])
  })
})
