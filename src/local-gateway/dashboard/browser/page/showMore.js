/**
 * The length of a list of which a part is shown, with the button that shows more of it.
 */
import { element } from "./dom.js"

/** Shown at first, and added each time. */
const pageSize = 100

/**
 * @param {() => void} refresh Called when more are wanted.
 */
export const showMore = (refresh) => {
  let limit = pageSize
  const button = element(
    "button",
    {
      type: "button",
      hidden: true,
      click: () => {
        limit += pageSize
        refresh()
      }
    },
    "Show more"
  )
  return {
    button,
    /** The most to show. */
    limit: () => limit,
    /** Begins again with the first page. */
    startOver: () => {
      limit = pageSize
    },
    /** Goes on showing what is shown already. @type {(count: number) => void} */
    keep: (count) => {
      limit = Math.max(limit, count)
    },
    /** Offers more where there is more. @type {(shown: number, total: number) => void} */
    update: (shown, total) => {
      button.hidden = shown >= total
    }
  }
}
