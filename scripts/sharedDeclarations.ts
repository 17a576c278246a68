/**
 * The declarations of the entries that are ESM and CommonJS, once for both: TypeScript takes a `.d.ts` of this package for
 * ESM, which CommonJS cannot import, but ESM imports a `.d.cts`.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { root } from "./root.js"

/** What a declaration file imports of its neighbours. */
const neighbour = /(\bfrom |\bimport\(|\bimport )"(\.[^"]+)\.js"/g

/** Moves the `.d.ts` files that the entries are made of to `.d.cts`, and leaves of an entry's one what exports the same. */
export const shareDeclarations = (...entries: ReadonlyArray<string>): void => {
  const files = readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" })
    .map((path) => join("dist", path))
    .filter((path) => path.endsWith(".d.ts"))
  const codes = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]))
  const imported = (file: string, path: string): string => join(dirname(file), `${path}.d.ts`)

  const shared = new Set(entries)
  for (const file of shared) {
    for (const [, , path = ""] of codes.get(file)?.matchAll(neighbour) ?? []) shared.add(imported(file, path))
  }
  for (const [file, code] of codes) {
    const linked = code.replace(neighbour, (whole, before: string, path: string) =>
      shared.has(imported(file, path)) ? `${before}"${path}.cjs"` : whole
    )
    const isShared = shared.has(file)
    writeFileSync(join(root, isShared ? file.replace(/\.ts$/, ".cts") : file), linked)
    if (isShared) rmSync(join(root, file))
  }
  for (const file of entries) {
    const [comment = ""] = /^\/\*\*[^]*?\*\/\n/.exec(codes.get(file) ?? "") ?? []
    writeFileSync(join(root, file), `${comment}export * from "./${basename(file, ".d.ts")}.cjs"\n`)
  }
}
