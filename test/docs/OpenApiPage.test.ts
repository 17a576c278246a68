import { assert, describe, it } from "@effect/vitest"
import { referenceContents } from "../../site/openapi/ReferencePage.js"
import { openApiDocument } from "../../scripts/openapi/OpenApi.js"

const document = openApiDocument()

describe("The site's page of the gateway's API", () => {
  const { main, sideBar } = referenceContents(document)
  const all = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, found = ""]) => found)
  const ids = all(main.text, / id="([^"]+)"/g)

  it("has every operation, and leads to all that it names", () => {
    const operations = all(main.text, /<article class="operation" id="([^"]+)"/g)
    assert.sameMembers(operations, all(JSON.stringify(document), /"operationId":"([^"]+)"/g))
    assert.isAbove(operations.length, 14)
    const links = [...all(main.text, / href="#([^"]+)"/g), ...all(sideBar.text, / href="#([^"]+)"/g)]
    assert.isAbove(links.length, 100)
    assert.deepStrictEqual(
      links.filter((id) => !ids.includes(id)),
      []
    )
    assert.strictEqual(new Set(ids).size, ids.length)
  })

  it("shows the example of a request as it is sent, and marks what is not documented", () => {
    assert.include(main.text, "&quot;order_description&quot;:")
    assert.include(main.text, 'class="evidence inferred"')
  })
})
