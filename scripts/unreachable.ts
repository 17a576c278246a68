/**
 * The modules in `dist` that no entry of the package loads: they are part of a bundle, or contain only types.
 */
import { build } from "esbuild"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { targetsIn } from "./manifest.js"
import { root } from "./root.js"

const isModule = (path: string): boolean => /\.c?js$/.test(path)

/** The modules that are never loaded, from the package's root. */
export const unreachableModules = async (): Promise<ReadonlyArray<string>> => {
  const entries = targetsIn("bin", "exports", "imports").filter(isModule)
  const { metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    external: ["#transport"],
    format: "esm",
    // A bundle imports the modules next to it by name, or without names.
    logOverride: { "ignored-bare-import": "silent" },
    metafile: true,
    packages: "external",
    platform: "node",
    stdin: { contents: entries.map((path) => `import "./${path}"`).join("\n"), resolveDir: root },
    treeShaking: false,
    write: false
  })
  return readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" })
    .map((path) => join("dist", path))
    .filter((path) => isModule(path) && !(path in metafile.inputs))
}
