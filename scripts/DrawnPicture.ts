/**
 * A picture of the documents that is drawn from the log of a run: as a file, and in words for those who do not see it.
 */
import { pictureMarkup, pictureNode } from "../src/html/PictureNode.js"
import { type Sequence, sequenceDiagram, sequenceStyle } from "../src/html/SequenceDiagram.js"
import { type DrawnEntry, logSequence } from "../src/local-gateway/pages/LogSequence.js"

export interface DrawnPicture {
  /** The file in `docs/images`. */
  readonly file: string
  /** The page that shows it. */
  readonly page: string
  /** Lets happen what the picture shows. */
  readonly play: () => Promise<Sequence>
}

/** Draws a log. The pictures have no times, so that they are always the same. */
export const timelessSequence = (entries: ReadonlyArray<DrawnEntry>, lane?: { readonly shop: string }): Sequence =>
  logSequence(entries, { language: "en", reason: (subState) => subState, clock: () => "", day: () => "", ...lane })

/** The colours of the pages, which a separate picture has to contain. */
const colours = `
svg { --ink: #191d33; --muted: #555c77; --line: #d5d9ea; --card: #fff; --accent: #3f37c9; --bad: #a8241d; background: var(--card); }
@media (prefers-color-scheme: dark) {
  svg { --ink: #eef0fb; --muted: #a9b0cb; --line: #343a54; --card: #1a1d2c; --accent: #aab1ff; --bad: #ffb4ab; }
}`

/** The picture as a separate file. */
export const pictureFile = (sequence: Sequence): string => {
  const { attributes, children, tag } = sequenceDiagram(sequence)
  const style = pictureNode("style", {}, `${colours}${sequenceStyle}`.replaceAll(/\s+/g, " ").trim())
  const picture = pictureNode(tag, { xmlns: "http://www.w3.org/2000/svg", ...attributes }, style, ...children)
  return `${pictureMarkup(picture).text}\n`
}

/** A page with the steps of its picture, as a list, for those who do not see it. */
export const withSteps = (page: string, file: string, { steps, title }: Sequence): string => {
  const place = new RegExp(`!\\[[^\\]]*\\]\\(images/${file.replaceAll(".", "\\.")}\\)`)
  if (!place.test(page)) throw new Error(`No page shows ${file}.`)
  const list = steps.map(({ said }, index) => `${index + 1}. ${said.trim()}`).join("; ")
  return page.replace(place, () => `![${title}: ${list}](images/${file})`)
}
