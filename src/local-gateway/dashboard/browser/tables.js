/**
 * The undelivered notifications and the clearings.
 *
 * @import { ClearingView, State, Undelivered } from "./page/controlResponses.js"
 * @import { Content } from "./page/dom.js"
 * @import { Page, View } from "./page/page.js"
 */
import { change, read } from "./page/api.js"
import { byId, element, section, timeElement } from "./page/dom.js"
import { paymentLink } from "./page/entries.js"
import { amountText } from "./page/format.js"

/** Longer lists show only the newest. */
const most = 500

/** @type {(caption: string, heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Content>>, none: string) => HTMLElement} */
const table = (caption, heads, rows, none) =>
  rows.length === 0
    ? element("p", { class: "quiet hint" }, none)
    : element(
        "div",
        { class: "wide", tabindex: 0, role: "group", "aria-label": caption },
        element(
          "table",
          {},
          element("caption", {}, rows.length > most ? `${caption}: the newest ${most}` : caption),
          element(
            "thead",
            {},
            element(
              "tr",
              {},
              heads.map((head) => element("th", { scope: "col" }, head))
            )
          ),
          element(
            "tbody",
            {},
            rows.slice(0, most).map((cells) =>
              element(
                "tr",
                {},
                cells.map((cell) => element("td", {}, cell))
              )
            )
          )
        )
      )

/** Saves a clearing as the file that the gateway sends by mail. @type {(clearing: ClearingView) => void} */
const saveXml = ({ number, xml }) => {
  const address = URL.createObjectURL(new Blob([xml], { type: "application/xml" }))
  element("a", { href: address, download: `clearing-${number}.xml` }).click()
  URL.revokeObjectURL(address)
}

/** @type {(clearing: ClearingView) => ReadonlyArray<Content>} */
const clearingCells = (clearing) => [
  element("span", { class: "id" }, clearing.number),
  clearing.date,
  element("span", { class: "number" }, amountText(clearing.transfer, clearing.currency)),
  element("span", { class: "number" }, amountText(clearing.fee, clearing.currency)),
  element("span", { class: "id" }, clearing.goid),
  element(
    "button",
    {
      type: "button",
      class: "small",
      "aria-label": `Save clearing ${clearing.number} as XML`,
      click: () => saveXml(clearing)
    },
    "XML"
  )
]

/**
 * A view of one list, read again when the books or the settings have changed, and each hour.
 *
 * @template Response
 * @param {Page} page
 * @param {() => Promise<Response>} get
 * @param {HTMLElement} place
 * @param {(response: Response) => HTMLElement} render
 * @param {(state: State) => string} [keyOf] what the list depends on
 * @returns {View}
 */
const listView = (page, get, place, render, keyOf = ({ now, revision }) => [revision, now.slice(0, 13)].join()) => {
  let seen = ""
  const show = section(place, /** @param {Response} response */ (response) => [render(response)])
  return {
    update: async (state) => {
      const key = `${page.epoch()} ${keyOf(state)}`
      if (key === seen) return
      show(await get())
      seen = key
    }
  }
}

/** The result of an attempt. @type {(page: Page, last: Undelivered["given_up"][number]["last"]) => ReadonlyArray<Content>} */
const attemptCells = (page, { at, problem, status }) => [
  status === 0 ? (problem ?? "no response") : String(status),
  timeElement(at, page.time(at))
]

/**
 * The notifications that are not delivered: those that wait or are repeated, and those that were given up.
 *
 * @param {Page} page
 * @returns {View}
 */
export const notificationTable = (page) =>
  listView(
    page,
    /** @type {() => Promise<Undelivered>} */ (() => read("/notifications")),
    byId("notifications"),
    ({ given_up, pending }) => {
      const deliver = element(
        "button",
        {
          type: "button",
          class: "primary",
          "data-testid": "deliver-now",
          disabled: pending.length === 0,
          click: () =>
            page.act(deliver, async () => {
              await change("/deliver-notifications")
              return "Every notification has been accepted or given up."
            })
        },
        "Deliver them now"
      )
      /** @type {(id: number) => HTMLElement} */
      const resend = (id) => {
        const button = element(
          "button",
          {
            type: "button",
            class: "small",
            "aria-label": `Resend the notification of payment ${id}`,
            click: () =>
              page.act(button, async () => {
                await change(`/payments/${id}/resend-notification`)
                return "The notification was sent once more."
              })
          },
          "Resend"
        )
        return button
      }
      return element(
        "div",
        {},
        table(
          "Pending",
          ["Payment", "Address", "Attempts", "Last result", "Last attempt", "Next attempt"],
          pending.map(({ attempts, due_at, last, payment_id, url }) => [
            paymentLink(payment_id),
            element("code", {}, url),
            String(attempts),
            ...(last === undefined ? ["—", "—"] : attemptCells(page, last)),
            timeElement(due_at, page.time(due_at))
          ]),
          "No pending notifications."
        ),
        pending.length === 0 ? undefined : deliver,
        table(
          "Given up",
          ["Payment", "Address", "Attempts", "Last result", "Last attempt", ""],
          given_up
            .toReversed()
            .map(({ attempts, last, payment_id, url }) => [
              paymentLink(payment_id),
              element("code", {}, url),
              String(attempts),
              ...attemptCells(page, last),
              resend(payment_id)
            ]),
          "None was given up."
        )
      )
    },
    ({ newest, notifications_waiting, now, revision }) =>
      [revision, newest, notifications_waiting, now.slice(0, 13)].join()
  )

/**
 * The clearings, newest first.
 *
 * @param {Page} page
 * @param {HTMLElement} place
 * @returns {View}
 */
export const clearingTable = (page, place) =>
  listView(
    page,
    /** @type {() => Promise<{ readonly clearings: ReadonlyArray<ClearingView> }>} */ (() => read("/clearings")),
    place,
    ({ clearings }) =>
      table(
        "Clearings",
        ["Number", "Date", "Transfer", "Fee", "Shop", "File"],
        clearings.toReversed().map(clearingCells),
        "No clearings yet. Choose when they are made: the setting clearings."
      )
  )
