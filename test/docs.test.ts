import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

/** The comment over each method or program in a file, without its indentation. */
const docsIn = (file: string, declaration: RegExp): ReadonlyMap<string, string> =>
  new Map(
    [...readFileSync(file, "utf8").matchAll(/(\/\*\*(?:(?!\*\/)[^])*\*\/)\n([^\n]*)/g)].flatMap(
      ([, comment = "", line = ""]) => {
        const name = declaration.exec(line)?.[1]
        return name === undefined ? [] : [[name, comment.replace(/^\s+/gm, "")] as const]
      }
    )
  )

describe("the documentation of a method", () => {
  const programs = docsIn("src/client/Programs.ts", /^export const (\w+)/)
  const methods = docsIn("src/promise/GatewayClient.ts", /^ {2}readonly (\w+): [(<]/)

  it("exists for all fifteen, the QR code, and what is made of them", () => {
    expect(programs.size).toBe(19)
  })

  it.each([...programs])("says the same of the program and of the promise: %s", (name, doc) => {
    expect(methods.get(name)).toBe(doc)
  })
})
