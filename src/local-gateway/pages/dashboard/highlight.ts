/**
 * Marks words in what the page shows, without changing it.
 */

/** The name that `DashboardStyle.ts` gives a colour to. */
const name = "found"

/** Marked at most. */
const most = 2000

/** A text in lower case, as long as it was: some letters become two. */
const lowerInPlace = (text: string): string => {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text
}

const rangesIn = (node: Node, words: ReadonlyArray<string>): ReadonlyArray<Range> => {
  const text = lowerInPlace(node.nodeValue ?? "")
  return words.flatMap((word) => {
    const ranges: Array<Range> = []
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
      const range = new Range()
      range.setStart(node, at)
      range.setEnd(node, at + word.length)
      ranges.push(range)
    }
    return ranges
  })
}

/** Marks all words of a query within an element, and nothing else on the page. */
export const highlight = (parent: Element, query: string): void => {
  // Not every browser can.
  if (!("highlights" in CSS)) return
  CSS.highlights.delete(name)
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  if (words.length === 0) return
  const marks = new Highlight()
  const texts = document.createTreeWalker(parent, NodeFilter.SHOW_TEXT)
  while (marks.size < most && texts.nextNode()) {
    for (const range of rangesIn(texts.currentNode, words)) marks.add(range)
  }
  CSS.highlights.set(name, marks)
}
