/**
 * Builds the site of the documents into `site/dist`: `npm run docs`.
 */
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { writePages } from "./pages.js"

const site = fileURLToPath(new URL(".", import.meta.url))
const root = join(site, "..")
const content = join(site, "content")

const run = (command: string, args: ReadonlyArray<string>): void => {
  execFileSync(command, args, { cwd: site, stdio: "inherit" })
}

/** The gateway's API, to read: it cannot be tried from here. The local gateway's `/reference` can do that. */
const writeOpenApiPage = (): void => {
  const folder = join(content, "public/openapi")
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, "dist/openapi.json"), join(folder, "openapi.json"))
  for (const name of ["swagger-ui.css", "swagger-ui-bundle.js"]) {
    cpSync(join(root, "node_modules/swagger-ui-dist", name), join(folder, name))
  }
  writeFileSync(
    join(folder, "index.html"),
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>GoPay's REST API v3 | effect-gopay</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="swagger-ui.css">
<p><a href="../">effect-gopay</a></p>
<main id="reference"></main>
<script src="swagger-ui-bundle.js"></script>
<script>SwaggerUIBundle({ url: "openapi.json", dom_id: "#reference", supportedSubmitMethods: [], validatorUrl: null })</script>
</html>
`
  )
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
writeOpenApiPage()
run(process.execPath, ["node_modules/typedoc/bin/typedoc"])
run(process.execPath, ["node_modules/vitepress/bin/vitepress.js", "build"])
