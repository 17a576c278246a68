/**
 * Marks words in what the page shows, without changing it.
 */
import { wordsOf } from "../LogWords.js"

/** The name that `DashboardStyle.ts` gives a colour to. */
const name = "found"

/** Marked at most. */
const most = 2000

/** A text in lower case, as long as it was: some letters become two. */
const lowerInPlace = (text: string): string => {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text
}

/** Marks all words of a query within an element, and nothing else on the page. Not every browser can. */
export const highlight = (parent: Element, query: string): void => {
  if (!("highlights" in CSS)) return
  const words = wordsOf(query)
  const marks = new Highlight()
  const texts = document.createTreeWalker(parent, NodeFilter.SHOW_TEXT)
  while (words.length > 0 && marks.size < most && texts.nextNode()) {
    const node = texts.currentNode
    const text = lowerInPlace(node.nodeValue ?? "")
    for (const word of words) {
      for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
        const range = new Range()
        range.setStart(node, at)
        range.setEnd(node, at + word.length)
        marks.add(range)
      }
    }
  }
  if (marks.size === 0) CSS.highlights.delete(name)
  else CSS.highlights.set(name, marks)
}
