/**
 * What no entry of the package leads to: the modules that are in a bundle already, or that hold only types, and the
 * declarations that no public type is made of.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { root } from "./root.js"

/** Files by entry and condition, as `exports`, `imports` and `bin` have them. */
type Targets = string | ReadonlyArray<string> | { readonly [name: string]: Targets }

const filesOf = (targets: Targets): ReadonlyArray<string> =>
  typeof targets === "string" ? [join(targets)] : Object.values(targets).flatMap(filesOf)

/** What a module or declaration imports of its neighbours. */
const neighbour = /(?:\bfrom ?|\bimport ?\(?|\brequire\()"(\.[^"]+)"/g

const declarationOf = (path: string): string => path.replace(/\.(c?)js$/, ".d.$1ts")

/** The files in `dist` that are reached from what package.json names. */
const reached = (): ReadonlySet<string> => {
  const { bin, exports, imports }: { readonly [field: string]: Targets } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8")
  )
  const found = new Set<string>()
  const visit = (file: string): void => {
    if (found.has(file)) return
    found.add(file)
    if (!/\.(js|cjs|ts|cts)$/.test(file)) return
    for (const [, path = ""] of readFileSync(join(root, file), "utf8").matchAll(neighbour)) {
      const target = join(dirname(file), path)
      const next = /\.d\.c?ts$/.test(file) ? declarationOf(target) : target
      if (existsSync(join(root, next))) visit(next)
    }
  }
  const internal = filesOf(imports ?? [])
  const declared = internal.map(declarationOf).filter((file) => existsSync(join(root, file)))
  for (const file of [...filesOf(bin ?? []), ...filesOf(exports ?? []), ...internal, ...declared]) visit(file)
  return found
}

/** The modules and declarations in `dist` that are never loaded, from the package's root. */
export const unreachable = (): ReadonlyArray<string> => {
  const used = reached()
  return readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" })
    .map((path) => join("dist", path))
    .filter((path) => /\.(c?js|d\.c?ts)$/.test(path) && !used.has(path))
}
