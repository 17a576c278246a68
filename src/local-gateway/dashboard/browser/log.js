/**
 * The log, newest first.
 *
 * @import { Log, LogEntry } from "./controlResponses.js"
 * @import { Page, View } from "./page.js"
 */
import { read } from "./api.js"
import { byId, element, keyedList, labelled, select, write } from "./dom.js"
import { entryRow, entryTypes } from "./entries.js"
import { countText, statusClass } from "./format.js"

/** Entries to read when the log is opened. The gateway may have more. */
const readAtFirst = 1000

/** Entries to keep while it is open. */
const kept = 5000

/** Entries shown at first, and added by each "Show more". */
const pageSize = 100

/**
 * A filter of entries. Empty texts match everything.
 *
 * @typedef {{ readonly type: string, readonly operation: string, readonly status: string, readonly payment: string, readonly text: string }} LogFilter
 */

/**
 * Whether an entry matches.
 *
 * @param {LogFilter} filter
 * @returns {(entry: LogEntry) => boolean}
 */
export const passes = ({ operation, payment, status, text, type }) => {
  const wanted = text.toLowerCase()
  return (entry) =>
    (type === "" || entry.type === type) &&
    (operation === "" || ("operation" in entry && entry.operation === operation)) &&
    (status === "" || ("status" in entry && statusClass(entry.status) === status)) &&
    (payment === "" || ("payment_id" in entry && String(entry.payment_id) === payment)) &&
    (wanted === "" || JSON.stringify(Object.values(entry)).toLowerCase().includes(wanted))
}

const statuses = /** @type {const} */ ([
  ["", "Any status"],
  ["2xx", "2xx succeeded"],
  ["3xx", "3xx redirected"],
  ["4xx", "4xx refused"],
  ["5xx", "5xx failed"],
  ["none", "No response"]
])

/**
 * The log, with its filter.
 *
 * @param {Page} page
 * @returns {View & { readonly ofPayment: (id: string) => void }}
 */
export const logView = (page) => {
  const list = element("ol", { class: "entries" })
  const summary = element("p", { class: "quiet summary" })
  const filterChanged = () => {
    limit = pageSize
    show()
  }
  const type = select({ change: filterChanged }, [["", "Everything"], ...Object.entries(entryTypes)])
  const operation = select({ change: filterChanged }, [
    ["", "Any operation"],
    ...page.catalogue.operations.map((name) => /** @type {const} */ ([name, name]))
  ])
  const status = select({ change: filterChanged }, statuses)
  const payment = element("input", {
    type: "text",
    inputmode: "numeric",
    size: 12,
    autocomplete: "off",
    input: filterChanged
  })
  const text = element("input", { type: "search", autocomplete: "off", spellcheck: "false", input: filterChanged })
  const clear = element(
    "button",
    {
      type: "button",
      click: () => {
        for (const field of [type, operation, status, payment, text]) field.value = ""
        filterChanged()
      }
    },
    "Clear filter"
  )
  const more = element(
    "button",
    {
      type: "button",
      hidden: true,
      click: () => {
        limit += pageSize
        show()
      }
    },
    "Show more"
  )
  byId("log").append(
    element(
      "div",
      { class: "toolbar", role: "search", "aria-label": "Filter the log" },
      labelled("Show", type),
      labelled("Operation", operation),
      labelled("Status", status),
      labelled("Payment", payment),
      labelled("Text", text),
      clear
    ),
    summary,
    list,
    more
  )

  /** @type {ReadonlyArray<LogEntry>} */
  let entries = []
  let limit = pageSize
  let after = 0
  let epoch = -1
  const render = keyedList(list, (entry) => entry.number, entryRow(page, { linked: true }))

  const show = () => {
    const filter = {
      type: type.value,
      operation: operation.value,
      status: status.value,
      payment: payment.value.trim(),
      text: text.value.trim()
    }
    const isFiltered = Object.values(filter).some((value) => value !== "")
    const found = isFiltered ? entries.filter(passes(filter)) : entries
    const shown = found.slice(-limit).toReversed()
    render(shown)
    more.hidden = shown.length === found.length
    clear.hidden = !isFiltered
    write(
      summary,
      entries.length === 0
        ? "The log is empty."
        : `${isFiltered ? `${countText(found.length, "entry", "entries")} of the` : "The"} last ${countText(entries.length, "entry", "entries")}`
    )
  }

  return {
    ofPayment: (id) => {
      for (const field of [type, operation, status, text]) field.value = ""
      payment.value = id
      filterChanged()
    },
    update: async ({ newest }) => {
      const begunAnew = epoch !== page.epoch() || newest < after
      if (!begunAnew && newest === after) return
      /** @type {Log} */
      const log = await read("/log", begunAnew ? { limit: readAtFirst } : { after, limit: kept })
      entries = [...(begunAnew ? [] : entries), ...log.entries].slice(-kept)
      after = log.next_after
      epoch = page.epoch()
      show()
    }
  }
}
