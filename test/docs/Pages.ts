/**
 * The documents of the repository, and the code in them.
 */
import { readdirSync, readFileSync } from "node:fs"

const below = (folder: string, extension: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(extension) && !name.includes("node_modules"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .toSorted()

/** Every page in `docs`, and the pages next to the code. */
export const pages: ReadonlyArray<string> = [
  "README.md",
  "AGENTS.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
  ...below("docs", ".md")
]

export interface CodeBlock {
  readonly language: string
  readonly code: string
}

/** The fenced blocks of a page. What follows the language, such as `title="Effect"`, is for the site. */
export const codeIn = (page: string): ReadonlyArray<CodeBlock> =>
  Array.from(
    readFileSync(page, "utf8").matchAll(/^```(\w+)(?: [^\n]*)?\n([^]*?)^```$/gm),
    ([, language = "", code = ""]) => ({ language, code })
  )

/** The text of every example in TypeScript: type-checked by `npm run check`, run by the tests. */
export const examples: ReadonlyArray<string> = below("examples", ".ts").map((name) => readFileSync(name, "utf8"))
