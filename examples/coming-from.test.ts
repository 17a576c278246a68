import { expect, it, vi } from "vitest"

it("what the calls of other clients become does what they did", async () => {
  const log = vi.spyOn(console, "log").mockReturnValue()
  await import("./coming-from.js")
  const said = log.mock.calls.map(([text]) => String(text))
  log.mockRestore()
  expect(said).toEqual([
    "true",
    "delivered",
    "PAID",
    "FINISHED",
    "1 refund",
    expect.stringMatching(/^refused with 332: .*#332$/),
    "true",
    "a statement"
  ])
})
