/**
 * Shows the type and the documentation of the name in a sample that the pointer is on, or that the arrow keys have come to.
 */
import type { Hovers } from "../hovers.js"

type Name = Hovers["names"][number]

const loaded = new Map<string, Promise<Hovers>>()

/** The hovers of a block's names: fetched once. */
const hoversOf = (block: HTMLElement): Promise<Hovers> => {
  const id = block.dataset["hovers"] ?? ""
  const known = loaded.get(id)
  if (known !== undefined) return known
  const asked = fetch(`${import.meta.env.BASE_URL}hovers/${id}.json`)
    .then((response): Promise<Hovers> => response.json())
    .catch(() => ({ names: [], texts: [] }))
  loaded.set(id, asked)
  return asked
}

let popup: HTMLElement | undefined
let shown: { readonly block: HTMLElement; readonly name: Name } | undefined
/** What was pointed at last: an answer to an earlier question comes too late. */
let turn = 0

const hide = (): void => {
  turn += 1
  shown = undefined
  if (popup !== undefined) popup.hidden = true
  if ("highlights" in CSS) CSS.highlights.delete("hovered")
}

const rangeOf = (block: HTMLElement, [at, length]: Name): Range | undefined => {
  const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
  let before = 0
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const size = node.textContent?.length ?? 0
    if (at >= before && at + length <= before + size) {
      const range = document.createRange()
      range.setStart(node, at - before)
      range.setEnd(node, at - before + length)
      return range
    }
    before += size
  }
  return undefined
}

const element = (tag: string, ...children: ReadonlyArray<Node | string>): HTMLElement => {
  const made = document.createElement(tag)
  made.append(...children)
  return made
}

const show = (block: HTMLElement, name: Name, { texts }: Hovers): void => {
  const range = rangeOf(block, name)
  const [type, doc] = texts[name[2]] ?? ["", ""]
  if (range === undefined || (shown?.name === name && shown.block === block)) return
  shown = { block, name }
  if (popup === undefined) {
    popup = element("div")
    popup.className = "hover"
    popup.setAttribute("role", "status")
    document.body.append(popup)
  }
  const prose = doc.split("`").map((part, index) => (index % 2 === 1 ? element("code", part) : part))
  popup.replaceChildren(element("pre", type), ...(doc === "" ? [] : [element("p", ...prose)]))
  popup.hidden = false
  if ("highlights" in CSS) CSS.highlights.set("hovered", new Highlight(range))
  const place = range.getBoundingClientRect()
  const { height, width } = popup.getBoundingClientRect()
  const isAbove = place.bottom + height > innerHeight && place.top > height
  popup.style.top = `${scrollY + (isAbove ? place.top - height : place.bottom)}px`
  popup.style.left = `${Math.max(8, Math.min(place.left, document.documentElement.clientWidth - width - 8))}px`
}

const caretAt = (x: number, y: number): readonly [Node, number] | undefined => {
  if ("caretPositionFromPoint" in document) {
    const caret = document.caretPositionFromPoint(x, y)
    return caret === null ? undefined : [caret.offsetNode, caret.offset]
  }
  const range = document.caretRangeFromPoint(x, y)
  return range === null ? undefined : [range.startContainer, range.startOffset]
}

const point = async ({ clientX, clientY, target }: MouseEvent): Promise<void> => {
  if (!(target instanceof Element) || popup?.contains(target)) return
  const block = target.closest<HTMLElement>("pre[data-hovers]")
  if (block === null) return hide()
  const asked = ++turn
  const hovers = await hoversOf(block)
  const caret = caretAt(clientX, clientY)
  if (asked !== turn) return
  if (caret === undefined || !block.contains(caret[0])) return hide()
  const before = document.createRange()
  before.setStart(block, 0)
  before.setEnd(...caret)
  const at = before.toString().length
  // A caret stands between characters: the pointer has to be on the name as well.
  const isOn = (name: Name): boolean =>
    Array.from(rangeOf(block, name)?.getClientRects() ?? []).some(
      ({ bottom, left, right, top }) => left <= clientX && clientX <= right && top <= clientY && clientY <= bottom
    )
  const name = hovers.names.find((one) => one[0] <= at && at <= one[0] + one[1] && isOn(one))
  if (name === undefined) hide()
  else show(block, name, hovers)
}

const press = async (event: KeyboardEvent): Promise<void> => {
  if (event.key === "Escape") return hide()
  const block = document.activeElement?.closest<HTMLElement>("pre[data-hovers]")
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (block == null || step === undefined || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const hovers = await hoversOf(block)
  const isSeen = (name: Name): boolean => (rangeOf(block, name)?.getClientRects().length ?? 0) > 0
  const names = hovers.names.filter(isSeen).toSorted((a, b) => a[0] - b[0])
  const current = shown?.block === block ? names.indexOf(shown.name) : step > 0 ? -1 : names.length
  const name = names[current + step]
  if (name === undefined) return
  rangeOf(block, name)?.startContainer.parentElement?.scrollIntoView({ block: "nearest" })
  show(block, name, hovers)
}

/** Listens on the window: pages come and go. */
export const showHovers = (): void => {
  window.addEventListener("mousemove", (event) => void point(event))
  window.addEventListener("click", (event) => void point(event))
  window.addEventListener("keydown", (event) => void press(event))
  window.addEventListener("focusout", hide)
}
