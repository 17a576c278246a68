/** The files named in package.json. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./root.js"

/** Files by entry and condition, as in `exports`, `imports` and `bin`. */
type Targets = string | { readonly [name: string]: Targets }

const filesOf = (targets: Targets): ReadonlyArray<string> =>
  typeof targets === "string" ? [join(targets)] : Object.values(targets).flatMap(filesOf)

/** The files in these fields, with paths from the package's root. */
export const targetsIn = (...fields: ReadonlyArray<"bin" | "exports" | "imports">): ReadonlyArray<string> => {
  const manifest: { readonly [field: string]: Targets } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  return fields.flatMap((field) => filesOf(manifest[field] ?? {}))
}
