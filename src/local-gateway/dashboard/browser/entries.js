/**
 * Entries of the log, as a payment's timeline and the log itself show them.
 *
 * @import { EntryOf, LogEntry } from "./controlResponses.js"
 * @import { Content, Row } from "./dom.js"
 * @import { Page } from "./page.js"
 */
import { element, stateChip, timeElement } from "./dom.js"
import { amountText, durationText, prettyBody, statusClass, words } from "./format.js"

/**
 * The style of entries.
 *
 * @typedef {object} EntryStyle
 * @property {string} [currency] Of their payment, where they all belong to one.
 * @property {boolean} [linked] Whether each links to its payment.
 */

/**
 * A payment's page.
 *
 * @param {number} id
 * @returns {HTMLAnchorElement}
 */
export const paymentLink = (id) => element("a", { href: `#/payments/${id}`, class: "id" }, id)

/** @type {(status: number) => HTMLElement} */
const statusBadge = (status) =>
  element("span", { class: "status", "data-status": statusClass(status) }, status === 0 ? "no response" : status)

/** @type {(title: string, text: string) => ReadonlyArray<HTMLElement>} */
const block = (title, text) =>
  text === "" ? [] : [element("h4", {}, title), element("pre", { tabindex: 0, "aria-label": title }, text)]

/** @type {(entry: EntryOf<"request">) => ReadonlyArray<HTMLElement>} */
const exchange = ({ headers, method, path, query, request_body, response_body }) => [
  ...block("Request body", prettyBody(request_body)),
  ...block("Response body", prettyBody(response_body)),
  ...block(
    "Request line and headers",
    [
      `${method} ${path}${query === "" ? "" : `?${query}`}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    ].join("\n")
  )
]

/** @type {(entry: EntryOf<"request">) => HTMLElement} */
const requestContent = (entry) => {
  const { fault, method, operation, path, status } = entry
  const bodies = element("div", { class: "bodies" })
  return element(
    "details",
    {
      toggle: () => {
        // Most are never opened.
        if (bodies.childElementCount === 0) bodies.append(...exchange(entry))
      }
    },
    element(
      "summary",
      {},
      statusBadge(status),
      element("span", { class: "what" }, operation ?? method),
      element("span", { class: "path" }, `${method} ${path}`),
      fault === undefined ? undefined : element("span", { class: "tag" }, `fault: ${words(fault)}`)
    ),
    bodies
  )
}

/** @type {Readonly<Record<string, string>>} */
const actors = {
  merchant: "by the shop",
  payer: "by the payer",
  time: "by the passage of time",
  control: "by the control API"
}

/** @type {(by: string) => HTMLElement} */
const actor = (by) => element("span", { class: "quiet" }, actors[by] ?? by)

/** @type {(entry: EntryOf<"state">, subStates: Readonly<Record<string, string>>, currency?: string) => Content} */
const stateContent = ({ by, from, received, refunded, sub_state, to }, subStates, currency) => [
  ...(from === undefined || from === to ? [] : [stateChip(from), element("span", { "aria-label": "to" }, "→")]),
  stateChip(to),
  actor(by),
  sub_state === undefined
    ? undefined
    : element(
        "span",
        { class: "quiet" },
        `${sub_state}${subStates[sub_state] === undefined ? "" : `: ${subStates[sub_state]}`}`
      ),
  received === 0 ? undefined : element("span", { class: "number" }, `received ${amountText(received, currency)}`),
  refunded === 0 ? undefined : element("span", { class: "number" }, `refunded ${amountText(refunded, currency)}`)
]

/** @type {(entry: EntryOf<"recurrence" | "preauthorization">) => Content} */
const partContent = ({ by, to, type }) => [element("span", {}, words(type)), stateChip(to), actor(by)]

/** @type {(entry: EntryOf<"operation">, currency?: string) => Content} */
const operationContent = ({ amount, operation, result }, currency) => [
  element("span", { class: "what" }, words(operation)),
  stateChip(result.toUpperCase()),
  amount === undefined ? undefined : element("span", { class: "number" }, amountText(amount, currency))
]

/** @type {(entry: EntryOf<"notification">) => Content} */
const notificationContent = ({ attempt, problem, status, url }) => [
  statusBadge(status),
  element("span", { class: "what" }, attempt <= 1 ? "notified" : `notified, attempt ${attempt}`),
  element("span", { class: "path" }, `GET ${url}`),
  problem === undefined ? undefined : element("span", { class: "problem" }, problem)
]

/** @type {(entry: LogEntry, page: Page, currency?: string) => Content} */
const content = (entry, page, currency) => {
  switch (entry.type) {
    case "request":
      return requestContent(entry)
    case "state":
      return stateContent(entry, page.catalogue.paymentSubStates, currency)
    case "recurrence":
    case "preauthorization":
      return partContent(entry)
    case "operation":
      return operationContent(entry, currency)
    case "notification":
      return notificationContent(entry)
    case "warning":
      return [
        element("span", { class: "what" }, words(entry.operation)),
        element("span", { class: "problem" }, `GoPay may refuse this: ${entry.refusal}`)
      ]
    case "time":
      return element("span", {}, `moved forward by ${durationText(entry.forwarded_millis / 1000)}`)
    case "fault":
      return [element("span", { class: "what" }, words(entry.fault)), element("span", { class: "quiet" }, entry.change)]
  }
}

/**
 * The names of the kinds of entries.
 *
 * @type {Readonly<Record<LogEntry["type"], string>>}
 */
export const entryTypes = {
  request: "API call",
  state: "State",
  recurrence: "Recurrence",
  preauthorization: "Hold",
  operation: "Operation",
  notification: "Notification",
  warning: "Warning",
  time: "Time",
  fault: "Fault"
}

/**
 * An entry as a row of a list. Entries never change.
 *
 * @param {Page} page
 * @param {EntryStyle} style
 * @returns {(entry: LogEntry) => Row<LogEntry>}
 */
export const entryRow =
  (page, { currency, linked = false }) =>
  (entry) => ({
    element: element(
      "li",
      { class: "entry", "data-type": entry.type },
      timeElement(entry.at, page.time(entry.at)),
      element("span", { class: "type" }, entryTypes[entry.type]),
      element("div", { class: "content" }, content(entry, page, currency)),
      linked && "payment_id" in entry && entry.payment_id !== undefined ? paymentLink(entry.payment_id) : undefined
    )
  })
