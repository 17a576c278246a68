/**
 * HTML as text, in which input can never become markup.
 */

/** Text that is markup and is not escaped again. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Content of a page: text is escaped, lists are joined, `undefined` is left out. */
export type Content = Html | string | number | undefined | ReadonlyArray<Content>

const escapes = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"]
])

/** A text with all special characters of markup escaped, for elements and quoted attributes. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => escapes.get(character) ?? "")

const rendered = (content: Content): string => {
  if (content === undefined) return ""
  if (content instanceof Html) return content.text
  return typeof content === "object" ? content.map(rendered).join("") : escaped(String(content))
}

/** Markup with contents. Attributes must be quoted, and there must be no contents within a script or a style. */
export const html = (markup: TemplateStringsArray, ...contents: ReadonlyArray<Content>): Html =>
  new Html(markup.map((piece, index) => piece + rendered(contents[index])).join(""))
