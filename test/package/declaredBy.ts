/**
 * The declarations of an entry, as files.
 */
import { readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { root } from "../../scripts/root.js"

/** Every declaration file that an entry's types come from, and the packages that these name. */
export const declaredBy = (entry: string) => {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    const code = readFileSync(join(root, file), "utf8").replace(/\/\*[^]*?\*\//g, "")
    for (const [, from, imported, referenced] of code.matchAll(
      /\bfrom\s*"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"|<reference types="([^"]+)"/g
    )) {
      const target = from ?? imported ?? referenced ?? ""
      if (target.startsWith(".")) visit(join(dirname(file), target.replace(/\.(c?)js$/, ".d.$1ts")))
      else packages.add(target)
    }
  }
  visit(entry)
  return { files: [...files].map((file) => relative("dist", file)), packages: [...packages] }
}
