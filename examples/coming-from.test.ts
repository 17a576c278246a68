import { expect, it } from "vitest"
import { notes } from "./coming-from.js"

it("what the calls of other clients become does what they did", () => {
  expect(notes).toEqual([
    "true",
    "paid",
    "PAID",
    "FINISHED",
    "1 refund",
    expect.stringMatching(/^refused with 332: .*#332$/),
    "true",
    "a statement"
  ])
})
