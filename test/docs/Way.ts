/**
 * A way through the code as `docs/architecture.md` lists it: numbered steps, each a function and its file.
 */
import { existsSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { root } from "../../scripts/root.js"

/** A step: a function, and its file below `src`. */
interface Step {
  readonly name: string
  readonly file: string
}

/** The steps below a heading, in order. */
export const wayBelow = (heading: string): ReadonlyArray<Step> => {
  const [, section = ""] = readFileSync(join(root, "docs/architecture.md"), "utf8").split(`\n## ${heading}\n`)
  const [own = ""] = section.split("\n## ")
  return Array.from(own.matchAll(/^\d+\. `(\w+)` in `([\w/-]+\.ts)`/gm), ([, name = "", file = ""]) => ({ name, file }))
}

/** What is not so: a function that is not in its file, or that no file of an earlier step calls. */
export const faultsOf = (way: ReadonlyArray<Step>): ReadonlyArray<string> =>
  way.flatMap(({ file, name }, index) => {
    const code = codeOf(file)
    if (!new RegExp(`\\b(const|function) ${name}\\b|^  #?${name}\\(.*\\{$|^    ${name}: [<(]`, "m").test(code)) {
      return [`${index + 1}. ${file} has no ${name}`]
    }
    const call = new RegExp(
      name === "make" ? `\\b${basename(file, ".ts")}\\.make\\(` : `(?<!const |^  #?)\\b${name}(?:<\\w+>)?\\(`,
      "m"
    )
    const isCalled = way.slice(0, index).some((earlier) => call.test(codeOf(earlier.file)))
    return index === 0 || isCalled ? [] : [`${index + 1}. no earlier step calls ${name} of ${file}`]
  })

const codeOf = (file: string): string => {
  const path = join(root, "src", file)
  return existsSync(path) ? readFileSync(path, "utf8").replace(/\/\*[^]*?\*\//g, "") : ""
}
