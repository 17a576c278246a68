/**
 * What the shop can do with a payment: operations of the gateway's API, notifications, and its order as code.
 *
 * @import { Merchants, PaymentDetail, PaymentView } from "../page/controlResponses.js"
 * @import { Content } from "../page/dom.js"
 * @import { Page } from "../page/page.js"
 */
import { change, read } from "../page/api.js"
import { element } from "../page/dom.js"
import { minorUnits } from "../page/format.js"
import { orderAsCurl, orderAsTypeScript } from "../page/copies.js"
import { orderName } from "./payments.js"

/** @type {Readonly<Record<PaymentView["merchant_actions"][number], string>>} */
const labels = {
  refund: "Refund",
  capture: "Capture",
  release: "Release the hold",
  charge: "Charge again",
  "stop-recurrence": "Stop the recurrence",
  "resend-notification": "Resend the notification",
  "order-again": "Order again"
}

/** @type {(minorUnits: number) => string} */
const typed = (minorUnits) => (minorUnits / 100).toFixed(2)

/** @type {(label: string, id: string, minorUnits: number) => HTMLInputElement} */
const amountField = (label, id, minorUnits) =>
  element("input", {
    type: "text",
    inputmode: "decimal",
    size: 10,
    autocomplete: "off",
    "aria-label": label,
    "data-testid": id,
    value: typed(minorUnits)
  })

/** @type {(field: HTMLInputElement) => number} */
const amountIn = (field) => {
  const amount = minorUnits(field.value)
  field.toggleAttribute("aria-invalid", amount === undefined)
  if (amount !== undefined) return amount
  field.focus()
  throw new Error("This is not an amount, such as 1399.50.")
}

/**
 * The buttons of the shop.
 *
 * @param {Page} page
 * @param {Pick<PaymentView, "id" | "merchant_actions" | "refundable"> & { readonly amount: number }} view
 * @returns {ReadonlyArray<Content>}
 */
export const shopButtons = (page, { amount, id, merchant_actions, refundable }) => {
  const offers = (/** @type {string} */ action) => merchant_actions.some((offered) => offered === action)
  /** @type {(after: PaymentView) => string} */
  const isNow = (after) => `${orderName(after)} is ${after.payment.state}.`
  /**
   * @param {PaymentView["merchant_actions"][number]} action
   * @param {() => object} [body]
   * @param {(after: PaymentView) => string} [said]
   * @returns {HTMLButtonElement | undefined}
   */
  const button = (action, body = () => ({}), said = isNow) => {
    if (!offers(action)) return undefined
    const made = element(
      "button",
      {
        type: "button",
        "data-testid": action,
        click: () => page.act(made, async () => said(await change(`/payments/${id}/${action}`, body())))
      },
      labels[action]
    )
    return made
  }
  const refund = amountField("Amount to refund", "refund-amount", refundable)
  const capture = amountField("Amount to capture", "capture-amount", amount)
  const charge = amountField("Amount to charge", "charge-amount", amount)
  const groups = [
    offers("refund") ? [refund, button("refund", () => ({ amount: amountIn(refund) }))] : [],
    offers("capture") ? [capture, button("capture", () => captured(amountIn(capture), amount)), button("release")] : [],
    offers("charge")
      ? [
          charge,
          button(
            "charge",
            () => ({ amount: amountIn(charge) }),
            (after) => `The new payment ${after.id} is ${after.payment.state}.`
          )
        ]
      : [],
    [
      button("stop-recurrence"),
      button("resend-notification", undefined, () => "The notification was sent once more."),
      button("order-again", undefined, (after) => `The new payment ${after.id} is ${after.payment.state}.`)
    ]
  ]
  return groups
    .filter((group) => group.some((piece) => piece !== undefined))
    .map((group) => element("div", { class: "group" }, group))
}

/** The whole amount is captured without naming it, as by the API. @type {(amount: number, whole: number) => object} */
const captured = (amount, whole) => (amount === whole ? {} : { amount })

/**
 * The buttons that copy the order as code.
 *
 * @param {Page} page
 * @param {() => PaymentDetail | undefined} shown
 * @returns {HTMLElement | undefined} Undefined where browsers do not offer the clipboard.
 */
export const copyButtons = (page, shown) => {
  if (!window.isSecureContext) return undefined
  /** @type {(label: string, id: string, write: typeof orderAsCurl) => HTMLButtonElement} */
  const button = (label, id, write) => {
    const made = element(
      "button",
      {
        type: "button",
        class: "small",
        "data-testid": id,
        click: () =>
          page.act(made, async () => {
            const detail = shown()
            /** @type {Merchants} */
            const { merchants } = await read("/merchants")
            const merchant = merchants.find(({ goid }) => goid === detail?.payment.goid)
            if (detail === undefined || merchant === undefined) return ""
            await navigator.clipboard.writeText(write(detail.order, { ...merchant, url: page.url() }))
            return "The order is on the clipboard, with the credentials of this gateway."
          })
      },
      label
    )
    return made
  }
  return element(
    "div",
    { class: "group" },
    element("span", { class: "quiet" }, "Copy the order as"),
    button("curl", "copy-curl", orderAsCurl),
    button("TypeScript", "copy-typescript", orderAsTypeScript)
  )
}
