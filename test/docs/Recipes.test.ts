import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

const root = "examples/recipes"

const recipes = readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))

const textOf = (path: string): string => readFileSync(`${root}/${path}`, "utf8")

describe("the recipes", () => {
  it.each(recipes)("%s has a short README, and stands in the list", (name) => {
    const text = textOf(`${name}/README.md`)
    expect(text.trim().split("\n").length).toBeLessThanOrEqual(14)
    expect(textOf("README.md")).toContain(`](${name}/README.md)`)
  })

  it("speak with GoPay in the same way, but where a framework loads modules when it builds", () => {
    const once = textOf("express/gopay.ts")
    for (const path of ["fastify", "hono", "nitro/server/utils"]) expect(textOf(`${path}/gopay.ts`)).toBe(once)
    const withoutEnd = (text: string) => text.replace(/process\.once\("[\w:]+"/, "")
    expect(withoutEnd(textOf("sveltekit/src/lib/server/gopay.ts"))).toBe(withoutEnd(textOf("nextjs/lib/gopay.ts")))
  })
})
