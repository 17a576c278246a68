import { transform } from "esbuild"
import { decode } from "@jridgewell/sourcemap-codec"
import { describe, expect, it } from "vitest"
import { withWholeStrings } from "../../scripts/wholeStrings.js"

const long = "a text that is longer than a line may be, "

describe("code whose lines have a limit", () => {
  it("has whole strings on its lines, and means the same", async () => {
    const { code } = await transform(`export const text = ${JSON.stringify(long.repeat(9))}`, { lineLimit: 80 })
    expect(code).toContain("\\\n")
    const whole = withWholeStrings(code).code
    expect(whole).not.toContain("\\\n")
    expect(whole).toContain(long.repeat(9))
  })

  it.each([
    ["a string on three lines", `f("a\\\nb\\\nc")\ng()`, `f("abc")\ng()`],
    ["a backslash of the text, at the end of a line", "`a\\\\\nb`", "`a\\\\\nb`"],
    ["such a backslash, and a string that goes on", `"a\\\\\\\nb"`, `"a\\\\b"`],
    ["nothing to join", "a\nb\n", "a\nb\n"]
  ])("is joined where it was broken: %s", (_, broken, whole) => {
    expect(withWholeStrings(broken).code).toBe(whole)
  })

  it("leads from the joined line to where it did", async () => {
    const source = `first(${JSON.stringify(long.repeat(4))}, second)\nthird()`
    const broken = await transform(source, { lineLimit: 80, sourcemap: "external" })
    const { code, mappings } = withWholeStrings(broken.code, JSON.parse(broken.map).mappings)
    const [line = ""] = code.split("\n")
    const [segments = [], [third] = []] = decode(mappings)
    expect(segments.map(([column]) => line.slice(column, column + 6))).toContain("second")
    expect(third).toEqual([0, 0, 1, 0])
  })
})
