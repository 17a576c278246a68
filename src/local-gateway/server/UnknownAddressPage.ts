/**
 * The page that browsers get at an address that the local gateway does not serve.
 */
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { basePathV4 } from "../../contract/EndpointV4.js"
import { versionsPage } from "../../package/Documents.js"
import { html } from "../../html/Html.js"
import { messageLanguage } from "../books/Refusal.js"
import { methodsAt, versionHint } from "../books/RequestDecoder.js"
import { basePathV3 } from "./ApiPath.js"
import { basePath } from "./BasePath.js"
import type { Engine } from "./Engine.js"
import { newestPayments } from "./NewestPayments.js"
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
    served: (base: string) =>
      `This gateway serves API v3 below ${base}${basePathV3} (${base}/openapi.json lists it), API v4 below ${base}${basePathV4}, and its dashboard at ${base}/.`,
    dashboard: "Dashboard",
    order: "New payment"
  },
  cs: {
    title: "Na této adrese nic není",
    payment: "Taková platba neexistuje",
    paymentNote: "Adresa platební stránky je gw_url platby. Lokální brána byla možná od jejího vytvoření restartována.",
    service: (asked: string) => `Služba ${asked} neexistuje.`,
    methods: (methods: ReadonlyArray<string>) => `Tato adresa přijímá ${methods.join(" nebo ")}.`,
    v4: `Požadavek je z API v4 GoPay, která je pod ${basePathV4}, a toto je v3: ${versionsPage}`,
    gateway: "Toto je lokální brána GoPay pro vývoj a testy.",
    served: (base: string) =>
      `Tato brána má API v3 pod ${base}${basePathV3} (popisuje je ${base}/openapi.json), API v4 pod ${base}${basePathV4} a přehled na ${base}/.`,
    dashboard: "Přehled brány",
    order: "Nová platba"
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

/** Says that there is no such service, and what may have been meant, or what there is. */
export const unknownService = (
  { url }: Pick<Engine, "url">,
  { method, path }: UnknownRequest,
  language: keyof typeof texts
): string => {
  const text = texts[language]
  const methods = methodsAt(path)
  const hint = ofV4.test(path) ? text.v4 : methods.length === 0 ? text.served(basePath(url)) : text.methods(methods)
  return `${text.service(`${method} ${path}`)} ${hint}`
}

/**
 * The page with status 404, which links to the dashboard, a new payment and the newest ones. Without a request, it is about a
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
          <p class="muted">${request === undefined ? text.paymentNote : unknownService(engine, request, language)}</p>
          <p><a class="button primary" href="${base}/">${text.dashboard}</a></p>
          <p><a class="button quiet" href="${base}/#/new">${text.order}</a></p>
        </div>
        ${newestPayments(engine, { headers, language })}
      </main>
    </div>`
  })
}
