/**
 * Names, levels and places in the tab order that Swagger UI leaves out, for people who hear the page or use no mouse.
 */

/** What a field is for, by its place. @type {(field: Element) => string} */
const fieldName = (field) => {
  const { paramName } = field.closest("tr")?.dataset ?? {}
  if (paramName !== undefined) return paramName
  if (field.closest(".body-param") !== null && field.matches("textarea")) return "Request body"
  if (field.id === "servers") return "Server"
  const label = field.closest("label, .content-type-wrapper, .response-controls, .wrapper")
  return label?.querySelector("small, h4, h5, label")?.textContent?.trim() || "Media type"
}

/** The label around the choice of a server is empty. @type {(field: Element) => boolean} */
const isNamed = (field) =>
  field.hasAttribute("aria-label") ||
  field.hasAttribute("aria-labelledby") ||
  (field.id !== "servers" &&
    (field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement) &&
    (field.labels?.length ?? 0) > 0)

/** No level is skipped on the way down. @type {(place: Element) => void} */
const levelHeadings = (place) => {
  let above = 1
  for (const heading of place.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    above = Math.min(Number(heading.tagName.slice(1)), above + 1)
    heading.setAttribute("aria-level", String(above))
  }
}

/** The parts of the page beside the operations, which are its main one. */
const regions = {
  ".information-container": "About",
  ".scheme-container": "Server and authorization",
  ".models": "Schemas",
  ".dialog-ux": "Authorization"
}

/** @type {(place: Element) => void} */
const mend = (place) => {
  const all = /** @type {(selector: string) => NodeListOf<HTMLElement>} */ (
    (selector) => place.querySelectorAll(selector)
  )
  for (const field of all("input, select, textarea")) if (!isNamed(field)) field.ariaLabel = fieldName(field)
  for (const [selector, name] of Object.entries(regions)) {
    for (const region of all(selector)) {
      region.setAttribute("role", "region")
      region.ariaLabel = name
    }
  }
  for (const table of all("table[role='region']")) table.setAttribute("role", "table")
  // The whole row is a button already.
  for (const link of all("button a[href]")) link.removeAttribute("href")
  for (const code of all("pre")) code.tabIndex = 0
  // What they are called is what one reads on them.
  for (const button of all(".auth-btn-wrapper button[aria-label]")) button.removeAttribute("aria-label")
  for (const button of all(".close-modal:not([aria-label])")) button.ariaLabel = "Close"
  levelHeadings(place)
}

/** Mends what is there, and whatever Swagger UI adds. @type {(place: Element) => void} */
export const mendSwaggerUi = (place) => {
  let isDue = false
  new MutationObserver(() => {
    if (isDue) return
    isDue = true
    requestAnimationFrame(() => {
      isDue = false
      mend(place)
    })
  }).observe(place, { childList: true, subtree: true })
  mend(place)
}
