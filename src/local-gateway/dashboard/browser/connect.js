/**
 * "Connect your shop": code in the reader's language, with the addresses and credentials of this gateway.
 *
 * @import { Merchants, MerchantView } from "./page/controlResponses.js"
 * @import { Page } from "./page/page.js"
 */
import { read } from "./page/api.js"
import { element, labelled, section, select, write } from "./page/dom.js"
import { withheld } from "./page/format.js"
import { shopCode } from "./shopCode.js"
import { ownMember } from "./page/ownMember.js"

const remembered = "effect-gopay-shop-language"

/** The language chosen before; a browser may keep nothing. @type {() => string} */
const chosenBefore = () => {
  try {
    return localStorage.getItem(remembered) ?? ""
  } catch {
    return ""
  }
}

/** @type {(name: string) => void} */
const remember = (name) => {
  try {
    localStorage.setItem(remembered, name)
  } catch {
    // Then it is chosen again.
  }
}

/**
 * The panel. On the page the secret is withheld; the copy has it.
 *
 * @param {Page} page
 * @returns {{ readonly element: HTMLElement, readonly update: (shown: { readonly url: string, readonly merchants: ReadonlyArray<MerchantView> }) => void }}
 */
export const connectPanel = (page) => {
  const names = Object.keys(shopCode)
  const language = select(
    { "data-testid": "shop-language", change: () => (remember(language.value), show()) },
    names.map((name) => [name, name])
  )
  language.value = names.find((name) => name === chosenBefore()) ?? names[0] ?? ""
  const code = element("pre", { tabindex: 0, "data-testid": "shop-code", "aria-label": "Connect your shop" })
  /** @type {{ readonly url: string, readonly merchant: MerchantView | undefined }} */
  let known = { url: "", merchant: undefined }
  /** @type {(secret: string) => string} */
  const textWith = (secret) =>
    known.merchant === undefined
      ? ""
      : (ownMember(shopCode, language.value)?.({ ...known.merchant, url: known.url, client_secret: secret }) ?? "")
  const show = () => write(code, textWith(withheld))
  const copy = element(
    "button",
    {
      type: "button",
      "data-testid": "copy-shop-code",
      hidden: !window.isSecureContext,
      click: () =>
        page.act(copy, async () => {
          /** @type {Merchants} */
          const { merchants } = await read("/merchants")
          const merchant = merchants.find(({ goid }) => goid === known.merchant?.goid)
          if (merchant === undefined) return "This merchant no longer exists."
          await navigator.clipboard.writeText(textWith(merchant.client_secret))
          return "The code is on the clipboard, with the secret."
        })
    },
    "Copy with the secret"
  )
  const update = section(
    element("div"),
    /** @param {{ readonly url: string, readonly merchants: ReadonlyArray<MerchantView> }} shown */ ({
      merchants,
      url
    }) => {
      known = { url, merchant: merchants[0] }
      show()
      return []
    }
  )
  return {
    element: element(
      "section",
      { class: "panel connect" },
      element("h2", {}, "Connect your shop"),
      element("p", { class: "quiet" }, "This creates a payment and says where to send the payer."),
      element("div", { class: "group" }, labelled("Language", language), copy),
      code
    ),
    update
  }
}
