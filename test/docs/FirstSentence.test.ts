/**
 * "GoPay" is also the name of an Indonesian wallet: whatever is read first says which one this is for.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { root } from "../../scripts/root.js"

const text = (path: string): string => readFileSync(join(root, path), "utf8")

const { description, keywords }: { readonly description: string; readonly keywords: ReadonlyArray<string> } =
  JSON.parse(text("package.json"))

/** The first sentence below the title, without links. */
const firstSentence = (markdown: string): string => {
  const [, paragraph = ""] = /^# .*\n\n([^]*?)\n\n/.exec(markdown) ?? []
  const [sentence = ""] = /^[^]*?\.(?=\s|$)/.exec(paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")) ?? []
  return sentence.replaceAll("\n", " ")
}

it("package.json says which GoPay it is, and is found by what shops search for", () => {
  expect(description).toBe(
    "A TypeScript client for GoPay, the Czech payment gateway (gopay.com), not the Indonesian wallet."
  )
  expect(keywords).toEqual(
    expect.arrayContaining(["czech", "czechia", "slovakia", "platebni-brana", "refunds", "recurring-payments"])
  )
})

it.each(["README.md", "AGENTS.md"])("%s begins with the same sentence", (file) => {
  expect(firstSentence(text(file))).toBe(description)
})
