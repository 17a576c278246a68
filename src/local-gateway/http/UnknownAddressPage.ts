/**
 * The page that browsers get at an address that the local gateway does not serve.
 */
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { html } from "../../html/Html.js"
import { pageResponse } from "./HtmlPage.js"

const style = `
:root { color-scheme: light dark; }
body { margin: 3rem auto; max-width: 38rem; padding: 0 1rem; font: 1rem/1.5 system-ui, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere; }
`

const texts = {
  en: {
    title: "There is nothing at this address",
    gateway: "This is a local GoPay gateway for development and tests.",
    dashboard: "Dashboard",
    reference: "API reference",
    document: "API as OpenAPI"
  },
  cs: {
    title: "Na této adrese nic není",
    gateway: "Toto je lokální brána GoPay pro vývoj a testy.",
    dashboard: "Přehled brány",
    reference: "Popis API",
    document: "API jako OpenAPI"
  }
}

/** Whether a request comes from someone who opened the address in a browser. Clients of the API ask for JSON. */
export const prefersHtml = (accept: string | undefined): boolean => /^\s*text\/html\b/i.test(accept ?? "")

/** The page with status 404. The explanation says what is wrong with the request. */
export const unknownAddressPage = (language: "cs" | "en", explanation: string, base: string): HttpServerResponse => {
  const { dashboard, document, gateway, reference, title } = texts[language]
  return pageResponse({
    status: 404,
    language,
    title,
    style,
    script: "",
    framedBy: "no page",
    body: html`<main>
      <h1>${title}</h1>
      <p lang="en">${explanation}</p>
      <p>${gateway}</p>
      <ul>
        <li><a href="${base}/">${dashboard}</a></li>
        <li><a href="${base}/reference">${reference}</a></li>
        <li><a href="${base}/openapi.json">${document}</a></li>
      </ul>
    </main>`
  })
}
