/**
 * A button that opens a panel below itself. The browser closes it by Escape, and by a click elsewhere.
 *
 * @import { Content } from "./dom.js"
 */
import { element } from "./dom.js"

/** The widest panel, in pixels; `DashboardStyle.ts` has the same. */
const widest = 480

/** Between the panel, its button and the edges of the window. */
const gap = 6

/** @type {(panel: HTMLElement, button: HTMLElement) => void} */
const placeBelow = (panel, button) => {
  const { bottom, left, right } = button.getBoundingClientRect()
  const isLeft = left + widest + gap <= innerWidth
  panel.style.top = `${bottom + gap}px`
  panel.style.maxHeight = `calc(100vh - ${bottom + 2 * gap}px)`
  panel.style.left = isLeft ? `${left}px` : "auto"
  panel.style.right = isLeft ? "auto" : `${Math.max(gap, Math.min(innerWidth - right, innerWidth - widest - gap))}px`
}

/**
 * The button and its panel.
 *
 * @param {string} id Of the panel. The button's `data-testid` is it with `-menu`.
 * @param {string} label
 * @param {ReadonlyArray<Content>} contents
 * @returns {ReadonlyArray<HTMLElement>}
 */
export const menu = (id, label, contents) => {
  const button = element(
    "button",
    { type: "button", class: "menu-button", popovertarget: id, "data-testid": `${id}-menu` },
    label
  )
  const panel = element(
    "div",
    {
      id,
      class: "menu",
      popover: "auto",
      role: "group",
      "aria-label": label,
      beforetoggle: () => placeBelow(panel, button)
    },
    ...contents
  )
  return [button, panel]
}
