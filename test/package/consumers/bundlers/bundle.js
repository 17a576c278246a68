/**
 * Bundles the program with what shops bundle with, without a plugin for CommonJS, and runs each bundle where the package
 * is not installed.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { nodeResolve } from "@rollup/plugin-node-resolve"
import { build } from "esbuild"
import { rollup } from "rollup"
import webpack from "webpack"

const out = mkdtempSync(join(tmpdir(), "bundles-"))

const bundlers = {
  rollup: async (folder) => {
    const bundle = await rollup({
      input: "main.js",
      external: /^node:/,
      plugins: [nodeResolve({ exportConditions: ["node"] })],
      onwarn: ({ message }) => {
        throw new Error(message)
      }
    })
    await bundle.write({ dir: folder, entryFileNames: "main.mjs", chunkFileNames: "[name].mjs" })
  },
  esbuild: (folder) =>
    build({
      entryPoints: ["main.js"],
      bundle: true,
      format: "esm",
      platform: "node",
      outfile: join(folder, "main.mjs")
    }),
  webpack: async (folder) => {
    const stats = await promisify(webpack)({
      mode: "none",
      entry: "./main.js",
      target: "node20",
      experiments: { outputModule: true },
      output: { path: folder, filename: "main.mjs", module: true }
    })
    if (stats.hasErrors()) throw new Error(stats.toString())
  }
}

for (const [name, bundle] of Object.entries(bundlers)) {
  const folder = join(out, name)
  await bundle(folder)
  const said = execFileSync(process.execPath, [join(folder, "main.mjs")], { encoding: "utf8" }).trim()
  if (said !== "PAID,true,true,function") throw new Error(`${name}: ${said}`)
  console.log(`${name}: a bundle of all entries for promises runs`)
}
