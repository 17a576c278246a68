import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { apiReports, entries, entryDeclarations, reportsFolder } from "../../scripts/apiReports.js"
import type { Declaration, Hover } from "../../scripts/publicDeclarations.js"
import { root } from "../../scripts/root.js"

const built = entryDeclarations()
const declarationsOf = (types: string): ReadonlyArray<Declaration> =>
  built.entries.find(({ file }) => file === types)?.declarations ?? []

/** The names of values, with those in namespaces, such as `GatewaySchema.Id`. */
const values = (declarations: ReadonlyArray<Declaration>): ReadonlyArray<string> =>
  declarations
    .filter(({ isValue }) => isValue)
    .flatMap(({ name, namespace }) => [name, ...values(namespace).map((member) => `${name}.${member}`)])
    .toSorted()

/** The names that a module exports at run time, with those in namespaces. */
const exportsOf = (module: object): ReadonlyArray<string> =>
  Object.entries(module)
    .flatMap(([name, value]) => [
      name,
      ...(Object.prototype.toString.call(value) === "[object Module]"
        ? exportsOf(value).map((member) => `${name}.${member}`)
        : [])
    ])
    .toSorted()

describe("the API report", () => {
  it.each([...apiReports(built)])("%s is what its entry exports; after a change, run: npm run api", (file, report) => {
    expect(readFileSync(file, "utf8")).toBe(report)
  })

  it.each(entries)("$name declares the values that its module exports, and no other", async ({ module, types }) => {
    expect(values(declarationsOf(types))).toEqual(exportsOf(await import(pathToFileURL(join(root, module)).href)))
  })

  it.each(entries)("$name is reported with the values that its module exports, and no other", async (entry) => {
    const report = apiReports(built).get(`${reportsFolder}/${entry.name}.api.md`) ?? ""
    const reported = Array.from(
      report.matchAll(
        /^export (?:(?:abstract )?(?:class|const|enum|function|let|namespace|var) (\w+)|\{ (?:\w+ as )?(\w+) \})/gm
      ),
      ([, declared = "", renamed = ""]) => declared || renamed
    )
    const module: object = await import(pathToFileURL(join(root, entry.module)).href)
    expect([...new Set(reported)].toSorted()).toEqual(Object.keys(module).toSorted())
  })

  it.each(entries)("$name declares each name once", ({ types }) => {
    const names = declarationsOf(types).map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
  })

  it("has names that a user would look for", () => {
    const promise = apiReports(built).get("test/package/api/promise.api.md") ?? ""
    for (const name of ["createGatewayClient", "GatewayClient", "GatewayError", "ChangeRecord", "payerMessage"]) {
      expect(promise).toMatch(new RegExp(`^export (const|interface|class|type) ${name}\\b`, "m"))
    }
  })
})

describe("of a name that came later than 0.1.0, the API report", () => {
  it("says the version", () => {
    const [{ types }] = entries
    const declarations = declarationsOf(types)
      .filter(({ name }) => name === "Gateway")
      .map((declaration) => ({ ...declaration, tags: ["@category gateway", "@since 0.2.0"] }))
    const [report] = apiReports({ ...built, entries: [{ file: types, declarations, extended: [] }] }).values()
    expect(report).toMatch(/^\/\*\* @since 0\.2\.0 \*\/\nexport class Gateway\b/m)
  })
})

/** What an editor shows of the names of an entry and of their members. */
const hovers = (declarations: ReadonlyArray<Declaration>): ReadonlyArray<Hover> =>
  declarations.flatMap((declaration) => [
    declaration,
    ...declaration.members.map((member) => ({ ...member, name: `${declaration.name}.${member.name}` })),
    ...hovers(declaration.namespace)
  ])

describe.each(entries)("on hover, a type of $name", ({ types }) => {
  const shown = hovers(declarationsOf(types))

  it("shows no type that cannot be imported", () => {
    const internal = shown.flatMap(({ name, typeNames }) =>
      [...typeNames].filter((type) => built.internalTypes.has(type)).map((type) => `${name}: ${type}`)
    )
    expect(internal).toEqual([])
  })

  it("excludes nothing but what is there", () => {
    expect(shown.filter(({ type }) => /Exclude<[^<>]*, never>/.test(type)).map(({ name }) => name)).toEqual([])
  })
})
