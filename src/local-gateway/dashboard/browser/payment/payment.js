/**
 * One payment: its facts, its actions and its history.
 *
 * @import { LogEntry, PaymentDetail, PaymentView } from "../page/controlResponses.js"
 * @import { Page, View } from "../page/page.js"
 */
import { change, ControlFailure, read } from "../page/api.js"
import { byId, element, facts, fill, keyedList, section, stateChip, timeElement, write } from "../page/dom.js"
import { entryRow, paymentLink } from "../page/entries.js"
import { amountText, isoTime, jsonText, untilText } from "../page/format.js"
import { causesFirst } from "./causes.js"
import { payerActions as payerButtons } from "./payerActions.js"
import { orderName } from "./payments.js"
import { copyButtons, shopButtons } from "./shopActions.js"
import { ownMember } from "../page/ownMember.js"

/** @type {Readonly<Record<string, string>>} */
const nextLabels = {
  timeOut: "Times out",
  release: "The hold is released",
  charge: "The next charge is made",
  recurrenceEnd: "The recurrence ends",
  operationEnd: "The operation finishes"
}

/**
 * The addresses of the shop.
 *
 * @typedef {{ readonly return: string | undefined, readonly notification: string | undefined }} Addresses
 */

/** @type {(payment: PaymentView["payment"]) => string | undefined} */
const recurrenceText = ({ recurrence }) => {
  if (recurrence === undefined) return undefined
  const { recurrence_cycle, recurrence_date_to, recurrence_period, recurrence_state } = recurrence
  const period = recurrence_period === undefined ? "" : ` × ${recurrence_period}`
  return `${recurrence_cycle}${period} until ${String(recurrence_date_to)}, ${recurrence_state ?? ""}`
}

/** @type {(payment: PaymentView["payment"]) => string | undefined} */
const cardText = ({ payer }) => {
  const card = payer?.payment_card
  if (card === undefined) return undefined
  return [card.card_brand, card.card_number, card.card_issuer_bank].filter((part) => part !== undefined).join(", ")
}

/** @type {(order: PaymentDetail["order"]) => Addresses} */
const addressesOf = ({ callback }) => ({
  return: addressIn(callback, "return_url"),
  notification: addressIn(callback, "notification_url")
})

/** @type {(callback: unknown, name: string) => string | undefined} */
const addressIn = (callback, name) =>
  Object.entries(typeof callback === "object" && callback !== null ? callback : {}).flatMap(([member, address]) =>
    member === name ? [String(address)] : []
  )[0]

/** @type {(payment: PaymentView["payment"]) => string | undefined} */
const payerText = ({ payer }) => {
  const { email, first_name, last_name, phone_number } = payer?.contact ?? {}
  const name = [first_name, last_name].filter((part) => part !== undefined).join(" ")
  const parts = [name, email, phone_number].filter((part) => part !== undefined && part !== "")
  return parts.length === 0 ? undefined : parts.join(", ")
}

/** The text of a member; undefined where it has none. @type {(value: unknown) => string | undefined} */
const textOf = (value) => (typeof value === "string" && value !== "" ? value : undefined)

/** @type {(order: PaymentDetail["order"]) => ReadonlyArray<HTMLElement>} */
const itemRows = ({ currency, items }) =>
  (Array.isArray(items) ? items : []).map((item) =>
    element(
      "tr",
      {},
      element("td", {}, String(item?.name ?? "")),
      element("td", { class: "number" }, item?.count === undefined ? "" : `${item.count} ×`),
      element("td", { class: "number" }, amountText(Number(item?.amount ?? 0), String(currency)))
    )
  )

/** @type {(page: Page, detail: Pick<PaymentDetail, "charges" | "payment"> & { readonly addresses: Addresses, readonly description: string | undefined }) => HTMLElement} */
const paymentFacts = (page, { addresses, charges, description, payment: view }) => {
  const { payment, received, refundable, refunded } = view
  const { currency, parent_id, payment_instrument, payer, preauthorization, sub_state } = payment
  const instruments = page.catalogue.paymentInstruments
  return facts([
    ["Id", element("span", { class: "id" }, view.id)],
    ["Created", timeElement(view.created_at, page.time(view.created_at))],
    [
      "Reason",
      sub_state === undefined
        ? undefined
        : `${sub_state} ${ownMember(page.catalogue.paymentSubStates, sub_state) ?? ""}`.trim()
    ],
    ["Received", amountText(received, currency)],
    ["Refunded", refunded === 0 ? undefined : amountText(refunded, currency)],
    ["Refundable", refundable === 0 ? undefined : amountText(refundable, currency)],
    [
      "Method",
      payment_instrument === undefined ? undefined : (ownMember(instruments, payment_instrument) ?? payment_instrument)
    ],
    ["Card", cardText(payment)],
    ["Stored card", payer?.card_id === undefined ? undefined : element("span", { class: "id" }, payer.card_id)],
    ["Description", description],
    ["Payer", payerText(payment)],
    ["Return address", element("span", { class: "path" }, addresses.return)],
    ["Notification address", element("span", { class: "path" }, addresses.notification ?? "none")],
    ["Hold", preauthorization?.state],
    ["Recurrence", recurrenceText(payment)],
    ["Charge of", parent_id === undefined ? undefined : paymentLink(parent_id)],
    [
      "Charges",
      charges.length === 0
        ? undefined
        : element(
            "span",
            { class: "ids" },
            charges.map((id) => paymentLink(id))
          )
    ]
  ])
}

/** A table that scrolls where it is wider than the page. @type {(label: string, rows: ReadonlyArray<HTMLElement>) => HTMLElement} */
const wideTable = (label, rows) =>
  element(
    "div",
    { class: "wide", tabindex: 0, role: "group", "aria-label": label },
    element("table", {}, element("tbody", {}, rows))
  )

/** @type {(page: Page, refunds: PaymentDetail["refunds"]) => ReadonlyArray<HTMLElement>} */
const refundRows = (page, refunds) =>
  refunds.map(({ amount, currency, date_requested, id, state }) =>
    element(
      "tr",
      {},
      element("td", { class: "id" }, id),
      element("td", {}, stateChip(state)),
      element("td", { class: "number" }, amountText(amount, currency)),
      element("td", { class: "quiet" }, date_requested === undefined ? "" : requestedAt(page, isoTime(date_requested)))
    )
  )

/** @type {(page: Page, iso: string) => HTMLElement} */
const requestedAt = (page, iso) => timeElement(iso, page.time(iso))

/** @type {(type: PaymentView["contradictions"][number]["type"], message: string, order: PaymentDetail["order"]) => string} */
const contradictionText = (type, message, { amount, currency, items }) => {
  switch (type) {
    case "itemsSum": {
      const sum = Array.isArray(items) ? items.reduce((total, item) => total + Number(item?.amount ?? 0), 0) : 0
      const [added, ordered] = [sum, Number(amount)].map((one) => amountText(one, String(currency)))
      return `The items add up to ${added ?? ""}, the amount is ${ordered ?? ""}. GoPay may refuse this (360).`
    }
    case "noMethod":
      return `No payment method that the order allows is offered in ${String(currency)}: the payer cannot pay.`
    case "notNotified": {
      const [, host] = /^not sent: (\S+) is not loopback/.exec(message) ?? []
      return host === undefined
        ? message
        : `The shop is not notified: its address is not loopback. Allow ${host} in notificationHosts.`
    }
  }
}

/** @type {(page: Page, id: string) => { readonly show: (detail: PaymentDetail) => void, readonly tick: () => void, readonly focus: () => void }} */
const paymentArticle = (page, id) => {
  const heading = element("h2", { id: "payment-heading", tabindex: -1 })
  const amount = element("p", { class: "big" })
  const chip = element("span")
  const links = element("p", { class: "links" })
  const next = element("p", { class: "next" })
  const nextText = element("span")
  const contradictions = element("div", { class: "contradictions", role: "note", hidden: true })
  const payerActions = element("section", { class: "actions", "aria-label": "The payer" })
  const shopActions = element("section", { class: "actions", "aria-label": "The shop" })
  const details = element("section", { "aria-label": "Details" })
  const items = element("section", { "aria-label": "Items" })
  const refunds = element("section", { "aria-label": "Refunds" })
  const timeline = element("ol", { class: "entries" })
  const raw = element("pre", { tabindex: 0, "aria-label": "Response of getPayment" })
  fill(
    byId("payment-detail"),
    element("a", { href: "#/payments", class: "back" }, "← All payments"),
    element("header", { class: "title" }, element("div", {}, heading, chip), amount),
    links,
    contradictions,
    payerActions,
    shopActions,
    next,
    details,
    items,
    refunds,
    element("h3", {}, "Timeline"),
    timeline,
    element("details", { class: "raw" }, element("summary", {}, "Response of getPayment"), raw)
  )

  const place = byId("payment-detail")
  // Nothing moves when the payment is there.
  for (const part of place.children) part.classList.toggle("unread", part.tagName !== "A")

  /** @type {PaymentView | undefined} */
  let shown
  /** @type {PaymentDetail | undefined} */
  let detail
  const go = element(
    "button",
    {
      type: "button",
      click: () =>
        page.act(go, async () => {
          const event = shown?.next
          if (event === undefined) return "No event is due."
          const seconds = Math.max(0, Math.ceil((Date.parse(event.at) - Date.parse(page.now())) / 1000))
          await change("/advance-time", { by: seconds })
          return "Time has moved to the next event of this payment."
        })
    },
    "Skip to then"
  )
  next.append(nextText, go)

  const showPayerActions = section(
    payerActions,
    /** @param {Pick<PaymentView, "id" | "actions">} view */ (view) => [
      element("h3", {}, "The payer"),
      payerButtons(page, view),
      view.actions.length === 0
        ? element("p", { class: "quiet" }, "There is nothing left for the payer to do.")
        : undefined
    ]
  )
  const showShopActions = section(
    shopActions,
    /** @param {Parameters<typeof shopButtons>[1]} view */ (view) => [
      element("h3", {}, "The shop"),
      ...shopButtons(page, view),
      copyButtons(page, () => detail)
    ]
  )
  const showContradictions = section(
    contradictions,
    /** @param {{ readonly list: PaymentView["contradictions"], readonly order: PaymentDetail["order"] }} shown */
    ({ list, order }) => [
      element("strong", {}, "Does not fit"),
      element(
        "ul",
        {},
        list.map(({ message, type }) => element("li", { "data-testid": type }, contradictionText(type, message, order)))
      )
    ]
  )
  const showFacts = section(
    details,
    /** @param {Parameters<typeof paymentFacts>[1]} facts */ (facts) => [paymentFacts(page, facts)]
  )
  const showItems = section(
    items,
    /** @param {PaymentDetail["order"]} order */ (order) => {
      const rows = itemRows(order)
      return rows.length === 0 ? [] : [element("h3", {}, "Items"), wideTable("Items", rows)]
    }
  )
  const showRefunds = section(
    refunds,
    /** @param {PaymentDetail["refunds"]} list */ (list) =>
      list.length === 0 ? [] : [element("h3", {}, "Refunds"), wideTable("Refunds", refundRows(page, list))]
  )
  const showLinks = section(
    links,
    /** @param {string | undefined} payPage */ (payPage) => [
      payPage === undefined || !/^https?:/.test(payPage)
        ? undefined
        : element("a", { href: payPage, target: "_blank", rel: "noreferrer" }, "Open the pay page ↗"),
      element("a", { href: `#/log/${id}` }, "Log of this payment")
    ]
  )
  /** @type {((entries: ReadonlyArray<LogEntry>) => void) | undefined} */
  let showTimeline

  const tick = () => {
    const event = shown?.next
    next.hidden = event === undefined
    if (event !== undefined) {
      write(
        nextText,
        `${nextLabels[event.type] ?? event.type} ${untilText(event.at, page.now())}, at ${page.time(event.at)}. `
      )
    }
  }

  return {
    tick,
    focus: () => heading.focus({ preventScroll: true }),
    show: (next) => {
      for (const part of place.children) part.classList.remove("unread")
      detail = next
      const { charges, order, payment: view, refunds, timeline: entries } = next
      const { currency, gw_url, state } = view.payment
      shown = view
      write(heading, orderName(view))
      write(amount, amountText(view.payment.amount, currency))
      if (chip.textContent !== state.replaceAll("_", " ")) fill(chip, stateChip(state))
      showLinks(gw_url)
      contradictions.hidden = view.contradictions.length === 0
      showContradictions({ list: view.contradictions, order })
      showPayerActions({ id: view.id, actions: view.actions })
      const { id, merchant_actions, refundable } = view
      showShopActions({ id, merchant_actions, refundable, amount: view.payment.amount })
      showFacts({
        payment: view,
        charges,
        addresses: addressesOf(order),
        description: textOf(order["order_description"])
      })
      showItems(order)
      showRefunds(refunds)
      showTimeline ??= keyedList(timeline, (entry) => entry.number, entryRow(page, { currency }))
      showTimeline(causesFirst(entries))
      write(raw, jsonText(view.payment))
      tick()
    }
  }
}

/** @type {(found: Element | null) => void} */
const focusOn = (found) => {
  if (found instanceof HTMLElement) found.focus()
}

/**
 * The payment that is open, if one is.
 *
 * @param {Page} page
 * @returns {View & { readonly open: (id: string | undefined) => void, readonly focus: () => void }} `focus` goes to the payment
 *   that was opened, or back to its row.
 */
export const openPayment = (page) => {
  const place = byId("payment-detail")
  /** @type {{ readonly id: string, readonly article: ReturnType<typeof paymentArticle> } | undefined} */
  let opened
  let seen = ""
  let wantsFocus = false
  /** The payment that was open last. */
  let last = ""
  const hint = () =>
    fill(place, element("p", { class: "quiet hint" }, "Choose a payment to see its timeline and to act as the payer."))
  hint()

  return {
    open: (id) => {
      if (id === opened?.id) return
      seen = ""
      opened = id === undefined ? undefined : { id, article: paymentArticle(page, id) }
      last = id ?? last
      place.scrollTop = 0
      if (id === undefined) hint()
    },
    focus: () => {
      if (opened !== undefined) wantsFocus = true
      else focusOn(byId("payment-list").querySelector(`[data-testid="payment-${last}"]`))
    },
    update: async ({ newest, revision }) => {
      if (opened === undefined) return
      const { article, id } = opened
      const key = [page.epoch(), revision, newest].join()
      if (key === seen) return article.tick()
      try {
        article.show(await read(`/payments/${encodeURIComponent(id)}`))
      } catch (failure) {
        if (!(failure instanceof ControlFailure) || failure.status !== 404) throw failure
        opened = undefined
        fill(
          place,
          element("a", { href: "#/payments", class: "back" }, "← All payments"),
          element("p", { class: "quiet hint" }, `There is no payment ${id}.`)
        )
      }
      if (wantsFocus) opened?.article.focus()
      wantsFocus = false
      seen = key
    }
  }
}
