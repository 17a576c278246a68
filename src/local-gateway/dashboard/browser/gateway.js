/**
 * The gateway itself: credentials, clearings, notifications, tokens, its whole state.
 *
 * @import { Merchants, MerchantView } from "./page/controlResponses.js"
 * @import { Page, View } from "./page/page.js"
 */
import { connectPanel } from "./connect.js"
import { base, change, read } from "./page/api.js"
import { byId, element, section, write } from "./page/dom.js"
import { countText } from "./page/format.js"
import { clearingTable } from "./tables.js"

/**
 * A button that copies the credentials of a client. The secret goes to the clipboard and never to the page.
 * Browsers offer the clipboard only on the loopback interface and over https; elsewhere there is no button.
 *
 * @param {Page} page
 * @param {number} goid
 * @param {string} url
 * @returns {HTMLButtonElement | undefined}
 */
export const copyEnvironment = (page, goid, url) => {
  if (!window.isSecureContext) return undefined
  const button = element(
    "button",
    {
      type: "button",
      "data-testid": `copy-${goid}`,
      click: () =>
        page.act(button, async () => {
          /** @type {Merchants} */
          const { merchants } = await read("/merchants")
          const merchant = merchants.find((known) => known.goid === goid)
          if (merchant === undefined) return "This merchant no longer exists."
          const variables = {
            GOPAY_GOID: merchant.goid,
            GOPAY_CLIENT_ID: merchant.client_id,
            GOPAY_CLIENT_SECRET: merchant.client_secret,
            GOPAY_ENVIRONMENT: url
          }
          await navigator.clipboard.writeText(
            Object.entries(variables)
              .map(([name, value]) => `${name}=${value}\n`)
              .join("")
          )
          return "The environment variables are on the clipboard, including the secret."
        })
    },
    "Copy environment variables"
  )
  return button
}

/** @type {(text: string) => unknown} */
const jsonIn = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @type {(page: Page, label: string, action: () => Promise<string>, kind?: string) => HTMLButtonElement} */
const actionButton = (page, label, action, kind) => {
  const button = element("button", { type: "button", class: kind, click: () => page.act(button, action) }, label)
  return button
}

/** @type {(title: string, meaning: string, ...controls: ReadonlyArray<HTMLElement>) => HTMLElement} */
const panel = (title, meaning, ...controls) =>
  element(
    "section",
    { class: "panel" },
    element("h2", {}, title),
    element("p", { class: "quiet" }, meaning),
    element("div", { class: "group" }, controls)
  )

/**
 * The tab of the gateway itself.
 *
 * @param {Page} page
 * @returns {View}
 */
export const gatewayView = (page) => {
  const merchants = element("div", { class: "group" })
  const waiting = element("span", { class: "quiet" })
  const file = element("input", { type: "file", accept: "application/json,.json", "aria-label": "Seed file" })
  const begin = actionButton(page, "Load this file", async () => {
    const [seed] = file.files ?? []
    if (seed === undefined) return "Choose a seed file first."
    const content = jsonIn(await seed.text())
    if (content === undefined) return "This file is not well-formed JSON."
    /** @type {{ merchants: number, payments: number, cards: number }} */
    const taken = await change("/seed", content)
    file.value = ""
    return `Loaded ${countText(taken.merchants, "merchant")}, ${countText(taken.payments, "payment")} and ${countText(taken.cards, "card")}.`
  })
  const connect = connectPanel(page)
  const clearings = element("div")
  const showClearings = clearingTable(page, clearings)
  byId("gateway").append(
    element("section", { class: "panel" }, element("h2", {}, "Merchants"), merchants),
    connect.element,
    element(
      "section",
      { class: "panel" },
      element("h2", {}, "Clearings"),
      element(
        "p",
        { class: "quiet" },
        "What is paid out to the merchants, with the XML that the gateway sends by mail."
      ),
      clearings
    ),
    panel(
      "Notifications",
      "Delivers pending notifications without the pauses between attempts, until each is accepted or given up.",
      actionButton(page, "Deliver now", async () => {
        await change("/deliver-notifications")
        return "Every notification has been accepted or given up."
      }),
      waiting
    ),
    panel(
      "Tokens",
      "Revokes every access token. Clients must request a new one.",
      actionButton(page, "Revoke all tokens", async () => {
        await change("/revoke-tokens")
        return "All tokens have been revoked."
      })
    ),
    panel(
      "State",
      "The whole state as a seed file: merchants with their secrets, payments, cards, settings and time.",
      element(
        "a",
        { href: `${base}/local-gateway/seed`, download: "local-gateway-seed.json", class: "button" },
        "Save state"
      ),
      file,
      begin
    ),
    panel(
      "Reset",
      "Returns to the initial state. All later payments, cards, log entries, tokens and faults are dropped.",
      actionButton(
        page,
        "Reset the gateway",
        async () => {
          if (!(await page.confirm("Drop all payments, cards, log entries and settings since the start?", "Reset"))) {
            return "Nothing was reset."
          }
          await change("/reset")
          return "The gateway is back in its initial state."
        },
        "danger"
      )
    ),
    panel(
      "Documents",
      "The gateway's API and the control API, as OpenAPI.",
      element("a", { href: `${base}/openapi.json`, class: "button" }, "The gateway's API"),
      element("a", { href: `${base}/local-gateway/openapi.json`, class: "button" }, "The control API")
    )
  )

  const showMerchants = section(
    merchants,
    /** @param {{ readonly url: string, readonly merchants: ReadonlyArray<MerchantView> }} shown */ (shown) =>
      shown.merchants.map(({ client_id, goid, name }) =>
        element(
          "div",
          { class: "merchant" },
          element("strong", {}, name),
          element("span", {}, "GoID ", element("span", { class: "id" }, goid)),
          element("span", {}, "ClientID ", element("span", { class: "id" }, client_id)),
          copyEnvironment(page, goid, shown.url)
        )
      )
  )

  return {
    update: async (state) => {
      const { merchants: known, notifications_waiting, url } = state
      showMerchants({ url, merchants: known })
      connect.update({ url, merchants: known })
      write(waiting, notifications_waiting === 0 ? "No pending notifications." : `${notifications_waiting} pending.`)
      await showClearings.update(state)
    }
  }
}
