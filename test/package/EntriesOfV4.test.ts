/**
 * No client of v3 carries anything of API v4: neither its modules nor its addresses and names. No client of v4 carries v3's endpoints.
 */
import { build } from "esbuild"
import { describe, expect, it } from "vitest"
import * as Endpoint from "../../src/contract/Endpoint.js"
import { root } from "../../scripts/root.js"

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

describe("API v4", () => {
  it.each(["dist/index.js", "dist/promise/index.js", "dist/promise/index.cjs"])("is no part of %s", async (entry) => {
    const { modules, text } = await loaded(entry)
    expect(modules.filter((module) => /v4/i.test(module))).toEqual([])
    expect(text).not.toMatch(/\w+V4\b|api\/4\.0|"v4\./)
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
