import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { codeIn, examples, pages } from "./Pages.js"

const shown = pages.map((page) => ({ page, blocks: codeIn(page).filter(({ language }) => language === "ts") }))

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
    assert.isAtLeast(found.get("README.md") ?? 0, 4)
    assert.isAtLeast(found.get("docs/errors.md") ?? 0, 18)
    assert.isAtLeast(found.get("docs/ledger.md") ?? 0, 10)
  })
})

/** The Czech pages and those that they follow. Of the long ones a part is written in Czech. */
const czech = [
  { page: "docs/cs/index.md", follows: "README.md", isWhole: false },
  { page: "docs/cs/local-gateway.md", follows: "docs/local-gateway.md", isWhole: false },
  { page: "docs/cs/first-payment.md", follows: "docs/guides/first-payment.md", isWhole: true },
  { page: "docs/cs/going-live.md", follows: "docs/guides/going-live.md", isWhole: true },
  { page: "docs/cs/refunds.md", follows: "docs/guides/refunds.md", isWhole: true }
]

describe("the Czech pages", () => {
  it("are all compared", () => {
    assert.deepStrictEqual(
      pages.filter((page) => page.startsWith("docs/cs/")),
      czech.map(({ page }) => page).toSorted()
    )
  })

  it.each(czech)("$page has the code of $follows", ({ follows, isWhole, page }) => {
    const original = codeIn(follows)
    if (isWhole) assert.deepStrictEqual(codeIn(page), original)
    else assert.includeDeepMembers([...original], [...codeIn(page)])
  })

  const boxes = (page: string): number => readFileSync(page, "utf8").split("- [ ] ").length

  it("have every point of the checklist", () => {
    assert.strictEqual(boxes("docs/cs/going-live.md"), boxes("docs/guides/going-live.md"))
  })
})
