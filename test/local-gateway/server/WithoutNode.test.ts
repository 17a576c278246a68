import { assert, describe, it } from "@effect/vitest"
import { build } from "esbuild"

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
