/**
 * The words that the house does not use: the first column of the table in `docs/style.md`.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "../../scripts/root.js"

const unwanted = [.../^\| `.*$/gm[Symbol.matchAll](readFileSync(join(root, "docs/style.md"), "utf8"))].flatMap(
  ([row]) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word)
)

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter(
      (path) =>
        /\.(ts|js|mjs|css|md|html|svelte)$/.test(path) &&
        !/node_modules|\.output|(^|\/)cs\/|^(content|dist)\//.test(path)
    )
    .map((path) => `${folder}/${path}`)

const files = [
  "README.md",
  "AGENTS.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...["src", "docs", "examples", "site"].flatMap(filesIn)
]

/** Lines of a comment or a paragraph are one text. */
const textOf = (file: string): string => readFileSync(join(root, file), "utf8").replace(/\n\s*(?:\*|\/\/)?\s*/g, " ")

describe("the words of the house", () => {
  it("are listed", () => {
    expect(unwanted.length).toBeGreaterThan(15)
    expect(files.length).toBeGreaterThan(300)
  })

  it.each(unwanted)("'%s' is not one of them", (word) => {
    const pattern = new RegExp(`\\b${word}\\b`, "i")
    const found = files.flatMap((file) => {
      const text = file === "docs/style.md" ? "" : textOf(file)
      const at = text.search(pattern)
      return at < 0 ? [] : [`${file}: …${text.slice(Math.max(0, at - 40), at + 40)}…`]
    })
    expect(found).toEqual([])
  })
})
