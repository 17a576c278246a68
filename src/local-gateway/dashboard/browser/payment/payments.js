/**
 * The list of payments.
 *
 * @import { Payments, PaymentView, State } from "../page/controlResponses.js"
 * @import { Row } from "../page/dom.js"
 * @import { Page, View } from "../page/page.js"
 */
import { read } from "../page/api.js"
import { byId, element, fill, keyedList, section, stateChip, timeElement, write } from "../page/dom.js"
import { amountText, countText } from "../page/format.js"
import { showMore } from "../page/showMore.js"
import { ownMember } from "../page/ownMember.js"

/** The newest payments, which are searched for a text. An exact order number is found among all. */
const searched = 2000

/** @type {(query: { readonly [name: string]: string | number | undefined }) => Promise<Payments>} */
const getPayments = (query) => read("/payments", query)

/**
 * Kinds of payments to filter by.
 *
 * @type {Readonly<Record<string, (payment: PaymentView) => boolean>>}
 */
const kinds = {
  "starts a recurrence": ({ payment }) => payment.recurrence !== undefined,
  "stored card": ({ payment }) => payment.payer?.card_id !== undefined
}

/** @type {(text: string) => (payment: PaymentView) => boolean} */
const matching = (text) => {
  const wanted = text.toLowerCase()
  return ({ id, payment }) =>
    String(id).includes(wanted) ||
    (payment.order_number ?? "").toLowerCase().includes(wanted) ||
    (payment.payer?.contact?.email ?? "").toLowerCase().includes(wanted)
}

/**
 * A readable name for a payment.
 *
 * @param {PaymentView} view
 * @returns {string}
 */
export const orderName = ({ id, payment: { order_number = "" } }) =>
  order_number === "" ? `Payment ${id}` : order_number

/** How long the list takes to make place for new payments. */
const slideMillis = 300

/**
 * Has a list glide to where a row of it has got, instead of jumping there.
 *
 * @type {(row: Element | null) => () => void}
 */
const slidingFrom = (row) => {
  const before = row?.getBoundingClientRect().top
  return () => {
    const list = row?.parentElement
    if (before === undefined || row === null || !list || matchMedia("(prefers-reduced-motion)").matches) return
    const moved = row.getBoundingClientRect().top - before
    if (moved <= 0) return
    list.animate([{ transform: `translateY(${-moved}px)` }, { transform: "none" }], {
      duration: slideMillis,
      easing: "ease-out"
    })
  }
}

/** @type {(page: Page) => (view: PaymentView) => Row<PaymentView>} */
const paymentRow = (page) => (first) => {
  const order = element("span", { class: "order" })
  const amount = element("span", { class: "amount" })
  const chip = element("span")
  const note = element("span", { class: "quiet note" })
  const time = element("span", { class: "quiet when" })
  const warning = element("span", { class: "tag", title: "Does not fit" }, "!")
  const link = element(
    "a",
    { href: `#/payments/${first.id}`, class: "payment", "data-testid": `payment-${first.id}` },
    order,
    amount,
    element("span", { class: "state" }, chip, " ", warning),
    note,
    time
  )
  /** @type {(view: PaymentView) => void} */
  const update = (view) => {
    const { currency, amount: ordered, parent_id, preauthorization, recurrence, state } = view.payment
    write(order, orderName(view))
    write(amount, amountText(ordered, currency))
    fill(chip, stateChip(state))
    const notes = [
      view.refunded > 0 ? `−${amountText(view.refunded, currency)}` : undefined,
      parent_id === undefined ? undefined : "charge",
      recurrence === undefined ? undefined : "recurrence",
      preauthorization === undefined || state !== "AUTHORIZED" ? undefined : "held"
    ]
    warning.hidden = view.contradictions.length === 0
    write(note, notes.filter((text) => text !== undefined).join(", "))
    fill(time, timeElement(view.created_at, page.time(view.created_at)))
  }
  update(first)
  return { element: element("li", {}, link), update }
}

/**
 * Arrows go through the list, up to the search above it and back.
 *
 * @type {(list: HTMLElement, search: HTMLInputElement, event: KeyboardEvent) => void}
 */
const moveFocus = (list, search, event) => {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
  if (step === 0) return
  const stops = [search, ...list.querySelectorAll("a")]
  const current = stops.findIndex((stop) => stop === document.activeElement)
  const next = stops[current + step]
  if (current === -1 || next === undefined) return
  event.preventDefault()
  next.focus()
}

/**
 * The list of payments, newest first, with its filters.
 *
 * @param {Page} page
 * @returns {View & { readonly select: (id: string | undefined) => void }}
 */
export const paymentList = (page) => {
  const list = byId("payment-list")
  const text = element("input", {
    type: "search",
    placeholder: "Order number, id or e-mail",
    "aria-label": "Filter payments",
    title: "/",
    autocomplete: "off",
    spellcheck: "false",
    input: () => page.refresh()
  })
  const states = element("div", { class: "filters", role: "group", "aria-label": "State" })
  const kindButtons = Object.keys(kinds).map((name) => {
    const button = element(
      "button",
      {
        type: "button",
        class: "filter",
        "aria-pressed": "false",
        click: () => {
          chosenKind = chosenKind === name ? undefined : name
          for (const one of kindButtons) one.setAttribute("aria-pressed", String(one.textContent === chosenKind))
          more.startOver()
          page.refresh()
        }
      },
      name
    )
    return button
  })
  const kindFilter = element("div", { class: "filters", role: "group", "aria-label": "Kind" }, kindButtons)
  const summary = element("p", { class: "quiet summary" })
  const empty = byId("no-payments")
  const more = showMore(() => page.refresh())
  byId("payment-filters").append(text, states, kindFilter, summary)
  byId("payment-more").append(more.button)
  for (const part of [list, text]) {
    part.addEventListener("keydown", (event) => moveFocus(list, text, event))
  }

  /** @type {string | undefined} */
  let chosenState
  /** @type {string | undefined} */
  let chosenKind
  let seen = ""
  /** @type {string | undefined} */
  let selected

  const render = keyedList(list, (view) => view.id, paymentRow(page))
  /** @type {(control: string, label: string, count: number, state: string | undefined) => HTMLElement} */
  const filterButton = (control, label, count, state) =>
    element(
      "button",
      {
        type: "button",
        class: "filter",
        "data-testid": control,
        "data-state": state,
        "aria-pressed": String(state === chosenState),
        click: () => {
          chosenState = state
          more.startOver()
          page.refresh()
        }
      },
      label,
      element("span", { class: "count" }, count)
    )
  const renderStates = section(
    states,
    /** @param {{ readonly total: number, readonly counts: State["payments"]["by_state"], readonly chosen: string | undefined }} shown */
    ({ chosen, counts, total }) => [
      filterButton("all", "All", total, undefined),
      ...Object.keys(page.catalogue.paymentStates).flatMap((state) =>
        ownMember(counts, state) === undefined && state !== chosen
          ? []
          : [filterButton(state, state.replaceAll("_", " "), ownMember(counts, state) ?? 0, state)]
      )
    ]
  )

  const markSelected = () => {
    for (const link of list.querySelectorAll("a")) {
      if (link.getAttribute("href") === `#/payments/${selected}`) link.setAttribute("aria-current", "true")
      else link.removeAttribute("aria-current")
    }
  }

  /** @type {(wanted: string) => Promise<Payments>} */
  const find = async (wanted) => {
    const state = { state: chosenState }
    if (wanted === "" && chosenKind === undefined) return getPayments({ ...state, limit: more.limit() })
    const isOfKind = ownMember(kinds, chosenKind ?? "") ?? (() => true)
    const [newest, exact] = await Promise.all([
      getPayments({ ...state, limit: searched }),
      wanted === "" ? { payments: [] } : getPayments({ ...state, order_number: wanted, limit: more.limit() })
    ])
    const near = newest.payments.filter(matching(wanted))
    const ids = new Set(near.map(({ id }) => id))
    const found = [...near, ...exact.payments.filter(({ id }) => !ids.has(id))].filter(isOfKind)
    return { total: found.length, payments: found.slice(0, more.limit()) }
  }

  return {
    select: (id) => {
      selected = id
      markSelected()
    },
    update: async (state) => {
      renderStates({ total: state.payments.total, counts: state.payments.by_state, chosen: chosenState })
      empty.hidden = state.payments.total > 0
      byId("payments").classList.toggle("empty", state.payments.total === 0)
      byId("payment-filters").hidden = state.payments.total === 0
      const wanted = text.value.trim()
      const key = JSON.stringify([page.epoch(), state.revision, wanted, chosenState, chosenKind, more.limit()])
      if (key === seen) return
      const { payments, total } = await find(wanted)
      const slide = slidingFrom(list.firstElementChild)
      render(payments)
      slide()
      markSelected()
      more.update(payments.length, total)
      write(
        summary,
        payments.length < total
          ? `The newest ${payments.length} of ${countText(total, "payment")}`
          : wanted !== "" || chosenState !== undefined || chosenKind !== undefined
            ? `${countText(total, "payment")} found`
            : countText(total, "payment")
      )
      seen = key
    }
  }
}
