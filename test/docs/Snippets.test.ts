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

  it("the README, the page about errors and the one about reliability is looked at", () => {
    const found = new Map(shown.map(({ blocks, page }) => [page, blocks.length]))
    assert.isAtLeast(found.get("README.md") ?? 0, 4)
    assert.isAtLeast(found.get("docs/errors.md") ?? 0, 18)
    assert.isAtLeast(found.get("docs/reliability.md") ?? 0, 4)
  })
})
