/**
 * Makes `dist` of `src`: `npm run build`.
 */
import { execFileSync } from "node:child_process"
import { cpSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { writeBundles } from "./bundles.js"
import { writeCommonJsDeclarations } from "./commonJsDeclarations.js"
import { root } from "./root.js"

const writeJson = (path: string, value: unknown): void =>
  writeFileSync(join(root, path), `${JSON.stringify(value, null, 2)}\n`)

const compile = (): void => {
  try {
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc")], { cwd: root, stdio: "inherit" })
  } catch {
    process.exit(1) // The compiler has said why.
  }
}

rmSync(join(root, "dist"), { recursive: true, force: true })
compile()
// What the dashboard serves to a browser, as it was written: no source maps.
const browser = "local-gateway/dashboard/browser"
cpSync(join(root, "src", browser), join(root, "dist", browser), {
  recursive: true,
  filter: (path) => !path.endsWith(".ts")
})
// The viewer of the reference, as it is, with its licences.
for (const file of [
  "LICENSE",
  "NOTICE",
  "swagger-ui.css",
  "swagger-ui-bundle.js",
  "swagger-ui-bundle.js.LICENSE.txt"
]) {
  cpSync(join(root, "node_modules/swagger-ui-dist", file), join(root, "dist/local-gateway/reference", file))
}
writeCommonJsDeclarations(
  "dist/promise/index.d.ts",
  "dist/ledger/promise/index.d.ts",
  "dist/local-gateway/promise/index.d.ts",
  "dist/statement/index.d.ts"
)
const [{ openApiDocument }, { seedJsonSchema }] = await Promise.all([
  import("../src/local-gateway/openapi/OpenApi.js"),
  import("../src/local-gateway/seed/SeedSchema.js")
])
writeJson("dist/openapi.json", openApiDocument())
writeJson("dist/seed.schema.json", seedJsonSchema())
writeJson("dist/bundles.json", await writeBundles())
