/**
 * Compiles an ESM and a CommonJS package with every version of TypeScript and every way to resolve modules.
 */
import { execFile } from "node:child_process"
import { cpSync, readdirSync } from "node:fs"
import { promisify } from "node:util"

const run = promisify(execFile)

/** TypeScript 7 no longer has `node10`, and 6 requires an acknowledgement of that. */
const resolutions = (version) => [
  ["node16", "node16"],
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
  ...(version < 7 ? [["commonjs", "node"]] : [])
]

const check = async (name, module, moduleResolution) => {
  const options = ["--module", module, "--moduleResolution", moduleResolution]
  if (name === "typescript-6.0" && moduleResolution === "node") options.push("--ignoreDeprecations", "6.0")
  try {
    await run(process.execPath, [`node_modules/${name}/bin/tsc`, "-p", ".", ...options])
  } catch ({ stdout }) {
    throw new Error(`${name}, ${moduleResolution}:\n${stdout}`)
  }
}

for (const folder of ["esm", "commonjs"]) cpSync("main.ts", `${folder}/main.ts`)

const compilers = readdirSync("node_modules").filter((name) => name.startsWith("typescript-"))
const checks = compilers.flatMap((name) =>
  resolutions(Number(name.slice("typescript-".length))).map((resolution) => [name, ...resolution])
)
const total = checks.length
const worker = async () => {
  for (let next = checks.shift(); next !== undefined; next = checks.shift()) await check(...next)
}
await Promise.all([worker(), worker()])
console.log(`typescript: ${compilers.join(", ")}, ${total} ways to resolve modules`)
