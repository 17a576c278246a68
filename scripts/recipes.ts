/**
 * The recipes in the form that `npx effect-gopay init` writes.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./root.js"

const folder = join(root, "examples/recipes")

/** What is left out: files generated from a recipe, its documentation, and the package's own trial of it. */
const left =
  /(^|\/)(node_modules|dist|build|\.\w[\w-]*|README\.md|next-env\.d\.ts|package-lock\.json|.*\.db(-\w+)?|.*\.tsbuildinfo)(\/|$)/

/** The overlay is a part of a page, for a shop in any framework. */
const notShops: ReadonlyArray<string> = ["overlay"]

/** The text of each file by its path, for each recipe. */
export const recipes = (): Readonly<Record<string, Readonly<Record<string, string>>>> => {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return Object.fromEntries(
    names
      .filter(({ name }) => !notShops.includes(name))
      .map(({ name }) => {
        const paths = readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ name: file, parentPath }) =>
            join(parentPath, file)
              .slice(join(folder, name).length + 1)
              .replaceAll("\\", "/")
          )
          .filter((path) => !left.test(path))
          .toSorted()
        return [name, Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, name, path), "utf8")]))]
      })
  )
}
