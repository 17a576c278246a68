/**
 * Building the page. All content is text; none of it is ever parsed as markup.
 */

/**
 * The content of an element.
 *
 * @typedef {Node | string | number | undefined} Piece
 * @typedef {Piece | ReadonlyArray<Piece>} Content
 */

/**
 * Attributes by name: `true` is an attribute without a value, `false` and `undefined` none; a function listens to the
 * event of that name.
 *
 * @typedef {{ readonly [name: string]: string | number | boolean | undefined | ((event: Event) => void) }} Attributes
 */

/** @type {(contents: ReadonlyArray<Content>) => Array<Node | string>} */
const nodes = (contents) =>
  contents.flat().flatMap((piece) => (piece === undefined ? [] : [typeof piece === "number" ? String(piece) : piece]))

/**
 * A new element.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes]
 * @param {...Content} contents
 * @returns {HTMLElementTagNameMap[Name]}
 */
export const element = (name, attributes = {}, ...contents) => {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(attribute, value)
    else if (value !== undefined && value !== false) made.setAttribute(attribute, value === true ? "" : String(value))
  }
  made.append(...nodes(contents))
  return made
}

/**
 * The element of the page with this id.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export const byId = (id) => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no element ${id}.`)
  return found
}

/**
 * Replaces the contents of an element.
 *
 * @param {Element} parent
 * @param {...Content} contents
 */
export const fill = (parent, ...contents) => parent.replaceChildren(...nodes(contents))

/**
 * Writes a text unless it is already there, so that a selection stays and nothing is read out twice.
 *
 * @param {Node} node
 * @param {string} text
 */
export const write = (node, text) => {
  if (node.textContent !== text) node.textContent = text
}

/**
 * A part of the page that is rendered only when its content has changed. The focus moves to the same control of the new
 * content, or else to the part itself.
 *
 * @template Shown
 * @param {HTMLElement} parent
 * @param {(shown: Shown) => ReadonlyArray<Content>} render
 * @returns {(shown: Shown) => void}
 */
export const section = (parent, render) => {
  /** @type {string | undefined} */
  let last
  return (shown) => {
    const signature = JSON.stringify(shown)
    if (signature === last) return
    last = signature
    const focused = parent.contains(document.activeElement) ? document.activeElement : null
    fill(parent, ...render(shown))
    if (focused === null) return
    const name = focused.getAttribute("data-testid")
    const again = [...parent.querySelectorAll("[data-testid]")].find((one) => one.getAttribute("data-testid") === name)
    if (again instanceof HTMLElement && name !== null) again.focus()
    else {
      parent.tabIndex = -1
      parent.focus()
    }
  }
}

/**
 * An item's place on the page.
 *
 * @template Item
 * @typedef {{ readonly element: Element, readonly update?: (item: Item) => void }} Row
 */

/**
 * A list whose elements stay while their items do: an item that is there already keeps its element, with its focus and
 * its open details, and only changed ones are written again.
 *
 * @template Item
 * @param {Element} parent
 * @param {(item: Item) => string | number} keyOf
 * @param {(item: Item) => Row<Item>} makeRow
 * @returns {(items: ReadonlyArray<Item>) => void}
 */
export const keyedList = (parent, keyOf, makeRow) => {
  /** @type {Map<string | number, { readonly row: Row<Item>, signature: string }>} */
  let known = new Map()
  return (items) => {
    /** @type {typeof known} */
    const next = new Map()
    for (const item of items) {
      const key = keyOf(item)
      const old = known.get(key)
      // Without an update, an item never changes.
      const signature = old !== undefined && old.row.update === undefined ? old.signature : JSON.stringify(item)
      const entry = old ?? { row: makeRow(item), signature }
      if (old !== undefined && old.signature !== signature) {
        old.row.update?.(item)
        old.signature = signature
      }
      next.set(key, entry)
    }
    for (const [key, { row }] of known) if (!next.has(key)) row.element.remove()
    let place = parent.firstElementChild
    for (const { row } of next.values()) {
      if (row.element === place) place = place.nextElementSibling
      else parent.insertBefore(row.element, place)
    }
    known = next
  }
}

/**
 * A time, with its full form to be seen on pointing at it.
 *
 * @param {string} iso
 * @param {string} text
 * @param {boolean} [isPrecise] Whether the text has milliseconds.
 * @returns {HTMLTimeElement}
 */
export const timeElement = (iso, text, isPrecise = false) =>
  element("time", { datetime: iso, title: iso, "data-precise": isPrecise }, text)

/**
 * A payment's state, coloured to match.
 *
 * @param {string} state
 * @returns {HTMLElement}
 */
export const stateChip = (state) => element("span", { class: "chip", "data-state": state }, state.replaceAll("_", " "))

/**
 * A list of names and values. A value that is `undefined` is left out with its name.
 *
 * @param {ReadonlyArray<readonly [name: string, value: Content]>} pairs
 * @returns {HTMLElement}
 */
export const facts = (pairs) =>
  element(
    "dl",
    { class: "facts" },
    pairs.flatMap(([name, value]) =>
      value === undefined ? [] : [element("div", {}, element("dt", {}, name), element("dd", {}, value))]
    )
  )

/**
 * A choice of several values.
 *
 * @param {Attributes} attributes
 * @param {ReadonlyArray<readonly [value: string, label: string]>} options
 * @returns {HTMLSelectElement}
 */
export const select = (attributes, options) =>
  element(
    "select",
    attributes,
    options.map(([value, label]) => element("option", { value }, label))
  )

/**
 * A field with its name before it.
 *
 * @param {string} name
 * @param {HTMLElement} field
 * @returns {HTMLLabelElement}
 */
export const labelled = (name, field) => element("label", { class: "field" }, element("span", {}, name), field)
