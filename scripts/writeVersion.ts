/**
 * Writes the version to every place besides package.json: `tsx scripts/writeVersion.ts 1.2.3`. `npm run release` calls
 * it.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { releaseChangelog } from "./changelog.js"
import { root } from "./root.js"

const [, , version = ""] = process.argv
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) throw new Error(`Not a version: ${version}`)

const change = (file: string, edit: (text: string) => string): void => {
  const path = join(root, file)
  writeFileSync(path, edit(readFileSync(path, "utf8")))
}

change("CHANGELOG.md", (text) => releaseChangelog(text, version, new Date().toISOString().slice(0, 10)))
change("src/package/Version.ts", (text) => text.replace(/version = ".*"/, `version = "${version}"`))
for (const folder of ["examples/recipes", "examples/engines"]) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    change(`${folder}/${entry.name}/package.json`, (text) =>
      text
        .replace(/^ {2}"version": ".*"/m, `  "version": "${version}"`)
        .replaceAll(/"effect-gopay": ".*"/g, `"effect-gopay": "^${version}"`)
    )
  }
}
