/**
 * The files that `CONTRIBUTING.md` names for a new endpoint, a new code and a new text.
 */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "../../scripts/root.js"

const text = (path: string): string => readFileSync(join(root, path), "utf8")

/** The files in the list that follows a paragraph. */
const listAfter = (beginning: string): ReadonlyArray<string> => {
  const [, rest = ""] = text("CONTRIBUTING.md").split(`\n${beginning}`)
  const [, list = ""] = rest.split("\n\n")
  return Array.from(list.matchAll(/`((?:src|test|docs)\/[\w./-]+)`/g), ([, path = ""]) => path)
}

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => `src/${path.replaceAll("\\", "/")}`)

const mention = (files: ReadonlyArray<string>, name: RegExp): ReadonlyArray<string> =>
  files.filter((path) => name.test(text(path))).toSorted()

const git = (...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim()

/** A clone of the last commit alone knows no other. */
const isShallow = git("rev-parse", "--is-shallow-repository") === "true"

describe("what a change touches", () => {
  it.skipIf(isShallow).each(["An endpoint.", "A code of a refusal", "A text."])(
    "has a link to a commit of this history that did it: %s",
    (beginning) => {
      const [, rest = ""] = text("CONTRIBUTING.md").split(`\n${beginning}`)
      const [paragraph = ""] = rest.split("\n\n")
      const commits = Array.from(paragraph.matchAll(/\/commit\/([0-9a-f]{40})\)/g), ([, commit = ""]) => commit)
      expect(commits.length).toBeGreaterThan(0)
      expect(commits.map((commit) => git("merge-base", "HEAD", commit))).toEqual(commits)
    }
  )

  it("for an endpoint, is every file that names one", () => {
    const files = listAfter("An endpoint.")
    const response = mention(files, /getPaymentQr|PaymentQrResponse/)
    expect(response).toEqual(files.toSorted())
    const named = files.filter((path) => path.startsWith("src/"))
    expect(mention(sources, /\b(getPaymentQr|PaymentQrRequest)\b/)).toEqual(named.toSorted())
  })

  it("for a code, is every file that lists them", () => {
    const files = listAfter("A code of a refusal")
    expect(mention(files, /\b332\b|33\[/)).toEqual(files.toSorted())
    expect(mention(sources, /^ +332: |33\[/m)).toEqual(files.filter((path) => path.startsWith("src/")).toSorted())
  })

  it("for a text, is where it stands, and nowhere else", () => {
    const texts = [
      "We are checking your payment",
      "Wrong amount.",
      "The gateway refused the credentials",
      "make their sum equal to it"
    ]
    const files = listAfter("A text.")
    expect(new Set(texts.flatMap((words) => mention(sources, new RegExp(words))))).toEqual(new Set(files))
    for (const words of texts) expect(mention(sources, new RegExp(words))).toHaveLength(1)
  })
})
