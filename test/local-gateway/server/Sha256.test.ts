import { assert, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { createHash } from "node:crypto"
import { sha256 } from "../../../src/local-gateway/server/Sha256.js"

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

describe("SHA-256", () => {
  it("is that of Node.js, for every length around the ends of a block", () => {
    for (let length = 0; length <= 200; length++) {
      const text = "ž€".repeat(length).slice(0, length)
      assert.strictEqual(hex(sha256(text)), createHash("sha256").update(text).digest("hex"), `length ${length}`)
    }
  })
})

describe("Without Node.js", () => {
  it("pages, pictures and web requests have all they need", async () => {
    const { metafile, outputFiles } = await build({
      bundle: true,
      entryPoints: ["server/HtmlPage", "server/WebRequest", "server/FaultedResponse", "documents/QrPicture"].map(
        (path) => `src/local-gateway/${path}.ts`
      ),
      external: ["node:*", "effect/*"],
      format: "esm",
      metafile: true,
      outdir: "unwritten",
      write: false
    })
    const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
    assert.deepStrictEqual(
      imported.filter((path) => !path.startsWith("effect/")),
      []
    )
    for (const { path, text } of outputFiles) assert.notMatch(text, /\bBuffer\b/, path)
  })
})
