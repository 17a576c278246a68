import { describe, expect, it } from "@effect/vitest"
import { decodedOnce, echoedBy, isEchoOf } from "../../src/contract/EchoedText.js"

describe("A text that the gateway gives back", () => {
  it.each([
    ["A-1", "A-1", true],
    ["A-1", "A-2", false],
    ["A&B", "A&B", true],
    ["A&B", "A&amp;B", true],
    ["A&B", "A&#38;B", true],
    ["A&B", "A&#x26;B", true],
    ["O'Neill", "O&#39;Neill", true],
    ["O'Neill", "O&#039;Neill", true],
    ["O'Neill", "O&apos;Neill", true],
    ['6" <x>', "6&quot; &lt;x&gt;", true],
    ['6"', "6&#34;", true],
    ["příklad 🛒", "p&#345;&#xED;klad &#128722;", true],
    // The shop's own text may look encoded. It is never decoded.
    ["A&amp;B", "A&amp;B", true],
    ["A&amp;B", "A&amp;amp;B", true],
    ["A&amp;B", "A&B", false],
    // Once, and not twice.
    ["A&B", "A&amp;amp;B", false],
    ["A<B", "A&amp;lt;B", false],
    // No entities.
    ["A&B", "A&ampB", false],
    ["A & B", "A & B", true],
    ["A\0", "A&#0;", false],
    ["", "", true],
    ["", "&amp;", false]
  ])("%j as %j: %s", (sent, echoed, is) => {
    expect(isEchoOf(sent, echoed)).toBe(is)
  })

  it.each(["&#0;", "&#xD83D;", "&#55357;", "&#x110000;", "&#99999999;", "&constructor;", "&AMP;", "&#;", "&#x;", "&"])(
    "stays where it names no character: %j",
    (text) => {
      expect(decodedOnce(text)).toBe(text)
    }
  )

  const found = (texts: ReadonlyArray<string>, echoed: string) => echoedBy(texts, echoed, (text) => text)

  it.each([
    ["as it came", ["A-1", "A-2"], "A-2", ["A-2"]],
    ["all that equal it as it came", ["A-1", "A-1"], "A-1", ["A-1", "A-1"]],
    ["decoded", ["A&B", "C"], "A&amp;B", ["A&B"]],
    ["as it came before decoded", ["A&B", "A&amp;B"], "A&amp;B", ["A&amp;B"]],
    ["none where several are meant once it is decoded", ["A&B", "A&B"], "A&amp;B", []],
    ["none by decoding the shop's own", ["A&amp;B"], "A&B", []],
    ["none of others", ["A", "B"], "C", []]
  ])("finds %s", (_, texts, echoed, expected) => {
    expect(found(texts, echoed)).toEqual(expected)
  })

  it("finds none that has no text", () => {
    expect(echoedBy([{}], "A", () => undefined)).toEqual([])
  })
})
