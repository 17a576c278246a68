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

/** Rooms whose names have been gone through. */
const named = ["src/contract", "src/client", "src/promise", "src/node"]

/** The words that no name of theirs has, as `docs/style.md` lists them; "tell" stays for `CannotTell`. */
const noNames = new Set(
  /none of the words ([^.]*)\./.exec(readFileSync(join(root, "docs/style.md"), "utf8"))?.[1]?.match(/\w+/g)
)

/** The names in a code that have one of these words in them. */
const unwantedNames = (code: string): ReadonlyArray<string> => {
  const names = code.replace(/\/\*[^]*?\*\/|\/\/.*$|"(?:[^"\\\n]|\\.)*"|`[^`]*`/gm, "").match(/\b[A-Za-z_]\w*\b/g) ?? []
  return [...new Set(names)].filter((name) => name.split(/_|(?=[A-Z])/).some((word) => noNames.has(word.toLowerCase())))
}

describe("the names in the code", () => {
  it("say what a value is", () => {
    const code = named.flatMap(filesIn).filter((file) => file.endsWith(".ts"))
    expect(code.length).toBeGreaterThan(80)
    expect(noNames.size).toBe(11)
    expect(
      code.flatMap((file) => unwantedNames(readFileSync(join(root, file), "utf8")).map((name) => `${file}: ${name}`))
    ).toEqual([])
  })

  it("are read as words, outside of comments and texts", () => {
    const code = `const lookedAt = masked_pan // told\nconst nobodys = "asked"\nconst wasTold = noted_by(tasked)`
    expect(unwantedNames(code)).toEqual(["lookedAt", "wasTold", "noted_by"])
  })
})
