import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { faultDescriptions } from "../../src/local-gateway/engine/Fault.js"
import { defaultSettings } from "../../src/local-gateway/settings/Settings.plain.js"

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
  const member = /^ {2}readonly (\w+): [(<]/
  const operations = docsIn("src/api/GatewayOperations.plain.ts", member)
  const programs = docsIn("src/client/Programs.ts", /^export const (\w+)/)
  const methods = docsIn("src/promise/GatewayClient.plain.ts", member)

  it("exists for all fifteen and the QR code", () => {
    expect(operations.size).toBe(15)
  })

  // The methods of the service and of the promise client have the operation's own: their types are mapped from it.
  it.each([...operations])("says the same of the operation and of the program: %s", (name, doc) => {
    expect(programs.get(name)).toBe(doc)
  })

  it.each(["reconcile", "request", "verifyPayment", "awaitPayment"])(
    "says the same of the program and of the promise: %s",
    (name) => {
      expect(programs.get(name)).toBeDefined()
      expect(methods.get(name)).toBe(programs.get(name))
    }
  )
})

describe("the page on the local gateway", () => {
  const page = readFileSync("docs/local-gateway.md", "utf8")

  /** The rows of the tables below a heading: their cells, without the marks of code. */
  const rowsBelow = (heading: string): ReadonlyArray<ReadonlyArray<string>> => {
    const [, after = ""] = page.split(`\n## ${heading}\n`)
    const [section = ""] = after.split("\n## ")
    return Array.from(section.matchAll(/^\| `.*$/gm), ([row]) =>
      row
        .replaceAll("`", "")
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim())
    )
  }

  it("lists each setting with its default", () => {
    const listed = rowsBelow("Settings").map(([name, value = ""]) => `${name} ${value.split(" ")[0]}`)
    const settings = Object.entries(defaultSettings).map(
      ([name, value]) => `${name} ${Array.isArray(value) ? "none" : value}`
    )
    expect(listed.toSorted()).toEqual(settings.toSorted())
  })

  it("lists each fault with its parameters and their defaults", () => {
    const listed = rowsBelow("Faults on demand").map(
      ([name, , parameters = ""]) =>
        `${name} ${Array.from(parameters.matchAll(/(\w+) \(([^)]*)\)/g), ([, parameter, value]) => `${parameter}=${value}`).join(" ")}`
    )
    const faults = Object.entries(faultDescriptions).map(
      ([name, { parameters }]) =>
        `${name} ${Object.entries(parameters)
          .map(([parameter, { default: value }]) => `${parameter}=${value}`)
          .join(" ")}`
    )
    expect(listed).toEqual(faults)
  })
})

describe("the links of", () => {
  const documents = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"].concat(
    readdirSync("docs").flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : []))
  )

  /** The name by which a heading can be linked to. */
  const anchor = (heading: string): string =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-")

  it.each(documents)("%s lead to something that is there", (document) => {
    const links = Array.from(readFileSync(document, "utf8").matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g))
    const broken = links.filter(([, path = "", heading]) => {
      const target = path === "" ? document : join(dirname(document), path)
      if (!existsSync(target)) return true
      if (heading === undefined) return false
      const headings = Array.from(readFileSync(target, "utf8").matchAll(/^#+ (.*)$/gm), ([, text = ""]) => anchor(text))
      return !headings.includes(heading)
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })
})
