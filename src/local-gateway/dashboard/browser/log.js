/**
 * The log, newest first. The gateway searches it.
 *
 * @import { Log, LogEntry } from "./page/controlResponses.js"
 * @import { Page, View } from "./page/page.js"
 */
import { read } from "./page/api.js"
import { byId, element, keyedList, labelled, select, write } from "./page/dom.js"
import { entryRow } from "./page/entries.js"
import { countText } from "./page/format.js"
import { highlight } from "./page/highlight.js"
import { showMore } from "./page/showMore.js"

/** Entries to keep while it is open: as many as the gateway gives at once. */
const kept = 5000

const statuses = /** @type {const} */ ([
  ["", "Any status"],
  ["2xx", "2xx succeeded"],
  ["3xx", "3xx redirected"],
  ["4xx", "4xx refused"],
  ["5xx", "5xx failed"],
  ["0", "No response"]
])

/**
 * A filter as the control API takes it. Empty fields match everything; what is no number matches nothing.
 *
 * @param {{ readonly query: string, readonly type: string, readonly operation: string, readonly status: string, readonly error_code: string, readonly payment_id: string }} fields
 * @returns {{ readonly [name: string]: string } | undefined} Undefined where nothing can match.
 */
export const logQuery = (fields) => {
  const given = Object.entries(fields).flatMap(([name, text]) => (text.trim() === "" ? [] : [[name, text.trim()]]))
  /** @type {{ readonly [name: string]: string }} */
  const query = Object.fromEntries(given)
  const numbers = [query["error_code"], query["payment_id"]]
  return numbers.every((text) => text === undefined || /^[1-9]\d{0,14}$/.test(text)) ? query : undefined
}

/**
 * The log, with its filter.
 *
 * @param {Page} page
 * @returns {View & { readonly go: (id: string | undefined, search: string) => void }} `go` shows what an address asks for: the log of
 *   one payment, or what a filter finds.
 */
export const logView = (page) => {
  const list = element("ol", { class: "entries" })
  const summary = element("p", { class: "quiet summary", role: "status" })
  const filterChanged = () => {
    more.startOver()
    const search = new URLSearchParams(
      Object.entries(fields).flatMap(([name, { value }]) => (value.trim() === "" ? [] : [[name, value.trim()]]))
    )
    history.replaceState(null, "", search.size === 0 ? "#/log" : `#/log?${search}`)
    page.refresh()
  }
  /** @type {(attributes: object) => HTMLInputElement} */
  const field = (attributes) =>
    element("input", { type: "text", autocomplete: "off", spellcheck: "false", input: filterChanged, ...attributes })
  const text = field({ type: "search", maxlength: 200 })
  const type = select({ change: filterChanged }, [["", "Everything"], ...Object.entries(page.catalogue.log.kinds)])
  const operation = select({ change: filterChanged }, [
    ["", "Any operation"],
    ...[...page.catalogue.operations, ...page.catalogue.actions].map((name) => /** @type {const} */ ([name, name]))
  ])
  const status = select({ change: filterChanged }, statuses)
  const errorCode = field({ inputmode: "numeric", size: 5 })
  const payment = field({ inputmode: "numeric", size: 12 })
  const fields = { query: text, type, operation, status, error_code: errorCode, payment_id: payment }
  const clear = element(
    "button",
    {
      type: "button",
      click: () => {
        for (const one of Object.values(fields)) one.value = ""
        filterChanged()
      }
    },
    "Clear filter"
  )
  const more = showMore(() => page.refresh())
  byId("log").append(
    element(
      "div",
      { class: "toolbar", role: "search", "aria-label": "Filter the log" },
      labelled("Text", text),
      labelled("Show", type),
      labelled("Operation", operation),
      labelled("Status", status),
      labelled("Error code", errorCode),
      labelled("Payment", payment),
      clear
    ),
    summary,
    list,
    more.button
  )

  /** The entries that are shown, newest first. @type {ReadonlyArray<LogEntry>} */
  let entries = []
  let after = 0
  let total = 0
  let shown = ""
  const render = keyedList(list, (entry) => entry.number, entryRow(page, { linked: true, isPrecise: true }))

  const currentQuery = () =>
    logQuery({
      query: text.value,
      type: type.value,
      operation: operation.value,
      status: status.value,
      error_code: errorCode.value,
      payment_id: payment.value
    })

  const mark = () => highlight(list, text.value)
  // A call writes its bodies when it is opened, after this hears of it.
  list.addEventListener("toggle", () => requestAnimationFrame(mark), true)

  /** @type {(isFiltered: boolean) => void} */
  const show = (isFiltered) => {
    render(entries)
    mark()
    more.update(entries.length, total)
    clear.hidden = !isFiltered
    const found = isFiltered ? `${countText(total, "entry")} found` : countText(total, "entry")
    write(
      summary,
      total === 0
        ? isFiltered
          ? "No entry matches."
          : "The log is empty."
        : entries.length < total
          ? `${found}, the newest ${entries.length} are shown`
          : found
    )
  }

  return {
    go: (id, search) => {
      const wanted = new URLSearchParams(id === undefined ? search : { payment_id: id })
      const isSame = Object.entries(fields).every(([name, { value }]) => value.trim() === (wanted.get(name) ?? ""))
      if (isSame) return
      for (const [name, one] of Object.entries(fields)) one.value = wanted.get(name) ?? ""
      more.startOver()
    },
    update: async ({ newest }) => {
      const query = currentQuery()
      const isFiltered = query === undefined || Object.keys(query).length > 0
      const key = JSON.stringify([page.epoch(), query])
      const begunAnew = key !== shown || newest < after
      const isOlderWanted = entries.length < Math.min(more.limit(), total)
      if (!begunAnew && newest === after && !isOlderWanted) return
      if (query === undefined) {
        entries = []
        total = 0
        after = newest
      } else if (begunAnew) {
        list.setAttribute("aria-busy", "true")
        /** @type {Log} */
        const log = await read("/log", { ...query, limit: more.limit() })
        entries = log.entries.toReversed()
        total = log.total
        after = log.next_after
      } else {
        if (newest !== after) {
          /** @type {Log} */
          const log = await read("/log", { ...query, after, limit: kept })
          entries = [...log.entries.toReversed(), ...entries].slice(0, kept)
          more.keep(entries.length)
          total = log.total
          after = log.next_after
        }
        const oldest = entries.at(-1)
        const missing = Math.min(more.limit(), total) - entries.length
        if (missing > 0 && oldest !== undefined) {
          /** @type {Log} */
          const log = await read("/log", { ...query, before: oldest.number, limit: missing })
          entries = [...entries, ...log.entries.toReversed()]
          total = log.entries.length < missing ? entries.length : log.total
        }
      }
      list.removeAttribute("aria-busy")
      shown = key
      show(isFiltered)
    }
  }
}
