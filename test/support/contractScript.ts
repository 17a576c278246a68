/**
 * The contract as one module for a page, a worker or workerd. Run by itself, it prints the module that exports
 * `contractOf`.
 */
import { build } from "esbuild"
import { fileURLToPath, pathToFileURL } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** A module with all that it imports of this repository, whose paths begin at its root. */
export const bundled = async (contents: string): Promise<string> => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    // What the contract has of it, without what runs tests.
    alias: { vitest: "chai" },
    bundle: true,
    conditions: ["browser"],
    format: "esm",
    logOverride: { "ignored-bare-import": "silent" },
    minify: true,
    platform: "browser",
    stdin: { contents, resolveDir: root },
    write: false
  })
  return outputFiles[0]?.text ?? ""
}

/** To be imported from a module that is bundled. */
export const contractModule = "./test/support/ContractOnTheWeb.ts"

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  console.log(await bundled(`export { contractOf } from "${contractModule}"`))
}
