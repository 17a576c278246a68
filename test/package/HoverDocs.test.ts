import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { publicDeclarations } from "../../scripts/publicDeclarations.js"

const read = (file: string): string => readFileSync(file, "utf8")

/** The first lines of the members, at any depth, that have no comment over them. */
const withoutDoc = (code: string, member: RegExp): ReadonlyArray<string> => {
  const lines = code.split("\n")
  return lines.flatMap((line, index) =>
    member.test(line) && lines[index - 1]?.endsWith("*/") !== true ? [line.trim()] : []
  )
}

/** Each field with its comment, blanks apart. */
const documentedFields = (file: string): ReadonlyArray<string> =>
  Array.from(
    read(file).matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\n\s+readonly ([\w"]+)\??:/g),
    ([, doc = "", name = ""]) =>
      `${name}: ${doc
        .replace(/^\s*\* ?/gm, "")
        .replace(/\s+/g, " ")
        .trim()}`
  )

describe.each([
  "dist/index.d.ts",
  "dist/promise/index.d.ts",
  "dist/node/index.d.ts",
  "dist/ledger/index.d.ts",
  "dist/ledger/promise/index.d.ts",
  "dist/statement/index.d.ts",
  "dist/local-gateway/index.d.ts",
  "dist/local-gateway/promise/index.d.ts"
])("on hover, each export of %s", (entry) => {
  const declarations = publicDeclarations(entry)

  it("is found", () => {
    expect(declarations.length).toBeGreaterThan(3)
  })

  it("has a comment with its category and version", () => {
    const bare = declarations.filter(
      ({ doc }) => !/\* [^\s@][^]*@category [a-z ]+\n \* @since \d+\.\d+\.\d+\n \*\/\n$/.test(doc)
    )
    expect(bare.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
  })

  it("has a comment on each of its members", () => {
    const member = /^ {4}(?!private )(?:[\w"$]|\[)/
    const bare = declarations
      .filter(({ code }) => /^export (?:declare (?:abstract )?class|interface) /m.test(code))
      .flatMap(({ code, file, name }) => withoutDoc(code, member).map((line) => `${file}: ${name}: ${line}`))
    expect(bare).toEqual([])
  })
})

describe("on hover, each field of a schema", () => {
  const file = "dist/api/GatewaySchema.d.ts"

  it("has a comment", () => {
    expect(withoutDoc(read(file), /^ +readonly [\w"]+\??: /)).toEqual([])
  })

  it("has the comment of the interface's member", () => {
    const members = new Set(documentedFields("dist/api/Messages.plain.d.ts"))
    const fields = documentedFields(file)
    expect(fields.length).toBeGreaterThan(158)
    expect(fields.filter((field) => !members.has(field))).toEqual([])
  })
})
