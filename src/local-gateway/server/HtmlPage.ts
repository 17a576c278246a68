/**
 * A page: one document that loads nothing, with a policy under which nothing else can run.
 */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Html, html, type Content } from "../../html/Html.js"

/** The icon of the local gateway: a card on the yellow of a test gateway. */
export const favicon: string = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#ffcf3f"/><rect x="5" y="9" width="22" height="14" rx="2.5" fill="#3f37c9"/><path d="M5 12.5h22v3H5z" fill="#fff"/></svg>'
)}`

/** The parts of a page. */
export interface HtmlPage {
  readonly status: number
  readonly language: "cs" | "en" | "sk"
  readonly title: string
  /** A constant, never outside input. */
  readonly style: string
  /** A constant, never outside input. */
  readonly script: string
  /** The sites that may show the page in a frame. */
  readonly framedBy: "any page" | "no page"
  readonly body: Content
}

/** Identifies the page's own style and script to the browser. It cannot be guessed. */
const newNonce = (): string => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))

/** Forms may lead anywhere, since browsers also apply `form-action` to redirects, and a shop can be anywhere. */
const policy = ({ framedBy }: HtmlPage, nonce: string): string =>
  [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "img-src data:",
    "connect-src 'self'",
    "form-action http: https:",
    "base-uri 'none'",
    `frame-ancestors ${framedBy === "any page" ? "*" : "'none'"}`
  ].join("; ")

/** A style or a script, unescaped. */
const source = (name: "style" | "script", nonce: string, text: string): Html =>
  new Html(`<${name} nonce="${nonce}">${text}</${name}>`)

/** Responds with a page. It is never cached, and its address is never passed on as a referrer. */
export const pageResponse = (page: HtmlPage): HttpServerResponse.HttpServerResponse => {
  const nonce = newNonce()
  const { text } = html`<!doctype html>
    <html lang="${page.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${page.title}</title>
        <link rel="icon" href="${favicon}" />
        ${source("style", nonce, page.style)}
      </head>
      <body>
        ${page.body} ${source("script", nonce, page.script)}
      </body>
    </html> `
  return HttpServerResponse.text(text, {
    status: page.status,
    contentType: "text/html; charset=utf-8",
    headers: {
      "cache-control": "no-store",
      "content-security-policy": policy(page, nonce),
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff"
    }
  })
}
