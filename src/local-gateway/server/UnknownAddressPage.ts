/**
 * The page that browsers get at an address that the local gateway does not serve.
 */
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { html } from "../../html/Html.js"
import { moneyText } from "../../html/Money.js"
import { messageLanguage } from "../books/Refusal.js"
import { basePath } from "./BasePath.js"
import type { Engine } from "./Engine.js"
import { sameOriginGuard } from "./SameOriginGuard.js"
import { pageStyle } from "./PageStyle.js"
import { pageResponse } from "./HtmlPage.js"

const texts = {
  en: {
    title: "There is nothing at this address",
    payment: "No such payment",
    paymentNote:
      "The address of a pay page is the gw_url of a payment. The local gateway may have been restarted since this one was created.",
    service: (asked: string) => `There is no service ${asked}.`,
    methods: (methods: ReadonlyArray<string>) => `This address takes ${methods.join(" or ")}.`,
    v4: (page: string) => `The request is one of GoPay's API v4, and this is v3: ${page}`,
    gateway: "This is a local GoPay gateway for development and tests.",
    dashboard: "Dashboard",
    payments: "Newest payments",
    document: "API as OpenAPI"
  },
  cs: {
    title: "Na této adrese nic není",
    payment: "Taková platba neexistuje",
    paymentNote: "Adresa platební stránky je gw_url platby. Lokální brána byla možná od jejího vytvoření restartována.",
    service: (asked: string) => `Služba ${asked} neexistuje.`,
    methods: (methods: ReadonlyArray<string>) => `Tato adresa přijímá ${methods.join(" nebo ")}.`,
    v4: (page: string) => `Požadavek je z API v4 GoPay, a toto je v3: ${page}`,
    gateway: "Toto je lokální brána GoPay pro vývoj a testy.",
    dashboard: "Přehled brány",
    payments: "Nejnovější platby",
    document: "API jako OpenAPI"
  }
}

/** Whether a request comes from someone who opened the address in a browser. Clients of the API ask for JSON. */
export const prefersHtml = (accept: string | undefined): boolean => /^\s*text\/html\b/i.test(accept ?? "")

/** What was asked for, the methods that its address takes, and for an address of API v4 the page that explains. */
interface UnknownRequest {
  /** Whether it is the address of a pay page, of no payment that there is. */
  readonly isPayPage?: boolean
  readonly method: string
  readonly path: string
  readonly methods: ReadonlyArray<string>
  readonly v4Page: string | undefined
}

/** The page with status 404, which leads to the dashboard and to the newest payments. */
export const unknownAddressPage = (
  engine: Engine,
  headers: { readonly [name: string]: string | undefined },
  { isPayPage = false, method, methods, path, v4Page }: UnknownRequest
): HttpServerResponse => {
  const language = messageLanguage(headers["accept-language"])
  const base = basePath(engine.url)
  // Payments are shown to no page that has reached this gateway by a name of its own.
  const isOwnName = sameOriginGuard({ url: engine.url }).hostObjection(headers) === undefined
  const payments = isOwnName ? engine.books.allPayments().slice(-5).toReversed() : []
  const text = texts[language]
  const { dashboard, document, gateway } = text
  const title = isPayPage ? text.payment : text.title
  const explanation = [
    isPayPage ? text.paymentNote : text.service(`${method} ${path}`),
    ...(v4Page === undefined ? [] : [text.v4(v4Page)]),
    ...(methods.length === 0 ? [] : [text.methods(methods)])
  ]
  return pageResponse({
    status: 404,
    language,
    title,
    style: pageStyle,
    script: "",
    framedBy: "no page",
    body: html`<div data-page>
      <aside class="banner" aria-label="TEST"><strong>TEST</strong><span role="note">${gateway}</span></aside>
      <main class="content narrow stack">
        <div class="card stack outcome">
          <p class="sign bad" aria-hidden="true">?</p>
          <h1>${title}</h1>
          <p class="muted">${explanation.join(" ")}</p>
          <p><a class="button primary" href="${base}/">${dashboard}</a></p>
          <div class="buttons">
            <a class="button" href="${base}/openapi.json">${document}</a>
          </div>
        </div>
        ${
          payments.length === 0
            ? undefined
            : html`<nav class="card stack" aria-labelledby="payments">
                <h2 id="payments">${text.payments}</h2>
                <ul class="facts">
                  ${payments.map(
                    ({ id, order, state }) =>
                      html`<li>
                        <a href="${base}/#/payments/${id}"><bdi>${order.order_number}</bdi></a>
                        <span>${moneyText(order.amount, order.currency, language)}<br /><small>${state}</small></span>
                      </li>`
                  )}
                </ul>
              </nav>`
        }
      </main>
    </div>`
  })
}
