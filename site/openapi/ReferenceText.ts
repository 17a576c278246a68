/**
 * The descriptions of an OpenAPI document as HTML: paragraphs, lists, code, and marks of evidence.
 */
import { type Html, html } from "../../src/html/Html.js"
import { evidenceMeanings } from "../../src/contract/notes/Note.js"

/** A name that may be broken before each of its words. */
export const breakable = (name: string): ReadonlyArray<Html | string> =>
  name.split(/(?<=[a-z])(?=[A-Z])/).flatMap((word, index) => (index === 0 ? [word] : [html`<wbr />`, word]))

/** Text with `code` in backticks. */
const inline = (text: string): ReadonlyArray<Html | string> =>
  text
    .split(/(`[^`]+`)/)
    .map((part) => (part.startsWith("`") && part.length > 1 ? html`<code>${part.slice(1, -1)}</code>` : part))

/** A description: paragraphs, and lists of lines that begin with a dash. */
export const prose = (text: string | undefined): ReadonlyArray<Html> =>
  (text ?? "")
    .split(/\n\n+/)
    .filter((block) => block !== "")
    .flatMap((block) => {
      const lines = block.split("\n")
      const first = lines.findIndex((line) => line.startsWith("- "))
      const [before, items] = first < 0 ? [lines, []] : [lines.slice(0, first), lines.slice(first)]
      return [
        ...(before.length === 0 ? [] : [html`<p>${inline(before.join(" "))}</p>`]),
        ...(items.length === 0
          ? []
          : [
              html`<ul>
                ${items.map((item) => html`<li>${inline(item.replace(/^- /, ""))}</li>`)}
              </ul>`
            ])
      ]
    })

const meanings: ReadonlyMap<string, string> = new Map(Object.entries(evidenceMeanings))

/** A badge for how well a fact is known; nothing if GoPay's documentation states it. */
export const evidence = (word: string | undefined): Html | undefined =>
  word === undefined || word === "documented"
    ? undefined
    : html` <span class="evidence ${word}" title="${meanings.get(word)}">${word}</span>`
