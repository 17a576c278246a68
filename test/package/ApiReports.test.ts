import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { apiReports } from "../../scripts/apiReports.js"

describe("the API report", () => {
  it.each([...apiReports()])("%s is what its entry exports; after a change, run: npm run api", (file, report) => {
    expect(readFileSync(file, "utf8")).toBe(report)
  })

  it("has names that a user would look for", () => {
    const promise = apiReports().get("test/package/api/promise.api.md") ?? ""
    for (const name of ["createGatewayClient", "GatewayClient", "GatewayError", "ChangeRecord", "payerMessage"]) {
      expect(promise).toMatch(new RegExp(`^export (const|interface|class|type) ${name}\\b`, "m"))
    }
  })
})
