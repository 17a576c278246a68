/**
 * Builds `dist` from `src`: `npm run build`. It contains what is published, and `bundles.json`. With `--check` it also
 * checks the types of tests, examples and scripts, which use the declarations: `npm run check`.
 */
import { build } from "esbuild"
import { spawn } from "node:child_process"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { writeNotices } from "./banner.js"
import { writeBundles, writeServed } from "./bundles.js"
import { writeDeclarations } from "./declarations.js"
import { controlDocument } from "./openapi/ControlOpenApi.js"
import { openApiDocument } from "./openapi/OpenApi.js"
import { recipes } from "./recipes.js"
import { root } from "./root.js"
import { unreachableModules } from "./unreachable.js"
import { seedJsonSchema } from "../src/local-gateway/books/SeedSchema.js"

/** Without whitespace: only programs read it. */
const writeJson = (path: string, value: unknown): void => writeFileSync(join(root, path), `${JSON.stringify(value)}\n`)

const compile = (...args: ReadonlyArray<string>): Promise<void> =>
  new Promise((resolve) => {
    const compiler = join(root, "node_modules/typescript/bin/tsc")
    spawn(process.execPath, [compiler, ...args], { cwd: root, stdio: "inherit" }).on("close", (code) => {
      if (code !== 0) process.exit(1) // The compiler has said why.
      resolve()
    })
  })

/** The modules without types and comments. Names and lines in stack traces are those of the sources. */
const writeModules = async (): Promise<void> => {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  await build({
    absWorkingDir: root,
    charset: "utf8",
    entryPoints: sources.filter((path) => path.endsWith(".ts")).map((path) => `src/${path}`),
    format: "esm",
    outbase: "src",
    outdir: "dist",
    target: "es2022"
  })
}

/**
 * The entries with Effect, under self-explanatory names: if `effect` is missing or too old, their modules cannot be
 * loaded, so our own code cannot report it. The loader's error names the file that failed first, and with it the entry
 * that does not need Effect.
 */
const writeEffectEntries = (): void => {
  const manifest: {
    readonly exports: Readonly<Record<string, { readonly default?: string; readonly types?: string }>>
  } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  for (const { default: path = "", types = "" } of Object.values(manifest.exports)) {
    if (!path.includes("needs-effect-4.1-")) continue
    const entry = basename(types).replace(".d.ts", ".js")
    writeFileSync(join(root, path), `import "effect/http/HttpClient"\nexport * from "./${entry}"\n`)
  }
}

rmSync(join(root, "dist"), { recursive: true, force: true })
await compile()
writeDeclarations(
  "dist/promise/index.d.ts",
  "dist/promise/v4/index.d.ts",
  "dist/ledger/promise/index.d.ts",
  "dist/local-gateway/promise/index.d.ts",
  "dist/statement/index.d.ts",
  "dist/testing/promise/index.d.ts"
)
// It only reads the declarations in `dist`; everything else is written meanwhile.
const checked = process.argv.includes("--check") ? compile("-p", "test/tsconfig.json") : undefined
await writeModules()
writeEffectEntries()
const openApi = openApiDocument()
writeJson("dist/openapi.json", openApi)
const bundles = {
  ...(await writeBundles()),
  ...(await writeServed({ openapi: openApi, "control-openapi": controlDocument() }))
}
for (const path of await unreachableModules()) rmSync(join(root, path))
writeJson("dist/seed.schema.json", seedJsonSchema())
writeJson("dist/recipes.json", recipes())
writeJson("dist/bundles.json", bundles)
writeNotices(bundles)
await checked
