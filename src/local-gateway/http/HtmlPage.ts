/// <reference types="node" />
/**
 * A page as it is sent: one document that loads nothing, under a policy that lets nothing else run.
 */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { createHash } from "node:crypto"
import { Html, html, type Content } from "./Html.js"

/** What a page is made of. */
export interface HtmlPage {
  readonly status: number
  readonly language: "cs" | "en"
  readonly title: string
  /** A constant of ours, never anything from outside. */
  readonly style: string
  /** A constant of ours, never anything from outside. */
  readonly script: string
  /** Who may show the page in a frame: anybody, or nobody. */
  readonly framedBy: "anybody" | "nobody"
  readonly body: Content
}

const sourceHash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** A form may lead anywhere: browsers apply `form-action` to the redirects after it, and a shop is anywhere. */
const policy = ({ framedBy, script, style }: HtmlPage): string =>
  [
    "default-src 'none'",
    `style-src ${sourceHash(style)}`,
    `script-src ${sourceHash(script)}`,
    "img-src data:",
    "form-action http: https:",
    "base-uri 'none'",
    `frame-ancestors ${framedBy === "anybody" ? "*" : "'none'"}`
  ].join("; ")

/** A style or a script exactly as it was hashed. */
const unspaced = (name: "style" | "script", text: string): Html => new Html(`<${name}>${text}</${name}>`)

/** Sends a page. It is never cached, and its address is never told to others. */
export const pageResponse = (page: HtmlPage): HttpServerResponse.HttpServerResponse => {
  const { text } = html`<!doctype html>
    <html lang="${page.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${page.title}</title>
        <link rel="icon" href="data:," />
        ${unspaced("style", page.style)}
      </head>
      <body>
        ${page.body} ${unspaced("script", page.script)}
      </body>
    </html> `
  return HttpServerResponse.text(text, {
    status: page.status,
    contentType: "text/html; charset=utf-8",
    headers: {
      "cache-control": "no-store",
      "content-security-policy": policy(page),
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff"
    }
  })
}
