/**
 * Entries of the log, as a payment's timeline and the log itself show them.
 *
 * @import { LogWords } from "../../../control/LogWords.js"
 * @import { EntryOf, LogEntry } from "./controlResponses.js"
 * @import { Content, Row } from "./dom.js"
 * @import { Page } from "./page.js"
 */
import { element, stateChip, timeElement } from "./dom.js"
import { amountText, durationText, millisText, prettyBody, statusClass, words } from "./format.js"
import { callAsCurl } from "./copies.js"
import { ownMember } from "./ownMember.js"

/**
 * The style of entries.
 *
 * @typedef {object} EntryStyle
 * @property {string} [currency] Of their payment, where they all belong to one.
 * @property {boolean} [linked] Whether each links to its payment.
 * @property {boolean} [isPrecise] Whether times have milliseconds.
 */

/**
 * A payment's page.
 *
 * @param {number} id
 * @returns {HTMLAnchorElement}
 */
export const paymentLink = (id) => element("a", { href: `#/payments/${id}`, class: "id" }, id)

/** @type {(status: number, words: LogWords) => HTMLElement} */
const statusBadge = (status, { noResponse }) =>
  element("span", { class: "status", "data-status": statusClass(status) }, status === 0 ? noResponse : status)

/** @type {(title: string, text: string) => ReadonlyArray<HTMLElement>} */
const block = (title, text) =>
  text === ""
    ? []
    : [element("p", { class: "block" }, title), element("pre", { tabindex: 0, "aria-label": title }, text)]

/** @type {(entry: EntryOf<"request">, page: Page) => HTMLButtonElement | undefined} */
const copyButton = (entry, page) => {
  if (!window.isSecureContext) return undefined
  const button = element(
    "button",
    {
      type: "button",
      class: "small",
      click: () =>
        page.act(button, async () => {
          await navigator.clipboard.writeText(callAsCurl(entry, page.url()))
          return "The call is on the clipboard. It takes the token from $TOKEN."
        })
    },
    "Copy as curl"
  )
  return button
}

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

/** @type {(entry: EntryOf<"request">, page: Page) => HTMLElement} */
const requestContent = (entry, page) => {
  const { log } = page.catalogue
  const { duration_millis, error_codes = [], fault, method, operation, path, status } = entry
  const bodies = element("div", { class: "bodies" })
  return element(
    "details",
    {
      toggle: () => {
        // Most are never opened.
        if (bodies.childElementCount === 0) bodies.append(...exchange(entry), copyButton(entry, page) ?? "")
      }
    },
    element(
      "summary",
      {},
      statusBadge(status, log),
      ...error_codes.map((code) => element("span", { class: "tag", title: "error_code" }, code)),
      element("span", { class: "what" }, operation ?? method),
      element("span", { class: "path" }, `${method} ${path}`),
      fault === undefined ? undefined : element("span", { class: "tag" }, `fault: ${words(fault)}`),
      element("span", { class: "quiet number" }, millisText(duration_millis))
    ),
    bodies
  )
}

/**
 * The one who caused a change, or the time that did.
 *
 * @type {(entry: EntryOf<"state" | "recurrence" | "preauthorization">, words: LogWords) => HTMLElement}
 */
const cause = ({ by, jump_millis, to }, log) => {
  const actor = jump_millis === undefined ? log.actors[by] : log.byJump.replace("{}", durationText(jump_millis / 1000))
  const reason = by === "time" ? ownMember(log.reasons, to) : undefined
  return element("span", { class: "quiet" }, reason === undefined ? actor : `${reason} ${actor}`)
}

/** @type {(entry: EntryOf<"state">, catalogue: Page["catalogue"], currency?: string) => Content} */
const stateContent = (entry, { log, paymentSubStates }, currency) => {
  const { from, received, refunded, sub_state, to } = entry
  const subStateText = ownMember(paymentSubStates, sub_state ?? "")
  return [
    ...(from === undefined || from === to ? [] : [stateChip(from), element("span", { "aria-label": "to" }, "→")]),
    stateChip(to),
    cause(entry, log),
    sub_state === undefined
      ? undefined
      : element("span", { class: "quiet" }, `${sub_state}${subStateText === undefined ? "" : `: ${subStateText}`}`),
    received === 0 ? undefined : element("span", { class: "number" }, `received ${amountText(received, currency)}`),
    refunded === 0 ? undefined : element("span", { class: "number" }, `refunded ${amountText(refunded, currency)}`)
  ]
}

/** @type {(entry: EntryOf<"recurrence" | "preauthorization">, words: LogWords) => Content} */
const partContent = (entry, log) => [stateChip(entry.to), cause(entry, log)]

/** @type {(entry: EntryOf<"operation">, currency?: string) => Content} */
const operationContent = ({ amount, operation, result }, currency) => [
  element("span", { class: "what" }, words(operation)),
  stateChip(result.toUpperCase()),
  amount === undefined ? undefined : element("span", { class: "number" }, amountText(amount, currency))
]

/** @type {(entry: EntryOf<"notification">, words: LogWords) => Content} */
const notificationContent = ({ attempt, problem, status, url }, log) => [
  statusBadge(status, log),
  element("span", { class: "what" }, attempt <= 1 ? log.notified : `${log.notified}, ${log.attempt} ${attempt}`),
  element("span", { class: "path" }, `GET ${url}`),
  problem === undefined ? undefined : element("span", { class: "problem" }, problem)
]

/** @type {(entry: EntryOf<"control">, words: LogWords) => Content} */
const controlContent = ({ action, problem, request }, log) => [
  element("span", { class: "what" }, words(action)),
  request === undefined ? undefined : element("code", { class: "path" }, request),
  problem === undefined ? undefined : element("span", { class: "problem" }, `${log.refused}: ${problem}`)
]

/** @type {(entry: LogEntry, page: Page, currency?: string) => Content} */
const content = (entry, page, currency) => {
  const { catalogue } = page
  const { log } = catalogue
  switch (entry.type) {
    case "request":
      return requestContent(entry, page)
    case "state":
      return stateContent(entry, catalogue, entry.currency ?? currency)
    case "recurrence":
    case "preauthorization":
      return partContent(entry, log)
    case "operation":
      return operationContent(entry, entry.currency ?? currency)
    case "notification":
      return notificationContent(entry, log)
    case "warning":
      return [
        element("span", { class: "what" }, words(entry.operation)),
        element("span", { class: "problem" }, `${log.mayBeRefused}: ${entry.refusal}`)
      ]
    case "control":
      return controlContent(entry, log)
    case "time":
      return element("span", {}, `${log.movedForward} ${durationText(entry.advanced_millis / 1000)}`)
    case "fault":
      return [
        element("span", { class: "what" }, words(entry.fault)),
        element("span", { class: "quiet" }, log.changes[entry.change])
      ]
  }
}

/**
 * An entry as a row of a list. Entries never change.
 *
 * @param {Page} page
 * @param {EntryStyle} style
 * @returns {(entry: LogEntry) => Row<LogEntry>}
 */
export const entryRow =
  (page, { currency, isPrecise = false, linked = false }) =>
  (entry) => ({
    element: element(
      "li",
      { class: "entry", "data-type": entry.type },
      timeElement(entry.at, page.time(entry.at, isPrecise), isPrecise),
      element("span", { class: "type" }, page.catalogue.log.kinds[entry.type]),
      element("div", { class: "content" }, content(entry, page, currency)),
      linked && "payment_id" in entry && entry.payment_id !== undefined ? paymentLink(entry.payment_id) : undefined
    )
  })
