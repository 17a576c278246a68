/**
 * What the payer can do with a payment.
 *
 * @import { PaymentView } from "../page/controlResponses.js"
 * @import { Content } from "../page/dom.js"
 * @import { Page } from "../page/page.js"
 */
import { change } from "../page/api.js"
import { element, select } from "../page/dom.js"
import { menu } from "../page/menu.js"
import { orderName } from "./payments.js"
import { ownMember } from "../page/ownMember.js"

/** @type {Readonly<Record<string, string>>} */
const actionLabels = {
  "pay-by-card": "Pay by card",
  "pay-by-bank-transfer": "Bank transfer arrives",
  "choose-payment-method": "Choose this method",
  "decline-attempt": "Decline the attempt",
  decline: "Decline the payment",
  cancel: "Cancel the payment",
  "time-out": "Time out"
}

/** Sub-states of declined payments start with these. */
const declined = /^_(5|6)/

/** @type {(code: string, meaning: string) => readonly [string, string]} */
const option = (code, meaning) => [code, `${code} ${meaning}`]

/** @type {(page: Page, view: Pick<PaymentView, "id" | "actions">) => { readonly first: Content, readonly others: ReadonlyArray<HTMLElement> }} */
const payerButtons = (page, { actions, id }) => {
  const { catalogue } = page
  const offers = (/** @type {string} */ action) => actions.some((offered) => offered === action)
  const card = select(
    { "aria-label": "Test card", "data-testid": "card" },
    catalogue.testCards.map(({ brand, number }, index) => [String(index), `${brand} …${number.slice(-4)}`])
  )
  const reason = select(
    { "aria-label": "Reason for declining", "data-testid": "reason" },
    Object.entries(catalogue.paymentSubStates).flatMap(([code, meaning]) =>
      declined.test(code) ? [option(code, meaning)] : []
    )
  )
  reason.value = "_5006"
  const method = select(
    { "aria-label": "Payment method", "data-testid": "method" },
    Object.entries(catalogue.paymentInstruments)
  )
  /** @type {Readonly<Record<string, () => object>>} */
  const bodies = {
    "pay-by-card": () => ({ card_number: catalogue.testCards[Number(card.value)]?.number }),
    "choose-payment-method": () => ({ payment_instrument: method.value }),
    "decline-attempt": () => ({ sub_state: reason.value }),
    decline: () => ({ sub_state: reason.value })
  }
  /** @type {(action: string) => HTMLButtonElement | undefined} */
  const button = (action) => {
    if (!offers(action)) return undefined
    const made = element(
      "button",
      {
        type: "button",
        "data-testid": action,
        class: action === "pay-by-card" ? "primary" : undefined,
        click: () =>
          page.act(made, async () => {
            /** @type {PaymentView} */
            const after = await change(`/payments/${id}/${action}`, ownMember(bodies, action)?.() ?? {})
            return `${orderName(after)} is ${after.payment.state}.`
          })
      },
      ownMember(actionLabels, action) ?? action
    )
    return made
  }
  const groups = [
    [button("pay-by-bank-transfer"), button("cancel"), button("time-out")],
    offers("decline") || offers("decline-attempt") ? [reason, button("decline-attempt"), button("decline")] : [],
    offers("choose-payment-method") ? [method, button("choose-payment-method")] : []
  ]
  return {
    first: offers("pay-by-card") ? [button("pay-by-card"), card] : undefined,
    others: groups
      .filter((group) => group.some((piece) => piece !== undefined))
      .map((group) => element("div", { class: "group" }, group))
  }
}

/**
 * What the payer may do: the card at once, all else in a menu.
 *
 * @param {Page} page
 * @param {Pick<PaymentView, "id" | "actions">} view
 * @returns {Content}
 */
export const payerActions = (page, view) => {
  const { first, others } = payerButtons(page, view)
  const all = [...others, scenarioButtons(page, view)].filter((group) => group !== undefined)
  return element("div", { class: "group" }, first, all.length === 0 ? undefined : menu("simulate", "Simulate", all))
}

/**
 * What shops are seldom tested with, each by one button: actions one after another, or a fault.
 *
 * @param {Page} page
 * @param {Pick<PaymentView, "id" | "actions">} view
 * @returns {HTMLElement | undefined}
 */
const scenarioButtons = (page, { actions, id }) => {
  if (!actions.some((action) => action === "decline")) return undefined
  const canTransfer = actions.some((action) => action === "pay-by-bank-transfer")
  const canPayByCard = actions.some((action) => action === "pay-by-card")
  /** @type {(name: string, label: string, play: () => Promise<string>) => HTMLButtonElement} */
  const button = (name, label, play) => {
    const made = element(
      "button",
      { type: "button", class: "small", "data-testid": `scenario-${name}`, click: () => page.act(made, play) },
      label
    )
    return made
  }
  /** @type {(...steps: ReadonlyArray<readonly [action: string, body?: object]>) => () => Promise<string>} */
  const playing =
    (...steps) =>
    async () => {
      /** @type {PaymentView | undefined} */
      let after
      for (const [action, body = {}] of steps) after = await change(`/payments/${id}/${action}`, body)
      return after === undefined ? "" : `${orderName(after)} is ${after.payment.state}.`
    }
  /** The payer orders again, and both are paid. */
  const paidTwice = async () => {
    await change(`/payments/${id}/pay-by-card`)
    /** @type {PaymentView} */
    const again = await change(`/payments/${id}/order-again`)
    await change(`/payments/${again.id}/pay-by-card`)
    return `The new payment ${again.id} is PAID.`
  }
  const late = playing(
    ["choose-payment-method", { payment_instrument: "BANK_ACCOUNT" }],
    ["time-out"],
    ["pay-by-bank-transfer"]
  )
  return element(
    "div",
    { class: "group" },
    element("span", { class: "quiet" }, "On a bad day"),
    button("declined", "Card declined", playing(["decline-attempt", { sub_state: "_5006" }])),
    canTransfer ? button("late", "Transfer arrives late", late) : undefined,
    canPayByCard ? button("paid-twice", "Paid twice", paidTwice) : undefined,
    canPayByCard
      ? button("twice", "Paid, notified twice", playing(["pay-by-card"], ["resend-notification"]))
      : undefined,
    button("silent", "Gateway does not respond", async () => {
      await change("/faults", { fault: { type: "noResponse" } })
      return "The next call of the gateway gets no response."
    })
  )
}
