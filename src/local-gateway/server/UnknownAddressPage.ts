/**
 * The page that browsers get at an address that the local gateway does not serve.
 */
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { basePathV4 } from "../../contract/EndpointV4.js"
import { versionsPage } from "../../package/Documents.js"
import { html } from "../../html/Html.js"
import { moneyText } from "../../html/Money.js"
import { messageLanguage } from "../books/Refusal.js"
import { methodsAt, versionHint } from "../books/RequestDecoder.js"
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
    v4: versionHint,
    gateway: "This is a local GoPay gateway for development and tests.",
    dashboard: "Dashboard",
    payments: "Newest payments"
  },
  cs: {
    title: "Na této adrese nic není",
    payment: "Taková platba neexistuje",
    paymentNote: "Adresa platební stránky je gw_url platby. Lokální brána byla možná od jejího vytvoření restartována.",
    service: (asked: string) => `Služba ${asked} neexistuje.`,
    methods: (methods: ReadonlyArray<string>) => `Tato adresa přijímá ${methods.join(" nebo ")}.`,
    v4: `Požadavek je z API v4 GoPay, která je pod ${basePathV4}, a toto je v3: ${versionsPage}`,
    gateway: "Toto je lokální brána GoPay pro vývoj a testy.",
    dashboard: "Přehled brány",
    payments: "Nejnovější platby"
  }
}

/** Whether a request comes from someone who opened the address in a browser. API clients ask for JSON. */
export const prefersHtml = (accept: string | undefined): boolean => /^\s*text\/html\b/i.test(accept ?? "")

/** A request without a matching route. */
interface UnknownRequest {
  readonly method: string
  /** Without its query. */
  readonly path: string
}

/**
 * Wrong addresses of API v4: `/api/merchant/payments/4.0/…` from before July 2026, and the result of a missing
 * `/gp-gw`.
 */
const ofV4 = /\/4\.0(\/|$)/

/** Says that there is no such service, and what may have been meant. */
export const unknownService = ({ method, path }: UnknownRequest, language: keyof typeof texts): string => {
  const text = texts[language]
  const methods = methodsAt(path)
  const hint = ofV4.test(path) ? [text.v4] : methods.length === 0 ? [] : [text.methods(methods)]
  return [text.service(`${method} ${path}`), ...hint].join(" ")
}

/**
 * The page with status 404, which links to the dashboard and to the newest payments. Without a request, it is about a
 * payment that does not exist.
 */
export const unknownAddressPage = (
  engine: Engine,
  headers: { readonly [name: string]: string | undefined },
  request?: UnknownRequest
): HttpServerResponse => {
  const language = messageLanguage(headers["accept-language"])
  const text = texts[language]
  const base = basePath(engine.url)
  // No payments are shown to a page that has reached this gateway by a name of its own.
  const isOwnName = sameOriginGuard({ url: engine.url }).hostObjection(headers) === undefined
  const payments = isOwnName ? engine.books.allPayments().slice(-5).toReversed() : []
  const title = request === undefined ? text.payment : text.title
  return pageResponse({
    status: 404,
    language,
    title,
    style: pageStyle,
    script: "",
    framedBy: "no page",
    body: html`<div data-page>
      <aside class="banner" aria-label="TEST"><strong>TEST</strong><span role="note">${text.gateway}</span></aside>
      <main class="content narrow stack">
        <div class="card stack outcome">
          <p class="sign bad" aria-hidden="true">?</p>
          <h1>${title}</h1>
          <p class="muted">${request === undefined ? text.paymentNote : unknownService(request, language)}</p>
          <p><a class="button primary" href="${base}/">${text.dashboard}</a></p>
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
