/**
 * The command `init`, in empty folders and in projects as their generators make them.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { recipes } from "../../scripts/recipes.js"
import {
  type Files,
  fittedToNode,
  nodeFeatures,
  type NodeFeatures,
  packages
} from "../../src/command-line/fittedToNode.js"
import { writeRecipe } from "../../src/command-line/InitCommand.js"
import { startIn } from "../support/CommandLine.js"

const work = mkdtempSync(join(tmpdir(), "init-"))
afterAll(() => rmSync(work, { recursive: true }))

/** A project with these files. */
const project = (files: Readonly<Record<string, unknown>> = {}): string => {
  const folder = mkdtempSync(join(work, "project-"))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), typeof content === "string" ? content : JSON.stringify(content))
  }
  return folder
}

const textOf = (folder: string, path: string): string => readFileSync(join(folder, path), "utf8")

const manifestOf = (folder: string): Readonly<Record<string, unknown>> => JSON.parse(textOf(folder, "package.json"))

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted()

const all = recipes()

const onNode20: NodeFeatures = { version: "20.19.0", runsTypeScript: false, hasSqlite: false }

const newest: NodeFeatures = { version: "24.21.0", runsTypeScript: true, hasSqlite: true }

const init = (folder: string, recipe: string, force = false, node = newest) =>
  writeRecipe({ folder, recipe, files: all[recipe] ?? {}, node, force })

/** What the command writes, on the Node.js that runs this test. */
const onThisNode = (recipe: string): Files => fittedToNode(all[recipe] ?? {}, nodeFeatures()) ?? {}

const run = (folder: string, ...args: ReadonlyArray<string>) => startIn(folder, {}, "init", ...args).ended

describe("effect-gopay init", () => {
  const runsHere = Object.keys(all).filter((recipe) => fittedToNode(all[recipe] ?? {}, nodeFeatures()) !== undefined)

  it.each(runsHere)("%s writes the whole recipe into an empty folder, and nothing else", async (recipe) => {
    const folder = project()
    const { code, complained, said } = await run(folder, recipe)
    expect([code, complained]).toEqual([0, ""])
    const { "package.json": packageJson = "", ...files } = onThisNode(recipe)
    expect(Object.fromEntries(Object.keys(files).map((path) => [path, textOf(folder, path)]))).toEqual(files)
    expect(filesIn(folder).filter((path) => path !== ".gitignore")).toEqual(Object.keys(all[recipe] ?? {}))
    const { name, ...manifest } = JSON.parse(packageJson)
    expect(name).toBe(`recipe-${recipe}`)
    expect(manifestOf(folder)).toEqual(manifest)
    expect(said).toMatch(
      recipe === "sveltekit"
        ? /\n\nNext:\n {2}npm install\n {2}npm run dev\n$/
        : /\n\nNext:\n {2}npm install\n {2}npx effect-gopay local-gateway (--data gateway\.json )?-- npm (start|run dev)\n$/
    )
  })

  it.each(Object.keys(all).filter((recipe) => !["worker", "effect-http-api", "sveltekit"].includes(recipe)))(
    "%s writes on Node.js 20 what runs there: no script runs TypeScript without tsx, no store is without a driver",
    (recipe) => {
      const folder = project({
        "package.json": { name: "shop", scripts: { test: 'echo "no test specified" && exit 1' } }
      })
      init(folder, recipe, false, onNode20)
      const { dependencies, devDependencies, engines, scripts } = manifestOf(folder)
      expect(engines).toEqual({ node: ">=20.19" })
      const running = Object.values(Object(scripts)).filter((script) => /node .*(\.m?ts|--test)/.test(String(script)))
      const compiled = running.filter((script) => /dist\//.test(String(script)))
      for (const script of running.filter((script) => !compiled.includes(script))) {
        expect(script).toMatch(/^node --import tsx (\w+\.m?ts|--test --test-force-exit \S+\.test\.(ts|mts|mjs))$/)
        expect(devDependencies).toHaveProperty("tsx")
      }
      const opening = filesIn(folder).filter((path) => /fileStore\(|createTestShop\(/.test(textOf(folder, path)))
      for (const path of opening) {
        expect(textOf(folder, path)).not.toMatch(/(fileStore\(\w+|createTestShop\()\)|createTestShop\(\{ (?!driver)/)
        expect(textOf(folder, path)).toMatch(/^import Database from "libsql"$/m)
      }
      expect(Object.hasOwn(Object(dependencies), "libsql")).toBe(opening.length > 0)
    }
  )

  describe.each([{}, { type: "commonjs" }])("in a project of CommonJS, with %j in its package.json", (type) => {
    const manifest = { name: "shop", main: "index.js", ...type }
    const code = { "index.js": "module.exports = 1" }

    it("leaves its kind of modules, and names files that Node.js runs .mts", () => {
      for (const node of [newest, onNode20]) {
        const folder = project({ "package.json": manifest, ...code })
        const lines = init(folder, "express", false, node)
        expect(manifestOf(folder)["type"]).toBe(manifest.type)
        expect(filesIn(folder)).toEqual(expect.arrayContaining(["gopay.mts", "gopay.test.mts", "shop.mts"]))
        expect(filesIn(folder).filter((path) => path.endsWith(".ts"))).toEqual([])
        expect(textOf(folder, "shop.mts")).toContain('from "./gopay.mts"')
        expect(textOf(folder, "tsconfig.json")).toContain('"include": ["*.mts"]')
        expect(manifestOf(folder)["scripts"]).toMatchObject({ start: expect.stringMatching(/^node .* shop\.mts$/) })
        expect(lines.join("\n")).not.toContain("type=module")
      }
    })

    it("names no file .ts that Node.js runs, in any recipe", () => {
      for (const recipe of ["fastify", "hono", "lambda", "effect-3", "effect-http-api", "subscriptions"]) {
        const folder = project({ "package.json": manifest })
        init(folder, recipe)
        const texts = filesIn(folder).map((path) => textOf(folder, path))
        expect(filesIn(folder).filter((path) => path.endsWith(".ts"))).toEqual([])
        expect(texts.filter((text) => /\.\/\w+\.ts"/.test(text))).toEqual([])
        expect(JSON.stringify(manifestOf(folder)["scripts"])).not.toMatch(/\.ts\b/)
      }
    })

    it("says what to do where a framework names the files and nothing starts it yet", () => {
      const folder = project({ "package.json": manifest, ...code })
      expect(init(folder, "nextjs")).toContain("  npm pkg set type=module   # and name your own CommonJS files .cjs")
      expect(manifestOf(folder)["type"]).toBe(manifest.type)
    })
  })

  it("writes on Node.js 22.13 to 22.17 what differs there only: tsx", () => {
    const folder = project()
    init(folder, "express", false, { version: "22.14.0", runsTypeScript: false, hasSqlite: true })
    expect(manifestOf(folder)).toMatchObject({
      scripts: { start: "node --import tsx shop.ts", test: "node --import tsx --test --test-force-exit gopay.test.ts" },
      engines: { node: ">=22.13" }
    })
    expect(textOf(folder, "gopay.ts")).toBe(all["express"]?.["gopay.ts"])
  })

  it.each([
    ["worker", "miniflare", "22.0"],
    ["sveltekit", "@sveltejs/kit", "22.17"],
    ["effect-http-api", "@effect/platform-node", "22.19"]
  ])(
    "writes nothing where a package of the recipe needs a newer Node.js, and says which: %s",
    (recipe, name, needed) => {
      const folder = project()
      expect(() => init(folder, recipe, false, onNode20)).toThrow(
        `${name}, which the recipe ${recipe} uses, needs Node.js ${needed} or newer, and this is 20.19.0.\nNothing was written.`
      )
      expect(filesIn(folder)).toEqual([])
    }
  )

  it("asks for the versions that this package is tried with", () => {
    const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8"))
    expect(devDependencies).toMatchObject(packages)
  })

  it("lists every recipe in its help, and knows no other", async () => {
    const folder = project()
    const { said } = await run(folder, "--help")
    for (const recipe of Object.keys(all)) expect(said).toMatch(new RegExp(`^ {2}${recipe} {2,}\\S`, "m"))
    const wrong = (complained: string) => ({ code: 2, said: "", complained })
    expect(await run(folder, "next")).toEqual(
      wrong("There is no recipe next. Did you mean nextjs?\nTry: effect-gopay init --help\n")
    )
    expect(await run(folder)).toEqual(wrong("The recipe is missing\nTry: effect-gopay init --help\n"))
    expect(await run(folder, "express", "hono")).toEqual(
      wrong("Unexpected argument: hono\nTry: effect-gopay init --help\n")
    )
    expect(filesIn(folder)).toEqual([])
  })

  it("changes nothing when it is repeated", async () => {
    const folder = project()
    await run(folder, "express")
    const before = Object.fromEntries(filesIn(folder).map((path) => [path, textOf(folder, path)]))
    const { code, said } = await run(folder, "express")
    expect([code, said]).toEqual([0, expect.not.stringMatching(/written|added/)])
    expect(Object.fromEntries(filesIn(folder).map((path) => [path, textOf(folder, path)]))).toEqual(before)
  })

  it("overwrites no file, unless it is forced: it writes the others, and names it", async () => {
    const folder = project({ "shop.ts": "my own" })
    const { code, complained, said } = await run(folder, "express")
    expect([code, complained]).toEqual([0, ""])
    expect(said).toContain(
      "yours     shop.ts; the recipe's was not written\n\nTo overwrite what is yours: effect-gopay init express --force\n"
    )
    expect(textOf(folder, "shop.ts")).toBe("my own")
    expect(textOf(folder, "gopay.ts")).toBe(onThisNode("express")["gopay.ts"])
    expect(manifestOf(folder)).toHaveProperty("dependencies.effect-gopay")
    expect((await run(folder, "express", "--force")).code).toBe(0)
    expect(textOf(folder, "shop.ts")).toBe(all["express"]?.["shop.ts"])
  })

  it("adds to package.json and .gitignore, in their own form", async () => {
    const manifest = { name: "mine", scripts: { test: "vitest" }, dependencies: { express: "^4.0.0" } }
    const folder = project({ "package.json": JSON.stringify(manifest, undefined, "\t"), ".gitignore": "dist" })
    const lines = init(folder, "express")
    expect(textOf(folder, "package.json")).toContain('\n\t"name": "mine"')
    expect(manifestOf(folder)).toMatchObject({
      name: "mine",
      scripts: { test: "vitest", start: expect.stringContaining("shop.mts") },
      dependencies: { express: "^4.0.0", "effect-gopay": expect.any(String) },
      devDependencies: { typescript: expect.any(String) }
    })
    expect(textOf(folder, ".gitignore")).toBe("dist\nshop.db*\ngateway.json\n")
    expect(lines).toEqual(expect.arrayContaining(["added to  package.json", "added to  .gitignore"]))
  })

  it("puts its tests in the place of what npm init writes", async () => {
    const scripts = { test: 'echo "Error: no test specified" && exit 1' }
    const folder = project({ "package.json": { name: "mine", scripts } })
    expect(init(folder, "express").join("\n")).not.toContain("tests")
    expect(manifestOf(folder)).toMatchObject({ scripts: { test: expect.stringContaining("--test") } })
  })

  // Where Node.js has to look for tests itself, it finds none in TypeScript before 22.18, and ends with 0.
  it.each(Object.keys(all).filter((recipe) => recipe !== "worker"))(
    "%s names in its test script a file that it wrote, on any Node.js and below src, too",
    (recipe) => {
      for (const node of [newest, { ...newest, runsTypeScript: false }, onNode20])
        for (const files of [{}, { "src/app/layout.tsx": "my layout" }, { "package.json": { type: "commonjs" } }]) {
          const folder = project(files)
          if (fittedToNode(all[recipe] ?? {}, node) === undefined) continue
          init(folder, recipe, false, node)
          const { test } = Object(manifestOf(folder)["scripts"])
          const [, path = ""] = /^(?:vitest run|.*--test-force-exit) (\S+)$/.exec(test) ?? []
          expect([test, filesIn(folder)]).toEqual([
            test,
            expect.arrayContaining([path.replace(/^dist\/(.*)\.js$/, "src/$1.ts")])
          ])
        }
    }
  )

  it.each([
    ["express", { test: "vitest" }, "node --import tsx --test --test-force-exit gopay.test.mts"],
    ["nextjs", { dev: "next dev" }, "node --import tsx --test --test-force-exit lib/gopay.test.mjs"],
    [
      "nestjs",
      { start: "nest start" },
      "npx tsc && node --disable-warning=ExperimentalWarning --test --test-force-exit dist/gopay.service.test.js"
    ]
  ])("%s leaves the scripts %j alone, and says how to run its tests", (recipe, scripts, command) => {
    const folder = project({ "package.json": { scripts } })
    const lines = init(folder, recipe, false, onNode20)
    expect(manifestOf(folder)).toMatchObject({ scripts })
    expect(lines.join("\n")).toContain(
      `\n\nYour package.json keeps its own scripts. This runs the recipe's tests:\n  ${command}\n`
    )
  })

  it("leaves a program that is started already as it is, and says how to start the shop", async () => {
    const folder = project({ "package.json": { type: "commonjs", scripts: { start: "node server.js" } } })
    const lines = init(folder, "express")
    expect(manifestOf(folder)).toMatchObject({ type: "commonjs", scripts: { start: "node server.js" } })
    expect(lines.slice(-3)).toEqual([
      "Next:",
      "  npm install",
      "  npx effect-gopay local-gateway --data gateway.json -- node --disable-warning=ExperimentalWarning shop.mts"
    ])
  })

  it("says what is wrong with a package.json", async () => {
    const folder = project({ "package.json": "{" })
    const { code, complained } = await run(folder, "express")
    expect([code, complained]).toEqual([1, expect.stringMatching(/^package\.json cannot be read: /)])
    expect(filesIn(folder)).toEqual(["package.json"])
  })
})

describe("in a project as its generator makes it, effect-gopay init", () => {
  it("nextjs writes below src, and leaves layout and configuration alone", async () => {
    const scripts = { dev: "next dev", build: "next build", start: "next start" }
    const folder = project({
      "package.json": { scripts, dependencies: { next: "16.4.3", react: "19.3.0", "react-dom": "19.3.0" } },
      "next.config.mjs": "export default {}",
      "tsconfig.json": "{}",
      "src/app/layout.tsx": "my layout"
    })
    const lines = init(folder, "nextjs")
    expect(filesIn(folder)).toEqual(
      expect.arrayContaining(["src/app/checkout/route.ts", "src/instrumentation.ts", "src/lib/gopay.ts"])
    )
    expect(filesIn(folder).filter((path) => /^(app|lib)\/|next\.config\.ts$/.test(path))).toEqual([])
    expect(textOf(folder, "src/app/layout.tsx")).toBe("my layout")
    const { dependencies, type, scripts: ownScripts } = manifestOf(folder)
    expect(dependencies).toMatchObject({ next: "16.4.3", "effect-gopay": expect.any(String) })
    expect([type, ownScripts]).toEqual([undefined, scripts])
    expect(lines).toContain("yours     src/app/layout.tsx")
    expect(lines.join("\n")).toMatch(/yours {5}next\.config\.mjs; the recipe has:\n +import[^]*serverExternalPackages/)
    expect(lines.at(-1)).toBe("  npx effect-gopay local-gateway --data gateway.json -- npm run dev")
  })

  it("nextjs writes beside a page of the project's own, and overwrites nothing", () => {
    const scripts = { dev: "next dev", build: "next build", start: "next start" }
    const folder = project({
      "package.json": { scripts, dependencies: { next: "16.4.3", react: "19.3.0", "react-dom": "19.3.0" } },
      "app/layout.tsx": "my layout",
      "app/page.tsx": "my page"
    })
    const lines = init(folder, "nextjs")
    expect(lines).toContain("yours     app/page.tsx; the recipe's was not written")
    expect(textOf(folder, "app/page.tsx")).toBe("my page")
    expect(filesIn(folder)).toEqual(
      expect.arrayContaining(["app/checkout/route.ts", "instrumentation.ts", "lib/gopay.ts"])
    )
    expect(manifestOf(folder)).toMatchObject({ scripts, dependencies: { "effect-gopay": expect.any(String) } })
    expect(lines.join("\n")).not.toContain("type=module")
  })

  it("shows the short file that it did not write, such as the page with the button to buy", () => {
    const folder = project({ "app/page.tsx": "my page", "lib/gopay.ts": "mine" })
    const text = init(folder, "nextjs").join("\n")
    expect(text).toMatch(
      /app\/page\.tsx; the recipe's was not written\n +it has:\n[^]*<form method="post" action="\/checkout">/
    )
    expect(text).toMatch(/lib\/gopay\.ts; the recipe's was not written\n(?! +it has)/)
  })

  it.each([
    [{ "drizzle-orm": "0.45.4", pg: "8.23.1" }, "drizzle-orm", "ledger-drizzle.md"],
    [{ pg: "8.23.1" }, "pg", "ledger-databases.md"]
  ])("says where the project's own database is shown: %j", (dependencies, name, page) => {
    const manifest = { "package.json": { type: "module", dependencies } }
    const said = (node: NodeFeatures) => init(project(manifest), "nextjs", false, node).join("\n")
    expect(said(newest)).toContain(`For one over ${name}: node_modules/effect-gopay/docs/${page}`)
    expect(said(newest)).not.toContain("libsql")
    expect(said(onNode20)).toContain(
      "libsql is for the recipe's SQLite file and its tests: Node.js 20.19.0 has no SQLite"
    )
    expect(existsSync(`docs/${page}`)).toBe(true)
    expect(init(project({ "package.json": { type: "module" } }), "nextjs").join("\n")).not.toContain("SQLite file")
  })

  it("nextjs writes no page, route or module beside one of another extension, nor overwrites it by force", () => {
    const own = {
      "app/page.js": "my page",
      "app/page.test.tsx": "my test",
      "app/notify/route.js": "my route",
      "lib/gopay.mjs": "my module",
      "middleware.js": "my middleware"
    }
    const folder = project({ "package.json": { dependencies: { next: "16.4.3" } }, ...own })
    const lines = init(folder, "nextjs")
    expect(lines).toEqual(
      expect.arrayContaining([
        "yours     app/page.js; the recipe's app/page.tsx was not written",
        "yours     app/notify/route.js; the recipe's app/notify/route.ts was not written",
        "yours     lib/gopay.mjs; the recipe's lib/gopay.ts was not written",
        "yours     middleware.js; the recipe has:"
      ])
    )
    expect(lines.join("\n")).not.toContain("--force")
    expect(filesIn(folder)).toContain("app/return/page.tsx")
    const before = filesIn(folder)
    init(folder, "nextjs", true)
    expect(filesIn(folder)).toEqual(before)
    for (const [path, text] of Object.entries(own)) expect(textOf(folder, path)).toBe(text)
    for (const path of ["app/page.tsx", "app/notify/route.ts", "lib/gopay.ts", "proxy.ts"])
      expect(before).not.toContain(path)
  })

  it("sveltekit writes no route beside one of another extension, but a page beside its load function", () => {
    const folder = project({
      "package.json": { type: "module" },
      "src/hooks.server.js": "my hooks",
      "src/routes/+page.js": "my load",
      "src/routes/checkout/+server.js": "my checkout"
    })
    const lines = init(folder, "sveltekit")
    expect(lines).toContain("yours     src/hooks.server.js; the recipe's src/hooks.server.ts was not written")
    expect(filesIn(folder)).toContain("src/routes/+page.svelte")
    for (const path of ["src/hooks.server.ts", "src/routes/checkout/+server.ts"])
      expect(filesIn(folder)).not.toContain(path)
  })

  it("express writes its shop.ts beside a shop.js, which Node.js tells apart", () => {
    const folder = project({ "package.json": { type: "module" }, "shop.js": "mine" })
    expect(init(folder, "express").join("\n")).not.toContain("yours")
    expect(filesIn(folder)).toEqual(expect.arrayContaining(["shop.js", "shop.ts"]))
  })

  it("sveltekit takes the port that the payer is sent back to", async () => {
    const folder = project({
      "package.json": { type: "module", scripts: { dev: "vite dev" } },
      "vite.config.js": "mine"
    })
    const lines = init(folder, "sveltekit")
    expect(lines.at(-1)).toBe("  npx effect-gopay local-gateway --data gateway.json -- npm run dev -- --port 3000")
    expect(existsSync(join(folder, "vite.config.ts"))).toBe(false)
    expect(manifestOf(folder)["devDependencies"]).toEqual({ "@types/node": expect.any(String) })
  })

  it("nestjs is started by its own command", async () => {
    const folder = project({
      "package.json": { type: "module", scripts: { start: "nest start" } },
      "src/main.ts": "mine"
    })
    const lines = init(folder, "nestjs", true)
    expect(lines.at(-1)).toBe("  npx effect-gopay local-gateway --data gateway.json -- npm start")
    expect(textOf(folder, "src/main.ts")).toBe(all["nestjs"]?.["src/main.ts"])
  })

  it("nitro leaves the pages and the server of Nuxt alone", async () => {
    const folder = project({
      "package.json": { scripts: { dev: "nuxt dev" }, dependencies: { nuxt: "^4.0.0" } },
      "nuxt.config.ts": "export default {}"
    })
    init(folder, "nitro")
    expect(filesIn(folder)).toContain("server/routes/notify.get.ts")
    expect(filesIn(folder)).not.toContain("server/routes/index.ts")
    expect(filesIn(folder)).not.toContain("nitro.config.ts")
    expect(manifestOf(folder)["dependencies"]).toEqual({ nuxt: "^4.0.0", "effect-gopay": expect.any(String) })
  })
})
