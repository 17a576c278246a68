/**
 * The recurrences, the stored cards and the clearings.
 *
 * @import { CardView, ClearingView, RecurrenceView, State, Undelivered } from "./page/controlResponses.js"
 * @import { Content } from "./page/dom.js"
 * @import { Page, View } from "./page/page.js"
 */
import { change, read } from "./page/api.js"
import { byId, element, section, stateChip, timeElement } from "./page/dom.js"
import { paymentLink } from "./page/entries.js"
import { amountText, withheld } from "./page/format.js"

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

/** @type {(page: Page) => (recurrence: RecurrenceView) => ReadonlyArray<Content>} */
const recurrenceCells = (page) => (shown) => {
  const { amount, charges, currency, next_charge_at, order_number, payment_id, recurrence } = shown
  const { recurrence_cycle, recurrence_date_to, recurrence_period, recurrence_state } = recurrence
  const last = charges.slice(-6).toReversed()
  return [
    [paymentLink(payment_id), element("span", { class: "quiet under" }, order_number)],
    stateChip(recurrence_state),
    element("span", { class: "number" }, amountText(amount, currency)),
    `${recurrence_cycle}${recurrence_period === undefined ? "" : ` × ${recurrence_period}`}`,
    recurrence_date_to,
    next_charge_at === undefined ? "—" : timeElement(next_charge_at, page.time(next_charge_at)),
    charges.length === 0
      ? "—"
      : element(
          "span",
          { class: "ids" },
          last.map((id) => paymentLink(id)),
          charges.length > last.length ? `and ${charges.length - last.length} earlier` : undefined
        )
  ]
}

/** @type {(card: CardView) => ReadonlyArray<Content>} */
const cardCells = (card) => {
  const { card_expiration: expiration = "", status = "" } = card
  return [
    element("span", { class: "id" }, card.card_id),
    stateChip(status),
    element("span", { class: "id" }, card.card_number),
    `${expiration.slice(2)}/${expiration.slice(0, 2)}`,
    card.card_brand,
    [card.card_issuer_bank, element("span", { class: "quiet under" }, card.card_issuer_country)],
    element("span", { class: "quiet" }, withheld),
    element("span", { class: "id" }, card.goid)
  ]
}

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

/**
 * The recurrences, newest first.
 *
 * @param {Page} page
 * @returns {View}
 */
export const recurrenceTable = (page) =>
  listView(
    page,
    /** @type {() => Promise<{ readonly recurrences: ReadonlyArray<RecurrenceView> }>} */ (() => read("/recurrences")),
    byId("recurrences"),
    ({ recurrences }) =>
      table(
        "Recurrences",
        ["First payment", "State", "Amount", "Cycle", "Until", "Next charge", "Charges"],
        recurrences.toReversed().map(recurrenceCells(page)),
        "No recurrences yet. Call createPayment with recurrence."
      )
  )

/**
 * The stored cards, newest first.
 *
 * @param {Page} page
 * @returns {View}
 */
export const cardTable = (page) =>
  listView(
    page,
    /** @type {() => Promise<{ readonly cards: ReadonlyArray<CardView> }>} */ (() => read("/cards")),
    byId("cards"),
    ({ cards }) =>
      table(
        "Stored cards",
        ["Id", "Status", "Number", "Expires", "Brand", "Issuer", "Token", "Shop"],
        cards.toReversed().map(cardCells),
        "No stored cards yet. Call createPayment with request_card_token."
      )
  )

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
