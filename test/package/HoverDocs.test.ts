import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { entryDeclarations } from "../../scripts/apiReports.js"

const read = (file: string): string => readFileSync(file, "utf8")

/** The first lines of the members, at any depth, that have no comment over them. */
const withoutDoc = (code: string, member: RegExp): ReadonlyArray<string> => {
  const lines = code.split("\n")
  return lines.flatMap((line, index) =>
    member.test(line) && lines[index - 1]?.endsWith("*/") !== true ? [line.trim()] : []
  )
}

const built = entryDeclarations()

describe.each(built.entries)("on hover, each export of $file", ({ declarations }) => {
  const all = declarations.flatMap((declaration) => [declaration, ...declaration.namespace])

  it("is found", () => {
    expect(all.length).toBeGreaterThan(2)
  })

  it("has a comment", () => {
    expect(all.flatMap(({ doc, file, name }) => (doc === "" ? [`${file}: ${name}`] : []))).toEqual([])
  })

  it("names the version that it came with, if that is later than 0.1.0", () => {
    const misnamed = all.filter(({ tags }) =>
      tags.some((tag) => tag.startsWith("@since") && (!/^@since \d+\.\d+\.\d+$/.test(tag) || tag === "@since 0.1.0"))
    )
    expect(misnamed.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
  })

  it("has a comment on each of its members", () => {
    const bare = all.flatMap(({ file, members, name }) =>
      members.filter(({ doc }) => doc === "").map((member) => `${file}: ${name}: ${member.name}`)
    )
    expect(bare).toEqual([])
  })
})

describe("on hover, each field of a schema", () => {
  const file = "dist/contract/GatewaySchema.d.ts"

  it("has a comment", () => {
    expect(withoutDoc(read(file), /^ +readonly [\w"]+\??: /)).toEqual([])
  })
})

describe("on hover, each parameter of a fault", () => {
  const [, faults = ""] = /^export type Fault = ([^]*?\});$/m.exec(read("dist/local-gateway/server/Fault.d.cts")) ?? []

  it("has a comment", () => {
    expect(faults).toContain('readonly type: "latency"')
    expect(withoutDoc(faults, /^ +readonly \w+\??: /)).toEqual([])
  })
})
