/**
 * Builds the site of the documents into `site/dist`: `npm run docs`.
 */
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { writePages } from "./pages.js"

const site = fileURLToPath(new URL(".", import.meta.url))
const root = join(site, "..")
const content = join(site, "content")

const run = (command: string, args: ReadonlyArray<string>): void => {
  execFileSync(command, args, { cwd: site, stdio: "inherit" })
}

if (!existsSync(join(site, "node_modules"))) {
  run("npm", ["install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"])
}
rmSync(content, { recursive: true, force: true })
const { homepage } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
writePages(root, content, new URL(".", `${homepage}/`).href.replace(/#.*$/, "").replace(/\/$/, ""))
// Pictures are shown by pages, and linked to.
for (const folder of ["images", "public/images"]) {
  cpSync(join(root, "docs/images"), join(content, folder), { recursive: true })
}
run(process.execPath, ["node_modules/typedoc/bin/typedoc"])
run(process.execPath, ["node_modules/vitepress/bin/vitepress.js", "build"])
