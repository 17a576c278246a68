/**
 * The pages of folders. The site has `/reference/promise` and pages below it, but none at `/reference/promise/`.
 */
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { html } from "../src/html/Html.js"

/** Writes a page into each folder that has none, which leads to the page of the folder's name. */
export const writeFolderPages = (dist: string): void => {
  for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    const folder = join(dist, file.replace(/\.html$/, ""))
    const index = join(folder, "index.html")
    if (!file.endsWith(".html") || !existsSync(folder) || existsSync(index)) continue
    // With its extension: a host may lead from the name alone to the folder.
    const page = `../${basename(file)}`
    const lead = html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="refresh" content="0; url=${page}" />
          <title>effect-gopay</title>
        </head>
        <body>
          <a href="${page}">This page is here.</a>
        </body>
      </html> `
    writeFileSync(index, lead.text)
  }
}
