import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, posix, relative } from "node:path"
import { assert, describe, it } from "vitest"
import { root } from "../../scripts/root.js"
import { isWhole, namesIn, readExamples, wholeSample, type WholeSample, wordsIn } from "../../site/samples.js"
import { codeIn, examples, pages } from "./Pages.js"

/** Its programs use packages that the examples do not have: a consumer runs them. */
const ofConsumer = "docs/ledger-drizzle.md"

const shown = pages
  .filter((page) => page !== ofConsumer)
  .map((page) => ({ page, blocks: codeIn(page).filter(({ language }) => language === "ts") }))

describe("the code in", () => {
  it.each(shown.filter(({ blocks }) => blocks.length > 0))(
    "$page is part of an example, which is type-checked and run",
    ({ blocks }) => {
      for (const { code } of blocks)
        assert.isTrue(
          examples.some((example) => example.includes(code)),
          code
        )
    }
  )

  it("the README, the page about errors and the one about the ledger is checked", () => {
    const found = new Map(shown.map(({ blocks, page }) => [page, blocks.length]))
    assert.isAtLeast(found.get("README.md") ?? 0, 3)
    assert.isAtLeast(found.get("docs/errors.md") ?? 0, 18)
    assert.isAtLeast(found.get("docs/ledger.md") ?? 0, 10)
  })
})

describe("the guide to workflow engines", () => {
  it("shows of DBOS what a test runs", () => {
    const [shown] = codeIn("docs/guides/workflow-engines.md").filter(({ language }) => language === "js")
    assert.include(readFileSync("test/package/consumers/dbos/settle.js", "utf8"), shown?.code ?? assert.fail())
  })

  it("says of each of the other samples that it was not run", () => {
    const text = readFileSync("docs/guides/workflow-engines.md", "utf8")
    const [, ...unrun] = text.split("```js\n").slice(0, -1)
    assert.lengthOf(unrun, 2)
    for (const before of unrun) assert.match(before.slice(-400), /\*\*[Nn]ot run here\*\*/)
  })
})

describe("the page about Drizzle", () => {
  it("shows whole programs that a test runs", () => {
    const programs = ["drizzle-postgres.js", "drizzle-next.ts", "drizzle-sqlite.js"]
    assert.deepStrictEqual(
      codeIn(ofConsumer).map(({ code }) => code),
      programs.map((name) => readFileSync(`test/package/consumers/ledger-stores/${name}`, "utf8"))
    )
  })
})

describe("what is copied from", () => {
  const files = readExamples(root)
  const whole = (code: string): WholeSample => wholeSample(files, code) ?? assert.fail(code)
  const samples = shown.flatMap(({ blocks, page }) => blocks.map(({ code }) => ({ page, sample: whole(code) })))

  it("the README is whole as it stands there", () => {
    const parts = samples.filter(({ page, sample }) => page === "README.md" && !isWhole(sample))
    assert.deepStrictEqual(
      parts.map(({ sample }) => sample.text),
      []
    )
  })

  it("the site compiles: what a sample uses comes with it", () => {
    const parent = join(root, "node_modules/.cache")
    mkdirSync(parent, { recursive: true })
    const folder = mkdtempSync(join(parent, "samples-"))
    try {
      const names = samples.map(({ page, sample }, index) => {
        const name = `${page.replaceAll(/\W/g, "_")}-${index}.ts`
        writeFileSync(join(folder, name), sample.text)
        return name
      })
      const config = {
        extends: relative(folder, join(root, "test/tsconfig.json")),
        compilerOptions: { rootDir: root, noUnusedLocals: false, noUnusedParameters: false },
        files: [...names, relative(folder, join(root, "examples/platforms.d.ts"))],
        include: []
      }
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
      const compiler = join(root, "node_modules/typescript/bin/tsc")
      execFileSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
    } catch (error) {
      assert.fail(error instanceof Error && "stdout" in error ? String(error.stdout) : String(error))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it.each([...new Set(samples.map(({ page }) => page))])(
    "%s has links to the files that its fragments are of",
    (page) => {
      const text = readFileSync(page, "utf8")
      const fragments = samples
        .filter((one) => one.page === page && !isWhole(one.sample))
        .map(({ sample }) => sample.file)
      const unlinked = fragments.filter((file) => !text.includes(`](${posix.relative(posix.dirname(page), file)})`))
      assert.deepStrictEqual([...new Set(unlinked)], [])
    }
  )
})

describe("the pages about other clients", () => {
  const named = namesIn(readFileSync("examples/coming-from.ts", "utf8"))

  it.each(pages.filter((page) => page.startsWith("docs/coming-from/")))(
    "%s shows where each name comes from: a sample before it, the code that is replaced, or the text",
    (page) => {
      const text = readFileSync(page, "utf8").replaceAll(/^```[^]*?^```$/gm, "")
      const shown = new Set(Array.from(text.matchAll(/`(\w+)`/g), ([, name = ""]) => name))
      const unknown = new Set<string>()
      for (const { code } of codeIn(page)) {
        const isOurs = examples.some((example) => example.includes(code))
        for (const name of isOurs ? namesIn(code) : wordsIn(code)) shown.add(name)
        for (const name of isOurs ? wordsIn(code) : []) if (named.has(name) && !shown.has(name)) unknown.add(name)
      }
      assert.deepStrictEqual([...unknown], [])
    }
  )
})

/** The first gathers what stands on several English pages, the second follows one, the third has no program. */
const czech = ["docs/cs/index.md", "docs/cs/first-payment.md", "docs/cs/statements.md"]

describe("the Czech pages", () => {
  it("are all compared", () => {
    assert.deepStrictEqual(
      pages.filter((page) => page.startsWith("docs/cs/")),
      czech.toSorted()
    )
  })

  it("have, on the first payment, the code of the English one", () => {
    assert.deepStrictEqual(codeIn("docs/cs/first-payment.md"), codeIn("docs/guides/first-payment.md"))
  })

  it("have no program that no English page has", () => {
    const isCzech = new Set(czech)
    const programs = shown.flatMap(({ blocks, page }) => blocks.map(({ code }) => ({ page, code })))
    const english = new Set(programs.flatMap(({ code, page }) => (isCzech.has(page) ? [] : [code])))
    assert.deepStrictEqual(
      programs.filter(({ code, page }) => isCzech.has(page) && !english.has(code)),
      []
    )
  })
})
