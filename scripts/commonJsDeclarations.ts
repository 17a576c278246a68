/**
 * Declarations for CommonJS: those of a module of the same name, since TypeScript takes a `.d.ts` of this package for
 * ESM.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { root } from "./root.js"

/** What a declaration file imports of its neighbours. */
const neighbour = /(\bfrom |\bimport\(|\bimport )"(\.[^"]+)\.js"/g

/** Writes a `.d.cts` beside each `.d.ts` that the entries are made of. */
export const writeCommonJsDeclarations = (...entries: ReadonlyArray<string>): void => {
  const written = new Set<string>()
  const write = (file: string): void => {
    if (written.has(file)) return
    written.add(file)
    const code = readFileSync(join(root, file), "utf8")
    writeFileSync(join(root, file.replace(/\.d\.ts$/, ".d.cts")), code.replace(neighbour, '$1"$2.cjs"'))
    for (const [, , path] of code.matchAll(neighbour)) write(join(dirname(file), `${path}.d.ts`))
  }
  entries.forEach(write)
}
