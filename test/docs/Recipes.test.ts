import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { recipes as written } from "../../scripts/recipes.js"
import { needing, runsByItself } from "../../src/command-line/fittedToNode.js"

const root = "examples/recipes"

const recipes = readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))

const textOf = (path: string): string => readFileSync(`${root}/${path}`, "utf8")

/** The files of a recipe, by their paths in it. */
const filesOf = (name: string): ReadonlyArray<string> =>
  readdirSync(`${root}/${name}`, { recursive: true, encoding: "utf8" })

describe("the recipes", () => {
  it.each(recipes)("%s has a short README, and stands in the list", (name) => {
    const text = textOf(`${name}/README.md`)
    expect(text.trim().split("\n").length).toBeLessThanOrEqual(14)
    expect(textOf("README.md")).toContain(`](${name}/README.md)`)
  })

  it("name the installation of their ledger, without which it does not start in production", () => {
    const withLedger = recipes.filter((name) =>
      filesOf(name).some(
        (file) => file.endsWith(".ts") && /createLedger\(|Ledger\.layer\(/.test(textOf(`${name}/${file}`))
      )
    )
    expect(withLedger.length).toBeGreaterThan(8)
    for (const name of withLedger) {
      const naming = filesOf(name).filter(
        (file) => /\.(ts|md)$/.test(file) && textOf(`${name}/${file}`).includes("GOPAY_INSTALLATION")
      )
      expect([name, naming]).toEqual([name, expect.arrayContaining([expect.stringMatching(/\.ts$/), "README.md"])])
    }
  })

  it.each(recipes)("%s says which Node.js it needs, and needs no file beside it", (name) => {
    const { engines }: { readonly engines?: unknown } = JSON.parse(textOf(`${name}/package.json`))
    expect(engines).toEqual({ node: expect.stringMatching(/^>=\d+(\.\d+)?$/) })
    const files = filesOf(name).filter((path) => /\.(ts|tsx|mjs|json|svelte|md)$/.test(path))
    const leaving = files.filter((file) =>
      Array.from(textOf(`${name}/${file}`).matchAll(/["(]((?:\.\.\/)+)/g), ([, up = ""]) => up.length / 3).some(
        (steps) => steps >= file.split("/").length
      )
    )
    expect(leaving).toEqual([])
  })

  it.each(Object.entries(written()))("%s says what Node.js it needs, and what init writes for it", (name, files) => {
    const text = textOf(`${name}/README.md`).replaceAll(/\s+/g, " ")
    const { engines }: { readonly engines: { readonly node: string } } = JSON.parse(files["package.json"] ?? "{}")
    const needed = engines.node.replace(">=", "")
    const oldest = needing(files)?.version.replace(/\.0$/, "") ?? "20.19"
    expect(text).toContain(`eeds Node.js ${needed}`)
    expect(text).toContain(oldest === needed ? needed : `init ${name}\` writes what runs from ${oldest} on`)
    expect(text.includes(".mts`")).toBe(runsByItself(files))
  })

  it("are checked alike", () => {
    const { scripts }: { readonly scripts: { readonly check: string } } = JSON.parse(textOf("package.json"))
    for (const name of recipes.filter((name) => !["nestjs", "nextjs"].includes(name)))
      expect(scripts.check).toMatch(new RegExp(`\\b${name}\\b`))
    for (const name of ["fastify", "hono", "lambda", "effect-3", "effect-http-api"])
      expect(textOf(`${name}/tsconfig.json`)).toBe(textOf("express/tsconfig.json"))
  })

  it("speak with GoPay in the same way, but where a framework loads modules when it builds", () => {
    const once = textOf("express/gopay.ts")
    for (const path of ["fastify", "hono"]) {
      expect(textOf(`${path}/gopay.ts`)).toBe(once)
      expect(textOf(`${path}/gopay.test.ts`)).toBe(textOf("express/gopay.test.ts"))
    }
    const withoutEnd = (text: string) => text.replace(/process\.once\("[\w:]+"/, "")
    for (const path of ["nitro/server/utils", "sveltekit/src/lib/server"])
      expect(withoutEnd(textOf(`${path}/gopay.ts`))).toBe(withoutEnd(textOf("nextjs/lib/gopay.ts")))
    const tests = textOf("nextjs/lib/gopay.test.mjs")
    const sveltekit = textOf("sveltekit/src/lib/server/gopay.test.ts")
    expect(sveltekit.replaceAll(/, type \w+|: (Test\w+(\["\w+"\])?|string|number)\b/g, "")).toBe(tests)
    expect(textOf("nitro/test/gopay.test.mjs").replace("../server/utils/", "./")).toBe(tests)
  })
})
