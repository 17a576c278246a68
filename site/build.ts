/**
 * Builds the site of the documents into `site/dist`: `npm run docs`.
 */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { html } from "../src/html/Html.js"
import { openApiDocument } from "../scripts/openapi/OpenApi.js"
import { referenceContents } from "./openapi/ReferencePage.js"
import { referenceStyle } from "./openapi/ReferenceStyle.js"
import { writeFolderPages } from "./folderPages.js"
import { darkPictures, writePages } from "./pages.js"
import { splitReference, writeTasks } from "./reference.js"
import { writeTry } from "./tryPage.js"

const site = fileURLToPath(new URL(".", import.meta.url))
const root = join(site, "..")
const content = join(site, "content")

const run = (command: string, args: ReadonlyArray<string>): void => {
  execFileSync(command, args, { cwd: site, stdio: "inherit" })
}

/** Runs beside others. */
const running = async (...args: ReadonlyArray<string>): Promise<void> => {
  const [status] = await once(spawn(process.execPath, args, { cwd: site, stdio: "inherit" }), "exit")
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${String(status)}.`)
}

/** The gateway's API, to read. */
const writeOpenApiPage = async (): Promise<void> => {
  const folder = join(content, "public/openapi")
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, "dist/openapi.json"), join(folder, "openapi.json"))
  writeFileSync(join(folder, "reference.css"), referenceStyle)
  const { main, sideBar } = referenceContents(openApiDocument())
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>GoPay's REST API v3 | effect-gopay</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="reference.css" />
      </head>
      <body>
        <a class="skip" href="#content">Skip to the contents</a>
        <header class="head">
          <a href="../">effect-gopay</a>
          <a href="openapi.json">OpenAPI</a>
        </header>
        <div class="columns">${sideBar} ${main}</div>
      </body>
    </html> `
  writeFileSync(join(folder, "index.html"), page.text)
}

if (!existsSync(join(site, "node_modules"))) {
  run("npm", ["install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"])
}
rmSync(content, { recursive: true, force: true })
const { description, homepage } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
writePages(root, content, String(homepage).replace(/#.*$/, ""))
// Pictures are shown by pages, and linked to.
for (const folder of ["images", "public/images"]) {
  cpSync(join(root, "docs/images"), join(content, folder), { recursive: true })
  cpSync(darkPictures, join(content, folder, "dark"), { recursive: true })
}
// They run in parallel: each keeps a processor busy for about as long as the others.
await Promise.all([
  running("--import", "tsx", "node_modules/typedoc/bin/typedoc"),
  running("--import", "tsx", ".vitepress/writeHovers.ts"),
  writeOpenApiPage(),
  writeTry(join(content, "public/try"))
])
splitReference(join(content, "reference"))
writeTasks(join(content, "reference"))
run(process.execPath, ["node_modules/vitepress/bin/vitepress.js", "build"])
writeFolderPages(join(site, "dist"))
// What a page is about, for whoever reads it alone.
for (const name of readdirSync(join(site, "dist"), { recursive: true, encoding: "utf8" })) {
  if (!name.endsWith(".md")) continue
  const file = join(site, "dist", name)
  const said = (head: string): string => `${head}\n> effect-gopay: ${description}\n`
  writeFileSync(file, readFileSync(file, "utf8").replace(/^---\n[^]*?\n---\n/, said))
}
