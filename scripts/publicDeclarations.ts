/**
 * The public declarations of the package's entries, as the built `.d.ts` files have them.
 */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** A name that an entry exports, and what it is declared as. */
export interface Declaration {
  readonly name: string
  readonly file: string
  readonly doc: string
  readonly code: string
}

const declaration =
  /(\/\*\*(?:(?!\*\/)[^])*\*\/\n)?^export (?:declare )?(?:abstract )?(?:const|class|function|interface|type) (\w+)[^]*?(?=^export |^declare |^\/\*\*|(?![^]))/gm
const list = /^export (?:type )?\{([^}]*)\} from "(.+)";$/gm
const all = /^export (?:type )?\* from "(.+)";$/gm
const namespace = /(\/\*\*(?:(?!\*\/)[^])*\*\/\n)?^export \* as (\w+) from "(.+)";$/gm

const read = (file: string): string => readFileSync(file, "utf8")

const declarationFile = (from: string, specifier: string): string =>
  join(dirname(from), specifier.replace(/\.js$/, ".d.ts"))

/**
 * The public declarations of a file, its own and those that it exports from others. A name may be a type and a value.
 */
export const publicDeclarations = (file: string): ReadonlyArray<Declaration> => {
  const text = read(file)
  const own = Array.from(text.matchAll(declaration), ([code, doc = "", name = ""]) => ({ name, file, doc, code }))
  const named = Array.from(text.matchAll(list)).flatMap(([, names = "", specifier = ""]) => {
    const wanted = new Set(names.split(",").map((name) => name.trim().replace(/^type /, "")))
    const found = publicDeclarations(declarationFile(file, specifier)).filter(({ name }) => wanted.has(name))
    const missing = [...wanted].filter((name) => !found.some((declaration) => declaration.name === name))
    if (missing.length > 0)
      throw new Error(`${file} exports ${missing.join(", ")}, which ${specifier} does not declare`)
    return found
  })
  const everything = Array.from(text.matchAll(all)).flatMap(([, specifier = ""]) =>
    publicDeclarations(declarationFile(file, specifier))
  )
  const namespaces = Array.from(text.matchAll(namespace)).flatMap(([, doc = "", name = "", specifier = ""]) => [
    { name, file, doc, code: "" },
    ...publicDeclarations(declarationFile(file, specifier))
  ])
  return [...own, ...named, ...everything, ...namespaces]
}
